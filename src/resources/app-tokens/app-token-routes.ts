import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/page.ts'
import type { Http, RouteModule } from '../route.ts'
import { requireStore } from '../stores/store.ts'
import { requireSecondFactor } from '../users/user-rights.ts'
import {
  type AppToken,
  AppTokenPage,
  CreateAppToken,
  CreateStoreAppToken,
  NewAppTokenView,
  viewAppToken,
} from './app-token.ts'
import { createAppToken } from './create-app-token.ts'
import { deleteAppToken } from './delete-app-token.ts'

const StorePath = Type.Object(pathIds('store_id'))
const merchant_only = { access: { level: 'merchant' } } as const
const tags = ['application tokens']
const page = Type.Object(PageParameters)

async function listAppTokens(
  service: Service,
  caller: Caller,
  store_id: string | null,
  query: PageQuery,
) {
  let tokens = service.db
    .selectFrom('app_tokens')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('store_id', 'is not distinct from', store_id)
    .where('deleted_on', 'is', null)
  const { mode } = caller
  if (mode) tokens = tokens.where((or) => or.or([or('mode', '=', mode), or('mode', 'is', null)]))
  const { items, has_more } = await readPage<AppToken>(tokens, query)
  return { items: await Promise.all(items.map((item) => viewAppToken(service, item))), has_more }
}

export const appTokenRoutes: RouteModule = (http) => {
  http.get(
    '/app_jwts',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: "List the merchant's tokens",
        operationId: 'listAppTokens',
        querystring: page,
        response: { 200: AppTokenPage },
      },
    },
    (request) => listAppTokens(request.service, request.caller, null, request.query),
  )

  http.post(
    '/app_jwts',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Create a token of the merchant',
        operationId: 'createAppToken',
        body: CreateAppToken,
        response: { 201: NewAppTokenView },
      },
    },
    async ({ service, caller }, reply) => {
      const { merchant_id, token_id } = caller
      const made = await createAppToken(service, { merchant_id, creator_id: token_id })
      reply.code(201)
      return { ...(await viewAppToken(service, made.token)), secret: made.secret }
    },
  )

  http.delete(
    '/app_jwts/:app_token_id',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Delete a token of the merchant',
        operationId: 'deleteAppToken',
        params: Type.Object(pathIds('app_token_id')),
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      const path = { merchant_id: caller.merchant_id, store_id: null, id: params.app_token_id }
      await deleteAppToken(service, path)
      reply.code(204)
      return null
    },
  )
  addStoreRoutes(http)
}

function addStoreRoutes(http: Http): void {
  http.get(
    '/stores/:store_id/app_jwts',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: "List a store's tokens",
        operationId: 'listStoreAppTokens',
        params: StorePath,
        querystring: page,
        response: { 200: AppTokenPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const store = await requireStore(service, caller, params.store_id)
      return listAppTokens(service, caller, store.id, query)
    },
  )

  http.post(
    '/stores/:store_id/app_jwts',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Create a token of a store',
        operationId: 'createStoreAppToken',
        params: StorePath,
        body: CreateStoreAppToken,
        response: { 201: NewAppTokenView },
      },
    },
    async ({ service, caller, params, body }, reply) => {
      const sees_live = caller.mode !== 'test' || caller.user?.second_factor
      if (body.mode === 'live' && !sees_live) requireSecondFactor()
      const made = await createAppToken(service, {
        merchant_id: caller.merchant_id,
        creator_id: caller.token_id,
        store: { id: params.store_id, mode: body.mode, domains: body.domains },
      })
      reply.code(201)
      return { ...(await viewAppToken(service, made.token)), secret: made.secret }
    },
  )

  http.delete(
    '/stores/:store_id/app_jwts/:app_token_id',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Delete a token of a store',
        operationId: 'deleteStoreAppToken',
        params: Type.Object(pathIds('store_id', 'app_token_id')),
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      const { store_id, app_token_id } = params
      await deleteAppToken(service, { merchant_id: caller.merchant_id, store_id, id: app_token_id })
      reply.code(204)
      return null
    },
  )
}
