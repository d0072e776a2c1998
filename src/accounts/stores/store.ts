import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Label, PageOf, withTotal } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import type { StoreTable } from '../../store/tables/tables.ts'
import { fillConfiguration, StoreConfigurationPatch } from '../configuration/configuration.ts'
import { StoreConfiguration } from '../configuration/configuration-shape.ts'

export type Store = Selectable<StoreTable>

export const StoreView = named(
  'Store',
  Type.Object({
    id: described(Id, 'The id of the store.'),
    merchant_id: common.merchant_id,
    name: described(Type.String(), 'The name of the store.'),
    metadata: common.metadata,
    created_on: common.created_on,
    updated_on: common.updated_on,
    configuration: described(
      StoreConfiguration,
      'The settings of the store; null is inherited from the merchant.',
    ),
  }),
  'A shop of a merchant, with its own payments and settings.',
)
export const StorePage = withTotal(
  PageOf(
    extended('StoreItem', StoreView, { merchant_name: common.merchant_name }, 'A store in a list.'),
  ),
)

export const CreateStore = named(
  'CreateStore',
  Type.Object({
    name: described(Label(), 'The name of the store, 1 to 255 characters.'),
    metadata: Type.Optional(common.new_metadata),
    configuration: described(
      Type.Optional(StoreConfigurationPatch),
      'Settings of the store; absent ones are inherited from the merchant.',
    ),
  }),
  'A new store.',
)
export type CreateStore = Static<typeof CreateStore>
export const PatchStore = named(
  'UpdateStore',
  Type.Partial(CreateStore),
  'Changes to a store. Absent fields stay unchanged.',
)
export type PatchStore = Static<typeof PatchStore>

export function viewStore(store: Store) {
  return {
    id: store.id,
    merchant_id: store.merchant_id,
    name: store.name,
    metadata: store.metadata,
    created_on: store.created_on.toISOString(),
    updated_on: store.updated_on.toISOString(),
    configuration: fillConfiguration(StoreConfiguration, store.configuration),
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
