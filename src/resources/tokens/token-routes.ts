import { type SelectQueryBuilder, sql } from 'kysely'
import Type, { type TProperties } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { filters, pathIds } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { derivedId } from '../../core/ids.ts'
import { Id, NoFields, PageParameters } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/page.ts'
import { hasWords, readSearchPage } from '../../store/sql/search.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { countCardCheck, visitorOf } from '../card-testing/card-visitor.ts'
import { PollingQuery, poll } from '../poll.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName, type StorePath, store_paths, storePathSchema } from '../store-paths.ts'
import { requireStore } from '../stores/store.ts'
import { storeNames } from '../stores/store-names.ts'
import { createToken, tokenRules } from './create/create-token.ts'
import { CreateToken, PatchToken } from './create/token-input.ts'
import { deleteToken } from './delete-token.ts'
import { patchToken } from './patch-token.ts'
import { renewToken } from './renew-token.ts'
import {
  getToken,
  NewTokenView,
  type Token,
  TokenPage,
  TokenView,
  viewNewToken,
  viewToken,
  viewTokenItem,
} from './token.ts'

const tags = ['transaction tokens']
const TokenPath = Type.Object(pathIds('store_id', 'token_id'))
const from_browser = { access: { without_secret: 'from_domains' } } as const

const ListQuery = Type.Object({
  ...PageParameters,
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Words of name, e-mail and metadata, each by its beginning.',
    }),
  ),
  customer_id: described(
    Type.Optional(Id),
    'Only those whose metadata has this id under `svc-customer-id`.',
  ),
  type: described(
    Type.Optional(Type.Enum(['recurring', 'subscription'])),
    'Only those of this type. Tokens for one charge are not listed.',
  ),
  mode: filters.mode,
  payment_type: described(
    Type.Optional(Type.String({ maxLength: 32 })),
    'Only those of this payment type.',
  ),
  active: described(
    Type.Optional(Type.Enum(['active', 'inactive', 'all'])),
    'Only those that can be charged (`active`), only the others (`inactive`), or `all`.',
  ),
  all: described(Type.Optional(Type.Boolean()), 'The same as `active=all`.'),
})

const CreateCustomerId = named(
  'CreateCustomerId',
  Type.Object({
    customer_id: described(
      Type.String({ minLength: 1, maxLength: 64 }),
      'The id that you use for the customer, at most 64 characters.',
    ),
  }),
  'A customer by your own id.',
)
const CustomerId = named(
  'CustomerId',
  Type.Object({
    customer_id: described(
      Id,
      'A UUID for the customer, always the same for the same id and store.',
    ),
  }),
  'The UUID of a customer, for the metadata key `svc-customer-id`.',
)

interface Filter extends PageQuery {
  search?: string
  customer_id?: string
  type?: 'recurring' | 'subscription'
  mode?: 'test' | 'live'
  payment_type?: string
  active?: 'active' | 'inactive' | 'all'
  all?: boolean
}

/** One-time tokens are never listed. */
async function listTokens(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: Filter,
) {
  const { search, customer_id, type, payment_type } = filter
  const mode = caller.mode ?? filter.mode
  const active = filter.all ? 'all' : (filter.active ?? 'active')
  const { merchant_id } = caller
  const list = (source: SelectQueryBuilder<Tables, 'transaction_tokens', object>) => {
    // Written out, because the indexes leave the others out.
    const listed = sql<boolean>`type <> 'one_time'`
    let tokens = source.selectAll().where('merchant_id', '=', merchant_id).where(listed)
    if (store_id) tokens = tokens.where('store_id', '=', store_id)
    if (mode) tokens = tokens.where('mode', '=', mode)
    if (filter.mode && filter.mode !== mode) tokens = tokens.where('mode', '=', filter.mode)
    if (type) tokens = tokens.where('type', '=', type)
    if (payment_type) tokens = tokens.where(sql.ref('payment_type'), '=', payment_type)
    if (customer_id) tokens = tokens.where('customer_id', '=', customer_id)
    if (active !== 'all') tokens = tokens.where('active', '=', active === 'active')
    if (search) tokens = tokens.where(hasWords('transaction_tokens', merchant_id, search))
    return tokens
  }
  const { items, has_more } =
    search && !customer_id
      ? await readSearchPage<Token, 'transaction_tokens'>(
          service.db,
          { table: 'transaction_tokens', merchant_id, store_id, mode: mode ?? null, term: search },
          filter,
          list,
        )
      : await readPage<Token>(list(service.db.selectFrom('transaction_tokens')), filter)
  const namesOf = await storeNames(service, merchant_id, items)
  return { items: items.map((token) => viewTokenItem(token, namesOf(token))), has_more }
}

