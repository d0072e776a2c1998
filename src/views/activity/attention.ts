import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import {
  type ListScope,
  oneMode,
  scope_filters,
  scopeOf,
} from '../../accounts/stores/list-scope.ts'
import { isPaused } from '../../accounts/webhooks/webhook.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { mayRead } from '../../core/access/rights.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { namesOf, tableOf } from '../../core/table-names.ts'
import { day_ms } from '../../core/time/clock.ts'
import { typesWhere } from '../../methods/method-facts.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { idAt } from '../../store/sql/reads/page.ts'
import { left_to_expire } from '../history/read-history.ts'

export const AttentionQuery = Type.Object(scope_filters)

const Item = named(
  'AttentionItem',
  Type.Object({
    resource_id: described(Id, 'The charge, subscription, deposit, event or webhook.'),
    store_id: described(nullable(Id), 'The store that it belongs to; null for all stores.'),
    charge_id: described(nullable(Id), 'The charge that it is about; null without one.'),
    webhook_id: described(nullable(Id), 'The webhook that it is about; null without one.'),
    on: described(nullable(Instant), 'The time of the item, or its expiry; null if unknown.'),
    amount: described(
      nullable(Type.Integer()),
      'The amount in the smallest unit; null without one.',
    ),
    currency: described(nullable(Type.String()), 'The currency; null without an amount.'),
    text: described(
      nullable(Type.String()),
      'The address, event, name or reason; null without one.',
    ),
  }),
  'Something that needs attention.',
)
type ItemRow = Omit<Static<typeof Item>, 'on'> & { on: Date | null }

const Group = named(
  'AttentionGroup',
  Type.Object({
    count: described(Type.Integer(), 'The number of items, at most 100.'),
    has_more: described(Type.Boolean(), 'Whether there are more than were counted.'),
    newest: described(Type.Array(Item), 'The newest items, or the next to expire; at most 5.'),
  }),
  'Things of one kind that need attention.',
)
type Group = Static<typeof Group>

/** The counts of each group; the number of rows is bounded by `max_counted`. */
const group_texts = {
  open_disputes: 'Disputes that need a response.',
  failed_deliveries: 'Deliveries of the last 7 days that failed after the last attempt.',
  open_circuits: 'Webhooks that are paused or were deactivated.',
  awaiting_deposits: 'Charges that wait for a bank transfer or a payment at a convenience store.',
  expiring_authorizations: 'Authorized charges that expire within 48 hours.',
  unpaid_subscriptions: 'Subscriptions with an unpaid payment.',
  card_testing: 'Hours of the last 7 days in which many cards were tried at the store.',
  returned_deposits: 'Deposits of the last 7 days that were or are being returned.',
} as const
type GroupName = keyof typeof group_texts

export const Attention = named(
  'Attention',
  Type.Object(tableOf(namesOf(group_texts), (name) => described(Group, group_texts[name]))),
  "Items that need the merchant's attention, counted up to a limit.",
)

const max_counted = 100
const max_shown = 5
/** How many open rows of a merchant are examined. */
const max_examined = 20_000
const recent_ms = 7 * day_ms
const expires_within_ms = 2 * day_ms

type ReadGroup = (scope: ListScope, mode: Mode, now: Date) => RawBuilder<unknown>

const ofStore = ({ store_id }: ListScope, column: string) =>
  store_id ? sql`and ${sql.ref(column)} = ${store_id}::uuid` : sql``

/** Open charges of the merchant, found among what is due. */
function openCharges(scope: ListScope, mode: string, condition: RawBuilder<unknown>) {
  return sql`from (select merchant_id, id, due_on from charges_due
      where merchant_id = ${scope.merchant_id} and mode = ${mode} ${condition}
      limit ${sql.lit(max_examined)}) as due
    join charges c on c.merchant_id = due.merchant_id and c.id = due.id
      ${ofStore(scope, 'c.store_id')}`
}

