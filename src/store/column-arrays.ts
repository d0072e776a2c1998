import type { Db } from './open-store.ts'
import { run } from './statement.ts'

/**
 * Rows as one array for each column, in the form in which the database reads arrays. That is half the
 * bytes of the same rows as JSON, and a quarter of the work to read them.
 */
export function arraysOf(rows: readonly object[], columns: readonly string[]): (string | null)[] {
  return columns.map((name) => arrayOf(rows as readonly Record<string, unknown>[], name))
}

/** Null where all are: a place in it is null then too. */
function arrayOf(rows: readonly Record<string, unknown>[], name: string): string | null {
  let text = ''
  let is_empty = true
  for (const row of rows) {
    const value = row[name]
    if (text !== '') text += ','
    if (value === null || value === undefined) text += 'NULL'
    else {
      is_empty = false
      text += elementOf(value)
    }
  }
  return is_empty ? null : `{${text}}`
}

/** What needs no quotes inside of an array: ids, numbers, names of states, times. */
const plain = /^[\w:.+@-]+$/
const special = /["\\]/g

function elementOf(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return quoted(JSON.stringify(value))
}

function isPlain(text: string): boolean {
  return plain.test(text) && (text.length !== 4 || text.toUpperCase() !== 'NULL')
}

function quoted(text: string): string {
  return `"${text.replace(special, '\\$&')}"`
}

const types = new Map<string, Promise<Map<string, string>>>()

/** The types of a table's columns, asked for once. */
function columnTypes(db: Db, table: string): Promise<Map<string, string>> {
  const known = types.get(table) ?? readTypes(db, table)
  types.set(table, known)
  known.catch(() => types.delete(table))
  return known
}

async function readTypes(db: Db, table: string): Promise<Map<string, string>> {
  const rows = await run<{ name: string; type: string }>(
    db,
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Parameters for such arrays, beginning with the one after `given`. */
export async function parametersFor(
  db: Db,
  table: string,
  columns: readonly string[],
  given = 0,
): Promise<string[]> {
  const known = await columnTypes(db, table)
  return columns.map((name, index) => `$${given + index + 1}::${known.get(name)}[]`)
}
