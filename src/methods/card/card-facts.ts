import type { CardBrand } from '../../core/cards/card-number.ts'
import { accepts, card, type MethodFacts, type PaymentName, shown } from '../payment-facts.ts'

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
  settings: {
    group: 'card',
    fields: {
      enabled: accepts('Accept cards', 'カード決済'),
      debit_enabled: accepts('Accept debit cards', 'デビットカード'),
      prepaid_enabled: accepts('Accept prepaid cards', 'プリペイドカード'),
      debit_authorization_enabled: accepts(
        'Authorize debit cards without capture',
        'デビットカードの仮売上',
      ),
      prepaid_authorization_enabled: accepts(
        'Authorize prepaid cards without capture',
        'プリペイドカードの仮売上',
      ),
      foreign_cards_allowed: accepts('Accept cards of other countries', '海外発行カード'),
      three_ds_required: accepts('Require 3-D Secure', '3Dセキュアを必須にする'),
      three_ds_address_required: accepts('Require a billing address', '請求先住所を必須にする'),
      three_ds_phone_number_required: accepts('Require a phone number', '電話番号を必須にする'),
      three_ds_skip_enabled: shown('Allow skipping 3-D Secure', '3Dセキュアの省略を許可'),
      allow_empty_cvv: accepts(
        'Accept cards without security code',
        'セキュリティコードなしを許可',
      ),
      fail_on_new_email: accepts(
        'Refuse a card with another e-mail than before',
        '以前と異なるメールアドレスのカードを拒否',
      ),
      only_direct_currency: accepts('Never convert currencies', '通貨を換算しない'),
      allow_direct_token_creation: accepts(
        'Accept card numbers from your server',
        '自社サーバーからのカード番号の送信',
      ),
      forbidden_card_brands: shown('Refused card brands', '利用できないカードブランド'),
      card_limit: shown('Limit of one card', '1枚のカードの利用上限'),
    },
  },
} as const satisfies MethodFacts
