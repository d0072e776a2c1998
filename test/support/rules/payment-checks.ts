import { machines } from '../../../src/core/payments/states.ts'
import { payment_rules } from '../../../src/doctor/money-rules/payment-rules.ts'
import type { World } from '../world.ts'
import { ledgerFaults } from './ledger-checks.ts'

/**
 * The invariants of payments, one query each that finds violations. I4 covers settled attempts, so
 * pending ones are left out.
 */
const rules: Record<string, string> = {
  'I3 refunds, also those on their way, are counted on the charge and within what was captured': `
    select c.id, c.refunded_amount, c.charged_amount, coalesce(sum(r.amount), 0) as refunds
    from charges c left join refunds r on r.merchant_id = c.merchant_id and r.charge_id = c.id
      and r.status in ('pending', 'successful')
    group by c.merchant_id, c.id
    having c.refunded_amount <> coalesce(sum(r.amount), 0)
      or c.refunded_amount > coalesce(c.charged_amount, 0)
      or coalesce(c.charged_amount, 0) > c.provider_amount`,
  'I4 the operations log of the provider is what the ledger says': `
    with log as (
      select merchant_id, charge_id, currency, sum(case when kind in ('refund', 'return') then -amount
        when kind in ('capture', 'deposit') or capture then amount else 0 end) as net
      from simulator_operations where outcome ->> 'outcome' = 'approved' group by 1, 2, 3
    ), ledger as (
      select merchant_id, charge_id, currency, sum(amount) as net from ledger_entries
      where account = 'provider_receivable' and kind <> 'adjustment' group by 1, 2, 3
    )
    select b.charge_id, b.currency, b.log, b.ledger
    from (
      select merchant_id, charge_id, currency, coalesce(log.net, 0) as log,
        coalesce(ledger.net, 0) as ledger
      from log full join ledger using (merchant_id, charge_id, currency)
    ) as b join charges c on c.merchant_id = b.merchant_id and c.id = b.charge_id
    where b.log <> b.ledger and c.status <> 'pending' and c.pending_action is null
      and not exists (select from refunds r where r.merchant_id = c.merchant_id
        and r.charge_id = c.id and r.status = 'pending')
      and not exists (select from deposits d where d.merchant_id = c.merchant_id
        and d.charge_id = c.id and d.status = 'returning')
      and not exists (select from provider_notifications n where n.merchant_id = c.merchant_id
        and n.resource_id = c.id)`,
  'I4 a charge is authorized, captured and released at most once': `
    select charge_id, kind from simulator_operations
    where outcome ->> 'outcome' = 'approved' and kind not in ('refund', 'deposit', 'return', 'customs')
    group by merchant_id, charge_id, kind having count(*) > 1`,
  'money that arrived was applied, is held for a charge that waits, or went back': `
    select d.charge_id, c.status, sum(d.amount) as arrived, sum(d.applied_amount) as applied
    from deposits d join charges c on c.merchant_id = d.merchant_id and c.id = d.charge_id
    group by 1, 2, c.charged_amount having sum(d.applied_amount) <> coalesce(c.charged_amount, 0)
      or bool_or(d.status = 'held') and c.status <> 'awaiting'`,
  'what is in suspense is exactly what is held, on its way back, or could not go back': `
    with suspense as (
      select merchant_id, charge_id, -sum(amount) as amount from ledger_entries
      where account = 'suspense' group by 1, 2
    ), unsettled as (
      select merchant_id, charge_id, sum(case status when 'held' then amount
        when 'returning' then return_amount when 'unreturned' then return_amount else 0 end) as amount
      from deposits group by 1, 2
    )
    select charge_id, s.amount as suspense, u.amount as unsettled
    from suspense s full join unsettled u using (merchant_id, charge_id)
    where coalesce(s.amount, 0) <> coalesce(u.amount, 0)`,
  'what is held is exactly what is authorized': `
    with holds as (
      select merchant_id, charge_id, sum(amount) as held from ledger_entries
      where account = 'authorization_hold' group by 1, 2
    )
    select c.id, c.status, held from charges c
    left join holds h on h.merchant_id = c.merchant_id and h.charge_id = c.id
    where coalesce(held, 0) <> case when c.status = 'authorized' then c.requested_amount else 0 end`,
  'the ledger owes the merchant what the charge and its refunds say': `
    with owed as (
      select merchant_id, charge_id, -sum(amount) as owed from ledger_entries
      where account = 'merchant_payable' and kind <> 'adjustment' group by 1, 2
    ), returned as (
      select merchant_id, charge_id, sum(amount) as returned from refunds
      where status = 'successful' group by 1, 2
    )
    select c.id, owed, c.charged_amount, c.fee_amount, returned from charges c
    left join owed o on o.merchant_id = c.merchant_id and o.charge_id = c.id
    left join returned r on r.merchant_id = c.merchant_id and r.charge_id = c.id
    where coalesce(owed, 0) <> coalesce(c.charged_amount, 0) - coalesce(c.fee_amount, 0)
      - coalesce(returned, 0)`,
}

