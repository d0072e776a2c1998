import type { FastifyRequest } from 'fastify'
import Type, { type Static, type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { Id, nullable } from '../../core/schemas.ts'
import { now, type Service, type Transacting } from '../../service.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName, type StorePath, store_paths, storePathSchema } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { createSubscription } from './create-subscription.ts'
import { changeSubscription, endSubscription, resumeSubscription } from './end-subscription.ts'
import { ListSubscriptions, listSubscriptions } from './list-subscriptions.ts'
import { patchSubscription } from './patch-subscription.ts'
import { readPlan } from './read-plan.ts'
import { simulatePlan } from './simulate-plan.ts'
import {
  getSubscription,
  oneWithNext,
  type Subscription,
  SubscriptionPage,
  SubscriptionView,
  viewSubscription,
} from './subscription.ts'
import { CreateSubscription, PatchSubscription, SimulatePlan } from './subscription-input.ts'
import { PlannedPaymentView } from './subscription-payment.ts'

const tags = ['subscriptions']
/** Rules of a plan that do not depend on the store. */
const planRules = ({ service, body }: FastifyRequest) => [
  () => readPlan(body as SimulatePlan, now(service)),
]

export type SubscriptionParams = ReturnType<typeof storePathSchema<{ subscription_id: typeof Id }>>

async function view(service: Service, subscription: Subscription, with_secret = true) {
  return viewSubscription(service, await oneWithNext(service, subscription), with_secret)
}

export const subscriptionRoutes: RouteModule = (http) => {
  http.post(
    '/subscriptions',
    {
      config: { rate: 'charge', access: { level: 'store' }, bodyRules: planRules },
      schema: {
        tags,
        summary: 'Create a subscription',
        operationId: 'createSubscription',
        body: CreateSubscription,
        response: { 201: SubscriptionView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      reply.code(201)
      return view(service, await createSubscription(service, { ...caller, store_id, mode }, body))
    },
  )
  addListRoute(http, '/subscriptions', {})
  addListRoute(http, '/stores/:store_id/subscriptions', pathIds('store_id'))
  addSimulateRoute(http, '/subscriptions/simulate_plan', {})
  addSimulateRoute(http, '/stores/:store_id/subscriptions/simulate_plan', pathIds('store_id'))

  for (const path of store_paths) addOneRoutes(http, path)
}

const Stop = named(
  'StopSubscription',
  Type.Object({
    termination_mode: described(
      Type.Optional(nullable(Type.Enum(['immediate', 'on_next_payment']))),
      'When it stops; without it, as the `schedule_settings` of the subscription say.',
    ),
  }),
  'How a subscription stops.',
)
const ChangeToken = named(
  'ChangeSubscriptionToken',
  Type.Object({
    transaction_token_id: described(
      Id,
      'The `subscription` or `recurring` token that is charged from now on.',
    ),
  }),
  'The new token of a subscription.',
)
type Stop = Static<typeof Stop>

/** Routes of one subscription, with or without its store in the path. */
function addOneRoutes(http: Http, path: StorePath): void {
  const params = storePathSchema(path, pathIds('subscription_id'))
  const url = `${path.prefix}/subscriptions/:subscription_id`
  const owner = ownerName(path.prefix)

  http.get(
    url,
    {
      config: { access: { without_secret: 'from_domains' } },
      schema: {
        tags,
        summary: 'Read a subscription',
        operationId: `get${owner}Subscription`,
        params,
        querystring: PollingQuery,
        response: { 200: SubscriptionView },
      },
    },
    async ({ service, caller, params, query }) => {
      const read = () => getSubscription(service, caller, params)
      const isWaiting = ({ status }: Subscription) => status === 'unverified'
      const found = await poll(service, params.subscription_id, query.polling, read, isWaiting)
      return view(service, found, caller.with_secret)
    },
  )

  http.patch(
    url,
    {
      schema: {
        tags,
        summary: 'Change a subscription',
        operationId: `update${owner}Subscription`,
        params,
        body: PatchSubscription,
        response: { 200: SubscriptionView },
      },
    },
    async ({ service, caller, params, body }) =>
      view(service, await patchSubscription(service, caller, params, body)),
  )

  http.patch(
    `${url}/token`,
    {
      schema: {
        tags,
        summary: 'Give a subscription another token',
        operationId: `change${owner}SubscriptionToken`,
        params,
        body: ChangeToken,
        response: { 200: SubscriptionView },
      },
    },
    async ({ service, caller, params, body }) =>
      view(service, await patchSubscription(service, caller, params, body)),
  )

  http.delete(
    url,
    {
      schema: {
        tags,
        summary: 'Cancel a subscription, immediately or before its next payment',
        operationId: `cancel${owner}Subscription`,
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await changeSubscription(service, caller, params, (tx, found) =>
        endSubscription(tx, found, 'canceled'),
      )
      reply.code(204)
      return null
    },
  )
  addSwitchRoutes(http, url, params)
}

function addSwitchRoutes(http: Http, url: string, params: SubscriptionParams): void {
  const turns = {
    suspend: (tx: Transacting, found: Subscription, { termination_mode }: Stop) =>
      endSubscription(tx, found, 'suspended', termination_mode ?? found.termination_mode),
    unsuspend: resumeSubscription,
  }
  const summaries = {
    suspend: 'Suspend a subscription, at once or before its next payment',
    unsuspend: 'Resume a suspended subscription',
  }
  for (const name of ['suspend', 'unsuspend'] as const) {
    const response = { 200: SubscriptionView }
    http.patch(
      `${url}/${name}`,
      {
        schema: {
          tags,
          summary: summaries[name],
          operationId: `${name}${ownerName(url)}Subscription`,
          params,
          body: Stop,
          response,
        },
      },
      async ({ service, caller, params, body }) => {
        const turn = (tx: Transacting, found: Subscription) => turns[name](tx, found, body)
        return view(service, await changeSubscription(service, caller, params, turn))
      },
    )
  }
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List subscriptions',
        operationId: `list${ownerName(path)}Subscriptions`,
        params: Type.Object(params),
        querystring: ListSubscriptions,
        response: { 200: SubscriptionPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      return listSubscriptions(service, caller, store_id ?? caller.store_id, query)
    },
  )
}

function addSimulateRoute(http: Http, path: string, params: TProperties): void {
  http.post(
    path,
    {
      config: { bodyRules: planRules },
      schema: {
        tags,
        summary: 'Show what a plan would bill, and when',
        operationId: `simulate${ownerName(path)}SubscriptionPlan`,
        params: Type.Object(params),
        body: SimulatePlan,
        response: {
          200: named(
            'PlannedPayments',
            Type.Array(PlannedPaymentView),
            'The first payments of a plan.',
          ),
        },
      },
    },
    async ({ service, caller, params, body }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      return simulatePlan(service, body)
    },
  )
}
