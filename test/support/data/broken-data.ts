import { type RawBuilder, sql } from 'kysely'
import { resource_limits } from '../../../src/core/limits/limits.ts'

const one = sql`(select id from stores limit 1)`

/** The rules of `doctor` about data, and how each is broken. */
export const damages: [check: string, ...statements: RawBuilder<unknown>[]][] = [
  [
    'events are numbered without gaps',
    sql`update events set sequence = 10 where name = 'charge_finished'`,
  ],
  [
    'every resource has the event of its creation',
    sql`delete from events where resource_id = ${one}`,
  ],
  [
    'resource limits are kept',
    sql`insert into stores (merchant_id, id, name, configuration, metadata, created_on, updated_on)
      select s.merchant_id, gen_random_uuid(), 'Store ' || n, '{}', '{}', now(), now()
      from stores s, generate_series(1, ${resource_limits.stores.max}) as n where s.id = ${one}`,
  ],
  [
    'charges that ended without money are reversed at the provider',
    sql`insert into provider_operations
        (merchant_id, charge_id, reference, attempt, resource_id, kind, provider, outcome, started_on)
      select merchant_id, id, gen_random_uuid(), 1, id, 'refund', 'other', 'unknown', now()
      from charges`,
    sql`update charges set status = 'error'`,
  ],
  [
    'this release knows the kind of every connector',
    sql`insert into connectors (id, name, kind, created_on, updated_on)
      values (gen_random_uuid(), 'c', 'of a later release', now(), now())`,
  ],
  [
    'routing rules name connectors that take payments',
    sql`insert into routing_rules (merchant_id, position, connector, created_on, updated_on)
      values (gen_random_uuid(), 1, 'gone', now(), now())`,
  ],
  [
    'connectors answer new payments',
    sql`insert into connectors (id, name, kind, created_on, updated_on)
      values (gen_random_uuid(), 'c', 'book', now(), now())`,
    sql`insert into provider_operations (merchant_id, charge_id, reference, attempt, resource_id,
        kind, provider, outcome, started_on, finished_on)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, gen_random_uuid(),
        'authorize', 'c', 'not_taken', now(), now() from generate_series(1, 5)`,
  ],
  ['a deleted store has no active token or webhook', sql`update stores set deleted_on = now()`],
  [
    'every event has one place: in the feed, or in the queue before it',
    sql`delete from event_feed where name = 'charge_finished'`,
  ],
  ['the coming months of events exist', sql`alter table events detach partition events_later`],
  [
    'nothing waits where the queue of events is no longer read',
    sql`insert into event_queue (merchant_ids, event_ids)
      select array[merchant_id], array[id] from events limit 1`,
    sql`update event_feed_end set floor = 1000000`,
  ],
  [
    'events of one resource stand in the feed in their order',
    sql`update event_feed set position = 1000000 - position`,
  ],
  [
    'what waits for a webhook is looked at when its time comes',
    sql`update webhook_deliveries set delivered_on = null, next_on = now()`,
  ],
  [
    'the sums of each hour are those of its charges and refunds',
    sql`update activity_hours set amount = amount + 1`,
  ],
  [
    'the sums of each hour are those of its charges and refunds',
    sql`delete from activity_hours where outcome = 'refunded'`,
  ],
  [
    'every ledger transaction sums to zero in each currency',
    sql`update ledger_transactions set amounts[1] = amounts[1] + 1`,
  ],
  [
    'the accounts of a merchant sum to zero in each mode and currency',
    sql`update ledger_balances set balance = balance + 1 where account = 'merchant_payable'`,
  ],
  ['every ledger balance is the sum of its entries', sql`delete from ledger_balances`],
  [
    'what is refunded or about to be is what its charge counts, and no more than was taken',
    sql`update charges set refunded_amount = refunded_amount + 1 where refunded_amount > 0`,
  ],
  [
    'the ledger has the capture of every charged charge, and of no other',
    sql`update charges set charged_amount = charged_amount - 1 where charged_amount is not null`,
  ],
  [
    "the simulator's operations log agrees with every settled charge",
    sql`update charges set updated_on = now()`,
    sql`delete from simulator_operations`,
  ],
  [
    'the free quota of test charges never exceeds the limit minus the charges of the last 24 hours',
    sql`update test_charge_counts set free = 1440, counted_on = (select max(created_on) from charges)`,
  ],
  [
    'every deposit is in the ledger, and what of it is neither applied nor returned is held',
    sql`update deposits set amount = amount + 1`,
  ],
  [
    'deposits are held for charges that wait for them, and paid charges have what they took',
    sql`update charges set status = 'failed' where status = 'awaiting'`,
  ],
  [
    'the statement of every virtual account ends with what is held on it',
    sql`update bank_transfer_ledgers set amount = amount + 1`,
  ],
  [
    'every finished charge, refund and cancel has exactly one event about it',
    sql`delete from events where name = 'charge_finished'`,
  ],
  [
    'every ended attempt of a customs declaration has its event, and the newest is its status',
    sql`delete from events where name = 'customs_declaration_finished'`,
  ],
  [
    'the simulator declared no charge to customs but for an attempt that is known',
    sql`delete from customs_attempts`,
  ],
  [
    'no token was used more often than it may be',
    sql`update transaction_tokens set uses = 2 where type = 'one_time'`,
  ],
  ['nothing is left without an outcome', sql`update refunds set status = 'pending', due_on = null`],
  ['what is due is found', sql`delete from charges_due`],
  [
    'every transfer is the sum of its ledger transactions',
    sql`update transfers set amount = amount + 1`,
  ],
  [
    'the ledger has every paid transfer, store by store, and no other',
    sql`update transfers set status = 'created'`,
  ],
  [
    'only failed and canceled transfers give back what they were to pay',
    sql`update transfer_ledgers set freed = true`,
  ],
  [
    'every batch has the outcome of its items, and every created item its subscription',
    sql`insert into subscription_batches
        (merchant_id, id, store_id, mode, status, created_on, updated_on)
      select merchant_id, gen_random_uuid(), id, 'test', 'awaiting', now(), now()
      from stores where id = ${one}`,
  ],
  [
    'machines that serve share their short-lived state',
    sql`insert into nodes (id, host, version, schema_version, shared_state)
      values ('a', 'one', '1', 1, 'none'), ('b', 'other', '1', 1, 'server')`,
  ],
  [
    'the ledger has withdrawn every dispute with its fee, and returned those that were won',
    sql`delete from dispute_postings where step = 'fee'`,
  ],
  ['no money is both refunded and disputed', sql`update disputes set amount = amount + 1`],
  [
    'every dispute has the event of its opening, and of its end once it has ended',
    sql`update disputes set status = 'lost'`,
  ],
  [
    'the ledger has settled exactly what the matched lines of providers say',
    sql`insert into settlement_lines (provider, line_id, run_id, kind, reference, amount, currency,
        booked_on, status, merchant_id, ledger_id)
      select 'example', id::text, id, 'payment', charge_id::text, 1, 'JPY', created_on, 'matched',
        merchant_id, id from ledger_transactions limit 1`,
  ],
]
