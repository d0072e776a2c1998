import type { Db } from '../../tables/db.ts'
import { run } from '../statements/statement.ts'

/**
 * Rows as one parameter for each column: an array in the database's binary form. Nothing has to be
 * quoted on one side and parsed on the other, which was most of the cost of a row in a shared
 * statement. (The driver sends bytes unchanged; it does not support binary arrays itself.)
 */
export interface ColumnArrays {
  /** The array of a column in the text of a statement. */
  of(name: string): string
  /** The value of a column in the row with this number, starting at 1. */
  at(name: string, row: string): string
  /** The values of all rows; null for a column without any value. */
  values(rows: readonly object[]): (Buffer | null)[]
}

/** Columns and their types, in the order of the parameters, which start after `given`. */
export function newColumnArrays(types: Readonly<Record<string, string>>, given = 0): ColumnArrays {
  const names = Object.keys(types)
  const writers = names.map((name) => writerOf(types[name] ?? ''))
  const place = (name: string) => `$${given + 1 + names.indexOf(name)}`
  const of = (name: string) =>
    `${place(name)}::${isSentAsText(types[name]) ? 'text' : types[name]}[]`
  return {
    of,
    at: (name, row) =>
      `(${of(name)})[${row}]${isSentAsText(types[name]) ? `::${types[name]}` : ''}`,
    values: (rows) => {
      const bytes = new Bytes(rows.length * names.length * 16)
      return names.map((name, at) =>
        writeArray(bytes, rows as readonly Row[], name, writers[at] as Writer),
      )
    },
  }
}

type Row = Readonly<Record<string, unknown>>

interface Writer {
  /** The type oid of the elements. */
  readonly type_id: number
  write(bytes: Bytes, value: unknown): void
}

/** The header of a binary array: dimensions, whether there are nulls, type, size, start. */
const header_bytes = 20

function writeArray(
  bytes: Bytes,
  rows: readonly Row[],
  name: string,
  { type_id, write }: Writer,
): Buffer | null {
  const start = bytes.used
  bytes.skip(header_bytes)
  let nulls = 0
  for (const row of rows) {
    const value = row[name]
    const length_at = bytes.used
    bytes.skip(4)
    if (value === null || value === undefined) {
      nulls += 1
      bytes.setInt32(length_at, -1)
    } else {
      write(bytes, value)
      bytes.setInt32(length_at, bytes.used - length_at - 4)
    }
  }
  if (nulls === rows.length) {
    bytes.used = start
    return null
  }
  bytes.setInt32(start, 1)
  bytes.setInt32(start + 4, nulls > 0 ? 1 : 0)
  bytes.setInt32(start + 8, type_id)
  bytes.setInt32(start + 12, rows.length)
  bytes.setInt32(start + 16, 1)
  return bytes.since(start)
}

