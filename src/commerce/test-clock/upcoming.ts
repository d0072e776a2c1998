import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { paymentTime } from '../../core/time/schedule.ts'
import { readInstant } from '../../core/typed/formats.ts'
import type { Service } from '../../service.ts'
import { queue_tables, queueOf, upcoming_kinds } from '../../store/due/due-queues.ts'
import { paymentDate, type Subscription } from '../subscriptions/subscription.ts'

export const UpcomingQuery = Type.Object({
  until: described(
    Type.String({ format: 'instant' }),
    'The time that the clock would be moved to, later than now.',
  ),
})

const UpcomingItem = named(
  'UpcomingItem',
  Type.Object({
    on: described(Instant, 'The due time.'),
    kind: described(textOf('UpcomingKind', upcoming_kinds, 'Upcoming work.'), 'The kind.'),
    resource_id: described(
      Id,
      'The charge, subscription, checkout session, refund, deposit or webhook.',
    ),
    store_id: described(nullable(Id), 'The store that it belongs to; null without one.'),
    amount: described(nullable(Type.Integer()), 'The amount of money; null without one.'),
    currency: described(nullable(Type.String()), 'The currency of the amount; null without one.'),
  }),
  'Something that becomes due in test mode.',
)
export const Upcoming = named(
  'Upcoming',
  Type.Object({
    items: described(Type.Array(UpcomingItem), 'Upcoming work, the next first, at most 200 items.'),
    has_more: described(Type.Boolean(), 'Whether there is more than is shown.'),
  }),
  'Upcoming work in test mode until a time.',
)

type UpcomingRow = Omit<Static<typeof UpcomingItem>, 'on'> & { on: Date }

const max_items = 200

/** Everything that becomes due in test mode on the way to a time, in its order. */
export async function readUpcoming(service: Service, { merchant_id }: Caller, until: string) {
  const end = readInstant(until) ?? failField('until', 'INVALID_FORMAT_DATE')
  const now_ms = service.clocks.of(merchant_id, 'test').now()
  if (end.getTime() < now_ms) failField('until', 'MUST_BE_FUTURE_TIME')
  const due = sql`t.merchant_id = ${merchant_id} and t.mode = 'test' and t.due_on <= ${end}`
  const order = sql`order by t.due_on limit ${sql.lit(max_items + 1)}`
  const parts = queue_tables.flatMap((table) => {
    const rows = queueOf(table).upcoming?.rows?.(due, order)
    return rows ? [sql`(${rows})`] : []
  })
  const { rows } = await sql<UpcomingRow>`${sql.join(parts, sql` union all `)}
    order by "on" limit ${sql.lit(max_items + 1)}`.execute(service.db)
  const found = [...rows, ...(await subscriptionPayments(service, due, end))]
  found.sort((a, b) => a.on.getTime() - b.on.getTime())
  const items = found.slice(0, max_items).map((item) => ({
    ...item,
    // Overdue work happens immediately.
    on: new Date(Math.max(item.on.getTime(), now_ms)).toISOString(),
  }))
  return { items, has_more: found.length > max_items }
}

/** The next payment of each subscription, and those after it while its schedule has no end. */
async function subscriptionPayments(
  service: Service,
  due: RawBuilder<unknown>,
  end: Date,
): Promise<UpcomingRow[]> {
  const { rows } = await sql<Subscription>`select t.* from subscriptions t where ${due}
    order by t.due_on limit ${sql.lit(max_items + 1)}`.execute(service.db)
  return rows.flatMap((subscription) => {
    const { id: resource_id, store_id, amount, currency, due_on, status } = subscription
    const item = { resource_id, store_id, amount, currency }
    const kind = status === 'unpaid' ? 'subscription_retry' : 'subscription_payment'
    const next: UpcomingRow[] = [{ on: due_on ?? end, kind, ...item }]
    if (subscription.subscription_plan || subscription.installment_plan) return next
    for (let number = subscription.paid + 1; next.length <= max_items; number += 1) {
      const on = paymentTime(paymentDate(subscription, number), subscription.zone_id)
      if (on > end) break
      next.push({ on, kind: 'subscription_payment', ...item })
    }
    return next
  })
}
