import type { Insertable } from 'kysely'
import { isCountry } from '../../core/countries.ts'
import { installation_id } from '../../core/ids.ts'
import { isCurrency } from '../../core/money/currencies.ts'
import { max_amount as largest_amount } from '../../core/money/money.ts'
import { PlainError } from '../../core/plain-error.ts'
import { announce, inTransaction, now, type Service } from '../../service.ts'
import type { RoutingRuleTable } from '../../store/tables/provider-tables.ts'
import { noSuchConnector } from '../connectors/connectors-store.ts'
import { methods } from '../payment-methods/method-table.ts'
import type { RoutingRule } from './merchant-routing.ts'

const max_position = 1000
/** Every live payment of a merchant is compared with all of its rules. */
const max_rules = 100

type NewRule = Omit<Insertable<RoutingRuleTable>, 'merchant_id' | 'created_on' | 'updated_on'>

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
  if (faults.length > 0) throw new PlainError(`The rule is wrong: ${faults.join('; ')}.`)
  const owner = merchant_id ?? installation_id
  await inTransaction(service, async (tx) => {
    const connector = await tx.db
      .selectFrom('connectors')
      .select('name')
      .where('name', '=', rule.connector)
      // Two rules that are set at the same time wait for each other: their number is bounded.
      .forUpdate()
      .executeTakeFirst()
    if (!connector) throw noSuchConnector(rule.connector)
    const known = await listRules(tx, owner)
    const is_new = known.every(({ position }) => position !== rule.position)
    if (is_new && known.length >= max_rules) {
      throw new PlainError(`There are at most ${max_rules} rules. Remove one first.`)
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
      throw new PlainError(`There is no rule ${position}. "kaikei routes list" shows them.`)
    }
    await announce(tx, 'routing', owner)
  })
}

/** Every wrong field, with what is allowed. */
function faultsOf(rule: NewRule): string[] {
  const { position, payment_type, brand, currency, country, min_amount, max_amount } = rule
  const faults: string[] = []
  if (position > max_position) faults.push(`the position is 1 to ${max_position}`)
  const of_type = payment_type ? [methods[payment_type]] : Object.values(methods)
  const brands = [...new Set(of_type.flatMap((method) => method.brands))]
  if (brand && !brands.includes(brand)) faults.push(`the brand is one of ${brands.join(', ')}`)
  if (currency && !isCurrency(currency)) {
    faults.push('the currency is a code of ISO 4217 such as JPY')
  }
  if (country && !isCountry(country)) {
    faults.push('the country is a code of two letters such as JP')
  }
  const amounts = [min_amount, max_amount].filter((one) => typeof one === 'number')
  if (amounts.some((one) => one > largest_amount)) faults.push(`amounts end at ${largest_amount}`)
  if (amounts.length > 0 && !currency) faults.push('an amount needs its currency')
  const [least = 0, most = least] = amounts
  if (least > most) faults.push('the smallest amount is larger than the largest')
  return faults
}
