import { type SelectQueryBuilder, sql } from 'kysely'
import Type from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { storeNames } from '../../accounts/stores/store-names.ts'
import { PollingQuery, poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { list_paths, ownerName, store_paths } from '../../api/routes/store-paths.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, NoFields, PageParameters } from '../../core/api/schemas.ts'
import { derivedId } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import { hasWords, readSearchPage } from '../../store/sql/reads/search.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { countCardCheck, visitorOf } from '../card-testing/card-visitor.ts'
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
    'Only items whose metadata has this id under `svc-customer-id`.',
  ),
  type: described(
    Type.Optional(Type.Enum(['recurring', 'subscription'])),
    'Only items of this type. Tokens for one charge are not listed.',
  ),
  mode: filters.mode,
  payment_type: described(
    Type.Optional(Type.String({ maxLength: 32 })),
    'Only items of this payment type.',
  ),
  active: described(
    Type.Optional(Type.Enum(['active', 'inactive', 'all'])),
    'Only chargeable items (`active`), only the others (`inactive`), or `all`.',
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

export const tokenRoutes: readonly Route[] = [
  operation({
    at: 'POST /tokens',
    id: 'createToken',
    client: 'tokens.create',
    tag: 'transaction tokens',
    summary: 'Create a transaction token',
    text:
      'A token of the type `one_time` can be charged once, within five minutes. A page may ' +
      'create one with the JWT alone, from a domain of the application token.',
    right: 'payments',
    access: { level: 'store', without_secret: 'from_domains' },
    rate: 'charge',
    admit_as: 'money',
    errors: [
      'RESOURCE_LIMIT_REACHED',
      'CARD_BRAND_NOT_SUPPORTED',
      'CARD_COUNTRY_NOT_SUPPORTED',
      'CARD_PROCESSING_DISABLED',
      'QR_PROCESSING_DISABLED',
      'INVALID_QR_SCAN_GATEWAY',
      'CONVENIENCE_PROCESSING_DISABLED',
      'PAIDY_PROCESSING_DISABLED',
      'ONLINE_PROCESSING_DISABLED',
      'BANK_TRANSFER_PROCESSING_DISABLED',
      'CVV_REQUIRED',
      'NO_TEST_CARD_IN_LIVE_MODE',
      'NOT_SUPPORTED_BY_PROCESSOR',
      'RECURRING_TOKEN_DISABLED',
      'RECURRING_USAGE_LIMIT_REQUIRED',
      'USAGE_LIMIT_NOT_APPLICABLE',
      'DIRECT_CARD_TOKEN_CREATION_DISABLED',
      'NON_UNIQUE_ACTIVE_TOKEN',
      'CHECKOUT_CHALLENGE_REQUIRED',
    ],
    bodyRules: ({ service, body }) => tokenRules(service, body),
    body: CreateToken,
    responses: { 201: NewTokenView },
    handle: async (request) => {
      const { service, caller, body } = request
      const { store_id, with_secret } = caller
      if (store_id === null) fail('INVALID_PERMISSIONS')
      const visitor = visitorOf(request)
      const token = await createToken(service, { ...caller, store_id }, body, visitor)
      return viewNewToken(service, token, with_secret)
    },
  }),

  ...list_paths.map((prefix) =>
    operation({
      at: `GET ${prefix}/tokens`,
      id: `list${ownerName(prefix)}Tokens`,
      client: 'tokens.list',
      tag: 'transaction tokens',
      summary: 'List transaction tokens',
      text: 'Recurring and subscription tokens; tokens for one charge are not listed.',
      right: 'payments',
      query: ListQuery,
      responses: { 200: TokenPage },
      handle: async ({ service, caller, params, query }) => {
        const { store_id } = params
        if (store_id) await requireStore(service, caller, store_id)
        return listTokens(service, caller, store_id ?? caller.store_id, query)
      },
    }),
  ),

  operation({
    at: 'GET /stores/:store_id/tokens/:token_id',
    id: 'getToken',
    client: 'tokens.get',
    tag: 'transaction tokens',
    summary: 'Get a transaction token',
    text:
      'With `polling=true` the response waits up to five seconds for checks that are ' + 'pending.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    query: PollingQuery,
    responses: { 200: TokenView },
    handle: async ({ service, caller, params, query }) => {
      const { store_id, token_id } = params
      const read = () => getToken(service, caller, store_id, token_id)
      const token = await poll(service, token_id, query.polling, read, isWaiting)
      return viewToken(token, caller.with_secret)
    },
  }),

  operation({
    at: 'PATCH /stores/:store_id/tokens/:token_id',
    id: 'updateToken',
    client: 'tokens.update',
    tag: 'transaction tokens',
    summary: 'Update a transaction token',
    text:
      'Changes e-mail, metadata, or the security code, expiry and cardholder of a card. Its' +
      ' number stays the same.',
    right: 'payments',
    errors: ['RESOURCE_LIMIT_REACHED', 'CVV_REQUIRED', 'NON_UNIQUE_ACTIVE_TOKEN'],
    body: PatchToken,
    responses: { 200: TokenView },
    handle: async (request) => {
      const { service, caller, params, body } = request
      const { store_id, token_id } = params
      const patched = await patchToken(service, caller, store_id, token_id, body)
      if (body.data?.cvv) await countCardCheck(request, patched)
      return viewToken(patched)
    },
  }),

  ...store_paths.map((prefix) =>
    operation({
      at: `POST ${prefix}/tokens/:token_id/renew`,
      id: `renew${ownerName(prefix)}Token`,
      client: 'tokens.renew',
      tag: 'transaction tokens',
      summary: 'Renew a recurring or subscription token',
      text: 'The new token has a new id; the old one is no longer active.',
      right: 'payments',
      errors: ['INVALID_TOKEN_TYPE'],
      body: Type.Optional(NoFields),
      responses: { 201: TokenView },
      handle: async ({ service, caller, params }) => {
        const store_id = params.store_id ?? caller.store_id
        const token = await renewToken(service, caller, store_id, params.token_id)
        return { ...viewToken(token), previous_id: token.previous_id }
      },
    }),
  ),

  operation({
    at: 'DELETE /stores/:store_id/tokens/:token_id',
    id: 'deleteToken',
    client: 'tokens.delete',
    tag: 'transaction tokens',
    summary: 'Delete a transaction token',
    text:
      'It can no longer be charged. Refused while a subscription that has not ended uses ' + 'it.',
    right: 'payments',
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) =>
      deleteToken(service, caller, params.store_id, params.token_id),
  }),

  operation({
    at: 'POST /stores/:store_id/create_customer_id',
    id: 'createCustomerId',
    client: 'tokens.createCustomerId',
    tag: 'transaction tokens',
    summary: 'Create a UUID from your customer id',
    text: 'The same id always gives the same UUID. Store it in the metadata of a token.',
    right: 'payments',
    body: CreateCustomerId,
    responses: { 200: CustomerId },
    handle: async ({ service, caller, params, body }) => {
      const store = await requireStore(service, caller, params.store_id)
      return { customer_id: customerId(service, store, body.customer_id) }
    },
  }),
]

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
