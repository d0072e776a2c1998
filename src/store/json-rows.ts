/**
 * Rows as JSON that the database reads back into the same rows: bytes as it writes them itself, and
 * nothing where there is nothing. Written out by hand because it is most of what a new row costs.
 */
export function asJson(rows: readonly object[]): string {
  return `[${rows.map(rowJson).join()}]`
}

export function rowJson(row: object): string {
  let text = ''
  const values = row as Record<string, unknown>
  for (const name in values) {
    const value = values[name]
    if (value === null || value === undefined) continue
    text += `${text === '' ? '{' : ','}"${name}":${valueJson(value)}`
  }
  return text === '' ? '{}' : `${text}}`
}

function valueJson(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return JSON.stringify(value)
}

/** An insert of rows that a parameter holds as JSON. */
export function insertFrom(table: string, columns: readonly string[], parameter: string): string {
  const names = columns.join(', ')
  return `insert into ${table} (${names})
    select ${names} from jsonb_populate_recordset(null::${table}, ${parameter}::jsonb)`
}
