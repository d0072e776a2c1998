/** How a setting is shown: a switch can be changed here, all others are read. */
type Kind = 'switch' | 'shown'

/**
 * The settings of stores that have an effect, in groups, by their paths in the API. The logo, the color and
 * the contacts have a screen of their own.
 */
export const store_settings = {
  general: {
    minimum_charge_amounts: 'shown',
    maximum_charge_amounts: 'shown',
    country: 'shown',
    language: 'shown',
    display_time_zone: 'shown',
    min_transfer_payout: 'shown',
    'user_transactions_configuration.notify_on_webhook_disabled': 'switch',
  },
  card: {
    'card_configuration.enabled': 'switch',
    'card_configuration.debit_enabled': 'switch',
    'card_configuration.prepaid_enabled': 'switch',
    'card_configuration.debit_authorization_enabled': 'switch',
    'card_configuration.prepaid_authorization_enabled': 'switch',
    'card_configuration.foreign_cards_allowed': 'switch',
    'card_configuration.three_ds_required': 'switch',
    'card_configuration.three_ds_address_required': 'switch',
    'card_configuration.three_ds_phone_number_required': 'switch',
    'card_configuration.three_ds_skip_enabled': 'shown',
    'card_configuration.allow_empty_cvv': 'switch',
    'card_configuration.fail_on_new_email': 'switch',
    'card_configuration.only_direct_currency': 'switch',
    'card_configuration.allow_direct_token_creation': 'switch',
    'card_configuration.forbidden_card_brands': 'shown',
    'card_configuration.card_limit': 'shown',
  },
  methods: {
    'qr_scan_configuration.enabled': 'switch',
    'qr_scan_configuration.forbidden_qr_scan_gateways': 'shown',
    'qr_merchant_configuration.enabled': 'switch',
    'online_configuration.enabled': 'switch',
    'paidy_configuration.enabled': 'switch',
    'convenience_configuration.enabled': 'switch',
    'convenience_configuration.expiration': 'shown',
    'convenience_configuration.expiration_time_shift.enabled': 'switch',
    'convenience_configuration.expiration_time_shift.value': 'shown',
    'bank_transfer_configuration.enabled': 'switch',
    'bank_transfer_configuration.match_amount': 'shown',
    'bank_transfer_configuration.expiration': 'shown',
    'bank_transfer_configuration.expiration_time_shift.enabled': 'switch',
    'bank_transfer_configuration.expiration_time_shift.value': 'shown',
  },
  repeated: {
    'recurring_token_configuration.recurring_type': 'shown',
    'recurring_token_configuration.charge_wait_period': 'shown',
    'recurring_token_configuration.card_charge_cvv_confirmation.enabled': 'switch',
    'recurring_token_configuration.card_charge_cvv_confirmation.threshold': 'shown',
    'subscription_configuration.enabled': 'switch',
    'subscription_configuration.suspend_on_cancel': 'switch',
    'subscription_configuration.allow_merchant_amount_patch': 'switch',
    'subscription_configuration.allow_merchant_due_date_patch': 'switch',
    'subscription_configuration.failed_charges_to_cancel': 'shown',
    'subscription_plan_configuration.enabled': 'switch',
    'subscription_plan_configuration.fixed_cycle': 'switch',
    'subscription_plan_configuration.fixed_cycle_amount': 'switch',
    'subscription_plan_configuration.min_charge_amount': 'shown',
    'subscription_plan_configuration.max_payout_period': 'shown',
    'installments_configuration.enabled': 'switch',
    'installments_configuration.only_with_processor': 'shown',
    'installments_configuration.min_charge_amount': 'shown',
    'installments_configuration.max_payout_period': 'shown',
    'installments_configuration.card_processor.revolving': 'switch',
    'installments_configuration.card_processor.fixed_cycle': 'switch',
  },
  security: {
    'security_configuration.refund_percent_limit': 'shown',
    'security_configuration.min_refund_threshold': 'shown',
    'security_configuration.card_charge_cooldown': 'shown',
    'security_configuration.limit_charge_by_card_configuration.quantity_of_charges': 'shown',
    'security_configuration.limit_charge_by_card_configuration.duration_window': 'shown',
  },
  fees: {
    percent_fee: 'shown',
    flat_fees: 'shown',
    'card_brand_percent_fees.visa': 'shown',
    'card_brand_percent_fees.american_express': 'shown',
    'card_brand_percent_fees.mastercard': 'shown',
    'card_brand_percent_fees.maestro': 'shown',
    'card_brand_percent_fees.discover': 'shown',
    'card_brand_percent_fees.jcb': 'shown',
    'card_brand_percent_fees.diners_club': 'shown',
    'card_brand_percent_fees.union_pay': 'shown',
    'card_brand_percent_fees.private_label': 'shown',
  },
} as const satisfies Record<string, Record<string, Kind>>

export type SettingGroup = keyof typeof store_settings
type PathsOf<Group> = Group extends Record<infer Path extends string, Kind> ? Path : never
export type SettingPath = {
  [Group in SettingGroup]: PathsOf<(typeof store_settings)[Group]>
}[SettingGroup]

/** A setting with the value of the merchant and that of the store. */
export interface Setting {
  readonly path: SettingPath
  readonly is_switch: boolean
  readonly inherited: unknown
  readonly own: unknown
}

function valueAt(configuration: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], configuration)
}

/** The settings of a group, with the values of both. */
export function settingsOf(group: SettingGroup, merchant: object, store: object): Setting[] {
  const kinds: Partial<Record<SettingPath, Kind>> = store_settings[group]
  return (Object.keys(kinds) as SettingPath[]).map((path) => ({
    path,
    is_switch: kinds[path] === 'switch',
    inherited: valueAt(merchant, path),
    own: valueAt(store, path),
  }))
}
