import { effectiveConfiguration } from '../../accounts/configuration/configuration.ts'
import type { StoreConfiguration } from '../../accounts/configuration/configuration-shape.ts'
import { remember } from '../../accounts/credentials/cached-credentials.ts'
import { fail } from '../../core/api/errors.ts'
import { type PaymentType, payment_types } from '../../core/payments/payment-types.ts'
import { readDuration } from '../../core/time/durations.ts'
import type { DepositTimes, MethodRules } from '../../methods/contract/method-rules.ts'
import { typesWhere } from '../../methods/method-facts.ts'
import { methods } from '../../methods/method-table.ts'
import { isTransacting, type Service } from '../../service.ts'
import { newBatch, perPool, read_options } from '../../store/sql/batches/batch.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { Db } from '../../store/tables/db.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'

/** The limits for one card. */
interface CardLimits {
  readonly debit_holds: boolean | null
  readonly prepaid_holds: boolean | null
  readonly card_limit: (Money & { duration: string }) | null
  readonly charge_count: { max: number; window_ms: number } | null
  readonly cooldown_ms: number | null
  /** The amounts from which a stored card needs its security code; null: never. */
  readonly cvv_from: readonly Money[] | null
}

interface Money {
  amount: number
  currency: string
}

/** What a store's configuration decides about payments, with inherited values. */
export interface StoreRules extends MethodRules {
  readonly configuration: StoreConfiguration
  readonly recurring_type: 'none' | 'bounded' | 'infinite'
  /** Payment types that are not disabled. */
  readonly takes: Readonly<Record<PaymentType, boolean>>
  readonly three_ds_skip_enabled: boolean
  readonly minimum_charge_amounts: readonly Money[]
  readonly maximum_charge_amounts: readonly Money[]
  readonly refund_percent_limit: number | null
  readonly min_refund: Money | null
  readonly charge_wait_ms: number
  readonly three_ds_required: boolean
  readonly one_email_per_card: boolean
  readonly card_limits: CardLimits
}

/** Amounts of merchants without a country are in this country's currency. */
const home_country = 'JP'

interface StoreKey {
  readonly merchant_id: string
  readonly store_id: string
}

export interface CachedRules {
  readonly merchant_id: string
  /** Changes with every change of the two rows that the rules come from. */
  readonly version: string
  readonly rules: StoreRules
}

interface Found {
  readonly rules: StoreRules
  readonly is_deleted: boolean
}

const rules_cache = new Map<string, CachedRules>()

/** The cached rules of this process; another process may have changed them since. */
export function cachedRules({ merchant_id, store_id }: StoreKey): CachedRules | undefined {
  const known = rules_cache.get(store_id)
  return known?.merchant_id === merchant_id ? known : undefined
}

/** Changes with every change of a store `s` or its merchant `m`. */
export const rules_version = `concat(m.xmin, ' ', m.updated_on, ' ', s.xmin, ' ', s.updated_on)`

/**
 * One statement for both halves of the configuration. It returns the version, and the content only when
 * this process has not cached it: rules are computed once per change.
 */
const find_rules = `
  select i.n::integer as n, v.version, s.deleted_on is not null as is_deleted,
    case when v.version <> i.known then m.configuration end as merchant,
    case when v.version <> i.known then s.configuration end as store
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality
    as i (merchant_id, store_id, known, n)
  join stores s on s.merchant_id = i.merchant_id and s.id = i.store_id
  join merchants m on m.id = i.merchant_id
  cross join lateral (select ${rules_version} as version) as v`

interface RuleRow {
  n: number
  version: string
  is_deleted: boolean
  merchant: StoredConfiguration | null
  store: StoredConfiguration | null
}

async function findRules(db: Db, keys: readonly StoreKey[]): Promise<(Found | null)[]> {
  const known = keys.map(cachedRules)
  const rows = await run<RuleRow>(db, find_rules, [
    keys.map(({ merchant_id }) => merchant_id),
    keys.map(({ store_id }) => store_id),
    known.map((one) => one?.version ?? ''),
  ])
  const found: (Found | null)[] = keys.map(() => null)
  for (const { n, version, is_deleted, merchant, store } of rows) {
    const key = keys[n - 1]
    if (!key) continue
    const rules = merchant && store ? rulesOf(merchant, store) : known[n - 1]?.rules
    if (!rules) continue
    const { merchant_id, store_id } = key
    if (merchant) remember(rules_cache, store_id, { merchant_id, version, rules })
    found[n - 1] = { rules, is_deleted }
  }
  return found
}

