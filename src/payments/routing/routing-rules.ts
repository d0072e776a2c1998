import type { Insertable } from 'kysely'
import { noSuchConnector, wrongField } from '../../accounts/connectors/connectors-store.ts'
import type { FieldError, Reason } from '../../core/api/errors.ts'
import { InputError } from '../../core/api/plain-error.ts'
import { installation_id } from '../../core/ids.ts'
import { isCurrency } from '../../core/money/currencies.ts'
import { max_amount as largest_amount } from '../../core/money/money.ts'
import { isCountry } from '../../core/payments/countries.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { brandsOf } from '../../methods/method-facts.ts'
import { announce, inTransaction, now, type Service, type Transacting } from '../../service.ts'
import type { RoutingRuleTable } from '../../store/tables/payments/provider-tables.ts'
import type { RoutingRule } from './merchant-routing.ts'

const max_position = 1000
/** Every live payment of a merchant is compared with all of its rules. */
const max_rules = 100

export type NewRule = Omit<
  Insertable<RoutingRuleTable>,
  'merchant_id' | 'created_on' | 'updated_on'
>

/** The rules of a merchant, or without one those of the installation, in their order. */
export async function listRules(
  { db }: Service,
  merchant_id: string | null,
): Promise<RoutingRule[]> {
  return db
    .selectFrom('routing_rules')
    .selectAll()
    .where('merchant_id', '=', merchant_id ?? installation_id)
    .orderBy('position')
    .execute()
}

/** Writes the rule at a position; one that is there is replaced. */
export async function setRule(
  service: Service,
  merchant_id: string | null,
  rule: NewRule,
): Promise<void> {
  const faults = faultsOf(rule)
  if (faults.length > 0) throw wrongRule(faults)
  const owner = merchant_id ?? installation_id
  await inTransaction(service, async (tx) => {
    await lockConnectors(tx, [rule.connector])
    const known = await listRules(tx, owner)
    const is_new = known.every(({ position }) => position !== rule.position)
    if (is_new && known.length >= max_rules) {
      const text = `There are at most ${max_rules} rules. Remove one first.`
      throw new InputError(text, 'RESOURCE_LIMIT_REACHED')
    }
    const at = now(tx)
    await tx.db
      .insertInto('routing_rules')
      .values({ ...rule, merchant_id: owner, created_on: at, updated_on: at })
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'position']).doUpdateSet({ ...rule, updated_on: at }),
      )
      .execute()
    await announce(tx, 'routing', owner)
  })
}

export async function removeRule(
  service: Service,
  merchant_id: string | null,
  position: number,
): Promise<void> {
  const owner = merchant_id ?? installation_id
  await inTransaction(service, async (tx) => {
    const removed = await tx.db
      .deleteFrom('routing_rules')
      .where('merchant_id', '=', owner)
      .where('position', '=', position)
      .returning('position')
      .executeTakeFirst()
    if (!removed) {
      const text = `There is no rule ${position}. "kaikei routes list" shows them.`
      throw new InputError(text, 'NOT_FOUND')
    }
    await announce(tx, 'routing', owner)
  })
}

/** Two lists that are written at the same time wait for each other: their length is bounded. */
async function lockConnectors(tx: Transacting, wanted: readonly string[]): Promise<void> {
  const found = await tx.db
    .selectFrom('connectors')
    .select('name')
    .orderBy('id')
    .forUpdate()
    .execute()
  const unknown = wanted.find((name) => !found.some((one) => one.name === name))
  if (unknown !== undefined) throw noSuchConnector(unknown)
}

/** Which state of the rules a caller has seen: it changes with every change of them. */
export function rulesVersion(rules: readonly RoutingRule[]): string {
  const newest = Math.max(0, ...rules.map(({ updated_on }) => updated_on.getTime()))
  return `${rules.length}-${newest}`
}

/**
 * Writes all rules of a merchant or of the installation, in their order, in place of those that the caller
 * has seen. Rules that another caller has written meanwhile are not lost: then nothing is changed.
 */
