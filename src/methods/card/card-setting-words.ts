import { accepts, type SettingWords, shown } from '../contract/setting-facts.ts'

export const card_setting_words = {
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
    allow_empty_cvv: accepts('Accept cards without security code', 'セキュリティコードなしを許可'),
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
} satisfies SettingWords
