import type { CardBrand } from '../../core/cards/card-number.ts'
import { card, type MethodFacts, type PaymentName } from '../contract/payment-facts.ts'

const union_pay = card('UnionPay', { ja: '銀聯（UnionPay）', word: 'UnionPay', color: '#00707b' })

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
    visa: card('Visa', { word: 'VISA', color: '#1434cb' }),
    mastercard: card('Mastercard', { word: 'mastercard', color: '#cf4500' }),
    maestro: card('Maestro', { word: 'maestro' }),
    american_express: card('American Express', {
      ja: 'アメリカン・エキスプレス',
      word: 'AMEX',
      color: '#006fcf',
    }),
    diners_club: card('Diners Club', { ja: 'ダイナースクラブ', word: 'Diners', color: '#004a97' }),
    discover: card('Discover', { color: '#c45500' }),
    jcb: card('JCB', { color: '#0e4c96' }),
    unionpay: union_pay,
    private_label: card('Store card', { ja: 'ハウスカード', word: '…' }),
  } satisfies Record<CardBrand, PaymentName>,
  other_names: { union_pay, unknown: card('Card', { ja: 'カード', word: '…' }) },
} as const satisfies MethodFacts
