import { errors, Failure } from '../../../core/api/errors.ts'
import { inTransaction, now, type Service, type Transacting } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import { lockRow } from '../../../store/sql/reads/find-row.ts'
import type { BatchItemError } from '../../../store/tables/commerce/subscription-tables.ts'
import { createSubscription } from '../create-subscription.ts'
import type { CreateSubscription } from '../subscription-input.ts'
import type { BatchItem, SubscriptionBatch } from './subscription-batch.ts'

/** Maximum created per claim; then other batches have their turn. */
const items_per_claim = 20

/** An item that never gets an outcome must not keep its batch open for ever. */
const max_claims = 50

/** Creates the next subscriptions of a batch, each in its own transaction. */
export async function processSubscriptionBatch(
  service: Service,
  batch: SubscriptionBatch,
): Promise<void> {
  const { merchant_id, id } = batch
  const items = await service.db
    .selectFrom('subscription_batch_items')
    .select('number')
    .where('merchant_id', '=', merchant_id)
    .where('batch_id', '=', id)
    .where('status', '=', 'awaiting')
    .orderBy('number')
    .limit(items_per_claim)
    .execute()
  const faults: unknown[] = []
  for (const { number } of items) {
    // An item that cannot be created now must not block the others.
    await createItem(service, batch, number).catch((error) => faults.push(error))
    service.failpoint('after batch item')
  }
  if (faults.length > 0) throw faults[0]
  await completeBatch(service, batch)
}

/**
 * The item is locked, and is marked as created in the transaction that creates the subscription. A
 * worker that claims the batch again, after a crash or an expired lease, finds the item done.
 */
async function createItem(
  service: Service,
  batch: SubscriptionBatch,
  number: number,
): Promise<void> {
  try {
    await inTransaction(service, async (tx) => {
      const item = await lockItem(tx, batch, number)
      if (!item) return
      const { id: subscription_id } = await createSubscription(
        tx,
        { ...batch, with_secret: true },
        item.request as CreateSubscription,
        { metadata: batch.initial_charge_metadata ?? {} },
      )
      tx.failpoint('in batch item')
      const charge_id = await firstChargeOf(tx, batch, subscription_id)
      await endItem(tx, batch, number, { status: 'successful', subscription_id, charge_id })
    })
  } catch (error) {
    const refusal = refusalOf(error, batch)
    if (!refusal) throw error
    await inTransaction(service, async (tx) => {
      if (!(await lockItem(tx, batch, number))) return
      await endItem(tx, batch, number, { status: 'failed', error: JSON.stringify(refusal) })
    })
  }
}

/** Null: it was no refusal, and may succeed when retried. */
function refusalOf(error: unknown, { claims }: SubscriptionBatch): BatchItemError | null {
  const failure = error instanceof Failure ? error : null
  if (failure && errors[failure.code][0] < 500) {
    const { code, message, errors: fields } = failure
    return { code, message, errors: fields }
  }
  if (claims < max_claims) return null
  return { code: 'UNKNOWN_ERROR', message: errors.UNKNOWN_ERROR[1], errors: [] }
}

async function lockItem(
  tx: Transacting,
  { merchant_id, id }: SubscriptionBatch,
  number: number,
): Promise<BatchItem | null> {
  const item = await lockRow(tx, 'subscription_batch_items', {
    merchant_id,
    batch_id: id,
    number,
    status: 'awaiting',
  })
  return item ?? null
}

type Ended =
  | { status: 'successful'; subscription_id: string; charge_id: string | null }
  | { status: 'failed'; error: string }

async function endItem(
  tx: Transacting,
  { merchant_id, id }: SubscriptionBatch,
  number: number,
  ended: Ended,
): Promise<void> {
  await tx.db
    .updateTable('subscription_batch_items')
    .set({ ...ended, request: null })
    .where('merchant_id', '=', merchant_id)
    .where('batch_id', '=', id)
    .where('number', '=', number)
    .execute()
}

async function firstChargeOf(
  tx: Transacting,
  { merchant_id }: SubscriptionBatch,
  subscription_id: string,
): Promise<string | null> {
  const charge = await tx.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('subscription_id', '=', subscription_id)
    .executeTakeFirst()
  return charge?.id ?? null
}

/** Records the outcome of the batch when all items are done; otherwise it is due again immediately. */
async function completeBatch(service: Service, batch: SubscriptionBatch): Promise<void> {
  await inTransaction(service, async (tx) => {
    const { merchant_id, id, claims } = batch
    const items = await tx.db
      .selectFrom('subscription_batch_items')
      .select('status')
      .where('merchant_id', '=', merchant_id)
      .where('batch_id', '=', id)
      .execute()
    const has = (status: string) => items.some((item) => item.status === status)
    const is_open = has('awaiting')
    const status = is_open ? 'awaiting' : has('failed') ? 'failed' : 'successful'
    await tx.db
      .updateTable('subscription_batches')
      .set({ status, updated_on: now(tx), due_on: is_open ? now(tx) : null })
      .where(stillClaimed({ merchant_id, id, claims }))
      .execute()
    tx.afterCommit(() => tx.changes.notify(id))
    if (is_open) tx.afterCommit(() => tx.signals.broadcast('work', 'subscription_batches'))
  })
}
