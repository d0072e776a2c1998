import type { CardBrand } from '../../core/cards/card-number.ts'
import { card, type MethodFacts, type PaymentName } from '../contract/payment-facts.ts'

const union_pay = card('UnionPay', 'UP', '銀聯（UnionPay）', '#00707b')

export const card_facts = {
  name: { en: 'Card', ja: 'カード' },
  customer_name: { en: 'Card', ja: 'カード' },
  by_card: true,
  repeatable: true,
  email: 'required',
  holds: true,
  refundable: true,
  deposit: null,
  on_pages: 'always',
  brands: {
    visa: card('Visa', 'VISA', 'Visa', '#1434cb'),
    mastercard: card('Mastercard', 'MC', 'Mastercard', '#cf4500'),
    maestro: card('Maestro', 'MAES'),
    american_express: card('American Express', 'AMEX', 'アメリカン・エキスプレス', '#006fcf'),
    diners_club: card('Diners Club', 'DC', 'ダイナースクラブ', '#004a97'),
    discover: card('Discover', 'DISC', 'Discover', '#c45500'),
    jcb: card('JCB', 'JCB', 'JCB', '#0e4c96'),
    unionpay: union_pay,
    private_label: card('Store card', '…', 'ハウスカード'),
  } satisfies Record<CardBrand, PaymentName>,
  other_names: { union_pay, unknown: card('Card', '…', 'カード') },
} as const satisfies MethodFacts
