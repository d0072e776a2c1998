import type { SettingFacts } from '../../../../src/methods/contract/setting-facts.ts'
import { method_setting_words } from '../../../../src/methods/method-setting-words.ts'

/** The display of a setting: switches can be changed here, all others are read-only. */
type Kind = 'switch' | 'shown'

/**
 * The settings of stores that have an effect, in groups, by their paths in the API. The logo, the color and
 * the contacts have a screen of their own.
 */
const own_settings = {
  general: {
    minimum_charge_amounts: 'shown',
    maximum_charge_amounts: 'shown',
    country: 'shown',
    language: 'shown',
    display_time_zone: 'shown',
    min_transfer_payout: 'shown',
    'user_transactions_configuration.notify_on_webhook_disabled': 'switch',
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

type OwnGroup = keyof typeof own_settings
type PathsOf<Group> = Group extends Record<infer Path extends string, Kind> ? Path : never
/** The settings that belong to no payment method. */
export type OwnPath = { [Group in OwnGroup]: PathsOf<(typeof own_settings)[Group]> }[OwnGroup]

/** The settings of the payment methods, by their paths in the API. */
export const method_settings: ReadonlyMap<string, SettingFacts> = new Map(
  Object.values(method_setting_words).flatMap((words) =>
    Object.entries(words?.fields ?? {}).map(
      ([name, facts]) => [`${words?.group}_configuration.${name}`, facts] as const,
    ),
  ),
)

function kindsOf(is_card: boolean): Record<string, Kind> {
  const paths = [...method_settings].filter(
    ([path]) => path.startsWith('card_configuration.') === is_card,
  )
  return Object.fromEntries(paths.map(([path, { kind }]) => [path, kind]))
}

const { general, ...others } = own_settings
export const store_settings = {
  general,
  card: kindsOf(true),
  methods: kindsOf(false),
  ...others,
} as const satisfies Record<string, Record<string, Kind>>
export type SettingGroup = keyof typeof store_settings

/** The levels that can set a value, the most specific first. */
const sources = ['store', 'merchant', 'platform'] as const
type Source = (typeof sources)[number]
export type Configurations = Readonly<Record<Source, object>>

/** A setting with the value that applies, the place where it is set, and the store's own value. */
export interface Setting {
  readonly path: string
  readonly is_switch: boolean
  readonly effective: unknown
  /** Null where it is set nowhere. */
  readonly source: Source | null
  readonly own: unknown
}

function valueAt(configuration: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], configuration)
}

/** The settings of a group, each with the value that applies. */
export function settingsOf(group: SettingGroup, of: Configurations): Setting[] {
  const kinds: Readonly<Record<string, Kind>> = store_settings[group]
  return Object.keys(kinds).map((path) => {
    const source = sources.find((one) => (valueAt(of[one], path) ?? null) !== null) ?? null
    return {
      path,
      is_switch: kinds[path] === 'switch',
      effective: source && valueAt(of[source], path),
      source,
      own: valueAt(of.store, path),
    }
  })
}
