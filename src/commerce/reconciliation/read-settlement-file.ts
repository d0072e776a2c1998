import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { PlainError } from '../../core/api/plain-error.ts'
import { currencyDigits, isCurrency } from '../../core/money/currencies.ts'
import { max_amount } from '../../core/money/money.ts'
import { type SettlementLine, settlement_kinds } from '../../core/payments/settlements.ts'
import { isNameIn, namesOf } from '../../core/table-names.ts'
import { CsvFault, readCsv } from '../../core/text/formats/read-csv.ts'
import { readInstant } from '../../core/typed/formats.ts'

/** The columns of a file, each with what it is. Without `kind`, the sign of the amount decides. */
export const settlement_columns = {
  id: 'the name of the line, which no other line has',
  reference: 'the payment, refund or dispute, by our id or the name that the provider gave',
  amount: 'the amount before fees',
  currency: 'the currency as three letters',
  date: 'the day or the time of the operation',
  fee: 'what the provider kept of the amount',
  kind: `one of ${Object.keys(settlement_kinds).join(', ')}`,
} as const
type ColumnName = keyof typeof settlement_columns

/** Columns that a file may lack. */
const optional: readonly string[] = ['kind', 'fee']

export interface FileOptions {
  /** How the file names the columns, where it has names of its own. */
  readonly columns: Readonly<Partial<Record<ColumnName, string>>>
  /** Whether amounts are in the smallest unit of their currency, or in the major one: 10.50. */
  readonly amounts: 'minor' | 'major'
}

/** The `--map` option, such as `id=Line,amount=Gross`. */
export function readColumnMap(text: string): FileOptions['columns'] {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  const wrong = pairs.find(
    ([name = '', column]) => !Object.hasOwn(settlement_columns, name) || !column,
  )
  if (wrong) {
    const names = Object.keys(settlement_columns).join(', ')
    throw new PlainError(`--map is id=COLUMN,amount=COLUMN and so on; the names are ${names}.`)
  }
  return Object.fromEntries(pairs)
}

/** The same file has the same digest, whatever it is called. */
export async function digestOf(path: string, options: FileOptions): Promise<Buffer> {
  const hash = createHash('sha256').update(JSON.stringify(options))
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest()
}

/** The lines of a file, one after the other; a wrong one stops with its row and what is wrong with it. */
export async function* readSettlementFile(
  path: string,
  options: FileOptions,
): AsyncGenerator<SettlementLine> {
  let columnOf: ReadonlyMap<ColumnName, number> | null = null
  try {
    for await (const { number, cells } of readCsv(createReadStream(path, 'utf8'))) {
      if (!columnOf) columnOf = findColumns(cells, options)
      else yield readLine(number, cells, columnOf, options)
    }
  } catch (error) {
    throw error instanceof CsvFault ? new PlainError(error.message) : error
  }
  if (!columnOf)
    throw new PlainError('The file is empty. Its first row must contain the column names.')
}

function findColumns(
  names: readonly string[],
  { columns }: FileOptions,
): ReadonlyMap<ColumnName, number> {
  const wanted = namesOf(settlement_columns)
  const places = wanted.map((name): [ColumnName, number] => [
    name,
    names.findIndex((one) => one.trim() === (columns[name] ?? name)),
  ])
  const missing = places.filter(
    ([name, at]) => at < 0 && (!optional.includes(name) || columns[name]),
  )
  if (missing.length > 0) {
    const said = missing.map(([name]) => `${columns[name] ?? name} (${settlement_columns[name]})`)
    throw new PlainError(
      `The file lacks the columns ${said.join('; ')}. It has ${names.join(', ')}; name them with --map.`,
    )
  }
  return new Map(places.filter(([, at]) => at >= 0))
}

function readLine(
  number: number,
  cells: readonly string[],
  columnOf: ReadonlyMap<ColumnName, number>,
  { amounts }: FileOptions,
): SettlementLine {
  const cell = (name: ColumnName) => cells[columnOf.get(name) ?? -1]?.trim() ?? ''
  const faults: string[] = []
  const line_id = cell('id')
  const reference = cell('reference')
  for (const [name, text] of Object.entries({ id: line_id, reference })) {
    if (text === '' || text.length > 255) faults.push(`${name} must have 1 to 255 characters`)
  }
  const currency = cell('currency').toUpperCase()
  if (!isCurrency(currency)) faults.push('currency must be an ISO-4217 code, such as JPY')
  const amount = isCurrency(currency) ? readAmount(cell('amount'), currency, amounts) : 0
  if (amount === null) faults.push(`amount must be a number in the ${amounts} unit, not 0`)
  const fee_amount = isCurrency(currency) ? readFee(cell('fee'), currency, amounts) : null
  if (fee_amount === 'wrong') faults.push(`fee must be a number in the ${amounts} unit, or empty`)
  const booked_on = readInstant(cell('date'))
  if (!booked_on) faults.push('date must be a day, 2026-01-31, or a time')
  const named = columnOf.has('kind') ? cell('kind') : (amount ?? 0) < 0 ? 'refund' : 'payment'
  const kind = isNameIn(settlement_kinds, named) ? named : null
  if (kind === null) faults.push(`kind must be ${settlement_columns.kind}`)
  if (
    faults.length > 0 ||
    kind === null ||
    amount === null ||
    !booked_on ||
    fee_amount === 'wrong'
  ) {
    throw new PlainError(`Row ${number}: ${faults.join('; ')}.`)
  }
  const sign = settlement_kinds[kind]
  const money = { amount: sign * Math.abs(amount), fee_amount, currency }
  return { line_id, kind, reference, ...money, booked_on }
}

/** Null: the file does not say. */
function readFee(text: string, currency: string, unit: FileOptions['amounts']) {
  if (text === '') return null
  return /^[+-]?0+(?:\.0+)?$/.test(text) ? 0 : (readAmount(text, currency, unit) ?? 'wrong')
}

/** Exactly, without floating point; null: it is no amount. */
function readAmount(text: string, currency: string, unit: FileOptions['amounts']): number | null {
  const found = /^([+-]?)(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text)
  if (!found) return null
  const [, sign, whole = '', part = ''] = found
  const digits = unit === 'major' ? currencyDigits(currency) : 0
  if (part.replace(/0+$/, '').length > digits) return null
  const amount = Number(whole + part.slice(0, digits).padEnd(digits, '0'))
  if (amount === 0 || amount > max_amount) return null
  return sign === '-' ? -amount : amount
}
