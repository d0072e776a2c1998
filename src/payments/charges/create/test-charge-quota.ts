import { firstIdAt } from '../../../core/ids.ts'
import { max_test_charges } from '../../../core/limits/limits.ts'
import { day_ms } from '../../../core/time/clock.ts'
import { inTransaction, type Service } from '../../../service.ts'
import { run } from '../../../store/sql/statements/statement.ts'

interface Count {
  readonly free: number
  readonly counted_on: Date
  readonly full_until: Date | null
}

/**
 * Whether a merchant may make test charges after all, when none was left of those that were counted.
 * The row is locked while the charges are counted, in a statement of its own, which sees all that were made
 * before. The free quota never shrinks as time passes: it is counted again when the oldest is a day old.
 */
export async function findTestCharges(
  service: Service,
  merchant_id: string,
  at: Date,
): Promise<boolean> {
  const isSure = ({ free, counted_on, full_until }: Count) =>
    free > 0 ? counted_on <= at : full_until && full_until > at
  const read = 'select free, counted_on, full_until from test_charge_counts where merchant_id = $1'
  const [known] = await run<Count>(service.db, read, [merchant_id])
  if (known && isSure(known)) return known.free > 0
  return inTransaction(service, async ({ db }) => {
    const [held] = await run<Count>(db, `${read} for update`, [merchant_id])
    if (!held || isSure(held)) return (held?.free ?? 0) > 0
    const since = new Date(at.getTime() - day_ms)
    const first_id = firstIdAt(since.getTime())
    const [count] = await run<{ free: number }>(db, count_again, [merchant_id, first_id, since, at])
    return (count?.free ?? 0) > 0
  })
}

/** A check of a security code takes nothing, and neither does what a schedule could not even begin. */
export const takes_test_charge = `mode = 'test' and type = 'normal'
  and (status <> 'failed' or claims > 0)`

const count_again = `
  update test_charge_counts t set free = ${max_test_charges} - made.count, counted_on = $4,
    full_until = case when made.count = ${max_test_charges}
      then made.oldest_on + interval '24 hours' end
  from (select count(*)::integer, min(created_on) as oldest_on from (
    select created_on from charges
    where merchant_id = $1 and id >= $2 and created_on > $3 and ${takes_test_charge}
    order by id desc limit ${max_test_charges}) as newest) as made
  where t.merchant_id = $1
  returning t.free`
