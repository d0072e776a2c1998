import Type from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { common, filters, ModeName } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { emit } from '../../events/emit.ts'
import { announce, inTransaction, type Service } from '../../service.ts'
import { readPage } from '../../store/sql/reads/page.ts'
import { credentialName } from '../credentials/cached-credentials.ts'
import { requireStore } from '../stores/store.ts'
import { type AppToken, CreateStoreAppToken, recordAppToken, signAppToken } from './app-token.ts'
import { createAppToken } from './create-app-token.ts'
import { type AppTokenPath, deleteAppToken } from './delete-app-token.ts'

const { domains } = CreateStoreAppToken.properties

const LegacyView = named(
  'LegacyAppToken',
  Type.Object({
    id: described(Id, 'The id of the application token.'),
    store_id: described(nullable(Id), 'The store whose payments it may create and read.'),
    token: described(
      Type.String(),
      'The JWT. The `Authorization` header carries the secret, a dot and this JWT.',
    ),
    secret: described(
      nullable(Type.String()),
      'The secret, returned only when the object is created; otherwise null.',
    ),
    domains: described(
      Type.Array(Type.String()),
      'Domains of pages that may use the JWT without the secret.',
    ),
    mode: described(nullable(ModeName), 'The mode whose payments it creates and reads.'),
    created_on: common.created_on,
  }),
  'An application token, in the form of older programs.',
)

const UpdateLegacy = named(
  'UpdateLegacyAppToken',
  Type.Object({
    domains: described(
      Type.Array(domains.items, { maxItems: 50 }),
      'All domains of pages that may use the JWT without the secret, at most 50.',
    ),
  }),
  'The new domains of an application token.',
)

async function viewLegacy(service: Service, token: AppToken, secret: string | null = null) {
  const { id, store_id, domains, mode, created_on } = token
  const jwt = await signAppToken(service, token)
  return { id, store_id, token: jwt, secret, domains, mode, created_on: created_on.toISOString() }
}

/** The row decides, not the claims: existing JWTs keep working, from the new domains. */
async function changeDomains(
  service: Service,
  { merchant_id, store_id, id }: AppTokenPath,
  domains: string[],
): Promise<AppToken> {
  return inTransaction(service, async (tx) => {
    const token = await tx.db
      .updateTable('app_tokens')
      .set({ domains })
      .where('merchant_id', '=', merchant_id)
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .where('deleted_on', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!token) fail('NOT_FOUND')
    const { mode } = token
    const data = recordAppToken(token)
    await emit(tx, 'app_token_updated', { merchant_id, store_id, mode, resource_id: id, data })
    await announce(tx, 'revoked', credentialName(merchant_id, id))
    return token
  })
}

/** The same tokens as under `app_jwts`, in the form of older programs. */
export const legacyAppTokenRoutes: readonly Route[] = [
  operation({
    at: 'GET /stores/:store_id/app_tokens',
    id: 'listLegacyAppTokens',
    client: 'appTokens.listLegacy',
    tag: 'application tokens',
    summary: 'List the tokens of a store, in the older form',
    text: 'The same tokens as `listStoreAppTokens`, in the shape that older clients read.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    query: Type.Object({ ...PageParameters, mode: filters.mode }),
    responses: { 200: PageOf(LegacyView) },
    handle: async ({ service, caller, params, query }) => {
      const store = await requireStore(service, caller, params.store_id)
      let tokens = service.db
        .selectFrom('app_tokens')
        .selectAll()
        .where('merchant_id', '=', caller.merchant_id)
        .where('store_id', '=', store.id)
        .where('deleted_on', 'is', null)
      for (const mode of [caller.mode, query.mode]) {
        if (mode) tokens = tokens.where('mode', '=', mode)
      }
      const { items, has_more } = await readPage<AppToken>(tokens, query)
      return { items: await Promise.all(items.map((item) => viewLegacy(service, item))), has_more }
    },
  }),

  operation({
    at: 'POST /stores/:store_id/app_tokens',
    id: 'createLegacyAppToken',
    client: 'appTokens.createLegacy',
    tag: 'application tokens',
    summary: 'Create a token of a store, in the older form',
    text: 'The same as `createStoreAppToken`, in the shape that older clients send and read.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED', 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED'],
    body: CreateStoreAppToken,
    responses: { 201: LegacyView },
    handle: async ({ service, caller, params, body }) => {
      const { token, secret } = await createAppToken(service, {
        merchant_id: caller.merchant_id,
        creator_id: caller.token_id,
        store: { id: params.store_id, mode: body.mode, domains: body.domains },
      })
      return viewLegacy(service, token, secret)
    },
  }),

  operation({
    at: 'PATCH /stores/:store_id/app_tokens/:app_token_id',
    id: 'updateLegacyAppToken',
    client: 'appTokens.updateLegacy',
    tag: 'application tokens',
    summary: 'Update the domains of a token',
    text: 'A browser may use the JWT of the token on these domains only.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    body: UpdateLegacy,
    responses: { 200: LegacyView },
    handle: async ({ service, caller, params, body }) => {
      const { store_id, app_token_id: id } = params
      const path = { merchant_id: caller.merchant_id, store_id, id }
      return viewLegacy(service, await changeDomains(service, path, body.domains))
    },
  }),

  operation({
    at: 'DELETE /stores/:store_id/app_tokens/:app_token_id',
    id: 'deleteLegacyAppToken',
    client: 'appTokens.deleteLegacy',
    tag: 'application tokens',
    summary: 'Delete a token of a store, in the older form',
    text: 'The same as `deleteStoreAppToken`: the token is refused from now on.',
    right: 'app_tokens',
    access: { level: 'merchant' },
    responses: { 204: Type.Null() },
    handle: async ({ service, caller, params }) => {
      const { store_id, app_token_id: id } = params
      await deleteAppToken(service, { merchant_id: caller.merchant_id, store_id, id })
    },
  }),
]
