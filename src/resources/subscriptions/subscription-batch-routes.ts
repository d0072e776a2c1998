import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { fail } from '../../core/errors.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { RouteModule } from '../route.ts'
import { createSubscriptionBatch } from './create-subscription-batch.ts'
import {
  type BatchAndItems,
  CreateSubscriptionBatch,
  getSubscriptionBatch,
  SubscriptionBatchView,
  viewSubscriptionBatch,
} from './subscription-batch.ts'

const tags = ['subscriptions']

export const subscriptionBatchRoutes: RouteModule = (http) => {
  http.post(
    '/subscriptions/batches',
    {
      config: { access: { level: 'store' } },
      schema: {
        tags,
        summary: 'Create several subscriptions with one request',
        operationId: 'createSubscriptionBatch',
        body: CreateSubscriptionBatch,
        response: { 201: SubscriptionBatchView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      reply.code(201)
      const owner = { ...caller, store_id, mode }
      return viewSubscriptionBatch(await createSubscriptionBatch(service, owner, body))
    },
  )

  http.get(
    '/subscriptions/batches/:batch_id',
    {
      schema: {
        tags,
        summary: 'Read what became of several subscriptions that were created with one request',
        operationId: 'getSubscriptionBatch',
        params: Type.Object(pathIds('batch_id')),
        querystring: PollingQuery,
        response: { 200: SubscriptionBatchView },
      },
    },
    async ({ service, caller, params, query }) => {
      const read = () => getSubscriptionBatch(service, caller, params.batch_id)
      const isWaiting = ({ batch }: BatchAndItems) => batch.status === 'awaiting'
      const { batch_id } = params
      return viewSubscriptionBatch(await poll(service, batch_id, query.polling, read, isWaiting))
    },
  )
}