/** All violations of the payments of a world, a sentence for each; I1 to I4, I6, I7. */
export async function paymentFaults(world: World): Promise<string[]> {
  const faults = await ledgerFaults(world.service.db)
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await world.store.pool.query(`${query} limit 3`)
    if (rows.length > 0) faults.push(`Not true that ${rule}: ${JSON.stringify(rows)}`)
  }
  for (const { check, rule } of payment_rules) {
    const rows = await rule(world.service.db)
    // Only the clock of the database decides the age of an operation that waits for an outcome.
    if (rows.length > 0 && !check.includes('without an outcome')) {
      faults.push(`Not true that ${check}: ${JSON.stringify(rows.slice(0, 3))}`)
    }
  }
  return [...faults, ...(await eventFaults(world))]
}

type Kind = keyof typeof machines

/** The event that a resource emits when it reaches a state. */
function eventOf(kind: Kind, status: string): string {
  const between = status === 'awaiting' || status === 'authorized'
  return kind === 'charge' && between ? 'charge_updated' : `${kind}_finished`
}

interface Trail {
  id: string
  kind: Kind
  status: string
  events: { name: string; sequence: number; status: string }[] | null
}

/** I6 and I7: the events of a resource are its path through the states, each step once. */
async function eventFaults(world: World): Promise<string[]> {
  const { rows } = await world.store.pool.query<Trail>(`
    with resources as (
      select merchant_id, id, status, 'charge' as kind from charges
      union all select merchant_id, id, status, 'refund' from refunds
      union all select merchant_id, id, status, 'cancel' from cancels
    ), trails as (
      select merchant_id, resource_id as id, json_agg(json_build_object('name', name,
        'sequence', sequence, 'status', data ->> 'status') order by sequence) as events
      from events where name ~ '^(charge|refund|cancel|bank_transfer)_' group by 1, 2
    )
    select id, kind, status, events from resources full join trails using (merchant_id, id)`)
  return rows.flatMap((trail) => {
    const fault = trailFault(trail)
    return fault ? [`${trail.kind} ${trail.id}: ${fault}: ${JSON.stringify(trail)}`] : []
  })
}

function trailFault({ kind, status, events }: Trail): string | null {
  if (!kind) return 'an event of nothing'
  const machine: Readonly<Record<string, Readonly<Record<string, string>>>> = machines[kind]
  let state = 'pending'
  for (const [index, event] of (events ?? []).entries()) {
    if (event.sequence !== index + 1) return 'a gap between its events'
    if (event.name === 'bank_transfer_status_updated') continue
    if (event.name !== eventOf(kind, event.status)) return 'an event of another name'
    if (!Object.values(machine[state] ?? {}).includes(event.status)) return 'a forbidden step'
    state = event.status
  }
  return state === status ? null : 'its state is not that of its last event'
}
