import { PollingQuery, poll } from '../../../api/responses/poll.ts'
import { operation, type Route } from '../../../api/routes/operation.ts'
import { fail } from '../../../core/api/errors.ts'
import { createSubscriptionBatch } from './create-subscription-batch.ts'
import {
  type BatchAndItems,
  CreateSubscriptionBatch,
  getSubscriptionBatch,
  SubscriptionBatchView,
  viewSubscriptionBatch,
} from './subscription-batch.ts'

export const subscriptionBatchRoutes: readonly Route[] = [
  operation({
    at: 'POST /subscriptions/batches',
    id: 'createSubscriptionBatch',
    client: 'subscriptions.createBatch',
    tag: 'subscriptions',
    summary: 'Create a batch of subscriptions',
    text:
      'Up to 100 subscriptions, each created by the rules of `createSubscription`. ' +
      'The batch shows the result of each.',
    right: 'payments',
    access: { level: 'store' },
    admit_as: 'money',
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: CreateSubscriptionBatch,
    responses: { 201: SubscriptionBatchView },
    handle: async ({ service, caller, body }) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      const owner = { ...caller, store_id, mode }
      return viewSubscriptionBatch(await createSubscriptionBatch(service, owner, body))
    },
  }),

  operation({
    at: 'GET /subscriptions/batches/:batch_id',
    id: 'getSubscriptionBatch',
    client: 'subscriptions.getBatch',
    tag: 'subscriptions',
    summary: 'Get a batch of subscriptions',
    text:
      'The subscriptions that the batch has created, and a result for each row of the ' +
      'request.',
    right: 'payments',
    query: PollingQuery,
    responses: { 200: SubscriptionBatchView },
    handle: async ({ service, caller, params, query }) => {
      const read = () => getSubscriptionBatch(service, caller, params.batch_id)
      const isWaiting = ({ batch }: BatchAndItems) => batch.status === 'awaiting'
      const { batch_id } = params
      return viewSubscriptionBatch(await poll(service, batch_id, query.polling, read, isWaiting))
    },
  }),
]
