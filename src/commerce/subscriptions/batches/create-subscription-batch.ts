import { sql } from 'kysely'
import { mergeMetadata } from '../../../api/merge-metadata.ts'
import { Failure, type FieldError, fail, failField, readAll } from '../../../core/api/errors.ts'
import { batch_limits } from '../../../core/limits/limits.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import { storeRules } from '../../../payments/store-rules/store-rules.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../../service.ts'
import type { StoreOwner } from '../create-subscription.ts'
import { readPlan } from '../read-plan.ts'
import {
  type BatchAndItems,
  type CreateSubscriptionBatch,
  getSubscriptionBatch,
} from './subscription-batch.ts'

/**
 * Accepts a batch; the worker creates its subscriptions. An invalid request is refused as a whole. Rules
 * that depend on a token or on the store are checked with each subscription.
 */
export async function createSubscriptionBatch(
  service: Service,
  caller: StoreOwner,
  body: CreateSubscriptionBatch,
): Promise<BatchAndItems> {
  const { merchant_id, store_id, mode } = caller
  if (body.charges && body.charges.length > 0) {
    const message = 'A batch takes subscriptions only; create charges with POST /charges.'
    failField('charges', 'FORBIDDEN_PARAMETER', message)
  }
  const initial_charge_metadata = body.initial_charge_metadata ?? null
  checkItems(service, body, initial_charge_metadata ?? {})
  await storeRules(service, merchant_id, store_id)
  return inTransaction(service, async (tx) => {
    await requireRoom(tx, merchant_id)
    const { id, created_on } = newRow(tx)
    await tx.db
      .insertInto('subscription_batches')
      .values({
        merchant_id,
        id,
        store_id,
        mode,
        status: 'awaiting',
        initial_charge_metadata: initial_charge_metadata && JSON.stringify(initial_charge_metadata),
        created_on,
        updated_on: created_on,
        due_on: created_on,
      })
      .execute()
    const requests = JSON.stringify(body.subscriptions)
    await sql`insert into subscription_batch_items (merchant_id, batch_id, number, status, request)
      select ${merchant_id}, ${id}, n - 1, 'awaiting', request
      from jsonb_array_elements(${requests}::jsonb) with ordinality as items (request, n)`.execute(
      tx.db,
    )
    tx.afterCommit(() => tx.signals.broadcast('work', 'subscription_batches'))
    return getSubscriptionBatch(tx, caller, id)
  })
}

/** Plans and metadata, which can be validated on their own: every fault of every item is named. */
function checkItems(
  service: Service,
  { subscriptions }: CreateSubscriptionBatch,
  charge_metadata: Metadata,
): void {
  requireMetadata('initial_charge_metadata', charge_metadata)
  const errors = subscriptions.flatMap((item, number): FieldError[] => {
    const given = item.metadata ?? {}
    try {
      readAll(
        () => readPlan(item, now(service)),
        () => mergeMetadata(mergeMetadata({}, given), charge_metadata),
      )
      return []
    } catch (error) {
      if (!(error instanceof Failure) || error.errors.length === 0) throw error
      return error.errors.map((one) => ({ ...one, field: `subscriptions.${number}.${one.field}` }))
    }
  })
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
}

function requireMetadata(field: string, metadata: Metadata): void {
  try {
    mergeMetadata({}, metadata)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const errors = error.errors.map((one) => ({ ...one, field }))
    fail('VALIDATION_ERROR', { message: error.message, errors })
  }
}

/** Concurrent requests are serialized, so each counts what the others created. */
async function requireRoom(tx: Transacting, merchant_id: string): Promise<void> {
  const lock = `subscription batches of ${merchant_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx.db)
  const open = await tx.db
    .selectFrom('subscription_batches')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('status', '=', sql.lit('awaiting'))
    .limit(batch_limits.open)
    .execute()
  if (open.length < batch_limits.open) return
  fail('RESOURCE_LIMIT_REACHED', {
    message: `A merchant can have ${batch_limits.open} open batches; wait until one has ended.`,
  })
}
