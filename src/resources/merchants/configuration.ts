import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { type FieldError, fail } from '../../core/errors.ts'
import { payout_periods, week_days, weeks_of_month } from '../../core/money/payout-schedule.ts'
import { nullable } from '../../core/schemas.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'
import { default_configuration } from './configuration-defaults.ts'

/** At a store null means "inherited from the merchant". */
const flag = nullable(Type.Boolean())
const text = nullable(Type.String({ minLength: 1, maxLength: 255 }))
const duration = nullable(Type.String({ format: 'duration' }))
const time_of_day = nullable(Type.String({ format: 'time_of_day' }))
const count = nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))
const percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))
const texts = nullable(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 300 }))
const currency = Type.String({ format: 'currency' })
const money = named(
  'Money',
  Type.Object({
    amount: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }),
    currency,
  }),
)
const moneys = nullable(Type.Array(money, { maxItems: 200 }))
const matching = nullable(Type.Enum(['disabled', 'exact', 'minimum', 'maximum']))

function flags<const Name extends string>(...names: Name[]): Record<Name, typeof flag> {
  return Object.fromEntries(names.map((name) => [name, flag])) as Record<Name, typeof flag>
}

const card_brands = [
  'visa',
  'american_express',
  'mastercard',
  'maestro',
  'discover',
  'jcb',
  'diners_club',
  'union_pay',
  'private_label',
] as const

/** Groups that both a merchant and a store have. */
const groups = {
  user_transactions_configuration: named(
    'UserTransactionsConfiguration',
    Type.Object(
      flags(
        'enabled',
        'notify_customer',
        'notify_on_test',
        'notify_on_recurring_token_creation',
        'notify_on_webhook_failure',
        'notify_on_webhook_disabled',
        'notify_on_subscriptions',
        'notify_on_authorizations',
        'notify_on_cancels',
        'notify_on_convenience_expiry',
        'notify_user_on_failed_transactions',
        'notify_customer_on_failed_transactions',
      ),
    ),
  ),
  card_configuration: named(
    'CardConfiguration',
    Type.Object({
      ...flags(
        'enabled',
        'debit_enabled',
        'prepaid_enabled',
        'debit_authorization_enabled',
        'prepaid_authorization_enabled',
        'foreign_cards_allowed',
        'fail_on_new_email',
        'allow_empty_cvv',
        'only_direct_currency',
        'three_ds_required',
        'three_ds_address_required',
        'three_ds_phone_number_required',
        'three_ds_skip_enabled',
        'allow_direct_token_creation',
      ),
      forbidden_card_brands: texts,
      allowed_countries_by_ip: nullable(Type.Array(Type.String({ format: 'country' }))),
      card_limit: nullable(
        named(
          'CardLimit',
          Type.Object({
            amount: money.properties.amount,
            currency,
            duration: Type.String({ format: 'duration' }),
          }),
        ),
      ),
    }),
  ),
  qr_scan_configuration: named(
    'QrScanConfiguration',
    Type.Object({ enabled: flag, forbidden_qr_scan_gateways: texts }),
  ),
  qr_merchant_configuration: named('QrMerchantConfiguration', Type.Object({ enabled: flag })),
  paidy_configuration: named('PaidyConfiguration', Type.Object({ enabled: flag })),
  online_configuration: named('OnlineConfiguration', Type.Object({ enabled: flag })),
  convenience_configuration: named(
    'ConvenienceConfiguration',
    Type.Object({
      enabled: flag,
      expiration: duration,
      expiration_time_shift: named(
        'ExpirationTimeShift',
        Type.Object({ enabled: flag, value: time_of_day }),
      ),
    }),
  ),
  bank_transfer_configuration: named(
    'BankTransferConfiguration',
    Type.Object({
      ...flags(
        'enabled',
        'automatic_extension_enabled',
        'remind_notification_enabled',
        'charge_request_notification_enabled',
        'charge_request_canceled_notification_enabled',
        'charge_expired_notification_enabled',
        'deposit_received_notification_enabled',
        'deposit_insufficient_notification_enabled',
        'deposit_exceeded_notification_enabled',
        'extension_notification_enabled',
      ),
      match_amount: matching,
      expiration: duration,
      expiration_time_shift: named(
        'ExpirationTimeShift',
        Type.Object({ enabled: flag, value: time_of_day }),
      ),
      virtual_bank_accounts_threshold: count,
      virtual_bank_accounts_fetch_count: count,
      default_extension_period: duration,
      maximum_extension_period: duration,
      remind_notification_period: duration,
    }),
  ),
  recurring_token_configuration: named(
    'RecurringTokenConfiguration',
    Type.Object({
      recurring_type: nullable(Type.Enum(['none', 'bounded', 'infinite'])),
      charge_wait_period: duration,
      card_charge_cvv_confirmation: named(
        'CardChargeCvvConfirmation',
        Type.Object({ enabled: flag, threshold: moneys }),
      ),
    }),
  ),
  security_configuration: named(
    'SecurityConfiguration',
    Type.Object({
      inspect_suspicious_login_after: duration,
      refund_percent_limit: percent,
      limit_charge_by_card_configuration: named(
        'LimitChargeByCardConfiguration',
        Type.Object({
          quantity_of_charges: count,
          duration_window: duration,
        }),
      ),
      confirmation_required: flag,
      min_refund_threshold: nullable(money),
      card_charge_cooldown: duration,
      subscription_cooldown: duration,
      restrict_ip_after_failed_charge: named(
        'RestrictIpAfterFailedCharge',
        Type.Object({
          enabled: flag,
          count,
          cooldown: duration,
        }),
      ),
      limit_refund_by_sales: named(
        'LimitRefundBySales',
        Type.Object({ enabled: flag, period: text, rolling_window: duration }),
      ),
    }),
  ),
  installments_configuration: named(
    'InstallmentsConfiguration',
    Type.Object({
      ...flags('enabled', 'only_with_processor'),
      min_charge_amount: nullable(money),
      max_payout_period: duration,
      failed_cycles_to_cancel: count,
      card_processor: named('CardProcessor', Type.Object(flags('revolving', 'fixed_cycle'))),
      supported_payment_types: texts,
    }),
  ),
  subscription_configuration: named(
    'SubscriptionConfiguration',
    Type.Object({
      ...flags(
        'enabled',
        'suspend_on_cancel',
        'allow_merchant_amount_patch',
        'allow_merchant_due_date_patch',
      ),
      failed_charges_to_cancel: count,
    }),
  ),
  subscription_plan_configuration: named(
    'SubscriptionPlanConfiguration',
    Type.Object({
      ...flags('enabled', 'fixed_cycle', 'fixed_cycle_amount'),
      supported_payment_types: texts,
      min_charge_amount: nullable(money),
      max_payout_period: duration,
    }),
  ),
  checkout_configuration: named(
    'CheckoutConfiguration',
    Type.Object({
      ec_email: named('EcEmail', Type.Object({ enabled: flag })),
      ec_products: named('EcProducts', Type.Object({ enabled: flag })),
    }),
  ),
  descriptor_provided_configuration: named(
    'DescriptorProvidedConfiguration',
    Type.Object({ name: text, phone_number: text }),
  ),
  customer_management_configuration: named(
    'CustomerManagementConfiguration',
    Type.Object({
      enabled: flag,
      default_roles: texts,
      default_mode: text,
    }),
  ),
  card_brand_percent_fees: named(
    'CardBrandPercentFees',
    Type.Object(
      Object.fromEntries(card_brands.map((brand) => [brand, percent])) as Record<
        (typeof card_brands)[number],
        typeof percent
      >,
    ),
  ),
}

