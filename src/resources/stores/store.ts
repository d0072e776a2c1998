import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { Id, Instant, Label, MetadataSchema, PageOf } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import type { StoreTable } from '../../store/tables/tables.ts'
import {
  fillConfiguration,
  StoreConfiguration,
  StoreConfigurationPatch,
} from '../merchants/configuration.ts'

export type Store = Selectable<StoreTable>

export const StoreView = named(
  'Store',
  Type.Object({
    id: Id,
    merchant_id: Id,
    name: Type.String(),
    metadata: MetadataSchema,
    created_on: Instant,
    updated_on: Instant,
    configuration: StoreConfiguration,
  }),
)
export const StorePage = PageOf(StoreView)

export const CreateStore = named(
  'CreateStore',
  Type.Object({
    name: Label(),
    metadata: Type.Optional(MetadataSchema),
    configuration: Type.Optional(StoreConfigurationPatch),
  }),
)
export type CreateStore = Static<typeof CreateStore>
export const PatchStore = named('UpdateStore', Type.Partial(CreateStore))
export type PatchStore = Static<typeof PatchStore>

export function viewStore(store: Store) {
  return {
    id: store.id,
    merchant_id: store.merchant_id,
    name: store.name,
    metadata: store.metadata,
    created_on: store.created_on.toISOString(),
    updated_on: store.updated_on.toISOString(),
    configuration: fillConfiguration(StoreConfiguration, store.configuration) as Static<
      typeof StoreConfiguration
    >,
  }
}

/** The store, if the caller may see it; otherwise it is not found. */
export async function requireStore(
  service: Service,
  caller: Caller,
  store_id: string,
): Promise<Store> {
  const store = await service.db
    .selectFrom('stores')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', store_id)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  return store ?? fail('NOT_FOUND')
}
