import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { patchConfiguration } from '../configuration/configuration.ts'
import { StoreConfiguration } from '../configuration/configuration-shape.ts'
import { refuseSameName } from './create-store.ts'
import { type PatchStore, type Store, viewStore } from './store.ts'

async function lockStore(tx: Transacting, merchant_id: string, id: string): Promise<Store> {
  const store = await tx.db
    .selectFrom('stores')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('deleted_on', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return store ?? fail('NOT_FOUND')
}

export async function patchStore(
  service: Service,
  { merchant_id }: Pick<Caller, 'merchant_id'>,
  id: string,
  patch: PatchStore,
  by: 'merchant' | 'operator' = 'merchant',
): Promise<Store> {
  return inTransaction(service, async (tx) => {
    const before = await lockStore(tx, merchant_id, id)
    const { configuration, metadata } = patch
    const store = await tx.db
      .updateTable('stores')
      .set({
        updated_on: now(tx),
        name: patch.name ?? before.name,
        metadata: JSON.stringify(mergeMetadata(before.metadata, metadata)),
        configuration: JSON.stringify(
          patchConfiguration(StoreConfiguration, before.configuration, configuration, by),
        ),
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSameName)
    await emitStore(tx, 'store_updated', store)
    return store
  })
}

/** The store is hidden and its tokens end; its history is kept. */
export async function deleteStore(
  service: Service,
  { merchant_id }: Caller,
  id: string,
): Promise<void> {
  return inTransaction(service, async (tx) => {
    const store = await lockStore(tx, merchant_id, id)
    const deleted_on = now(tx)
    await tx.db
      .updateTable('stores')
      .set({ deleted_on })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .execute()
    await tx.db
      .updateTable('webhooks')
      .set({ deleted_on, active: false })
      .where('merchant_id', '=', merchant_id)
      .where('store_id', '=', id)
      .where('deleted_on', 'is', null)
      .execute()
    await tx.effects.endStore(tx, merchant_id, id)
    await emitStore(tx, 'store_deleted', store)
  })
}

async function emitStore(
  tx: Transacting,
  name: 'store_updated' | 'store_deleted',
  store: Store,
): Promise<void> {
  const { merchant_id, id } = store
  await emit(tx, name, { merchant_id, store_id: id, resource_id: id, data: viewStore(store) })
}