/** Columns: resource_id, store_id, charge_id, webhook_id, on, amount, currency, text. */
const groups: Record<GroupName, ReadGroup> = {
  open_disputes: (scope, mode) => sql`
    select d.id, d.store_id, d.charge_id, null::uuid, d.respond_by, d.amount, d.currency, d.reason
    from (select * from disputes where merchant_id = ${scope.merchant_id}
        and status = 'needs_response' order by id desc limit ${sql.lit(max_examined)}) as d
    where d.mode = ${mode} and d.pending_response is null ${ofStore(scope, 'd.store_id')}
    order by d.respond_by`,
  failed_deliveries: (scope, mode, now) => sql`
    select d.event_id, w.store_id, null::uuid, d.webhook_id, d.created_on, null::bigint, null,
      d.trigger
    from (select * from webhook_deliveries where merchant_id = ${scope.merchant_id} and mode = ${mode}
        and next_on is null and delivered_on is null
        and event_id >= ${idAt(new Date(now.getTime() - recent_ms))}::uuid
      order by event_id desc limit ${sql.lit(max_examined)}) as d
    join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
      ${ofStore(scope, 'w.store_id')}
    order by d.event_id desc`,
  open_circuits: (scope, mode, now) => sql`
    select webhooks.id, webhooks.store_id, null::uuid, webhooks.id,
      coalesce(webhooks.disabled_on, l.rests_until), null::bigint, null, webhooks.url
    from webhooks join webhook_lanes l on l.merchant_id = webhooks.merchant_id
      and l.webhook_id = webhooks.id and l.mode = ${mode}
    where webhooks.merchant_id = ${scope.merchant_id} and webhooks.deleted_on is null
      and ${isPaused(mode, now)} ${ofStore(scope, 'webhooks.store_id')}
    order by 5 desc`,
  awaiting_deposits: (scope, mode) => sql`
    select c.id, c.store_id, c.id, null::uuid, c.expires_on, c.provider_amount, c.provider_currency,
      c.payment_type ${openCharges(scope, mode, sql`order by merchant_id desc, id desc`)}
    where c.status = 'awaiting' and c.payment_type = any(${typesWhere(({ deposit }) => deposit !== null)})
    order by c.id desc`,
  expiring_authorizations: (scope, mode, now) => sql`
    select c.id, c.store_id, c.id, null::uuid, due.due_on, c.provider_amount, c.provider_currency,
      c.email ${openCharges(
        scope,
        mode,
        sql`and due_on < ${new Date(now.getTime() + expires_within_ms)}`,
      )}
    where ${left_to_expire}
    order by due.due_on`,
  unpaid_subscriptions: (scope, mode) => sql`
    select s.id, s.store_id, null::uuid, null::uuid, s.updated_on, s.amount, s.currency, null
    from (select * from subscriptions where merchant_id = ${scope.merchant_id} and status = 'unpaid'
      order by id desc limit ${sql.lit(max_examined)}) as s
    where s.mode = ${mode} ${ofStore(scope, 's.store_id')} order by s.id desc`,
  card_testing: (scope, mode, now) => sql`
    select a.id, a.store_id, null::uuid, null::uuid, a.created_on, null::bigint, null, null
    from checkout_attacks a where a.merchant_id = ${scope.merchant_id} and a.mode = ${mode}
      and a.id >= ${idAt(new Date(now.getTime() - recent_ms))}::uuid ${ofStore(scope, 'a.store_id')}
    order by a.id desc`,
  returned_deposits: (scope, mode, now) => sql`
    select d.id, d.store_id, d.charge_id, null::uuid, d.updated_on, d.return_amount, d.currency,
      d.return_reason
    from deposits d where d.merchant_id = ${scope.merchant_id} and d.mode = ${mode}
      and d.status in ('returning', 'returned', 'unreturned')
      and d.id >= ${idAt(new Date(now.getTime() - recent_ms))}::uuid ${ofStore(scope, 'd.store_id')}
    order by d.id desc`,
}

const columns = sql.raw(
  'resource_id, store_id, charge_id, webhook_id, "on", amount, currency, text',
)

export async function readAttention(
  given: Service,
  caller: Caller,
  query: Static<typeof AttentionQuery>,
): Promise<Static<typeof Attention>> {
  const scope = await scopeOf(given, caller, query)
  const mode = oneMode(scope)
  const service = atTimeOf(given, { merchant_id: scope.merchant_id, mode })
  const now = new Date(service.clock.now())
  const read = async ([name, rowsOf]: [string, ReadGroup]): Promise<[string, Group]> => {
    const { rows } = await sql<ItemRow>`
      select * from (${rowsOf(scope, mode, now)}) as found (${columns})
      limit ${sql.lit(max_counted + 1)}`.execute(service.db)
    return [name, showGroup(rows)]
  }
  const found = await Promise.all(Object.entries(groups).map(read))
  const shown = Object.fromEntries(found) as Static<typeof Attention>
  return mayRead(caller, 'webhooks') ? shown : { ...shown, open_circuits: withoutText(shown) }
}

/** The address of a webhook is for callers that may read webhooks. */
function withoutText({ open_circuits }: Static<typeof Attention>): Group {
  const newest = open_circuits.newest.map((item) => ({ ...item, text: null }))
  return { ...open_circuits, newest }
}

function showGroup(rows: readonly ItemRow[]): Group {
  return {
    count: Math.min(rows.length, max_counted),
    has_more: rows.length > max_counted,
    newest: rows
      .slice(0, max_shown)
      .map(({ on, ...item }) => ({ ...item, on: on?.toISOString() ?? null })),
  }
}