export async function replaceRules(
  service: Service,
  merchant_id: string,
  seen_version: string,
  wanted: readonly Omit<NewRule, 'position'>[],
): Promise<void> {
  const rules = wanted.map((rule, at) => ({ ...rule, position: at + 1 }))
  const faults = rules.flatMap((rule, at) =>
    faultsOf(rule).map((fault) => ({ ...fault, field: `rules.${at}.${fault.field}` })),
  )
  if (rules.length > max_rules) {
    throw new InputError(`There are at most ${max_rules} rules.`, 'RESOURCE_LIMIT_REACHED')
  }
  await inTransaction(service, async (tx) => {
    await lockConnectors(tx, [])
    const connectors = await tx.db.selectFrom('connectors').select('name').execute()
    const names = connectors.map(({ name }) => name)
    rules.forEach(({ connector }, at) => {
      if (names.includes(connector)) return
      const rule = `is one of ${names.join(', ')}`
      faults.push({ field: `rules.${at}.connector`, reason: 'NOT_ALLOWED_VALUE', rule })
    })
    if (faults.length > 0) throw wrongRule(faults)
    const known = await listRules(tx, merchant_id)
    if (rulesVersion(known) !== seen_version) {
      const rule = 'is not the newest: the rules were changed meanwhile. Read them again'
      const fault = { field: 'version', reason: 'CHANGE_PROHIBITED', rule } as const
      throw wrongField('The rules were changed meanwhile.', fault)
    }
    // Two changes within a millisecond have different versions as well.
    const last_ms = Math.max(0, ...known.map(({ updated_on }) => updated_on.getTime()))
    const at = new Date(Math.max(now(tx).getTime(), last_ms + 1))
    const dates = { created_on: at, updated_on: at }
    await tx.db.deleteFrom('routing_rules').where('merchant_id', '=', merchant_id).execute()
    const rows = rules.map((rule) => ({ ...rule, merchant_id, ...dates }))
    if (rows.length > 0) await tx.db.insertInto('routing_rules').values(rows).execute()
    await announce(tx, 'routing', merchant_id)
  })
}

function wrongRule(faults: readonly FieldError[]): InputError {
  const texts = faults.map(({ rule = '' }) => rule)
  const about = faults.map(({ field }, at) => `${wordOf(field)} ${texts[at]}`)
  return new InputError(`The rule is wrong: ${about.join('; ')}.`, 'VALIDATION_ERROR', faults)
}

/** `rules.0.min_amount` is called "the min amount" in a sentence. */
function wordOf(field: string): string {
  return `the ${(field.split('.').at(-1) ?? '').replaceAll('_', ' ')}`
}

/** Every wrong field, with what is allowed. */
function faultsOf(rule: NewRule): FieldError[] {
  const { position, payment_type, brand, currency, country, min_amount, max_amount } = rule
  const faults: FieldError[] = []
  const add = (field: string, reason: Reason, text: string) =>
    faults.push({ field, reason, rule: text })
  if (position > max_position) add('position', 'NUMBER_MAX', `is 1 to ${max_position}`)
  const of_type = payment_type ? [payment_type] : payment_types
  const brands = [...new Set(of_type.flatMap(brandsOf))]
  if (brand && !brands.includes(brand)) {
    add('brand', 'NOT_ALLOWED_VALUE', `is one of ${brands.join(', ')}`)
  }
  if (currency && !isCurrency(currency)) {
    add('currency', 'INVALID_FORMAT_CURRENCY', 'is a code of ISO 4217 such as JPY')
  }
  if (country && !isCountry(country)) {
    add('country', 'INVALID_FORMAT_COUNTRY', 'is a code of two letters such as JP')
  }
  for (const [field, amount] of Object.entries({ min_amount, max_amount })) {
    if (typeof amount !== 'number') continue
    if (amount > largest_amount) add(field, 'NUMBER_MAX', `ends at ${largest_amount}`)
    if (!currency) add('currency', 'REQUIRED_VALUE', `is needed: ${field} needs its currency`)
  }
  if (typeof max_amount === 'number' && (min_amount ?? 0) > max_amount) {
    add('max_amount', 'NUMBER_MIN', 'is smaller than the min amount, which is larger')
  }
  return faults
}
