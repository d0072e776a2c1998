import { type RawBuilder, sql } from 'kysely'
import { queue_tables, queueOf } from '../store/due/due-queues.ts'
import { dueTable, type QueueTable } from '../store/due/due-work.ts'
import { type BrokenRow, type DataRule, findBroken } from '../store/sql/statements/data-rule.ts'
import { cvv_life_ms } from '../vault/cvv-keys.ts'

/**
 * The worker needs seconds, and an unknown outcome is given up after ten minutes: work that is an hour
 * late is stuck.
 */
const grace = sql`interval '1 hour'`

/** No circuit breaker pauses a delivery queue for longer: at most an hour, with a margin. */
const longest_pause = sql`interval '2 hours'`

/** A security code may exist for five minutes; the worker gets as long again. */
const cvv_late_ms = 2 * cvv_life_ms

const start_advice =
  'Start the service with WORKER=on; if it stays, look for the id in the log and ask the provider.'

/** The time of a row's merchant and mode: that of the database, unless the test clock was moved. */
export function timeOf(alias: string): RawBuilder<Date> {
  const [merchant_id, mode] = [sql.ref(`${alias}.merchant_id`), sql.ref(`${alias}.mode`)]
  return sql`coalesce((
    select coalesce(k.frozen_at, now() + k.offset_ms * interval '1 millisecond')
    from test_clocks k where k.merchant_id = ${merchant_id} and ${mode} = 'test'), now())`
}

/** Counts rows as one finding, none when there are none; the example is the oldest. */
function counted(kind: string, rows: RawBuilder<unknown>): RawBuilder<BrokenRow> {
  return sql`select ${kind} as kind, count(*)::integer as count, min(id::text) as id
    from (${rows}) as stuck having count(*) > 0`
}

function stuckRule(
  check: string,
  advice: string,
  sentences: Readonly<Record<string, string>>,
  queries: Readonly<Record<string, RawBuilder<unknown>>>,
): DataRule {
  const parts = Object.entries(queries).map(([kind, rows]) => counted(kind, rows))
  return {
    check,
    advice,
    rule: (db) => findBroken(db, sql`${sql.join(parts, sql` union all `)}`),
    describe: ({ kind, count, id }) => `${sentences[String(kind)]}: ${count}, for example ${id}.`,
  }
}

/** Whether a row is overdue, by the clock of its queue. */
function overdue(table: QueueTable): RawBuilder<unknown> {
  const time = queueOf(table).clock === 'merchant' ? timeOf('t') : sql`now()`
  return sql`select t.id from ${sql.table(dueTable(table))} t where t.due_on < ${time} - ${grace}`
}

const of_queues = <T>(value: (table: QueueTable) => T) =>
  Object.fromEntries(queue_tables.map((table) => [table, value(table)]))

