import { sql } from 'kysely'
import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import { queueOf } from '../../store/due/due-queues.ts'
import type { QueueTable } from '../../store/due/due-work.ts'
import { dueInQueues, max_counted, QueueLabel } from './queue-ages.ts'

const Queue = named(
  'OperatorQueue',
  Type.Object({
    name: described(Type.String(), 'The kind of work.'),
    label: QueueLabel,
    due: described(Type.Integer(), `The number of due items, counted up to ${max_counted}.`),
    oldest_on: described(
      nullable(Instant),
      'When the oldest item became due; null if nothing is due.',
    ),
  }),
  'Work that is due.',
)
const ProviderHealth = named(
  'OperatorProvider',
  Type.Object({
    provider: described(Type.String(), 'The name of the provider.'),
    calls: described(Type.Integer(), 'Calls within the last hour.'),
    refused: described(Type.Integer(), 'The calls that the provider refused.'),
    unknown: described(Type.Integer(), 'The calls with an unknown outcome, and the failed ones.'),
  }),
  'How a payment provider answers.',
)
export const HealthView = named(
  'OperatorHealth',
  Type.Object({
    processes: described(Type.Integer(), 'How many processes this machine serves with.'),
    worker: described(Type.String(), 'Whether this process works at due work: `on` or `off`.'),
    queues: Type.Array(Queue, { description: 'Due work, by kind.' }),
    waiting_events: described(
      Type.Integer(),
      `Batches of events not yet delivered to webhooks, counted up to ${max_counted}.`,
    ),
    waiting_deliveries: described(
      Type.Integer(),
      `Deliveries that will be sent or retried, counted up to ${max_counted}.`,
    ),
    providers: Type.Array(ProviderHealth, { description: 'Calls to providers in the last hour.' }),
  }),
  'How the service is.',
)

export async function readHealth(service: Service) {
  const { db, config } = service
  const at = now(service)
  const { rows } = await sql<{ name: QueueTable; due: number; oldest_on: Date | null }>`
    ${dueInQueues(at)}`.execute(db)
  const count = async (rows_of: ReturnType<typeof sql>) =>
    (
      await sql<{ count: number }>`select count(*)::integer as count
        from (${rows_of} limit ${max_counted}) as counted`.execute(db)
    ).rows[0]?.count ?? 0
  const { rows: providers } = await sql<{
    provider: string
    calls: number
    refused: number
    unknown: number
  }>`select provider, count(*)::integer as calls,
      (count(*) filter (where outcome = 'refused'))::integer as refused,
      (count(*) filter (where outcome = 'unknown' or outcome is null
        or (outcome = 'not_taken' and not is_inquiry)))::integer
        as unknown
    from provider_operations where started_on > ${new Date(at.getTime() - hour_ms)}
    group by 1 order by 1`.execute(db)
  return {
    processes: config.processes,
    worker: config.worker,
    queues: rows.map((row) => ({
      ...row,
      label: queueOf(row.name).label,
      oldest_on: row.oldest_on?.toISOString() ?? null,
    })),
    waiting_events: await count(sql`select 1 from event_queue`),
    waiting_deliveries: await count(
      sql`select 1 from webhook_deliveries where next_on is not null`,
    ),
    providers,
  }
}
