import { sql } from 'kysely'
import { formatAmount } from '../../core/money/money.ts'
import type { Service } from '../../service.ts'

/** Maximum number of refunds shown with a charge, the newest; the refund list has all of them. */
const max_refunds = 20

export interface ShownRefund {
  readonly refund_id: string
  readonly amount: number
  readonly currency: string
  readonly amount_formatted: number
  readonly status: string
  readonly reason: string | null
}

interface RefundRow extends Omit<ShownRefund, 'amount_formatted'> {
  readonly charge_id: string
}

/** The refunds of the charges of a page, in one statement. */
export async function refundsOf(
  { db }: Service,
  merchant_id: string,
  charge_ids: readonly string[],
): Promise<Map<string, ShownRefund[]>> {
  const found = new Map<string, ShownRefund[]>()
  if (charge_ids.length === 0) return found
  const { rows } = await sql<RefundRow>`
    select r.* from unnest(${charge_ids}::uuid[]) as c (id) cross join lateral (
      select charge_id, id as refund_id, amount, currency, status, reason from refunds
      where merchant_id = ${merchant_id} and charge_id = c.id
      order by charge_id desc, id desc limit ${sql.lit(max_refunds)}) as r`.execute(db)
  for (const { charge_id, ...refund } of rows) {
    const amount_formatted = formatAmount(refund.amount, refund.currency)
    const shown = found.get(charge_id) ?? []
    shown.push({ ...refund, amount_formatted })
    found.set(charge_id, shown)
  }
  return found
}

/** The status of a bank transfer. */
export interface BankStatus {
  readonly payment_status: 'unpaid' | 'insufficient' | 'exact' | 'exceeded'
  readonly latest_deposit_date: Date | null
}

interface BankCharge {
  readonly charge_id: string
  readonly status: string
  readonly wanted_amount: number
}

interface DepositSums {
  readonly charge_id: string
  readonly held: number
  readonly applied: number
  readonly latest: Date
}

/** The status of the bank transfers of a page, in one statement. */
export async function bankStatusOf(
  { db }: Service,
  merchant_id: string,
  charges: readonly BankCharge[],
): Promise<Map<string, BankStatus>> {
  const found = new Map<string, BankStatus>()
  if (charges.length === 0) return found
  const ids = charges.map(({ charge_id }) => charge_id)
  const { rows } = await sql<DepositSums>`
    select charge_id, max(created_on) as latest,
      coalesce(sum(amount) filter (where status = 'held'), 0)::bigint as held,
      coalesce(sum(amount) filter (where applied_amount > 0), 0)::bigint as applied
    from deposits where merchant_id = ${merchant_id} and charge_id = any(${ids}::uuid[])
    group by charge_id`.execute(db)
  const sums = new Map(rows.map((row) => [row.charge_id, row]))
  for (const { charge_id, status, wanted_amount } of charges) {
    const sum = sums.get(charge_id)
    const arrived = (status === 'successful' ? sum?.applied : sum?.held) ?? 0
    found.set(charge_id, {
      payment_status: bankStatus(arrived, wanted_amount),
      latest_deposit_date: sum?.latest ?? null,
    })
  }
  return found
}

function bankStatus(arrived: number, wanted: number): BankStatus['payment_status'] {
  if (arrived === 0) return 'unpaid'
  if (arrived === wanted) return 'exact'
  return arrived < wanted ? 'insufficient' : 'exceeded'
}
