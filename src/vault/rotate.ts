import { sql } from 'kysely'
import type { Db } from '../store/open-store.ts'
import type { KeyRing } from './key-ring.ts'
import { seal, unseal } from './seal.ts'

/** Every column that holds sealed values; each is bound to its table, name, merchant and row. */
const sealed_columns = [
  ['transaction_tokens', 'card_number'],
  ['webhooks', 'auth_token'],
  ['webhooks', 'secret'],
  ['webhooks', 'previous_secret'],
  ['bank_accounts', 'account_number'],
  ['customs_declarations', 'certificate_id'],
  ['customs_declarations', 'certificate_name'],
  ['users', 'totp_secret'],
  ['users', 'totp_new_secret'],
  ['mails', 'body'],
  ['verifications', 'data'],
] as const

const batch = 200

interface SealedRow {
  merchant_id: string
  id: string
  sealed: Buffer
}

/** A sealed value begins with its format, the length of its key's id, and that id. */
function keyIdOf(column: string) {
  const value = sql.ref(column)
  return sql<string>`convert_from(substring(${value} from 3 for get_byte(${value}, 1)), 'UTF8')`
}

/**
 * Seals everything anew that was not sealed with the newest key, in small batches beside the
 * running service. It can be stopped at any moment and started again: what is done is done.
 */
export async function resealAll(db: Db, ring: KeyRing): Promise<number> {
  let done = 0
  for (const [table, column] of sealed_columns) {
    let after = { merchant_id: '00000000-0000-0000-0000-000000000000', id: '' }
    for (;;) {
      const rows = await staleRows(db, table, column, ring.newest.id, after)
      for (const row of rows) done += await resealRow(db, ring, table, column, row)
      const last = rows.at(-1)
      if (!last) break
      after = last
    }
  }
  return done
}

async function staleRows(
  db: Db,
  table: string,
  column: string,
  newest_id: string,
  after: { merchant_id: string; id: string },
): Promise<SealedRow[]> {
  const start = after.id || '00000000-0000-0000-0000-000000000000'
  const { rows } = await sql<SealedRow>`
    select merchant_id, id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where (merchant_id, id) > (${after.merchant_id}::uuid, ${start}::uuid)
      and ${sql.ref(column)} is not null and ${keyIdOf(column)} <> ${newest_id}
    order by merchant_id, id limit ${batch}`.execute(db)
  return rows
}

/** Only if the value is still the one that was read: a change meanwhile used the newest key. */
async function resealRow(
  db: Db,
  ring: KeyRing,
  table: string,
  column: string,
  { merchant_id, id, sealed }: SealedRow,
): Promise<number> {
  const context = { table, column, merchant_id, row_id: id }
  const again = seal(ring, context, unseal(ring, context, sealed))
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${again}
    where merchant_id = ${merchant_id} and id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** How many values still need a key; answers that are kept for a day count too. */
export async function countSealedWith(db: Db, key_id: string): Promise<number> {
  const parts = [...sealed_columns, ['idempotency_records', 'body'] as const].map(
    ([table, column]) => sql`
      select count(*)::integer as count from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${keyIdOf(column)} = ${key_id}`,
  )
  const { rows } = await sql<{ count: number }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.reduce((sum, { count }) => sum + count, 0)
}
