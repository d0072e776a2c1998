import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { common } from '../../../core/api/common-fields.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { type FieldError, fail, failField, failIfAny } from '../../../core/api/errors.ts'
import { Id, Instant, nullable } from '../../../core/api/schemas.ts'
import { second_ms } from '../../../core/time/clock.ts'
import { readInstant } from '../../../core/typed/formats.ts'
import { eventOf } from '../../../events/event-names.ts'
import { deliveriesStoredFrom, kept_from } from '../../../events/event-retention.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../../service.ts'
import { type Claimed, stillClaimed } from '../../../store/due/due-work.ts'
import { requireRow } from '../../../store/sql/reads/find-row.ts'
import { idAt } from '../../../store/sql/reads/page.ts'
import type {
  ReplayFilter,
  WebhookReplayTable,
} from '../../../store/tables/accounts/webhook-tables.ts'
import { levelOf, normalUrl, Trigger, triggerFaults, urlFault, type Webhook } from '../webhook.ts'
import { withSecret } from '../webhook-secret.ts'
import { spelledFor } from './delivery.ts'
import { type DeliverableEvent, postEvent } from './post-event.ts'
import { dueNow, queuedFrom, refuseInactive, wakeDeliveryQueue } from './send-again.ts'

export const CreateReplay = named(
  'CreateReplay',
  Type.Object({
    from: Type.Optional(
      Type.String({ format: 'instant', description: 'Only events from this time on.' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'instant', description: 'Only events before this time.' }),
    ),
    triggers: described(
      Type.Optional(
        Type.Array(Trigger, {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
        }),
      ),
      'Only events with these names. Default: the triggers of the webhook.',
    ),
    resource_id: described(Type.Optional(Id), 'Only events about this resource.'),
    which: Type.Enum(['all', 'not_delivered', 'failed'], {
      default: 'all',
      description:
        'All events; `not_delivered` events, which were never sent or failed; or only those that `failed`.',
    }),
    url: Type.Optional(
      Type.String({
        format: 'url',
        description: 'Test delivery: each is sent once to this URL. Events of test mode only.',
      }),
    ),
    preview: Type.Boolean({
      default: false,
      description: 'Whether to only count: nothing is sent.',
    }),
  }),
  'Which events are sent to a webhook again.',
)
export type CreateReplay = Static<typeof CreateReplay>

export const ReplayPreview = named(
  'ReplayPreview',
  Type.Object({ count: described(Type.Integer(), 'How many events would be sent.') }),
  'The response to a replay with `preview`.',
)

export const ReplayView = named(
  'Replay',
  Type.Object({
    id: described(Id, 'The id of the replay.'),
    webhook_id: described(Id, 'The webhook that events are sent to.'),
    status: described(
      Type.Enum(['running', 'finished']),
      'Whether it has put everything into the queue.',
    ),
    from: described(nullable(Instant), 'Only events from this time on; null without a bound.'),
    to: described(nullable(Instant), 'Only events before this time; null without a bound.'),
    triggers: described(Type.Array(Trigger), 'The names of its events.'),
    resource_id: described(nullable(Id), 'Only events about this resource; null: about any.'),
    which: described(
      Type.Enum(['all', 'not_delivered', 'failed']),
      'Which events of that time are sent.',
    ),
    url: described(
      nullable(Type.String()),
      'Test delivery: the URL instead of that of the webhook; otherwise null.',
    ),
    count: Type.Integer({ description: 'How many events it sends, counted when it began.' }),
    queued: Type.Integer({ description: 'How many were put into the queue of the webhook.' }),
    delivered: Type.Integer({ description: 'Test delivery: how many got a successful response.' }),
    failed: Type.Integer({ description: 'Test delivery: how many did not.' }),
    created_on: common.created_on,
    finished_on: described(
      nullable(Instant),
      'The time when everything was queued; null before it.',
    ),
  }),
  'Events that are sent to a webhook again.',
)

type Replay = Selectable<WebhookReplayTable>

export function viewReplay(replay: Replay): Static<typeof ReplayView> {
  const { id, webhook_id, filter, url, total, queued, delivered, failed } = replay
  return {
    id,
    webhook_id,
    status: replay.finished_on ? 'finished' : 'running',
    ...filter,
    url,
    count: total,
    queued,
    delivered,
    failed,
    created_on: replay.created_on.toISOString(),
    finished_on: replay.finished_on?.toISOString() ?? null,
  }
}

export async function getReplay(
  service: Service,
  { merchant_id, id: webhook_id }: Webhook,
  id: string,
): Promise<Replay> {
  return requireRow(service, 'webhook_replays', { merchant_id, webhook_id, id })
}

/** Test deliveries are sent directly, not through the queue. */
const max_test_deliveries = 1000

