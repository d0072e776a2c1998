import { type RawBuilder, sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { PayoutPart } from '../../core/money/payout-parts.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'

/** Whose money, and which: a transfer has one mode and one currency. */
export interface OwedTo {
  readonly merchant_id: string
  readonly mode: Mode
  readonly currency: string
}

/** Nothing is committed this much later than its date. */
export const latest_commit_ms = day_ms

/**
 * The id from which open transactions are read. A transfer takes everything open before its end, so
 * transactions well before the last one are assigned or were released. Test mode can be at any time.
 */
async function firstOpen({ db }: Service, { merchant_id, mode, currency }: OwedTo, from: Date) {
  const last = await db
    .selectFrom('transfers')
    .select(({ fn }) => fn.max('to').as('to'))
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where('currency', '=', currency)
    .executeTakeFirst()
  const is_bounded = mode === 'live' && last?.to
  const bound_ms = is_bounded ? last.to.getTime() - latest_commit_ms : 0
  return firstIdAt(Math.max(bound_ms, from.getTime()))
}

const first_instant = new Date(0)

/**
 * The ledger transactions between two instants that are owed to a merchant and are in no transfer: id,
 * created_on, kind, amount. The scheduler assigns these rows, and the next payout is read from them.
 */
export async function openLedgers(
  service: Service,
  owed: OwedTo,
  to: Date,
  from = first_instant,
): Promise<RawBuilder<unknown>> {
  const { merchant_id, mode, currency } = owed
  const first = await firstOpen(service, owed, from)
  return sql`
    select looked_at.id, e.created_on, e.kind, -sum(e.amount) as amount
    from (
      select id from ledger_transactions
      where merchant_id = ${merchant_id} and id >= ${first}::uuid
      union select ledger_id from transfer_ledgers where merchant_id = ${merchant_id} and freed
        and ledger_id >= ${firstIdAt(from.getTime())}::uuid
    ) as looked_at
    join ledger_entries e on e.merchant_id = ${merchant_id} and e.transaction_id = looked_at.id
      and e.mode = ${mode} and e.kind <> 'payout' and e.created_on >= ${from} and e.created_on < ${to}
      and e.account = 'merchant_payable' and e.currency = ${currency}
    where not exists (select from transfer_ledgers l
      where l.merchant_id = ${merchant_id} and l.ledger_id = looked_at.id and not l.freed)
    group by looked_at.id, e.created_on, e.kind`
}

/** The account that a payout in the currency goes to: the primary one, else the oldest. */
export function accountOf({ merchant_id, currency }: OwedTo): RawBuilder<unknown> {
  return sql`select a.id from bank_accounts a where a.merchant_id = ${merchant_id}
    and a.currency = ${currency} and a.deleted_on is null order by a."primary" desc, a.id limit 1`
}

/** The part of a payout that a ledger transaction belongs to; adjustments of disputes are disputes. */
export function partOf(merchant_id: string, kind: string, id: string): RawBuilder<PayoutPart> {
  return sql<PayoutPart>`case ${sql.ref(kind)}
    when 'capture' then 'sales' when 'fee' then 'fees' when 'refund' then 'refunds'
    else case when exists (select from dispute_postings p
      where p.merchant_id = ${merchant_id} and p.ledger_id = ${sql.ref(id)})
      then 'disputes' else 'adjustments' end end`
}
