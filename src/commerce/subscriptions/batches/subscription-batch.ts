import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { FieldErrorBody } from '../../../api/field-error.ts'
import type { Caller } from '../../../core/access/caller.ts'
import { common } from '../../../core/api/common-fields.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { fail } from '../../../core/api/errors.ts'
import { AnyObject, Id, MetadataSchema, nullable } from '../../../core/api/schemas.ts'
import { batch_limits } from '../../../core/limits/limits.ts'
import type { Service } from '../../../service.ts'
import type {
  SubscriptionBatchItemTable,
  SubscriptionBatchTable,
} from '../../../store/tables/commerce/subscription-tables.ts'
import { CreateSubscription } from '../subscription-input.ts'

export type SubscriptionBatch = Selectable<SubscriptionBatchTable>
export type BatchItem = Selectable<SubscriptionBatchItemTable>

export const CreateSubscriptionBatch = named(
  'CreateSubscriptionBatch',
  Type.Object({
    subscriptions: Type.Array(CreateSubscription, {
      minItems: 1,
      maxItems: batch_limits.items,
      description: `1 to ${batch_limits.items} bodies of POST /subscriptions.`,
    }),
    initial_charge_metadata: Type.Optional(
      nullable(
        described(
          MetadataSchema,
          'Added to the metadata of the first charge of each subscription.',
        ),
      ),
    ),
    charges: Type.Optional(
      nullable(
        Type.Array(AnyObject, {
          description: 'Not supported: create charges with POST /charges.',
        }),
      ),
    ),
  }),
  'Several subscriptions to create.',
)
export type CreateSubscriptionBatch = Static<typeof CreateSubscriptionBatch>

const BatchItemView = named(
  'SubscriptionBatchItem',
  Type.Object({
    status: described(
      Type.Enum(['awaiting', 'successful', 'failed']),
      'The state of the creation: `awaiting` until it is done.',
    ),
    subscription_id: described(
      nullable(Id),
      'The subscription that was created; null without one.',
    ),
    charge_id: described(nullable(Id), 'Its first charge; null without one.'),
    error: described(
      nullable(
        named(
          'SubscriptionBatchError',
          Type.Object({
            code: described(Type.String(), 'The error code that a single request would receive.'),
            message: described(Type.String(), 'The fault, for people.'),
            errors: described(Type.Array(FieldErrorBody), 'Every wrong field.'),
          }),
          'The error of a subscription in a batch.',
        ),
      ),
      'The error; null if the subscription was created.',
    ),
  }),
  'The result for one subscription of a batch.',
)

export const SubscriptionBatchView = named(
  'SubscriptionBatch',
  Type.Object({
    id: described(Id, 'The id of the batch.'),
    batch_id: described(Id, 'The same as `id`.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    mode: common.mode,
    status: Type.Enum(['awaiting', 'successful', 'failed'], {
      description:
        'Whether all were created: `failed` when at least one was not, `awaiting` until all have a result.',
    }),
    subscription_ids: described(Type.Array(Id), 'The subscriptions that were created.'),
    charge_id: nullable(
      Type.String({
        format: 'uuid',
        description: 'The first charge, when there is exactly one; otherwise null.',
      }),
    ),
    initial_charge_metadata: described(
      nullable(MetadataSchema),
      'Added to the metadata of the first charge of each subscription; null if not given.',
    ),
    results: Type.Array(BatchItemView, {
      description: 'One for each subscription, in their order.',
    }),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'Several subscriptions that were created with one request.',
)

/** The batch with its items, in the order of the request. */
export interface BatchAndItems {
  readonly batch: SubscriptionBatch
  readonly items: readonly BatchItem[]
}

export function viewSubscriptionBatch({ batch, items }: BatchAndItems) {
  const subscription_ids = items.flatMap(({ subscription_id }) => subscription_id ?? [])
  const charge_ids = items.flatMap(({ charge_id }) => charge_id ?? [])
  return {
    id: batch.id,
    batch_id: batch.id,
    merchant_id: batch.merchant_id,
    store_id: batch.store_id,
    mode: batch.mode,
    status: batch.status,
    subscription_ids,
    charge_id: charge_ids.length === 1 ? (charge_ids[0] ?? null) : null,
    initial_charge_metadata: batch.initial_charge_metadata,
    results: items.map(({ status, subscription_id, charge_id, error }) => ({
      status,
      subscription_id,
      charge_id,
      error,
    })),
    created_on: batch.created_on.toISOString(),
    updated_on: batch.updated_on.toISOString(),
  }
}

/** The batch, if the caller may see it. */
export async function getSubscriptionBatch(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'store_id' | 'mode'>,
  id: string,
): Promise<BatchAndItems> {
  const { merchant_id, store_id, mode } = caller
  let batches = service.db
    .selectFrom('subscription_batches')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
  if (store_id) batches = batches.where('store_id', '=', store_id)
  if (mode) batches = batches.where('mode', '=', mode)
  const batch = (await batches.executeTakeFirst()) ?? fail('NOT_FOUND')
  const items = await service.db
    .selectFrom('subscription_batch_items')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('batch_id', '=', batch.id)
    .orderBy('number')
    .execute()
  return { batch, items }
}
