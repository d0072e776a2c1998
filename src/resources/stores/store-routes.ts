import Type from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { PageParameters } from '../../core/schemas.ts'
import { readPage } from '../../store/sql/page.ts'
import { totalOf } from '../list-total.ts'
import { getMerchant } from '../merchants/merchant.ts'
import type { Http, RouteModule } from '../route.ts'
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

const tags = ['stores']
const StorePath = Type.Object(pathIds('store_id'))
const merchant_only = { access: { level: 'merchant' } } as const

export const storeRoutes: RouteModule = (http) => {
  http.get(
    '/stores',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'List stores',
        operationId: 'listStores',
        querystring: Type.Object({
          ...PageParameters,
          search: Type.Optional(
            Type.String({ maxLength: 255, description: 'Part of the name, in any case.' }),
          ),
        }),
        response: { 200: StorePage },
      },
    },
    async ({ service, caller, query }) => {
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
  )

  http.post(
    '/stores',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Create a store',
        operationId: 'createStore',
        body: CreateStore,
        response: { 201: StoreView },
      },
    },
    async ({ service, caller, body }, reply) => {
      reply.code(201)
      return viewStore(await createStore(service, caller.merchant_id, body))
    },
  )

  http.get(
    '/stores/:store_id',
    {
      schema: {
        tags,
        summary: 'Read a store',
        operationId: 'getStore',
        params: StorePath,
        response: { 200: StoreView },
      },
    },
    async ({ service, caller, params }) =>
      viewStore(await requireStore(service, caller, params.store_id)),
  )

  addChangeRoutes(http)
}

function addChangeRoutes(http: Http): void {
  http.patch(
    '/stores/:store_id',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Change a store',
        operationId: 'updateStore',
        params: StorePath,
        body: PatchStore,
        response: { 200: StoreView },
      },
    },
    async ({ service, caller, params, body }) =>
      viewStore(await patchStore(service, caller, params.store_id, body)),
  )

  http.delete(
    '/stores/:store_id',
    {
      config: merchant_only,
      schema: {
        tags,
        summary: 'Delete a store',
        operationId: 'deleteStore',
        params: StorePath,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, caller, params }, reply) => {
      await deleteStore(service, caller, params.store_id)
      reply.code(204)
      return null
    },
  )
}