const plain = {
  percent_fee: percent,
  flat_fees: moneys,
  logo_url: nullable(Type.String({ format: 'url' })),
  country: nullable(Type.String({ format: 'country' })),
  language: nullable(Type.String({ format: 'language' })),
  display_time_zone: nullable(Type.String({ format: 'time_zone' })),
  min_transfer_payout: nullable(money),
  minimum_charge_amounts: moneys,
  maximum_charge_amounts: moneys,
  ...flags('platform_credentials_enabled', 'tagged_platform_credentials_enabled'),
}

const day_of_month = nullable(Type.Integer({ minimum: 1, maximum: 31 }))
const week_day = nullable(Type.Enum([...week_days]))
const transfer_schedule = named(
  'TransferSchedule',
  Type.Object({
    wait_period: duration,
    period: nullable(Type.Enum([...payout_periods])),
    full_period_required: flag,
    day_of_week: week_day,
    week_of_month: nullable(Type.Enum([...weeks_of_month])),
    day_of_month,
    weekly_closing_day: week_day,
    weekly_payout_day: week_day,
  }),
)

/** Every key is always present in a response, null where nothing is set. */
export const StoreConfiguration = named('StoreConfiguration', Type.Object({ ...plain, ...groups }))
export type StoreConfiguration = Static<typeof StoreConfiguration>
export const MerchantConfiguration = named(
  'MerchantConfiguration',
  Type.Object({ ...plain, transfer_schedule, ...groups }),
)