const ruleReader = perPool((db) =>
  newBatch<StoreKey, Found | null>((keys) => findRules(db, keys), {
    ...read_options,
    ownerOf: ({ merchant_id }) => merchant_id,
  }),
)

/**
 * The rules of a store. Payments of a deleted store continue, including captures and refunds; only new
 * payments need the store to exist.
 */
export async function storeRules(
  service: Service,
  merchant_id: string,
  store_id: string,
  deleted_too = false,
): Promise<StoreRules> {
  const { db } = service
  const key = { merchant_id, store_id }
  const found = isTransacting(service) ? (await findRules(db, [key]))[0] : await ruleReader(db)(key)
  if (!found || (found.is_deleted && !deleted_too)) fail('NOT_FOUND')
  return found.rules
}

export function rulesOf(merchant: StoredConfiguration, store: StoredConfiguration): StoreRules {
  const configuration = effectiveConfiguration(merchant, store)
  const card = configuration.card_configuration
  const bank = configuration.bank_transfer_configuration
  const security = configuration.security_configuration
  const recurring = configuration.recurring_token_configuration
  return {
    configuration,
    country: configuration.country ?? home_country,
    recurring_type: recurring.recurring_type ?? 'infinite',
    takes: takenTypes(configuration),
    direct_card_tokens: card.allow_direct_token_creation,
    allow_empty_cvv: card.allow_empty_cvv === true,
    forbidden_card_brands: card.forbidden_card_brands ?? [],
    forbidden_qr_scan_gateways:
      configuration.qr_scan_configuration.forbidden_qr_scan_gateways ?? [],
    debit_enabled: card.debit_enabled,
    prepaid_enabled: card.prepaid_enabled,
    foreign_cards_allowed: card.foreign_cards_allowed,
    only_direct_currency: card.only_direct_currency === true,
    three_ds_skip_enabled: card.three_ds_skip_enabled === true,
    minimum_charge_amounts: configuration.minimum_charge_amounts ?? [],
    maximum_charge_amounts: configuration.maximum_charge_amounts ?? [],
    refund_percent_limit: security.refund_percent_limit,
    min_refund: security.min_refund_threshold,
    charge_wait_ms:
      (recurring.charge_wait_period && readDuration(recurring.charge_wait_period)) || 0,
    three_ds_required: card.three_ds_required === true,
    required_billing: [
      ...(card.three_ds_address_required === true ? (['line1'] as const) : []),
      ...(card.three_ds_phone_number_required === true ? (['phone_number'] as const) : []),
    ],
    one_email_per_card: card.fail_on_new_email === true,
    card_limits: cardLimits(configuration),
    match_amount: bank.match_amount ?? 'exact',
    expiration: expirations(configuration),
  }
}

function cardLimits(configuration: StoreConfiguration): CardLimits {
  const { card_configuration: card, security_configuration: security } = configuration
  const { quantity_of_charges: max, duration_window } = security.limit_charge_by_card_configuration
  const window_ms = duration_window ? readDuration(duration_window) : null
  const { enabled, threshold } =
    configuration.recurring_token_configuration.card_charge_cvv_confirmation
  return {
    debit_holds: card.debit_authorization_enabled,
    prepaid_holds: card.prepaid_authorization_enabled,
    card_limit: card.card_limit,
    charge_count: max && window_ms ? { max, window_ms } : null,
    cooldown_ms: security.card_charge_cooldown ? readDuration(security.card_charge_cooldown) : null,
    cvv_from: enabled === true ? (threshold ?? []) : null,
  }
}

/** The settings of a payment type. Every key of the schema is there. */
function settingsOf(configuration: StoreConfiguration, payment_type: PaymentType): object {
  return configuration[`${methods[payment_type].settings.group}_configuration`]
}

function takenTypes(configuration: StoreConfiguration): StoreRules['takes'] {
  const taken = payment_types.map((type) => {
    const { enabled } = settingsOf(configuration, type) as { enabled: boolean | null }
    return [type, enabled !== false]
  })
  return Object.fromEntries(taken)
}

type Deposits = StoreConfiguration['bank_transfer_configuration' | 'convenience_configuration']

function expirations(configuration: StoreConfiguration): StoreRules['expiration'] {
  const types = typesWhere(({ deposit }) => deposit !== null)
  return Object.fromEntries(
    types.map((type) => [type, expirationOf(settingsOf(configuration, type) as Deposits)]),
  )
}

function expirationOf({ expiration, expiration_time_shift: shift }: Deposits): DepositTimes {
  return { period: expiration, time_shift: shift.enabled === true ? shift.value : null }
}
