import { type RawBuilder, sql } from 'kysely'
import { namesOf } from '../../core/table-names.ts'
import type { QueueTable } from './due-work.ts'

/** The part of a statement that selects `on`, kind, id, store, amount and currency of rows of `t`. */
type UpcomingRows = (due: RawBuilder<unknown>, first: RawBuilder<unknown>) => RawBuilder<unknown>

interface Upcoming<Kind extends string> {
  /** The merchant's word for it. */
  readonly kinds: readonly Kind[]
  /** Null: the schedule decides, and is computed. */
  readonly rows: UpcomingRows | null
}

/** The facts about a queue table for all code except the work itself. */
interface DueQueue<Kind extends string = string> {
  readonly label: { readonly en: string; readonly ja: string }
  /**
   * `merchant`: each merchant's test mode has its own time, and the test clock stops at its rows. `machine`:
   * the time of the service alone counts.
   */
  readonly clock: 'merchant' | 'machine'
  /**
   * The claimed rows that a dead process may have been busy with. `waits`: the lease must end first,
   * because `due_on` is also an expiry, or the wait after a failed attempt.
   */
  readonly busy: ((lease_ends: Date) => RawBuilder<unknown>) | 'waits'
  /** Rows that are due only because a lease ends: no reason for a test clock to stop. */
  readonly claimed?: RawBuilder<boolean>
  /** The upcoming events that a merchant sees on the test clock; null if they know nothing of these rows. */
  readonly upcoming: Upcoming<Kind> | null
}

/** Rows of a table, all of one kind. */
function rowsOf<Kind extends string>(
  table: QueueTable,
  kind: Kind,
  money: RawBuilder<unknown>,
): Upcoming<Kind> {
  const rows: UpcomingRows = (due, first) =>
    sql`select t.due_on as "on", ${sql.lit(kind)} as kind, t.id as resource_id, t.store_id, ${money}
      from ${sql.table(table)} t where ${due} ${first}`
  return { kinds: [kind], rows }
}

const no_money = sql`null::bigint as amount, null::text as currency`
const own_money = sql`t.amount, t.currency`
const sooner = (lease_ends: Date) => sql`due_on < ${lease_ends}`
const all = () => sql`true`
const pending = () => sql`status = 'pending'`

/**
 * Every table whose rows are its queue, with all facts that the worker, the test clock, health, claims,
 * `doctor` and the console need about it. The work on a row is in `worker/due-kinds.ts`.
 */
export const due_queues = {
  charges: {
    label: { en: 'Payments', ja: '決済' },
    clock: 'merchant',
    busy: () => sql`status = 'pending' or pending_action in ('capture', 'expire', 'reverse')
      or (status = 'awaiting' and three_ds_passed_on is not null)`,
    upcoming: {
      kinds: ['charge_processing', 'scheduled_capture', 'authorization_expiry', 'payment_expiry'],
      rows: (due, first) => sql`
        select d.due_on as "on", case c.status when 'awaiting' then 'payment_expiry'
          when 'authorized' then case when c.capture_at is not null or c.pending_action = 'capture'
            then 'scheduled_capture' else 'authorization_expiry' end
          else 'charge_processing' end as kind, c.id as resource_id, c.store_id,
          c.requested_amount as amount, c.requested_currency as currency
        from (select t.* from charges_due t where ${due} ${first}) as d
        join charges c on c.merchant_id = d.merchant_id and c.id = d.id`,
    },
  },
  refunds: {
    label: { en: 'Refunds', ja: '返金' },
    clock: 'merchant',
    busy: pending,
    upcoming: rowsOf('refunds', 'refund_processing', own_money),
  },
  cancels: {
    label: { en: 'Cancels', ja: '取消' },
    clock: 'merchant',
    busy: pending,
    upcoming: rowsOf('cancels', 'cancel_processing', no_money),
  },
  customs_declarations: {
    label: { en: 'Customs declarations', ja: '税関申告' },
    clock: 'merchant',
    busy: pending,
    upcoming: rowsOf('customs_declarations', 'customs_processing', no_money),
  },
  subscriptions: {
    label: { en: 'Subscriptions', ja: '定期課金' },
    clock: 'merchant',
    busy: sooner,
    upcoming: { kinds: ['subscription_payment', 'subscription_retry'], rows: null },
  },
  subscription_batches: {
    label: { en: 'Batches of subscriptions', ja: '定期課金の一括登録' },
    clock: 'merchant',
    busy: all,
    upcoming: null,
  },
  checkout_sessions: {
    label: { en: 'Checkout sessions', ja: 'チェックアウト' },
    clock: 'merchant',
    busy: 'waits',
    upcoming: rowsOf('checkout_sessions', 'checkout_expiry', own_money),
  },
  deposits: {
    label: { en: 'Deposits to return', ja: '着金の返金' },
    clock: 'merchant',
    busy: () => sql`status = 'returning'`,
    upcoming: rowsOf(
      'deposits',
      'deposit_return',
      sql`t.return_amount as amount, t.currency as currency`,
    ),
  },
  disputes: {
    label: { en: 'Disputes', ja: 'チャージバック' },
    clock: 'merchant',
    busy: () => sql`pending_response is not null`,
    upcoming: rowsOf('disputes', 'dispute_deadline', own_money),
  },
  provider_notifications: {
    label: { en: 'Notifications of providers', ja: '決済会社からの通知' },
    clock: 'merchant',
    busy: all,
    upcoming: null,
  },
  account_capabilities: {
    label: { en: 'Capabilities of connectors', ja: 'コネクターの機能確認' },
    clock: 'machine',
    busy: sooner,
    upcoming: null,
  },
  transaction_tokens: {
    label: { en: 'Tokens', ja: 'トークン' },
    clock: 'merchant',
    busy: () => sql`three_ds ->> 'status' = 'pending'`,
    upcoming: null,
  },
  webhook_lanes: {
    label: { en: 'Webhook deliveries', ja: 'Webhookの送信' },
    clock: 'merchant',
    busy: () => sql`sending`,
    claimed: sql`sending`,
    upcoming: {
      kinds: ['webhook_retry'],
      rows: (due, first) => sql`
        select t.due_on as "on", 'webhook_retry' as kind, w.id as resource_id, w.store_id, ${no_money}
        from webhook_lanes t join webhooks w on w.merchant_id = t.merchant_id and w.id = t.webhook_id
        where ${due} and not t.sending ${first}`,
    },
  },
  webhook_replays: {
    label: { en: 'Webhook replays', ja: 'Webhookの再送' },
    clock: 'machine',
    busy: all,
    upcoming: null,
  },
  app_tokens: {
    label: { en: 'Expiring application tokens', ja: 'APIキーの期限' },
    clock: 'machine',
    busy: 'waits',
    upcoming: null,
  },
  password_reset_requests: {
    label: { en: 'Password resets', ja: 'パスワードの再設定' },
    clock: 'machine',
    busy: sooner,
    upcoming: null,
  },
  mails: {
    label: { en: 'Mails', ja: 'メール' },
    clock: 'machine',
    busy: 'waits',
    upcoming: null,
  },
} as const satisfies Record<QueueTable, DueQueue>

export const queue_tables = namesOf(due_queues)
export const queueOf = (table: QueueTable): DueQueue => due_queues[table]

type AnyUpcoming = Exclude<(typeof due_queues)[QueueTable]['upcoming'], null>
export type UpcomingKind = AnyUpcoming['kinds'][number]
export const upcoming_kinds = queue_tables.flatMap(
  (table) => queueOf(table).upcoming?.kinds ?? [],
) as UpcomingKind[]
