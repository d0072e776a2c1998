import Type, { type TProperties } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { fail } from '../../core/errors.ts'
import { NoFields } from '../../core/schemas.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
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

const tags = ['checkout sessions']
const params = Type.Object(pathIds('store_id', 'checkout_session_id'))
const one_path = '/stores/:store_id/checkout_sessions/:checkout_session_id'

export const checkoutRoutes: RouteModule = (http) => {
  http.post(
    '/checkout_sessions',
    {
      config: { rate: 'charge', access: { level: 'store' } },
      schema: {
        tags,
        summary: 'Create a checkout session',
        operationId: 'createCheckoutSession',
        body: CreateCheckoutSession,
        response: { 201: CheckoutSessionView },
      },
    },
    async ({ service, caller, body }, reply) => {
      const { store_id, mode } = caller
      if (!store_id || !mode) fail('INVALID_PERMISSIONS')
      reply.code(201)
      const owner = { ...caller, store_id, mode }
      return viewCheckoutSession(service, await createCheckoutSession(service, owner, body))
    },
  )
  addListRoute(http, '/checkout_sessions', {})
  addListRoute(http, '/stores/:store_id/checkout_sessions', pathIds('store_id'))
  addOneRoutes(http)
}

function addOneRoutes(http: Http): void {
  http.get(
    one_path,
    {
      schema: {
        tags,
        summary: 'Read a checkout session',
        operationId: 'getCheckoutSession',
        params,
        querystring: PollingQuery,
        response: { 200: CheckoutSessionView },
      },
    },
    async ({ service, caller, params, query }) => {
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
  )

  http.post(
    `${one_path}/cancel`,
    {
      schema: {
        tags,
        summary: 'Cancel an open checkout session',
        operationId: 'cancelCheckoutSession',
        params,
        body: Type.Optional(NoFields),
        response: { 200: CheckoutSessionView },
      },
    },
    async ({ service, caller, params }) =>
      viewCheckoutSession(service, await cancelCheckoutSession(service, caller, params)),
  )
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List checkout sessions',
        operationId: `list${ownerName(path)}CheckoutSessions`,
        params: Type.Object(params),
        querystring: ListCheckoutSessions,
        response: { 200: CheckoutSessionPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      const owner = store_id ?? caller.store_id
      const { items, has_more } = await listCheckoutSessions(service, caller, owner, query)
      return { items: items.map((one) => viewCheckoutSession(service, one)), has_more }
    },
  )
}