/** In a change every key is optional; null resets it to "not set". */
export const StoreConfigurationPatch = patchOf(StoreConfiguration)
export const MerchantConfigurationPatch = patchOf(MerchantConfiguration)

type AnyObject = { type: 'object'; properties: TProperties }

/** A group of settings. A nullable object, like an amount with its currency, is one value. */
function isObject(schema: TSchema): schema is TSchema & AnyObject {
  return 'properties' in schema && 'type' in schema && schema.type === 'object'
}

function patchOf(schema: TSchema & AnyObject): TSchema {
  const entries = Object.entries(schema.properties).map(([key, inner]) => [
    key,
    Type.Optional(isObject(inner) ? nullable(patchOf(inner)) : inner),
  ])
  const { title } = schema as { title?: string }
  const patch = Type.Object(Object.fromEntries(entries))
  return title ? named(`Update${title}`, patch) : patch
}

type Tree = { [key: string]: unknown }

function asTree(value: unknown): Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Tree) : {}
}

/** The configuration as it is returned: every key of the schema, null where nothing is stored. */
export function fillConfiguration(schema: TSchema & AnyObject, stored: unknown): Tree {
  const values = asTree(stored)
  const entries = Object.entries(schema.properties).map(([key, inner]) => [
    key,
    isObject(inner) ? fillConfiguration(inner, values[key]) : (values[key] ?? null),
  ])
  return Object.fromEntries(entries)
}

/** Keys that the operator sets, not the merchant: fees, payouts and granted privileges. */
const operator_keys = [
  'percent_fee',
  'flat_fees',
  'card_brand_percent_fees',
  'min_transfer_payout',
  'transfer_schedule',
  'platform_credentials_enabled',
  'tagged_platform_credentials_enabled',
  'card_configuration.three_ds_skip_enabled',
  'recurring_token_configuration.recurring_type',
] as const

function isOperatorKey(path: string): boolean {
  return operator_keys.some((key) => path === key || path.startsWith(`${key}.`))
}

/**
 * Applies a change. Objects are merged key by key, other values replaced. A merchant may send back the
 * operator's keys unchanged, but not with another value.
 */
export function patchConfiguration(
  schema: TSchema & AnyObject,
  stored: StoredConfiguration,
  patch: unknown,
  by: 'merchant' | 'operator',
): StoredConfiguration {
  const forbidden: FieldError[] = []
  const before = fillConfiguration(schema, stored)
  const after = merge(schema, before, patch, '', (path) => {
    if (by === 'merchant' && isOperatorKey(path)) {
      forbidden.push({ field: `configuration.${path}`, reason: 'CHANGE_PROHIBITED' })
    }
  })
  if (forbidden.length > 0) {
    fail('VALIDATION_ERROR', {
      errors: forbidden,
      message: 'Fees, payouts and privileges are set by the operator of this service.',
    })
  }
  return after
}

function merge(
  schema: TSchema & AnyObject,
  before: Tree,
  patch: unknown,
  path: string,
  onChange: (path: string) => void,
): Tree {
  const changes = asTree(patch)
  const entries = Object.entries(schema.properties).map(([key, inner]) => {
    const at = `${path}${key}`
    const old = before[key]
    if (!(key in changes)) return [key, old]
    if (isObject(inner)) {
      const change = changes[key] ?? clearing(inner)
      return [key, merge(inner, asTree(old), change, `${at}.`, onChange)]
    }
    if (JSON.stringify(old) !== JSON.stringify(changes[key])) onChange(at)
    return [key, changes[key]]
  })
  return Object.fromEntries(entries)
}

function clearing(schema: AnyObject): Tree {
  return Object.fromEntries(Object.keys(schema.properties).map((key) => [key, null]))
}

/** What holds for a store: its own values, and its merchant's where it has none. */
export function effectiveConfiguration(merchant: unknown, store: unknown): StoreConfiguration {
  const inherited = fillConfiguration(StoreConfiguration, merchant)
  const effective = inherit(inherited, fillConfiguration(StoreConfiguration, store))
  // Every key of the schema is there, and every value was checked by it when it was set.
  return effective as StoreConfiguration
}

/** The same with the defaults of the service where neither of them has a value. */
export function withDefaults(configuration: unknown): StoreConfiguration {
  return effectiveConfiguration(default_configuration, configuration)
}

function inherit(merchant: Tree, store: Tree): Tree {
  const entries = Object.entries(store).map(([key, value]) => {
    const above = merchant[key]
    const is_group = above !== null && typeof above === 'object' && !Array.isArray(above)
    if (value === null) return [key, above]
    return [key, is_group && !('amount' in above) ? inherit(asTree(above), asTree(value)) : value]
  })
  return Object.fromEntries(entries)
}
