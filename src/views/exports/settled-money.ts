import { sql } from 'kysely'
import type { Service } from '../../service.ts'

/** The accounting facts of a charge or refund: from the ledger, and from the payout that has it. */
export interface SettledMoney {
  readonly gross: number | null
  readonly fee: number | null
  readonly net: number | null
  readonly settled_currency: string | null
  readonly payout_id: string | null
  readonly payout_status: string | null
  readonly payout_on: string | null
}

export const settled_columns = [
  'gross',
  'fee',
  'net',
  'settled_currency',
  'payout_id',
  'payout_status',
  'payout_on',
] as const satisfies readonly (keyof SettledMoney)[]

interface Booked {
  readonly resource_id: string
  readonly charge_id: string
  readonly type: string
}

interface MoneyRow extends Omit<SettledMoney, 'payout_on'> {
  readonly resource_id: string
  readonly payout_on: Date | null
}

/**
 * The settled money of a page's charges and refunds, in one statement. Unsuccessful ones have no
 * postings.
 */
export async function settledMoney(
  { db }: Service,
  merchant_id: string,
  rows: readonly Booked[],
): Promise<Map<string, SettledMoney>> {
  const charges = rows.map(({ charge_id }) => charge_id)
  const refunds = rows.map(({ type, resource_id }) => (type === 'refund' ? resource_id : null))
  const resources = rows.map(({ resource_id }) => resource_id)
  const found = await sql<MoneyRow>`
    select w.resource_id, m.gross, m.fee, m.net, m.settled_currency, p.id as payout_id,
      p.status as payout_status, p.paid_on as payout_on
    from unnest(${resources}::uuid[], ${charges}::uuid[], ${refunds}::uuid[])
      as w (resource_id, charge_id, refund_id)
    cross join lateral (
      select min(l.currency) as settled_currency, min(t.id::text) filter (where t.kind <> 'fee') as ledger_id,
        -sum(l.amount) filter (where t.kind <> 'fee')::bigint as gross,
        coalesce(sum(l.amount) filter (where t.kind = 'fee'), 0)::bigint as fee,
        -sum(l.amount)::bigint as net
      from ledger_transactions t cross join lateral unnest(t.accounts, t.currencies, t.amounts)
        as l (account, currency, amount)
      where t.merchant_id = ${merchant_id} and t.charge_id = w.charge_id
        and t.refund_id is not distinct from w.refund_id and t.kind in ('capture', 'fee', 'refund')
        and l.account = 'merchant_payable'
      having count(*) > 0
    ) as m
    left join lateral (
      select r.id, r.status, (select s.created_on from transfer_status_changes s
        where s.merchant_id = ${merchant_id} and s.transfer_id = r.id and s.new_status = 'paid') as paid_on
      from transfer_ledgers b
      join transfers r on r.merchant_id = b.merchant_id and r.id = b.transfer_id
      where b.merchant_id = ${merchant_id} and b.ledger_id = m.ledger_id::uuid and not b.freed
    ) as p on true`.execute(db)
  return new Map(
    found.rows.map(({ resource_id, payout_on, ...money }) => [
      resource_id,
      { ...money, payout_on: payout_on?.toISOString() ?? null },
    ]),
  )
}
