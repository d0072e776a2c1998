import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { isUuid } from '../../core/ids.ts'
import { PageParameters } from '../../core/schemas.ts'
import { type StateOf, statesOf } from '../../core/states.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/page.ts'
import { likePart } from '../charges/list-charges.ts'
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
  let subscriptions = service.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
  if (store_id) subscriptions = subscriptions.where('store_id', '=', store_id)
  for (const mode of [caller.mode, filter.mode]) {
    if (mode) subscriptions = subscriptions.where('mode', '=', mode)
  }
  if (status) {
    const name = spellings[status] ?? (status as StateOf<'subscription'>)
    subscriptions = subscriptions.where('status', '=', name)
  }
  if (search && isUuid(search)) {
    subscriptions = subscriptions.where((where) =>
      where.or([
        where('id', '=', search),
        where('transaction_token_id', '=', search),
        where('search_text', 'like', likePart(search)),
      ]),
    )
  } else if (search) subscriptions = subscriptions.where('search_text', 'like', likePart(search))
  const { items, has_more } = await readPage<Subscription>(subscriptions, filter)
  const found = await withNext(service, items)
  return { items: found.map((one) => viewSubscription(service, one)), has_more }
}
