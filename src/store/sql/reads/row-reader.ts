import type { Selectable } from 'kysely'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'
import { newBatch, perPool, read_options } from '../batches/batch.ts'
import { run } from '../statements/statement.ts'

export interface RowKey {
  readonly merchant_id: string
  readonly id: string
}

type Readable = 'charges' | 'transaction_tokens'

/** Reads rows by key; concurrent reads share one statement. */
export function newRowReader<
  Name extends Readable,
  Column extends string & keyof Selectable<Tables[Name]> = string & keyof Selectable<Tables[Name]>,
>(table: Name, columns: readonly Column[] = []) {
  type Row = Pick<Selectable<Tables[Name]>, Column>
  const wanted = columns.length > 0 ? columns.map((name) => `t.${name}`).join(', ') : 't.*'
  const text = `
    select ${wanted}, i.n::integer as n
    from unnest($1::uuid[], $2::uuid[]) with ordinality as i (merchant_id, id, n)
    join ${table} t on t.merchant_id = i.merchant_id and t.id = i.id`
  // Its partition is known before the statement begins: no other one is opened.
  const text_of_one = `select ${wanted} from ${table} t where t.merchant_id = $1 and t.id = $2`
  async function read(db: Db, keys: readonly RowKey[]): Promise<(Row | null)[]> {
    const [first] = keys
    if (first && keys.length === 1) {
      const [row = null] = await run<Row>(db, text_of_one, [first.merchant_id, first.id])
      return [row]
    }
    const rows = await run<Row & { readonly n: number }>(db, text, [
      keys.map(({ merchant_id }) => merchant_id),
      keys.map(({ id }) => id),
    ])
    const found: (Row | null)[] = keys.map(() => null)
    // Its place stays on the row: a copy without it takes as long as reading the row.
    for (const row of rows) found[row.n - 1] = row
    return found
  }
  return perPool((db) =>
    newBatch<RowKey, Row | null>((keys) => read(db, keys), {
      ...read_options,
      ownerOf: ({ merchant_id }) => merchant_id,
    }),
  )
}
