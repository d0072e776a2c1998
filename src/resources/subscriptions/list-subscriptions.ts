import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { isUuid } from '../../core/ids.ts'
import { PageParameters } from '../../core/schemas.ts'
import { type StateOf, statesOf } from '../../core/states.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/page.ts'
import { likePart, readSearchPage } from '../../store/search.ts'
import type { Tables } from '../../store/tables.ts'
import { type Subscription, viewSubscription, withNext } from './subscription.ts'

/** One list of the interface spells a status in another way. */
const spellings: Readonly<Record<string, StateOf<'subscription'>>> = { cancelled: 'canceled' }

export const ListSubscriptions = Type.Object({
  ...PageParameters,
  search: Type.Optional(Type.String({ maxLength: 255, description: 'An id, or a metadata value' })),
  status: Type.Optional(Type.Enum([...statesOf('subscription'), ...Object.keys(spellings)])),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
})
export type ListSubscriptions = Static<typeof ListSubscriptions>

/** Subscriptions the caller may see, newest first. */
export async function listSubscriptions(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: ListSubscriptions,
) {
  const { search, status } = filter
  const { merchant_id } = caller
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
    return search ? subscriptions.where(isFound(search)) : subscriptions
  }
  const page = search
    ? readSearchPage<Subscription, 'subscriptions'>(
        service,
        { table: 'subscriptions', merchant_id, store_id, term: search, ids },
        filter,
        list,
      )
    : readPage<Subscription>(list(service.db.selectFrom('subscriptions')), filter)
  const { items, has_more } = await page
  const found = await withNext(service, items)
  return { items: found.map((one) => viewSubscription(service, one)), has_more }
}

/** Columns in which an id is looked for. */
const ids = ['id', 'transaction_token_id'] as const

function isFound(search: string): RawBuilder<boolean> {
  const in_text = sql<boolean>`search_text like ${likePart(search)}`
  if (!isUuid(search)) return in_text
  return sql<boolean>`(${in_text} or id = ${search} or transaction_token_id = ${search})`
}
