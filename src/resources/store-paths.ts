import Type, { type TObject, type TOptional, type TProperties } from 'typebox'
import { pathIds } from '../core/common-fields.ts'
import type { Id } from '../core/schemas.ts'

export interface StorePath {
  readonly prefix: string
  readonly fields: TProperties
}

/**
 * The paths of a store's resource: below its store, and without the store for programs that leave it
 * out. There a store's token finds what is in its store, and others what belongs to their merchant.
 */
export const store_paths: readonly StorePath[] = [
  { prefix: '/stores/:store_id', fields: pathIds('store_id') },
  { prefix: '', fields: {} },
]

/** The owner that a path begins with, for the `operationId` of an operation that has several paths. */
export function ownerName(path: string): '' | 'Store' | 'Merchant' | 'MerchantStore' {
  const of_store = path.includes('/:store_id')
  if (path.startsWith('/merchants/')) return of_store ? 'MerchantStore' : 'Merchant'
  return of_store ? 'Store' : ''
}

/** The parameters of a path below one of the above. */
export function storePathSchema<Fields extends TProperties>(
  { fields }: StorePath,
  others: Fields,
): TObject<Fields & { store_id: TOptional<typeof Id> }> {
  return Type.Object({ ...fields, ...others }) as never
}
