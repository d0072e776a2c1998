import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName } from '../../api/routes/store-paths.ts'
import { fail, plan_errors } from '../../core/api/errors.ts'
import { NoFields } from '../../core/api/schemas.ts'
import { viewPage } from '../../store/sql/reads/page.ts'
import { cancelCheckoutSession } from './cancel-checkout-session.ts'
import {
  CheckoutSessionPage,
  CheckoutSessionView,
  getCheckoutSession,
  isEnded,
  viewCheckoutSession,
} from './checkout-session.ts'
import { CreateCheckoutSession, createCheckoutSession } from './create-checkout-session.ts'
import { ListCheckoutSessions, listCheckoutSessions } from './list-checkout-sessions.ts'

const one_path = '/stores/:store_id/checkout_sessions/:checkout_session_id'

export const checkoutRoutes: readonly Route[] = [
  operation({
    at: 'POST /checkout_sessions',
    id: 'createCheckoutSession',
    client: 'checkoutSessions.create',
    tag: 'checkout sessions',
    summary: 'Create a checkout session',
    text:
      'Send the customer to `url`: there they choose how to pay. Wait for the event ' +
      '`checkout_completed`, or poll `getCheckoutSession` with `polling=true`.',
    right: 'payments',
    access: { level: 'store' },
    rate: 'charge',
    errors: plan_errors,
    body: CreateCheckoutSession,
    responses: { 201: CheckoutSessionView },
    handle: async ({ service, caller, body }) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      const owner = { ...caller, store_id, mode }
      return viewCheckoutSession(service, await createCheckoutSession(service, owner, body))
    },
  }),

  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/checkout_sessions`,
      id: `list${ownerName(prefix)}CheckoutSessions`,
      client: 'checkoutSessions.list',
      tag: 'checkout sessions',
      summary: 'List checkout sessions',
      text:
        'The newest first. Visits of a payment link without an attempt to pay are deleted ' +
        'after two hours.',
      right: 'payments',
      query: ListCheckoutSessions,
      responses: { 200: CheckoutSessionPage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        const owner = store_id ?? caller.store_id
        return viewPage(await listCheckoutSessions(service, caller, owner, query), (one) =>
          viewCheckoutSession(service, one),
        )
      },
    }),
  ),

  operation({
    at: `GET ${one_path}`,
    id: 'getCheckoutSession',
    client: 'checkoutSessions.get',
    tag: 'checkout sessions',
    summary: 'Get a checkout session',
    text: 'With `polling=true` the response waits up to five seconds for the status to change.',
    right: 'payments',
    query: PollingQuery,
    responses: { 200: CheckoutSessionView },
    handle: async ({ service, caller, params, query }) => {
      const read = () => getCheckoutSession(service, caller, params)
      const { status } = await read()
      const { checkout_session_id } = params
      const session = await poll(
        service,
        checkout_session_id,
        query.polling,
        read,
        (found) => found.status === status && !isEnded(found),
      )
      return viewCheckoutSession(service, session)
    },
  }),

  operation({
    at: `POST ${one_path}/cancel`,
    id: 'cancelCheckoutSession',
    client: 'checkoutSessions.cancel',
    tag: 'checkout sessions',
    summary: 'Cancel an open checkout session',
    text:
      'It can no longer be paid. Refused while a payment is under way: cancel its charge ' +
      'first.',
    right: 'payments',
    errors: ['CHECKOUT_SESSION_ENDED', 'CHECKOUT_SESSION_PROCESSING'],
    body: Type.Optional(NoFields),
    responses: { 200: CheckoutSessionView },
    handle: async ({ service, caller, params }) =>
      viewCheckoutSession(service, await cancelCheckoutSession(service, caller, params)),
  }),
]