/** The events that a replay covers. Validates everything. */
export function readReplay(service: Service, webhook: Webhook, body: CreateReplay): ReplayFilter {
  const { triggers, url } = body
  const from = body.from ? readInstant(body.from) : null
  const to = body.to ? readInstant(body.to) : null
  const errors: FieldError[] = triggers ? triggerFaults(levelOf(webhook), triggers) : []
  if (from && to && from >= to) {
    errors.push({ field: 'to', reason: 'INCOHERENT_DATE_RANGE' })
  }
  const fault = url && urlFault(service, url)
  if (fault) errors.push({ field: 'url', reason: 'INVALID_FORMAT_URL', rule: fault })
  failIfAny(errors)
  return {
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    triggers: triggers ?? webhook.triggers,
    resource_id: body.resource_id ?? null,
    which: body.which,
    up_to: null,
  }
}

/** Starts a replay; the worker processes the events in chunks. */
export async function createReplay(
  service: Service,
  webhook: Webhook,
  body: CreateReplay,
): Promise<Replay> {
  const filter = readReplay(service, webhook, body)
  const url = body.url ? normalUrl(body.url) : null
  if (!url) refuseInactive(webhook)
  const total = await countEvents(service, webhook, filter, url)
  if (url && total > max_test_deliveries) {
    failField('url', 'NUMBER_MAX', `can be sent at most ${max_test_deliveries} events`)
  }
  return inTransaction(service, (tx) => insertReplay(tx, webhook, { filter, url, total }))
}

/** A webhook was enabled again: replays what it missed since then. */
export async function replayMissed(tx: Transacting, webhook: Webhook, from: string): Promise<void> {
  const which = { from, which: 'not_delivered', preview: false } as const
  const filter = readReplay(tx, webhook, which)
  const total = await countEvents(tx, webhook, filter, null)
  await insertReplay(tx, webhook, { filter, url: null, total })
}

