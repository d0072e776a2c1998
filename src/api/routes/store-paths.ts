/**
 * The paths of a store's resource: below its store, and without the store for programs that leave it
 * out. There a store's token finds what is in its store, and others what belongs to their merchant.
 */
export const store_paths = ['/stores/:store_id', ''] as const
export type StorePath = (typeof store_paths)[number]

/** Lists of all stores, and of one. */
export const list_paths = ['', '/stores/:store_id'] as const

/** The owner that a path begins with, for the id of an operation that has several paths. */
export function ownerName(path: string): '' | 'Store' | 'Merchant' | 'MerchantStore' {
  const of_store = path.includes('/:store_id')
  if (path.startsWith('/merchants/')) return of_store ? 'MerchantStore' : 'Merchant'
  return of_store ? 'Store' : ''
}
