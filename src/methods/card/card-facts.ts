import type { CardBrand } from '../../core/cards/card-number.ts'
import { card, type MethodFacts, type PaymentName } from '../contract/payment-facts.ts'

const union_pay = card('UnionPay', 'UP', '銀聯（UnionPay）')

export const card_facts = {
  name: { en: 'Card', ja: 'カード' },
  customer_name: { en: 'Credit or debit card', ja: 'クレジットカード・デビットカード' },
  by_card: true,
  repeatable: true,
  email: 'required',
  holds: true,
  refundable: true,
  deposit: null,
  on_pages: 'always',
  brands: {
    visa: card('Visa', 'VISA'),
    mastercard: card('Mastercard', 'MC'),
    maestro: card('Maestro', 'MAES'),
    american_express: card('American Express', 'AMEX', 'アメリカン・エキスプレス'),
    diners_club: card('Diners Club', 'DC', 'ダイナースクラブ'),
    discover: card('Discover', 'DISC'),
    jcb: card('JCB', 'JCB'),
    unionpay: union_pay,
    private_label: card('Store card', '…', 'ハウスカード'),
  } satisfies Record<CardBrand, PaymentName>,
  other_names: { union_pay, unknown: card('Card', '…', 'カード') },
} as const satisfies MethodFacts
