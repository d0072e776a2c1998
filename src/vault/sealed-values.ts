import { type RawBuilder, sql } from 'kysely'
import { findBroken } from '../store/sql/statements/data-rule.ts'
import type { Db } from '../store/tables/db.ts'
import type { KeyRing, Keys } from './key-ring.ts'
import { unseal } from './seal.ts'

/** A column that holds sealed values; each is bound to its table, name, merchant and row. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The row id in the context of its value. */
  readonly row_id: RawBuilder<string>
}

const by_id = sql<string>`id::text`

/** Columns whose values a rotation reseals. */
export const lasting_columns: readonly SealedColumn[] = [
  { table: 'transaction_tokens', column: 'card_number', row_id: by_id },
  { table: 'webhooks', column: 'auth_token', row_id: by_id },
  { table: 'webhooks', column: 'secret', row_id: by_id },
  { table: 'webhooks', column: 'previous_secret', row_id: by_id },
  { table: 'bank_accounts', column: 'account_number', row_id: by_id },
  { table: 'bank_file_lines', column: 'line', row_id: by_id },
  { table: 'customs_declarations', column: 'certificate_id', row_id: by_id },
  { table: 'customs_declarations', column: 'certificate_name', row_id: by_id },
  { table: 'disputes', column: 'evidence', row_id: by_id },
  { table: 'dispute_files', column: 'content', row_id: by_id },
  { table: 'users', column: 'totp_secret', row_id: by_id },
  { table: 'users', column: 'totp_new_secret', row_id: by_id },
  { table: 'mails', column: 'body', row_id: by_id },
  { table: 'verifications', column: 'data', row_id: by_id },
  { table: 'provider_credentials', column: 'credentials', row_id: by_id },
  { table: 'connectors', column: 'settings', row_id: by_id },
]

/** Every sealed column; responses stored for an Idempotency-Key are deleted after a day. */
export const sealed_columns: readonly SealedColumn[] = [
  ...lasting_columns,
  { table: 'idempotency_records', column: 'body', row_id: sql<string>`mode || ' ' || key` },
]

/**
 * A sealed value begins with its format, the length of its key's id, and that id. A damaged value must
 * not fail the query: its id is then some text, or empty.
 */
export function keyIdOf(column: string) {
  const value = sql.ref(column)
  return sql<string>`case when octet_length(${value}) < 2 then ''
    else encode(substring(${value} from 3 for get_byte(${value}, 1)), 'escape') end`
}

/** How many values of each key and column are opened: a wrong key opens none, so few are enough. */
const sample_size = 50

interface SealedRow {
  merchant_id: string
  row_id: string
  sealed: Buffer
}

/**
 * Sealed values that these keys do not open, a sentence for each column and key. Every key id that
 * occurs is checked, and a sample of its values is opened.
 */
export async function sealedFaults(db: Db, keys: Keys): Promise<string[]> {
  const faults: string[] = []
  for (const place of sealed_columns) {
    for (const { key_id, count } of await keyIdsIn(db, place)) {
      const fault = await faultOf(db, keys.vault, place, key_id, count)
      if (fault) faults.push(fault)
    }
  }
  return [...faults, ...(await signingFaults(db, keys.signing))]
}

interface KeyCount {
  key_id: string
  count: number
}

async function keyIdsIn(db: Db, { table, column }: SealedColumn): Promise<KeyCount[]> {
  return findBroken(
    db,
    sql<KeyCount>`select ${keyIdOf(column)} as key_id, count(*)::integer as count from ${sql.table(table)}
      where ${sql.ref(column)} is not null group by 1 order by 1`,
  )
}

async function faultOf(
  db: Db,
  ring: KeyRing,
  place: SealedColumn,
  key_id: string,
  count: number,
): Promise<string | null> {
  const { table, column } = place
  const rows = await sampleOf(db, place, key_id)
  const broken = rows.filter((row) => !opens(ring, place, row))
  const [example] = broken
  if (!example) return null
  const { merchant_id, row_id } = example
  const where = `for example ${row_id} of merchant ${merchant_id}`
  if (!ring.find(key_id)) {
    return (
      `Values of ${table}.${column} that cannot be opened, because they are sealed with the vault key ` +
      `"${key_id}", which is not given: ${count}, ${where}. Restore the keys.json that holds it, or ` +
      'add the key to the end of VAULT_KEYS.'
    )
  }
  return (
    `Values of ${table}.${column} that the vault key "${key_id}" cannot open: ${broken.length} of ` +
    `${rows.length} that were tried, ${where}. Keep the database as it is and restore those rows ` +
    'from a backup.'
  )
}

async function sampleOf(
  db: Db,
  { table, column, row_id }: SealedColumn,
  key_id: string,
): Promise<SealedRow[]> {
  return findBroken(
    db,
    sql<SealedRow>`select merchant_id, ${row_id} as row_id, ${sql.ref(column)} as sealed
      from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${keyIdOf(column)} = ${key_id}
      order by random() limit ${sample_size}`,
  )
}

function opens(ring: KeyRing, { table, column }: SealedColumn, row: SealedRow): boolean {
  const { merchant_id, row_id, sealed } = row
  try {
    unseal(ring, { table, column, merchant_id, row_id }, sealed)
    return true
  } catch {
    return false
  }
}

/** Application tokens that cannot be used, because the key that signed them is missing. */
async function signingFaults(db: Db, ring: KeyRing): Promise<string[]> {
  const rows = await findBroken(
    db,
    sql<
      KeyCount & { example: string }
    >`select key_id, count(*)::integer as count, min(id::text) as example from (
          select id, signing_key_id as key_id from app_tokens where deleted_on is null
          union select id, secret_key_id from app_tokens where deleted_on is null) as used
        group by 1 order by 1`,
  )
  return rows
    .filter(({ key_id }) => !ring.find(String(key_id)))
    .map(
      ({ key_id, count, example }) =>
        `Application tokens that need the signing key "${key_id}", which is not given: ${count}, for ` +
        `example ${example}. Restore the keys.json that holds it, or add the key to the end of ` +
        'SIGNING_KEYS.',
    )
}
