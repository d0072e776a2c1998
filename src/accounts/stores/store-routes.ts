import Type from 'typebox'
import { totalOf } from '../../api/responses/list-total.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { PageParameters } from '../../core/api/schemas.ts'
import { readPage } from '../../store/sql/reads/page.ts'
import { getMerchant } from '../merchants/merchant.ts'
import { createStore } from './create-store.ts'
import { deleteStore, patchStore } from './patch-store.ts'
import {
  CreateStore,
  PatchStore,
  requireStore,
  type Store,
  StorePage,
  StoreView,
  viewStore,
} from './store.ts'

export const storeRoutes: readonly Route[] = [
  operation({
    at: 'GET /stores',
    id: 'listStores',
    client: 'stores.list',
    tag: 'stores',
    summary: 'List stores',
    text:
      'Every store of the merchant with its configuration, newest first. `search` finds ' +
      'stores by their name.',
    right: 'settings',
    access: { level: 'merchant' },
    query: Type.Object({
      ...PageParameters,
      search: Type.Optional(
        Type.String({ maxLength: 255, description: 'Part of the name, in any case.' }),
      ),
    }),
    responses: { 200: StorePage },
    handle: async ({ service, caller, query }) => {
      const { search } = query
      let stores = service.db
        .selectFrom('stores')
        .selectAll()
        .where('merchant_id', '=', caller.merchant_id)
        .where('deleted_on', 'is', null)
      if (search) stores = stores.where('name', 'ilike', `%${search.replace(/[\\%_]/g, '\\$&')}%`)
      const [{ items, has_more }, total, { name: merchant_name }] = await Promise.all([
        readPage<Store>(stores, query),
        totalOf(service, stores),
        getMerchant(service, caller.merchant_id),
      ])
      const shown = items.map((store) => ({ ...viewStore(store), merchant_name }))
      return { items: shown, has_more, ...total }
    },
  }),

  operation({
    at: 'POST /stores',
    id: 'createStore',
    client: 'stores.create',
    tag: 'stores',
    summary: 'Create a store',
    text: 'A merchant can have 100 stores.',
    right: 'settings',
    access: { level: 'merchant' },
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: CreateStore,
    responses: { 201: StoreView },
    handle: async ({ service, caller, body }) =>
      viewStore(await createStore(service, caller.merchant_id, body)),
  }),

  operation({
    at: 'GET /stores/:store_id',
    id: 'getStore',
    client: 'stores.get',
    tag: 'stores',
    summary: 'Get a store',
    text: 'The store with its configuration. A token of a store can read its own store only.',
    right: 'settings',
    responses: { 200: StoreView },
    handle: async ({ service, caller, params }) =>
      viewStore(await requireStore(service, caller, params.store_id)),
  }),

  operation({
    at: 'PATCH /stores/:store_id',
    id: 'updateStore',
    client: 'stores.update',
    tag: 'stores',
    summary: 'Update a store',
    text: 'Settings are merged key by key; null resets one, so that the merchant decides again.',
    right: 'settings',
    access: { level: 'merchant' },
    body: PatchStore,
    responses: { 200: StoreView },
    handle: async ({ service, caller, params, body }) =>
      viewStore(await patchStore(service, caller, params.store_id, body)),
  }),

  operation({
    at: 'DELETE /stores/:store_id',
    id: 'deleteStore',
    client: 'stores.delete',
    tag: 'stores',
    summary: 'Delete a store',
    text: 'Its application tokens are revoked. Existing payments can still be captured and refunded.',
    right: 'settings',
    access: { level: 'merchant' },
    responses: { 204: Type.Null() },
    handle: ({ service, caller, params }) => deleteStore(service, caller, params.store_id),
  }),
]