/** Work that is overdue or never ends. */
export const stuck_work_rules: readonly DataRule[] = [
  stuckRule(
    'due work is done in time',
    start_advice,
    of_queues((table) => `${queueOf(table).label.en} that have been due for more than an hour`),
    of_queues(overdue),
  ),
  stuckRule(
    'charges that wait for their customer end in time',
    start_advice,
    {
      overdue: 'Charges still awaiting more than an hour after their expiry',
      forgotten: 'Charges that are awaiting and will never be looked at again',
    },
    {
      overdue: sql`select id from charges c where status = 'awaiting'
        and pending_action is distinct from 'cancel' and expires_on < ${timeOf('c')} - ${grace}`,
      forgotten: sql`select id from charges where status = 'awaiting'
        and pending_action is distinct from 'cancel' and due_on is null`,
    },
  ),
  stuckRule(
    'captures, voids and refunds come to an end',
    start_advice,
    {
      capture: 'Captures begun more than an hour ago that have no outcome',
      expiry: 'Authorizations whose release was begun more than an hour ago and has no outcome',
      reversal: 'Charges whose reversal was begun more than an hour ago and has no outcome',
      planned: 'Authorized charges whose capture or expiry is more than an hour late',
      void: 'Cancels begun more than an hour ago that have no outcome',
      refund: 'Refunds begun more than an hour ago that have no outcome',
      unmatched: 'Charges marked as being canceled without a cancel that is under way',
      ended:
        'Charges that have ended and are still marked as being captured, canceled, expired or reversed',
    },
    {
      capture: sql`select id from charges c where status = 'authorized'
        and pending_action = 'capture' and updated_on < ${timeOf('c')} - ${grace}`,
      expiry: sql`select id from charges c where status = 'authorized'
        and pending_action = 'expire' and updated_on < ${timeOf('c')} - ${grace}`,
      reversal: sql`select id from charges c where pending_action = 'reverse'
        and created_on < ${timeOf('c')} - ${grace}`,
      planned: sql`select id from charges c where status = 'authorized'
        and pending_action is null and (due_on is null or due_on < ${timeOf('c')} - ${grace})`,
      void: sql`select id from cancels c where status = 'pending'
        and created_on < ${timeOf('c')} - ${grace}`,
      refund: sql`select id from refunds c where status = 'pending'
        and created_on < ${timeOf('c')} - ${grace}`,
      unmatched: sql`select id from charges c where pending_action = 'cancel'
        and not exists (select from cancels v where v.merchant_id = c.merchant_id
          and v.charge_id = c.id and v.status = 'pending')`,
      ended: sql`select id from charges where pending_action is not null
        and status not in ('pending', 'awaiting', 'authorized')`,
    },
  ),
  stuckRule(
    'deliveries go on',
    'Start the service with WORKER=on; if they stay, restart it, which gives up the claims of ' +
      'processes that are gone.',
    {
      claimed: 'Delivery queues that are claimed for ever',
      late: 'Delivery queues that are due hours after their next delivery',
      lost: 'Webhooks with deliveries that belong to no delivery queue',
      unfed: 'Events that have waited for more than an hour to be handed to webhooks',
    },
    {
      claimed: sql`select id from webhook_lanes l where sending
        and (due_on is null or due_on > ${timeOf('l')} + ${grace})`,
      late: sql`select id from webhook_lanes l
        cross join lateral (
          select min(d.next_on) as next_on from webhook_deliveries d
          where d.merchant_id = l.merchant_id and d.webhook_id = l.webhook_id and d.mode = l.mode
            and d.next_on is not null) as first
        where not sending
          and first.next_on is not null
          and due_on > greatest(first.next_on, ${timeOf('l')}) + ${longest_pause}`,
      lost: sql`select distinct d.webhook_id as id from webhook_deliveries d
        where d.next_on is not null and not exists (
          select from webhook_lanes l where l.merchant_id = d.merchant_id
            and l.webhook_id = d.webhook_id and l.mode = d.mode)`,
      unfed: sql`select e.id from event_queue q cross join lateral
          unnest(q.merchant_ids, q.event_ids) as w (merchant_id, event_id)
        join events e on e.merchant_id = w.merchant_id and e.id = w.event_id
        where e.created_on < now() - ${grace}`,
    },
  ),
  stuckRule(
    'security codes and cards are purged in time',
    'Start the service with WORKER=on: it purges them at once. If they stay, set cvv, and ' +
      'card_number where the token was not used, to null.',
    {
      cvv: 'Tokens with a security code that was sealed more than ten minutes ago',
      card: 'Tokens with card data that had to be purged more than an hour ago',
    },
    {
      cvv: sql`select id from transaction_tokens where cvv is not null
        and ${sealedOn()} < now() - ${cvv_late_ms} * interval '1 millisecond'`,
      card: sql`select id from transaction_tokens t
        where (cvv is not null or card_number is not null) and wipe_on < ${timeOf('t')} - ${grace}`,
    },
  ),
]

/** When a security code was sealed: it begins with the number of its ten-second interval. */
function sealedOn(): RawBuilder<Date> {
  const byte = (at: number) => sql`get_byte(cvv, ${sql.raw(String(at))})::bigint`
  return sql`case when octet_length(cvv) < 4 then to_timestamp(0) else to_timestamp(10 * (
    (${byte(0)} << 24) + (${byte(1)} << 16) + (${byte(2)} << 8) + ${byte(3)})) end`
}
