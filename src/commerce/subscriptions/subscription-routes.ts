import Type, { type Static } from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName, type StorePath, store_paths } from '../../api/routes/store-paths.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail, plan_errors, token_use_errors } from '../../core/api/errors.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { now, type Service, type Transacting } from '../../service.ts'
import { createSubscription } from './create-subscription.ts'
import { simulatePlan } from './cycles/simulate-plan.ts'
import { PlannedPaymentView } from './cycles/subscription-payment.ts'
import { changeSubscription, endSubscription, resumeSubscription } from './end-subscription.ts'
import { ListSubscriptions, listSubscriptions } from './list-subscriptions.ts'
import { patchSubscription } from './patch-subscription.ts'
import { readPlan } from './read-plan.ts'
import {
  getSubscription,
  oneWithNext,
  type Subscription,
  SubscriptionPage,
  SubscriptionView,
  viewSubscription,
} from './subscription.ts'
import { CreateSubscription, PatchSubscription, SimulatePlan } from './subscription-input.ts'

const creation_errors = [...token_use_errors, ...plan_errors, 'NOT_SUBSCRIPTION_TOKEN'] as const
/** Rules of a plan that do not depend on the store. */
const planRules = ({ service, body }: { service: Service; body: SimulatePlan }) => [
  () => readPlan(body, now(service)),
]

async function view(service: Service, subscription: Subscription, with_secret = true) {
  return viewSubscription(service, await oneWithNext(service, subscription), with_secret)
}