async function insertReplay(
  tx: Transacting,
  { merchant_id, id: webhook_id }: Webhook,
  { filter, url, total }: { filter: ReplayFilter; url: string | null; total: number },
): Promise<Replay> {
  tx.afterCommit(() => tx.signals.broadcast('work', 'webhook_replays'))
  const up_to = await endOfFeed(tx)
  await refuseMany(tx, merchant_id, webhook_id)
  return tx.db
    .insertInto('webhook_replays')
    .values({
      merchant_id,
      webhook_id,
      ...newRow(tx),
      mode: url ? 'test' : null,
      filter: JSON.stringify({ ...filter, up_to }),
      url,
      total,
      last_event_id: null,
      finished_on: null,
      due_on: dueNow(tx),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A replay that waits for a receiver is checked again and again, so their number is limited. */
const max_running = 10

/** The caller holds the lock on the end of the feed, so concurrent requests count each other. */
async function refuseMany(tx: Transacting, merchant_id: string, id: string): Promise<void> {
  const running = await tx.db
    .selectFrom('webhook_replays')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('webhook_id', '=', id)
    .where('due_on', 'is not', null)
    .limit(max_running)
    .execute()
  if (running.length < max_running) return
  const message = `At most ${max_running} replays of a webhook run at the same time.`
  fail('RESOURCE_LIMIT_REACHED', { message })
}

/**
 * The end of the feed, locked until the caller has committed: events in it now are the past, and later
 * ones see the webhook as the caller leaves it.
 */
async function endOfFeed(tx: Transacting): Promise<number> {
  const end = tx.db.selectFrom('event_feed_end').select('position').forUpdate()
  return (await end.executeTakeFirstOrThrow()).position
}

/**
 * The events of a filter, by id, which is the order of time. An id has the time of the database, and a test
 * clock that is ahead stays so: the times of the merchant's events are up to that much later.
 */
function eventsOf(
  service: Service,
  webhook: Webhook,
  filter: ReplayFilter,
  only_test: boolean,
): RawBuilder<unknown> {
  const { merchant_id, store_id, id } = webhook
  const ahead_ms = service.clocks.of(merchant_id, 'test').now() - service.wall_clock.now()
  const { from, to, triggers, resource_id, which, up_to } = filter
  const earliest = from ? new Date(Date.parse(from) - ahead_ms) : null
  const failed = sql`d.next_on is null and d.delivered_on is null`
  const wanted = {
    all: sql`true`,
    not_delivered: sql`(d.event_id is null or (${failed}))`,
    failed: sql`(d.event_id is not null and ${failed})`,
  }[which]
  return sql`
    from events e
    join event_feed f on f.merchant_id = e.merchant_id and f.event_id = e.id
    left join webhook_deliveries d on d.merchant_id = e.merchant_id and d.webhook_id = ${id}
      and d.event_id = e.id
    where e.merchant_id = ${merchant_id} and e.name = any(${triggers.map(eventOf)})
      and ${wanted}
      ${store_id ? sql`and e.store_id = ${store_id}` : sql``}
      and e.id >= ${kept_from}
      ${which === 'not_delivered' ? sql`and e.id >= ${deliveriesStoredFrom(service)}::uuid` : sql``}
      ${from ? sql`and e.id >= ${idAt(earliest)}::uuid and e.created_on >= ${from}` : sql``}
      ${to ? sql`and e.id < ${idAt(new Date(to))}::uuid and e.created_on < ${to}` : sql``}
      ${resource_id ? sql`and e.resource_id = ${resource_id}` : sql``}
      ${up_to === null ? sql`` : sql`and f.position <= ${up_to}`}
      ${only_test ? sql`and e.mode = 'test'` : sql``}`
}

export async function countEvents(
  service: Service,
  webhook: Webhook,
  filter: ReplayFilter,
  url: string | null | undefined,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count ${eventsOf(service, webhook, filter, Boolean(url))}`.execute(
    service.db,
  )
  return rows[0]?.count ?? 0
}

const chunk_size = 500
/** When this many deliveries wait, the replay waits too: past events must not delay new ones. */
const max_waiting = 1000
const test_batch_size = 16

/** Continues a replay: queues the next events, or sends them as test deliveries. */
export async function processReplay(
  service: Service,
  replay: Claimed<'webhook_replays'>,
): Promise<void> {
  const webhook = await service.db
    .selectFrom('webhooks')
    .selectAll()
    .where('merchant_id', '=', replay.merchant_id)
    .where('id', '=', replay.webhook_id)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  if (!webhook || (!webhook.active && !replay.url))
    return saveProgress(service, replay, { finished: true })
  if (replay.url)
    return sendNextTestDeliveries(service, replay, await withSecret(service, webhook), replay.url)
  if (await isFull(service, webhook)) return saveProgress(service, replay, { wait_ms: second_ms })
  await inTransaction(service, async (tx) => {
    await wakeDeliveryQueue(tx, webhook)
    const { queued, last } = await queueNext(tx, replay, webhook)
    await saveProgress(tx, replay, { queued, last, finished: last === null })
  })
}

async function isFull(service: Service, { merchant_id, id }: Webhook): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from webhook_deliveries where merchant_id = ${merchant_id} and webhook_id = ${id}
        and next_on is not null limit ${max_waiting}) as waiting`.execute(service.db)
  return (rows[0]?.count ?? 0) >= max_waiting
}

function after({ last_event_id }: Replay): RawBuilder<unknown> {
  return last_event_id ? sql`and e.id > ${last_event_id}` : sql``
}

async function queueNext(tx: Transacting, replay: Replay, webhook: Webhook) {
  const { rows } = await sql<{ queued: number; last: string | null }>`
    with chunk as (
      select e.merchant_id, e.id, e.mode, e.resource_id, e.name, e.created_on, f.position
      ${eventsOf(tx, webhook, replay.filter, false)} ${after(replay)} order by e.id limit ${chunk_size}
    ), made as (${queuedFrom(tx, webhook, 'chunk')} where d.next_on is null returning 1)
    select (select count(*) from made)::integer as queued,
      (select id::text from chunk order by id desc limit 1) as last`.execute(tx.db)
  return rows[0] ?? { queued: 0, last: null }
}

async function sendNextTestDeliveries(
  service: Service,
  replay: Replay,
  webhook: Webhook,
  url: string,
): Promise<void> {
  const { rows } = await sql<DeliverableEvent>`
    select e.id, ${spelledFor(webhook, sql`e.name`)} as trigger, e.data::text as data,
      e.resource_id, e.sequence, e.created_on
    ${eventsOf(service, webhook, replay.filter, true)} ${after(replay)}
    order by e.id limit ${test_batch_size}`.execute(service.db)
  const ends = await Promise.all(rows.map((event) => postEvent(service, webhook, event, url)))
  const isGood = (status: number | null) => status !== null && status >= 200 && status < 300
  const delivered = ends.filter(({ status }) => isGood(status)).length
  const last = rows.at(-1)?.id ?? null
  await saveProgress(service, replay, {
    delivered,
    failed: ends.length - delivered,
    last,
    finished: last === null,
  })
}

interface Progress {
  queued?: number
  delivered?: number
  failed?: number
  last?: string | null
  finished?: boolean
  wait_ms?: number
}

async function saveProgress(service: Service, replay: Replay, progress: Progress): Promise<void> {
  const { queued = 0, delivered = 0, failed = 0, last, finished = false, wait_ms = 0 } = progress
  const changed = await service.db
    .updateTable('webhook_replays')
    .set({
      queued: replay.queued + queued,
      delivered: replay.delivered + delivered,
      failed: replay.failed + failed,
      last_event_id: last ?? replay.last_event_id,
      finished_on: finished ? now(service) : null,
      due_on: finished ? null : new Date(service.clock.now() + wait_ms),
    })
    .where(stillClaimed(replay))
    .returning('id')
    .executeTakeFirst()
  // In a transaction this undoes what was queued: another process continues from before it.
  if (!changed) throw new Error('Another process has gone on with this replay.')
  if (!finished && wait_ms === 0) service.signals.deliver('work', 'webhook_replays')
}
