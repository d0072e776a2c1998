import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import type { Caller } from '../../core/access/caller.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import { with_stores } from '../stores/list-scope.ts'
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
import { RotateAppToken, rotateAppToken } from './rotate-app-token.ts'

const page = Type.Object(PageParameters)

const rotate_text =
  'The response contains a new token with a new secret. The old token works until the overlap ends.'

async function listAppTokens(
  service: Service,
  caller: Caller,
  store_id: string | null | 'any',
  query: PageQuery,
) {
  let tokens = service.db
    .selectFrom('app_tokens')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('deleted_on', 'is', null)
  if (store_id !== 'any') tokens = tokens.where('store_id', 'is not distinct from', store_id)
  const { mode } = caller
  if (mode) tokens = tokens.where((or) => or.or([or('mode', '=', mode), or('mode', 'is', null)]))
  const { items, has_more } = await readPage<AppToken>(tokens, query)
  return { items: await Promise.all(items.map((item) => viewAppToken(service, item))), has_more }
}

export const appTokenRoutes: readonly Route[] = [
  operation({
    at: 'GET /app_jwts',
    id: 'listAppTokens',
    client: 'appTokens.list',
    tag: 'application tokens',
    summary: "List the merchant's tokens",
    text: 'The tokens of the merchant itself, without their secrets.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    query: Type.Object({ ...PageParameters, with_stores }),
    responses: { 200: AppTokenPage },
    handle: ({ service, caller, query }) =>
      listAppTokens(service, caller, query.with_stores ? 'any' : null, query),
  }),

  operation({
    at: 'POST /app_jwts',
    id: 'createAppToken',
    client: 'appTokens.create',
    tag: 'application tokens',
    summary: 'Create a token of the merchant',
    text: 'Only this response contains the secret.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED', 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED'],
    body: CreateAppToken,
    responses: { 201: NewAppTokenView },
    handle: async ({ service, caller, body: { name = null } }) => {
      const { merchant_id, token_id } = caller
      const created = await createAppToken(service, { merchant_id, creator_id: token_id, name })
      return { ...(await viewAppToken(service, created.token)), secret: created.secret }
    },
  }),

  operation({
    at: 'POST /app_jwts/:app_token_id/rotate',
    id: 'rotateAppToken',
    client: 'appTokens.rotate',
    tag: 'application tokens',
    summary: 'Replace a token of the merchant',
    text: rotate_text,
    right: 'app_tokens',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: RotateAppToken,
    responses: { 201: NewAppTokenView },
    handle: async ({ service, caller, params, body }) => {
      const path = { merchant_id: caller.merchant_id, store_id: null, id: params.app_token_id }
      const { token, secret } = await rotateAppToken(service, caller, path, body)
      return { ...(await viewAppToken(service, token)), secret }
    },
  }),

  operation({
    at: 'DELETE /app_jwts/:app_token_id',
    id: 'deleteAppToken',
    client: 'appTokens.delete',
    tag: 'application tokens',
    summary: 'Delete a token of the merchant',
    text: 'It stops working immediately, on every machine.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    responses: { 204: Type.Null() },
    handle: async ({ service, caller, params }) => {
      const path = { merchant_id: caller.merchant_id, store_id: null, id: params.app_token_id }
      await deleteAppToken(service, path)
    },
  }),

  operation({
    at: 'GET /stores/:store_id/app_jwts',
    id: 'listStoreAppTokens',
    client: 'appTokens.list',
    tag: 'application tokens',
    summary: "List a store's tokens",
    text: 'The tokens of one store, without their secrets.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    query: page,
    responses: { 200: AppTokenPage },
    handle: async ({ service, caller, params, query }) => {
      const store = await requireStore(service, caller, params.store_id)
      return listAppTokens(service, caller, store.id, query)
    },
  }),

  operation({
    at: 'POST /stores/:store_id/app_jwts',
    id: 'createStoreAppToken',
    client: 'appTokens.create',
    tag: 'application tokens',
    summary: 'Create a token of a store',
    text: 'Only this response contains the secret.',
    right: 'app_tokens',
    second_factor: 'in_handler',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED', 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED'],
    body: CreateStoreAppToken,
    responses: { 201: NewAppTokenView },
    handle: async ({ service, caller, params, body }) => {
      const sees_live = caller.mode !== 'test' || caller.user?.second_factor
      if (body.mode === 'live' && !sees_live) requireSecondFactor()
      const created = await createAppToken(service, {
        merchant_id: caller.merchant_id,
        creator_id: caller.token_id,
        name: body.name ?? null,
        store: { id: params.store_id, mode: body.mode, domains: body.domains },
      })
      return { ...(await viewAppToken(service, created.token)), secret: created.secret }
    },
  }),

  operation({
    at: 'POST /stores/:store_id/app_jwts/:app_token_id/rotate',
    id: 'rotateStoreAppToken',
    client: 'appTokens.rotate',
    tag: 'application tokens',
    summary: 'Replace a token of a store',
    text: rotate_text,
    right: 'app_tokens',
    second_factor: 'in_handler',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: RotateAppToken,
    responses: { 201: NewAppTokenView },
    handle: async ({ service, caller, params, body }) => {
      const path = {
        merchant_id: caller.merchant_id,
        store_id: params.store_id,
        id: params.app_token_id,
      }
      const { token, secret } = await rotateAppToken(service, caller, path, body)
      return { ...(await viewAppToken(service, token)), secret }
    },
  }),

  operation({
    at: 'DELETE /stores/:store_id/app_jwts/:app_token_id',
    id: 'deleteStoreAppToken',
    client: 'appTokens.delete',
    tag: 'application tokens',
    summary: 'Delete a token of a store',
    text: 'It stops working immediately, on every machine.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    responses: { 204: Type.Null() },
    handle: async ({ service, caller, params }) => {
      const { store_id, app_token_id } = params
      await deleteAppToken(service, { merchant_id: caller.merchant_id, store_id, id: app_token_id })
    },
  }),
]