function isWaiting({ cvv_authorize, three_ds }: Token): boolean {
  return cvv_authorize.status === 'pending' || three_ds.status === 'pending'
}

export const tokenRoutes: RouteModule = (http) => {
  http.post(
    '/tokens',
    {
      config: {
        rate: 'charge',
        access: { level: 'store', without_secret: 'from_domains' },
        bodyRules: ({ service, body }) => tokenRules(service, body as CreateToken),
      },
      schema: {
        tags,
        summary: 'Create a transaction token',
        operationId: 'createToken',
        body: CreateToken,
        response: { 201: NewTokenView },
      },
    },
    async (request, reply) => {
      const { service, caller, body } = request
      const { store_id, with_secret } = caller
      if (store_id === null) fail('INVALID_PERMISSIONS')
      reply.code(201)
      const visitor = visitorOf(request)
      const token = await createToken(service, { ...caller, store_id }, body, visitor)
      return viewNewToken(service, token, with_secret)
    },
  )
  addListRoute(http, '/tokens', {})
  addListRoute(http, '/stores/:store_id/tokens', pathIds('store_id'))

  http.get(
    '/stores/:store_id/tokens/:token_id',
    {
      config: from_browser,
      schema: {
        tags,
        summary: 'Read a transaction token',
        operationId: 'getToken',
        params: TokenPath,
        querystring: PollingQuery,
        response: { 200: TokenView },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id, token_id } = params
      const read = () => getToken(service, caller, store_id, token_id)
      const token = await poll(service, token_id, query.polling, read, isWaiting)
      return viewToken(token, caller.with_secret)
    },
  )
  addChangeRoutes(http)
}

function addChangeRoutes(http: Http): void {
  http.patch(
    '/stores/:store_id/tokens/:token_id',
    {
      schema: {
        tags,
        summary: 'Change a transaction token',
        operationId: 'updateToken',
        params: TokenPath,
        body: PatchToken,
        response: { 200: TokenView },
      },
    },
    async (request) => {
      const { service, caller, params, body } = request
      const { store_id, token_id } = params
      const patched = await patchToken(service, caller, store_id, token_id, body)
      if (body.data?.cvv) await countCardCheck(request, patched)
      return viewToken(patched)
    },
  )

  for (const path of store_paths) addRenewRoute(http, path)

  http.delete(
    '/stores/:store_id/tokens/:token_id',
    {
      schema: {
        tags,
        summary: 'Delete a transaction token',
        operationId: 'deleteToken',
        params: TokenPath,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteToken(service, caller, params.store_id, params.token_id)
      reply.code(204)
      return null
    },
  )

  http.post(
    '/stores/:store_id/create_customer_id',
    {
      schema: {
        tags,
        summary: "Make a UUID of the merchant's own customer id",
        operationId: 'createCustomerId',
        params: Type.Object(pathIds('store_id')),
        body: CreateCustomerId,
        response: { 200: CustomerId },
      },
    },
    async ({ service, caller, params, body }) => {
      const store = await requireStore(service, caller, params.store_id)
      return { customer_id: customerId(service, store, body.customer_id) }
    },
  )
}

function addRenewRoute(http: Http, path: StorePath): void {
  http.post(
    `${path.prefix}/tokens/:token_id/renew`,
    {
      schema: {
        tags,
        summary: 'Replace a recurring or subscription token by a new one for the same card',
        operationId: `renew${ownerName(path.prefix)}Token`,
        params: storePathSchema(path, pathIds('token_id')),
        body: Type.Optional(NoFields),
        response: { 201: TokenView },
      },
    },
    async ({ service, caller, params }, reply) => {
      const store_id = params.store_id ?? caller.store_id
      reply.code(201)
      const token = await renewToken(service, caller, store_id, params.token_id)
      return { ...viewToken(token), previous_id: token.previous_id }
    },
  )
}

function addListRoute(http: Http, path: string, params: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List transaction tokens',
        operationId: `list${ownerName(path)}Tokens`,
        params: Type.Object(params),
        querystring: ListQuery,
        response: { 200: TokenPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { store_id } = params as { store_id?: string }
      if (store_id) await requireStore(service, caller, store_id)
      return listTokens(service, caller, store_id ?? caller.store_id, query)
    },
  )
}

/** The same input of one store gives the same UUID; without our key it cannot be guessed. */
function customerId(
  service: Service,
  { merchant_id, id }: { merchant_id: string; id: string },
  customer_id: string,
): string {
  const key = service.keys.fingerprint.newest
  const hash = keyedHash(key, `customer of ${merchant_id} ${id}`, customer_id)
  return derivedId(hash.toString('hex'), 'customer')
}
