import { sql } from 'kysely'
import type { Service } from '../../service.ts'

export interface Names {
  readonly merchant_name: string
  readonly store_name: string
}

/** The names shown with the rows of a page: of their stores and of their merchant. */
export async function storeNames(
  { db }: Service,
  merchant_id: string,
  rows: readonly { store_id: string }[],
): Promise<(row: { store_id: string }) => Names> {
  const ids = [...new Set(rows.map(({ store_id }) => store_id))]
  const found = new Map<string, Names>()
  if (ids.length > 0) {
    const { rows: stores } = await sql<Names & { id: string }>`
      select s.id, s.name as store_name, m.name as merchant_name
      from stores s join merchants m on m.id = s.merchant_id
      where s.merchant_id = ${merchant_id} and s.id = any(${ids}::uuid[])`.execute(db)
    for (const { id, store_name, merchant_name } of stores) {
      found.set(id, { store_name, merchant_name })
    }
  }
  return ({ store_id }) => found.get(store_id) ?? { merchant_name: '', store_name: '' }
}
