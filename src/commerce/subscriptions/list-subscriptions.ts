import type { SelectQueryBuilder } from 'kysely'
import Type, { type Static } from 'typebox'
import { storeNames } from '../../accounts/stores/store-names.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters } from '../../core/api/common-fields.ts'
import { described } from '../../core/api/described-schemas.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { type StateOf, statesOf } from '../../core/payments/states.ts'
import { userData } from '../../payments/tokens/token.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/sql/reads/page.ts'
import { isFound, readSearchPage } from '../../store/sql/reads/search.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { type Subscription, viewSubscription, withNext } from './subscription.ts'

/** One list of the API spells a status differently. */
const spellings: Readonly<Record<string, StateOf<'subscription'>>> = { cancelled: 'canceled' }

export const ListSubscriptions = Type.Object({
  ...PageParameters,
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'An id, or words of name, e-mail and metadata, each by its beginning.',
    }),
  ),
  status: described(
    Type.Optional(Type.Enum([...statesOf('subscription'), ...Object.keys(spellings)])),
    'Only those with this status.',
  ),
  mode: filters.mode,
})
export type ListSubscriptions = Static<typeof ListSubscriptions>

/** Subscriptions the caller may see, newest first. */
export async function listSubscriptions(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: ListSubscriptions,
) {
  const { search: term, status } = filter
  const { merchant_id } = caller
  const mode = caller.mode ?? filter.mode ?? null
  const list = (source: SelectQueryBuilder<Tables, 'subscriptions', object>) => {
    let subscriptions = source.selectAll().where('merchant_id', '=', merchant_id)
    if (store_id) subscriptions = subscriptions.where('store_id', '=', store_id)
    for (const mode of [caller.mode, filter.mode]) {
      if (mode) subscriptions = subscriptions.where('mode', '=', mode)
    }
    if (status) {
      const name = spellings[status] ?? (status as StateOf<'subscription'>)
      subscriptions = subscriptions.where('status', '=', name)
    }
    return term
      ? subscriptions.where(isFound('subscriptions', { merchant_id, term, ids }))
      : subscriptions
  }
  const page = term
    ? readSearchPage<Subscription, 'subscriptions'>(
        service.db,
        { table: 'subscriptions', merchant_id, store_id, mode, term, ids },
        filter,
        list,
      )
    : readPage<Subscription>(list(service.db.selectFrom('subscriptions')), filter)
  const { items, has_more } = await page
  const found = await withNext(service, items)
  const namesOf = await storeNames(service, merchant_id, items)
  const payers = await payersOf(service, merchant_id, items)
  const shown = found.map((one) => ({
    ...viewSubscription(service, one),
    ...namesOf(one.subscription),
    user_data: payers.get(one.subscription.transaction_token_id) ?? nobody,
  }))
  return { items: shown, has_more }
}

type UserData = ReturnType<typeof userData>
const nobody: UserData = { cardholder_name: null, email: null, brand: null }

/** The payers of the subscriptions of a page, by their tokens, in one statement. */
async function payersOf(
  service: Service,
  merchant_id: string,
  subscriptions: readonly Subscription[],
): Promise<Map<string, UserData>> {
  if (subscriptions.length === 0) return new Map()
  const ids = [...new Set(subscriptions.map((one) => one.transaction_token_id))]
  const tokens = await service.db
    .selectFrom('transaction_tokens')
    .select(['id', 'payment_type', 'data', 'email'])
    .where('merchant_id', '=', merchant_id)
    .where('id', 'in', ids)
    .execute()
  return new Map(tokens.map((token) => [token.id, userData(token)]))
}

/** Columns in which an id is searched. */
const ids = ['id', 'transaction_token_id'] as const