const Stop = named(
  'StopSubscription',
  Type.Object({
    termination_mode: described(
      Type.Optional(nullable(Type.Enum(['immediate', 'on_next_payment']))),
      "The effective time. Default: the subscription's `schedule_settings`.",
    ),
  }),
  'The termination of a subscription.',
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

/** The paths of a subscription, with and without its store. */
const placeOf = (prefix: StorePath) =>
  ({ url: `${prefix}/subscriptions/:subscription_id`, owner: ownerName(prefix) }) as const

function ownRoutes(prefix: StorePath): Route[] {
  const { url, owner } = placeOf(prefix)
  return [
    operation({
      at: `GET ${url}`,
      id: `get${owner}Subscription`,
      client: 'subscriptions.get',
      tag: 'subscriptions',
      summary: 'Get a subscription',
      text: 'The subscription with its plan, its next payment and the number of payments left.',
      right: 'payments',
      access: { without_secret: 'from_domains' },
      query: PollingQuery,
      responses: { 200: SubscriptionView },
      handle: async ({ service, caller, params, query }) => {
        const read = () => getSubscription(service, caller, params)
        const isWaiting = ({ status }: Subscription) => status === 'unverified'
        const found = await poll(service, params.subscription_id, query.polling, read, isWaiting)
        return view(service, found, caller.with_secret)
      },
    }),

    operation({
      at: `PATCH ${url}`,
      id: `update${owner}Subscription`,
      client: 'subscriptions.update',
      tag: 'subscriptions',
      summary: 'Update a subscription',
      text:
        'Amount, token, schedule and next payment can change while the subscription runs; ' +
        'items and period only before it starts.',
      right: 'payments',
      errors: [...creation_errors, 'SUBSCRIPTION_ALREADY_ENDED'],
      body: PatchSubscription,
      responses: { 200: SubscriptionView },
      handle: async ({ service, caller, params, body }) =>
        view(service, await patchSubscription(service, caller, params, body)),
    }),

    operation({
      at: `PATCH ${url}/token`,
      id: `change${owner}SubscriptionToken`,
      client: 'subscriptions.changeToken',
      tag: 'subscriptions',
      summary: 'Change the token of a subscription',
      text: 'Later payments of the subscription are billed to this token.',
      right: 'payments',
      errors: [...creation_errors, 'SUBSCRIPTION_ALREADY_ENDED'],
      body: ChangeToken,
      responses: { 200: SubscriptionView },
      handle: async ({ service, caller, params, body }) =>
        view(service, await patchSubscription(service, caller, params, body)),
    }),
  ]
}

function cancelRoutes(prefix: StorePath): Route[] {
  const { url, owner } = placeOf(prefix)
  return [
    operation({
      at: `DELETE ${url}`,
      id: `cancel${owner}Subscription`,
      client: 'subscriptions.cancel',
      tag: 'subscriptions',
      summary: 'Cancel a subscription, immediately or before its next payment',
      text:
        'It ends immediately, or right before its next payment with `termination_mode: ' +
        'on_next_payment`.',
      right: 'payments',
      errors: ['SUBSCRIPTION_ALREADY_ENDED'],
      responses: { 204: Type.Null() },
      handle: ({ service, caller, params }) =>
        changeSubscription(service, caller, params, (tx, found) =>
          endSubscription(tx, found, 'canceled'),
        ),
    }),
  ]
}

const turns = {
  suspend: {
    summary: 'Suspend a subscription, immediately or before its next payment',
    text: 'It can be resumed with `unsuspendSubscription`.',
    turn: (tx: Transacting, found: Subscription, { termination_mode }: Stop) =>
      endSubscription(tx, found, 'suspended', termination_mode ?? found.termination_mode),
  },
  unsuspend: {
    summary: 'Resume a suspended subscription',
    text: 'Overdue payments are billed immediately, and the count of failed attempts starts again.',
    turn: resumeSubscription,
  },
}

function turnRoutes(prefix: StorePath): Route[] {
  return (['suspend', 'unsuspend'] as const).map((name) => {
    const { summary, text, turn } = turns[name]
    return operation({
      at: `PATCH ${prefix}/subscriptions/:subscription_id/${name}`,
      id: `${name}${ownerName(prefix)}Subscription`,
      client: `subscriptions.${name}`,
      tag: 'subscriptions',
      summary,
      text,
      right: 'payments',
      errors: ['SUBSCRIPTION_ALREADY_ENDED'],
      body: Stop,
      responses: { 200: SubscriptionView },
      handle: async ({ service, caller, params, body }) => {
        const change = (tx: Transacting, found: Subscription) => turn(tx, found, body)
        return view(service, await changeSubscription(service, caller, params, change))
      },
    })
  })
}

export const subscriptionRoutes: readonly Route[] = [
  operation({
    at: 'POST /subscriptions',
    id: 'createSubscription',
    client: 'subscriptions.create',
    tag: 'subscriptions',
    summary: 'Create a subscription',
    text:
      'Returns the subscription as `unverified`. The first payment decides what follows: ' +
      '`current` when it succeeds, `unconfirmed` when it fails.',
    right: 'payments',
    access: { level: 'store' },
    rate: 'charge',
    admit_as: 'money',
    errors: creation_errors,
    bodyRules: planRules,
    body: CreateSubscription,
    responses: { 201: SubscriptionView },
    handle: async ({ service, caller, body }) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      return view(service, await createSubscription(service, { ...caller, store_id, mode }, body))
    },
  }),

  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/subscriptions`,
      id: `list${ownerName(prefix)}Subscriptions`,
      client: 'subscriptions.list',
      tag: 'subscriptions',
      summary: 'List subscriptions',
      text: 'Newest first, in every status. `search` and `status` narrow the list.',
      right: 'payments',
      query: ListSubscriptions,
      responses: { 200: SubscriptionPage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        return listSubscriptions(service, caller, store_id ?? caller.store_id, query)
      },
    }),
  ),

  ...list_paths.map((prefix) =>
    operation({
      at: `POST ${prefix}/subscriptions/simulate_plan`,
      id: `simulate${ownerName(prefix)}SubscriptionPlan`,
      client: 'subscriptions.simulatePlan',
      tag: 'subscriptions',
      summary: 'Simulate the payments of a plan',
      text: 'Shows the first five payments. Nothing is created.',
      right: 'payments',
      computes: true,
      errors: plan_errors,
      bodyRules: planRules,
      body: SimulatePlan,
      responses: {
        200: named(
          'PlannedPayments',
          Type.Array(PlannedPaymentView),
          'The first payments of a plan.',
        ),
      },
      handle: async ({ service, caller, params, body }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        return simulatePlan(service, body)
      },
    }),
  ),

  ...store_paths.flatMap((prefix) => [
    ...ownRoutes(prefix),
    ...cancelRoutes(prefix),
    ...turnRoutes(prefix),
  ]),
]
