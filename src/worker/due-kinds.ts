import type { RawBuilder } from 'kysely'
import { deleteExpiredAppToken } from '../accounts/app-tokens/delete-app-token.ts'
import { askCapabilities } from '../accounts/connectors/ask-capabilities.ts'
import { processMail } from '../accounts/mails/mail.ts'
import { deleteOldLogins, processResetRequest } from '../accounts/users/request-reset.ts'
import { processReplay } from '../accounts/webhooks/deliveries/replay.ts'
import {
  claim_delivery_queue,
  sendDeliveryBatch,
} from '../accounts/webhooks/deliveries/send-delivery-batch.ts'
import { deleteExpiredResponses } from '../api/idempotency/stored-response.ts'
import { processCancel } from '../commerce/cancels/process-cancel.ts'
import { processCheckoutSession } from '../commerce/checkout/process-checkout-session.ts'
import { processDeclaration } from '../commerce/customs/process-declaration.ts'
import { processDeposit } from '../commerce/deposits/send-back.ts'
import { processDispute } from '../commerce/disputes/process-dispute.ts'
import { processNotification } from '../commerce/notifications/process-notification.ts'
import { processRefund } from '../commerce/refunds/process-refund.ts'
import { processSubscriptionBatch } from '../commerce/subscriptions/batches/process-subscription-batch.ts'
import { processSubscription } from '../commerce/subscriptions/cycles/process-subscription.ts'
import { resumeTestClocks } from '../commerce/test-clock/move-clock.ts'
import type { FairShares } from '../core/limits/fair-share.ts'
import { provider_policy, worker_policy } from '../core/limits/retry-policies.ts'
import { type Deadline, deadlineIn } from '../core/time/deadline.ts'
import { feedEvents } from '../events/feed-events.ts'
import type { LocalKind } from '../local-work.ts'
import { charge_work, processCharge } from '../payments/charges/process/process-charge.ts'
import { deleteOldOperations } from '../payments/provider-calls/delete-old-operations.ts'
import { deleteExpiredRows } from '../payments/tokens/delete-expired-rows.ts'
import { emptyOldTokens } from '../payments/tokens/empty-old-tokens.ts'
import { processToken } from '../payments/tokens/verify/process-token.ts'
import { atTimeOf, type Service } from '../service.ts'
import { deleteOldEntries } from '../simulator/log/delete-old-entries.ts'
import { queueOf } from '../store/due/due-queues.ts'
import { type Claimed, claimDue, type QueueTable } from '../store/due/due-work.ts'
import type { ClaimedRow, HeldClaims } from '../store/due/held-claims.ts'
import { countActivity } from '../views/activity/count-activity.ts'
import {
  deleteOldDeliveries,
  deleteOldFeed,
  keepEventMonths,
} from '../views/events/delete-old-events.ts'
import { deleteOldRequests } from '../views/request-log/delete-old-requests.ts'
import { sampleQueues } from '../views/service-health/queue-ages.ts'

/**
 * One piece of claimed work. It never throws: a failure is logged and the row stays due. The row is noted
 * in `held` meanwhile.
 */
export interface Job {
  /** The merchant whose slot it uses; null: work for many merchants together. */
  readonly merchant_id: string | null
  run(held: HeldClaims): Promise<void>
}

/** The items in progress of a kind, by merchant. */
export type UnderWay = Pick<FairShares, 'held' | 'mayTake'>

/** One kind of due work. */
export interface DueKind {
  readonly name: string
  /** The table whose rows are claimed one by one. */
  readonly table?: QueueTable
  /** Worker slots: the number of rows that one process works on at the same time. */
  readonly max_running: number
  /**
   * `merchant`: each merchant's test mode has its own time. `machine`: the service's own clock alone
   * counts. `none`: whatever there is, is due.
   */
  readonly time: 'merchant' | 'machine' | 'none'
  /** Takes at most `count`. Work on many rows together is done already when this returns. */
  take(service: Service, max: number, under_way: UnderWay): Promise<readonly Job[]>
  /** One statement for all there is: after it found some, it waits a little for more. */
  readonly gathers?: boolean
  /** Deletes what is past its time: it rests after each batch, so that requests do not notice it. */
  readonly rests?: boolean
  /** Begins to take rows straight from requests of this process. */
  openLocal?(service: Service, held: HeldClaims): void
}

const { lease_ms } = worker_policy

/** The number of rows of a kind taken straight from requests, beside polled rows. */
const max_handed_over = 500

const nothing: Job = { merchant_id: null, run: async () => {} }

/** Works at one claimed row. All calls of its provider end by the deadline, which is before its lease. */
type ProcessRow<Row, Context> = (
  service: Service,
  row: Row,
  deadline: Deadline,
  context?: Context,
) => Promise<void>

