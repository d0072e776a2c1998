import { isTransacting, type Service } from '../../service.ts'
import { run } from '../../store/sql/statements/statement.ts'

/**
 * What counts of each event of `next`, a part of the statement: charges and refunds that have ended no
 * longer change, so their rows are read.
 *
 * Each event looks up its own rows (`lateral … limit`): a session keeps the plan that it made when the
 * tables were small.
 */
export const event_facts = `
    select n.merchant_id, n.position, n.event_id, e.created_on, c.mode, c.store_id, c.payment_type,
      c.brand, c.cardholder, c.email, c.customer_id, r.id is null as is_charge,
      case when r.id is not null then r.currency
        else coalesce(c.charged_currency, c.provider_currency) end as currency,
      case when r.status = 'successful' then 'refunded' when r.id is not null then null
        when c.status in ('failed', 'error') then 'failed' else c.status end as outcome,
      case when r.id is null and c.status in ('failed', 'error')
        then coalesce((c.error ->> 'code')::integer, 0) else 0 end as reason,
      case when r.id is not null then r.amount
        else coalesce(c.charged_amount, c.provider_amount) end as amount
    from next n
    cross join lateral (select resource_id, created_on from events
      where merchant_id = n.merchant_id and id = n.event_id limit 1) as e
    left join lateral (select id, charge_id, status, currency, amount from refunds
      where n.name = 'refund_finished' and merchant_id = n.merchant_id and id = e.resource_id
      limit 1) as r on true
    cross join lateral (select c.*, t.customer_id from charges c
      left join lateral (select customer_id from transaction_tokens
        where merchant_id = c.merchant_id and id = c.transaction_token_id limit 1) as t on true
      where c.merchant_id = n.merchant_id and c.id = coalesce(r.charge_id, e.resource_id)
        and c.type = 'normal' limit 1) as c`

/**
 * Counts payments that ended and refunds, and notes their customers, from the events that follow the last
 * counted position of the feed. The position moves in the same statement, so that each event counts once.
 * One process at a time does this.
 */
const count_events = `
  with place as (
    select position from activity_position for update skip locked
  ), next as (
    select merchant_id, position, event_id, name from event_feed
    where name in ('charge_finished', 'refund_finished')
      and position > (select position from place)
    order by position limit $1
  ), facts as (${event_facts}
  ), counted as (
    insert into activity_hours as a (merchant_id, mode, hour, store_id, currency, payment_type, brand,
      outcome, reason, count, amount)
    select merchant_id, mode, date_trunc('hour', created_on, 'UTC'), store_id, currency, payment_type,
      coalesce(brand, ''), outcome, reason, count(*), sum(amount)::bigint
    from facts where outcome in ('successful', 'failed', 'canceled', 'refunded')
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (merchant_id, mode, hour, store_id, currency, payment_type, brand, outcome, reason)
    do update set count = a.count + excluded.count, amount = a.amount + excluded.amount
  ), met as (
    insert into customers (merchant_id, id, mode, identity, customer_id, email, name, created_on)
    select distinct on (merchant_id, mode, identity) merchant_id, event_id, mode, identity,
      customer_id, email, cardholder, created_on
    from (select *, coalesce(customer_id::text, email) as identity from facts where is_charge) as f
    where identity is not null
    order by merchant_id, mode, identity, position
    on conflict (merchant_id, mode, identity) do nothing
  ), moved as (
    update activity_position set position = last.position
    from (select max(position) as position from next) as last where last.position is not null
  )
  select count(*)::integer as count from next`

export async function countActivity(service: Service, max_events: number): Promise<number> {
  // The position is that of all merchants: it must not wait for a transaction that may be long.
  if (isTransacting(service)) return 0
  const [found] = await run<{ count: number }>(service.db, count_events, [max_events])
  return found?.count ?? 0
}