/** The buffer of one statement; slices stay valid when it has to grow. */
class Bytes {
  used = 0
  #bytes: Buffer

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(size, 1024))
  }

  skip(count: number): void {
    this.#makeRoom(count)
    this.used += count
  }

  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.used)
  }

  setInt32(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
  }

  int8(value: number): void {
    this.skip(1)
    this.#bytes[this.used - 1] = value
  }

  int16(value: number): void {
    if (value !== (value << 16) >> 16) throw new RangeError(`${value} is no small integer.`)
    this.int8(value >> 8)
    this.int8(value)
  }

  int32(value: number): void {
    if (value !== (value | 0)) throw new RangeError(`${value} is no integer.`)
    this.#word(value)
  }

  int64(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no exact integer.`)
    const high = Math.floor(value / 2 ** 32)
    this.#word(high)
    this.#word(value - high * 2 ** 32)
  }

  /** Microseconds since the year 2000, which exceed a safe integer after 2285. */
  instant(ms: number): void {
    const since_ms = ms - Date.UTC(2000, 0)
    if (Number.isSafeInteger(since_ms * 1000)) {
      this.int64(since_ms * 1000)
    } else {
      const since_us = BigInt(since_ms) * 1000n
      this.#word(Number(since_us >> 32n))
      this.#word(Number(since_us & 0xffff_ffffn))
    }
  }

  /** Four bytes, with or without a sign. */
  #word(value: number): void {
    this.skip(4)
    this.setInt32(this.used - 4, value)
  }

  transaction(id: string): void {
    this.#word(Number(id))
  }

  raw(value: Buffer): void {
    this.#makeRoom(value.length)
    value.copy(this.#bytes, this.used)
    this.used += value.length
  }

  text(value: string): void {
    this.#makeRoom(value.length * 3)
    if (value.length > short_text || !this.#shortAscii(value)) {
      this.used += this.#bytes.write(value, this.used)
    }
  }

  /** For short texts this is faster than a native call. */
  #shortAscii(value: string): boolean {
    const { used } = this
    const bytes = this.#bytes
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at)
      if (code > 127) return false
      bytes[used + at] = code
    }
    this.used += value.length
    return true
  }

  uuid(value: string): void {
    if (value.length !== 36) throw new TypeError('An id is no UUID.')
    this.#makeRoom(16)
    const bytes = this.#bytes
    let { used } = this
    for (let at = 0; at < 36; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) at += 1
      const high = digits[value.charCodeAt(at)]
      const low = digits[value.charCodeAt(at + 1)]
      if (high === undefined || low === undefined) throw new TypeError('An id is no UUID.')
      bytes[used] = (high << 4) | low
      used += 1
    }
    this.used = used
  }

  #makeRoom(count: number): void {
    if (this.used + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.used + count) * 2)
    this.#bytes.copy(larger, 0, 0, this.used)
    this.#bytes = larger
  }
}

const short_text = 24
/** The values of hexadecimal digits. */
const digits: (number | undefined)[] = []
for (let value = 0; value < 16; value += 1) {
  const letter = value.toString(16)
  digits[letter.charCodeAt(0)] = value
  digits[letter.toUpperCase().charCodeAt(0)] = value
}

const text_writer: Writer = {
  type_id: 25,
  write: (bytes, value) => {
    if (typeof value !== 'string') throw new TypeError(`A ${typeof value} is no text.`)
    bytes.text(value)
  },
}

const instant_writer: Writer = {
  type_id: 1184,
  write: (bytes, value) => bytes.instant((value as Date).getTime()),
}

const writers: Readonly<Record<string, Writer>> = {
  uuid: { type_id: 2950, write: (bytes, value) => bytes.uuid(value as string) },
  text: text_writer,
  boolean: { type_id: 16, write: (bytes, value) => bytes.int8(value ? 1 : 0) },
  smallint: { type_id: 21, write: (bytes, value) => bytes.int16(value as number) },
  integer: { type_id: 23, write: (bytes, value) => bytes.int32(value as number) },
  bigint: { type_id: 20, write: (bytes, value) => bytes.int64(value as number) },
  xid: { type_id: 28, write: (bytes, value) => bytes.transaction(value as string) },
  timestamptz: instant_writer,
  'timestamp with time zone': instant_writer,
  bytea: { type_id: 17, write: (bytes, value) => bytes.raw(value as Buffer) },
  json: { type_id: 114, write: (bytes, value) => bytes.text(JSON.stringify(value)) },
  jsonb: {
    type_id: 3802,
    write: (bytes, value) => {
      // The version of the format.
      bytes.int8(1)
      bytes.text(JSON.stringify(value))
    },
  },
}

/** A type without a binary form here is sent as text, and parsed by the database. */
function isSentAsText(type: string | undefined): boolean {
  return writers[type ?? ''] === undefined
}

function writerOf(type: string): Writer {
  return writers[type] ?? text_writer
}

/** The types of columns of a table, as the database has them. */
export async function columnTypes(
  db: Db,
  table: string,
  columns: readonly string[],
): Promise<Record<string, string>> {
  const rows = await run<{ name: string; type: string }>(
    db,
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  const known = new Map(rows.map(({ name, type }) => [name, type]))
  return Object.fromEntries(columns.map((name) => [name, known.get(name) ?? '']))
}
