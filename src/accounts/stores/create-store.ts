import { mergeMetadata } from '../../api/merge-metadata.ts'
import { requirePlace } from '../../api/resource-limit.ts'
import { failField } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import { patchConfiguration } from '../configuration/configuration.ts'
import { StoreConfiguration } from '../configuration/configuration-shape.ts'
import { type CreateStore, type Store, viewStore } from './store.ts'

export async function createStore(
  service: Service,
  merchant_id: string,
  body: CreateStore,
): Promise<Store> {
  return inTransaction(service, async (tx) => {
    await requirePlace(tx, 'stores', { merchant_id })
    const { id, created_on } = newRow(tx)
    const configuration = patchConfiguration(StoreConfiguration, {}, body.configuration, 'merchant')
    const store = await tx.db
      .insertInto('stores')
      .values({
        merchant_id,
        id,
        name: body.name,
        configuration: JSON.stringify(configuration),
        metadata: JSON.stringify(mergeMetadata({}, body.metadata)),
        created_on,
        updated_on: created_on,
        deleted_on: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSameName)
    await emit(tx, 'store_created', {
      merchant_id,
      store_id: id,
      resource_id: id,
      data: viewStore(store),
    })
    return store
  })
}

/** Store names are unique within a merchant, because people identify stores by name. */
export function refuseSameName(error: unknown): never {
  if (violatedIndex(error) === 'stores_by_name') {
    failField('name', 'STORE_EXISTS', 'is the name of another store of the merchant')
  }
  throw error
}
