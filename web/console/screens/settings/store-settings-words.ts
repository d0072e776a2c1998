import { defineWords, type Language, useLanguage, useWords } from '../../words/language.tsx'
import { method_settings, type OwnPath, type SettingGroup } from './store-settings.ts'

type Words = {
  groups: Record<SettingGroup, string>
  names: Record<OwnPath, string>
  values: Record<'recurring_type', Record<string, string>>
  per: (money: string, time: string) => string
  appearance: string
}

/** Settings of stores as staff know them. */
export const store_settings_words = defineWords<Words>(
  {
    groups: {
      general: 'General',
      card: 'Cards',
      methods: 'Other payment methods',
      repeated: 'Stored cards, subscriptions, installments',
      security: 'Abuse protection',
      fees: 'Fees',
    },
    names: {
      percent_fee: 'Fee in percent',
      flat_fees: 'Fee per payment',
      'card_brand_percent_fees.visa': 'Fee in percent: Visa',
      'card_brand_percent_fees.american_express': 'Fee in percent: American Express',
      'card_brand_percent_fees.mastercard': 'Fee in percent: Mastercard',
      'card_brand_percent_fees.maestro': 'Fee in percent: Maestro',
      'card_brand_percent_fees.discover': 'Fee in percent: Discover',
      'card_brand_percent_fees.jcb': 'Fee in percent: JCB',
      'card_brand_percent_fees.diners_club': 'Fee in percent: Diners Club',
      'card_brand_percent_fees.union_pay': 'Fee in percent: UnionPay',
      'card_brand_percent_fees.private_label': 'Fee in percent: Private label',
      minimum_charge_amounts: 'Minimum payment',
      maximum_charge_amounts: 'Maximum payment',
      country: 'Country',
      language: 'Language of mails',
      display_time_zone: 'Time zone',
      min_transfer_payout: 'Minimum payout',
      'user_transactions_configuration.notify_on_webhook_disabled':
        'Mail when a webhook is switched off',
      'recurring_token_configuration.recurring_type': 'Stored cards',
      'recurring_token_configuration.charge_wait_period': 'Wait between payments of a stored card',
      'recurring_token_configuration.card_charge_cvv_confirmation.enabled':
        'Ask for the security code of stored cards',
      'recurring_token_configuration.card_charge_cvv_confirmation.threshold':
        'Minimum amount for the security code',
      'subscription_configuration.enabled': 'Allow subscriptions',
      'subscription_configuration.suspend_on_cancel':
        'After the last failed attempt, suspend instead of canceling',
      'subscription_configuration.allow_merchant_amount_patch': 'Allow changing amounts',
      'subscription_configuration.allow_merchant_due_date_patch': 'Allow changing payment dates',
      'subscription_configuration.failed_charges_to_cancel': 'Attempts per payment',
      'subscription_plan_configuration.enabled': 'Allow plans that split a total',
      'subscription_plan_configuration.fixed_cycle': 'Plans: fixed number of payments',
      'subscription_plan_configuration.fixed_cycle_amount': 'Plans: fixed amount of each payment',
      'subscription_plan_configuration.min_charge_amount': 'Plans: minimum total',
      'subscription_plan_configuration.max_payout_period': 'Plans: maximum duration',
      'installments_configuration.enabled': 'Allow installments',
      'installments_configuration.only_with_processor': 'Installments by the card company only',
      'installments_configuration.min_charge_amount': 'Installments: minimum total',
      'installments_configuration.max_payout_period': 'Installments: maximum duration',
      'installments_configuration.card_processor.revolving': 'Revolving payments',
      'installments_configuration.card_processor.fixed_cycle': 'Fixed number of installments',
      'security_configuration.refund_percent_limit': 'Maximum refundable share of a payment',
      'security_configuration.min_refund_threshold': 'Minimum refund',
      'security_configuration.card_charge_cooldown': 'Wait between payments of a card',
      'security_configuration.limit_charge_by_card_configuration.quantity_of_charges':
        'Maximum payments of one card',
      'security_configuration.limit_charge_by_card_configuration.duration_window':
        'Period for counting payments of one card',
    },
    values: {
      recurring_type: { none: 'Not allowed', bounded: 'With a limit only', infinite: 'Allowed' },
    },
    per: (money, time) => `${money} in ${time}`,
    appearance: 'Logo, color and contacts: appearance of checkout',
  },
  {
    groups: {
      general: '全般',
      card: 'カード',
      methods: 'その他の決済方法',
      repeated: '継続利用・定期課金・分割払い',
      security: '不正利用の防止',
      fees: '手数料',
    },
    names: {
      percent_fee: '手数料率',
      flat_fees: '1件あたりの手数料',
      'card_brand_percent_fees.visa': '手数料率: Visa',
      'card_brand_percent_fees.american_express': '手数料率: American Express',
      'card_brand_percent_fees.mastercard': '手数料率: Mastercard',
      'card_brand_percent_fees.maestro': '手数料率: Maestro',
      'card_brand_percent_fees.discover': '手数料率: Discover',
      'card_brand_percent_fees.jcb': '手数料率: JCB',
      'card_brand_percent_fees.diners_club': '手数料率: Diners Club',
      'card_brand_percent_fees.union_pay': '手数料率: 銀聯',
      'card_brand_percent_fees.private_label': '手数料率: ハウスカード',
      minimum_charge_amounts: '決済金額の下限',
      maximum_charge_amounts: '決済金額の上限',
      country: '国',
      language: 'メールの言語',
      display_time_zone: 'タイムゾーン',
      min_transfer_payout: '最低入金額',
      'user_transactions_configuration.notify_on_webhook_disabled':
        'Webhookが停止されたときにメールで通知',
      'recurring_token_configuration.recurring_type': 'カードの登録',
      'recurring_token_configuration.charge_wait_period': '登録カードの決済間隔',
      'recurring_token_configuration.card_charge_cvv_confirmation.enabled':
        '登録カードのセキュリティコードを再確認',
      'recurring_token_configuration.card_charge_cvv_confirmation.threshold':
        'セキュリティコードを再確認する金額',
      'subscription_configuration.enabled': '定期課金',
      'subscription_configuration.suspend_on_cancel':
        '最後の再試行に失敗した定期課金を、解約せず停止する',
      'subscription_configuration.allow_merchant_amount_patch': '定期課金の金額の変更',
      'subscription_configuration.allow_merchant_due_date_patch': '決済日の変更',
      'subscription_configuration.failed_charges_to_cancel': '決済の試行回数',
      'subscription_plan_configuration.enabled': '総額を分けて支払うプラン',
      'subscription_plan_configuration.fixed_cycle': 'プラン: 回数の指定',
      'subscription_plan_configuration.fixed_cycle_amount': 'プラン: 1回の金額の指定',
      'subscription_plan_configuration.min_charge_amount': 'プラン: 総額の下限',
      'subscription_plan_configuration.max_payout_period': 'プラン: 最長期間',
      'installments_configuration.enabled': '分割払い',
      'installments_configuration.only_with_processor': 'カード会社による分割のみ',
      'installments_configuration.min_charge_amount': '分割払いの総額の下限',
      'installments_configuration.max_payout_period': '分割払いの最長期間',
      'installments_configuration.card_processor.revolving': 'リボ払い',
      'installments_configuration.card_processor.fixed_cycle': '回数を指定した分割払い',
      'security_configuration.refund_percent_limit': '返金できる割合の上限',
      'security_configuration.min_refund_threshold': '返金の最低金額',
      'security_configuration.card_charge_cooldown': '同じカードの決済間隔',
      'security_configuration.limit_charge_by_card_configuration.quantity_of_charges':
        '1枚のカードの決済件数の上限',
      'security_configuration.limit_charge_by_card_configuration.duration_window':
        '決済件数を数える期間',
    },
    values: {
      recurring_type: { none: '不可', bounded: '上限付きのみ', infinite: '可' },
    },
    per: (money, time) => `${time}で${money}`,
    appearance: 'ロゴ、色、お問い合わせ先は「支払いページの外観」で設定します',
  },
)

/** The name of a setting. */
export function useSettingName(): (path: string) => string {
  const { names } = useWords(store_settings_words)
  const { language } = useLanguage()
  const known: Readonly<Record<string, string>> = names
  return (path) => method_settings.get(path)?.[language] ?? known[path] ?? path
}

/** The names of a setting's values, if they have names. */
export function choicesOf(
  path: string,
  own: Readonly<Record<string, Readonly<Record<string, string>>>>,
  language: Language,
): Readonly<Record<string, string>> | undefined {
  const values = method_settings.get(path)?.values
  if (!values) return own[path.split('.').at(-1) ?? '']
  return Object.fromEntries(
    Object.entries(values).map(([value, texts]) => [value, texts[language]]),
  )
}