/** Rows that are their own queue: each is claimed with a lease, then processed at its own time. */
function rows<Name extends QueueTable, Context>(
  table: Name,
  max_running: number,
  process: ProcessRow<Claimed<Name>, Context>,
  options: RowOptions<Claimed<Name>, Context> = {},
): DueKind {
  const { name = table, set, handed_over } = options
  const time = queueOf(table).clock
  const run = (service: Service, row: Claimed<Name>, held: HeldClaims, context?: Context) => {
    const claimed = row as unknown as AnyRow
    const { merchant_id, id: resource_id, mode } = claimed
    const at_its_time = time === 'merchant' ? atTimeOf(service, { merchant_id, mode }) : service
    const deadline = deadlineIn(provider_policy.claim_ms)
    const work = process(at_its_time, row, deadline, context)
    return held
      .during(table, claimed, at_its_time.clock.now, work)
      .catch((error) =>
        service.log.error(
          { err: error, merchant_id, resource_id },
          'a step failed; it stays due and will be retried',
        ),
      )
  }
  const take: DueKind['take'] = async (service, free, { held, mayTake }) => {
    const by_machine = time === 'machine'
    const passed_over = [...held.keys()].filter((merchant_id) => !mayTake(merchant_id, max_running))
    const claiming = { lease_ms, max_rows: free, by_machine, held, passed_over }
    const claimed = await claimDue(service, table, { ...claiming, ...(set ? { set } : {}) })
    return claimed.map((row): Job => {
      const { merchant_id } = row as unknown as AnyRow
      return { merchant_id, run: (claims) => run(service, row, claims) }
    })
  }
  const openLocal: DueKind['openLocal'] = (service, held) => {
    if (!handed_over) return
    service.local_work.open(handed_over, max_handed_over, lease_ms, (row, context) =>
      run(service, row, held, context),
    )
  }
  return { name, table, max_running, time, take, openLocal }
}

interface RowOptions<Row, Context> {
  readonly name?: string
  /** More to write with a claim. */
  readonly set?: RawBuilder<unknown>
  /** Requests hand such rows over themselves, with what they have read. */
  readonly handed_over?: LocalKind<Row, Context>
}

type AnyRow = ClaimedRow & { readonly mode: 'test' | 'live' | null }

/** Work that one statement does for many rows. */
function batch(
  name: string,
  max_running: number,
  time: DueKind['time'],
  run: (service: Service, max: number) => Promise<number>,
): DueKind {
  const take = async (service: Service, max: number) =>
    Array.from({ length: await run(service, max) }, () => nothing)
  return { name, max_running, time, take, gathers: true }
}

/** The number of rows in one statement: a longer statement would hold a processor for too long. */
const max_deleted = 250

function cleanup(name: string, run: (service: Service, max: number) => Promise<number>): DueKind {
  return { ...batch(name, max_deleted, 'machine', run), rests: true }
}

/** The work on a row of each table. A table that is missing here does not compile. */
const row_kinds = {
  charges: rows('charges', 50, processCharge, { handed_over: charge_work }),
  refunds: rows('refunds', 50, processRefund),
  cancels: rows('cancels', 50, processCancel),
  customs_declarations: rows('customs_declarations', 50, processDeclaration),
  subscriptions: rows('subscriptions', 50, processSubscription),
  subscription_batches: rows('subscription_batches', 5, processSubscriptionBatch),
  checkout_sessions: rows('checkout_sessions', 20, processCheckoutSession),
  deposits: rows('deposits', 50, processDeposit),
  disputes: rows('disputes', 20, processDispute),
  provider_notifications: rows('provider_notifications', 50, processNotification),
  account_capabilities: rows('account_capabilities', 10, askCapabilities),
  transaction_tokens: rows('transaction_tokens', 100, processToken, { name: 'tokens' }),
  webhook_lanes: rows('webhook_lanes', 64, sendDeliveryBatch, { set: claim_delivery_queue }),
  webhook_replays: rows('webhook_replays', 5, processReplay),
  app_tokens: rows('app_tokens', 50, deleteExpiredAppToken),
  password_reset_requests: rows('password_reset_requests', 10, processResetRequest),
  mails: rows('mails', 10, processMail),
} as const satisfies Record<QueueTable, DueKind>

/** Everything that happens without a request. */
export const due_kinds: readonly DueKind[] = [
  batch('old_cvv_keys', 1, 'machine', async ({ cvv_keys }) => {
    cvv_keys.destroyOld()
    return 0
  }),
  ...Object.values(row_kinds),
  batch('events', 250, 'none', feedEvents),
  batch('activity', 1000, 'none', countActivity),
  batch('test_clocks', 5, 'machine', resumeTestClocks),
  batch('queue_samples', 1, 'machine', sampleQueues),
  cleanup('old_logins', deleteOldLogins),
  cleanup('expired_answers', deleteExpiredResponses),
  cleanup('expired_token_rows', deleteExpiredRows),
  cleanup('old_provider_operations', deleteOldOperations),
  cleanup('old_requests', deleteOldRequests),
  cleanup('old_deliveries', deleteOldDeliveries),
  cleanup('old_feed', deleteOldFeed),
  batch('old_event_months', 1, 'machine', keepEventMonths),
  cleanup('old_simulator_operations', deleteOldEntries),
  cleanup('old_one_time_tokens', emptyOldTokens),
]
