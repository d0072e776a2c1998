import type { Receiver } from '../../test/support/receiver/receiver.ts'
import type { DatabaseCluster } from '../cluster/database-cluster.ts'
import type { Reported, Shops } from '../shops.ts'
import { isLinearizable } from './linearizable.ts'

export interface Verdict {
  readonly acknowledged: number
  /** Each is one thing that went wrong; none is the only good result. */
  readonly lost: readonly string[]
  readonly wrong: readonly string[]
}

const ids = (told: readonly Reported[]) => told.map(({ id }) => `'${id}'`).join(',') || 'null'

/** Payments whose work is not done yet. */
export async function unsettled({ query }: DatabaseCluster): Promise<number> {
  const [found] = await query<{ count: number }>(`select count(*)::integer as count from (
    select id from charges where status in ('pending', 'awaiting')
    union all select id from refunds where status = 'pending') as open`)
  return found?.count ?? 0
}

/**
 * Compares the events that shops received with the stored data. Everything must be settled and delivered
 * before.
 */
export async function check(
  { query }: DatabaseCluster,
  { charges, refunds, registers, troubles }: Shops,
  receiver: Receiver,
): Promise<Verdict> {
  const stored = await query<{ id: string; kind: string; status: string }>(`
    select id::text, 'charge' as kind, status from charges where id in (${ids(charges)})
    union all select id::text, 'refund', status from refunds where id in (${ids(refunds)})`)
  const found = new Map(stored.map((row) => [row.id, row]))
  const lost = [...charges, ...refunds].filter(({ id }) => !found.has(id)).map(({ id }) => id)
  const wrong = [...troubles]
  for (const { id, kind, status } of stored) {
    if (status !== 'successful') wrong.push(`The ${kind} ${id} is ${status}.`)
  }
  const twice = await query<{ token_id: string; count: number }>(`
    select metadata ->> 'token_id' as token_id, count(*)::integer as count from charges
    where metadata ? 'token_id' group by 1 having count(*) > 1`)
  for (const { token_id, count } of twice) {
    wrong.push(`${count} charges were made where one was asked for, with the token ${token_id}.`)
  }
  wrong.push(...(await bookDifferences(query)))
  wrong.push(...deliveryFaults(receiver, charges, refunds, await deliveredLater(query)))
  for (const { charge_id, operations } of registers) {
    if (!isLinearizable(operations, '0')) {
      wrong.push(`No order explains what was read of ${charge_id}: ${JSON.stringify(operations)}`)
    }
  }
  return { acknowledged: charges.length + refunds.length, lost, wrong }
}

/** The simulated provider keeps its own record: the money it took and returned must match ours. */
async function bookDifferences(query: DatabaseCluster['query']): Promise<string[]> {
  const differences = await query<{ charge_id: string; book: number; ours: number }>(`
    with book as (
      select charge_id, sum(case kind when 'authorize' then amount when 'refund' then -amount end) as amount
      from simulator_operations
      where kind in ('authorize', 'refund') and outcome ->> 'outcome' = 'approved' group by charge_id),
    ours as (
      select c.id, c.charged_amount - coalesce((select sum(r.amount) from refunds r
        where r.merchant_id = c.merchant_id and r.charge_id = c.id and r.status = 'successful'), 0) as amount
      from charges c where c.status = 'successful')
    select coalesce(book.charge_id, ours.id)::text as charge_id,
      coalesce(book.amount, 0)::integer as book, coalesce(ours.amount, 0)::integer as ours
    from book full join ours on ours.id = book.charge_id
    where coalesce(book.amount, 0) <> coalesce(ours.amount, 0)`)
  return differences.map(
    ({ charge_id, book, ours }) => `${charge_id}: the provider has ${book}, we have ${ours}.`,
  )
}

export function undelivered(receiver: Receiver, told: readonly Reported[]): string[] {
  const received = new Set(receiver.received.map(({ body }) => body.data?.id))
  return told.filter(({ id }) => !received.has(id)).map(({ id }) => id)
}

/** Resources with an event whose first attempt failed. Later events can arrive before it. */
async function deliveredLater(query: DatabaseCluster['query']): Promise<Set<string>> {
  const found = await query<{ resource_id: string }>(
    'select distinct resource_id::text from webhook_deliveries where attempts > 1',
  )
  return new Set(found.map(({ resource_id }) => resource_id))
}

/** Every event arrived, and that of a refund after that of its charge. */
function deliveryFaults(
  receiver: Receiver,
  charges: readonly Reported[],
  refunds: readonly Reported[],
  delivered_later: ReadonlySet<string>,
) {
  const wrong = undelivered(receiver, [...charges, ...refunds]).map(
    (id) => `No event of ${id} was delivered.`,
  )
  const of_round = new Set(refunds.map(({ id }) => id))
  const seen = new Set(delivered_later)
  for (const { body } of receiver.received) {
    const { id, charge_id } = body.data ?? {}
    if (of_round.has(id) && !seen.has(charge_id)) {
      wrong.push(`${id} was delivered before ${charge_id}.`)
    }
    seen.add(id)
  }
  return wrong
}
