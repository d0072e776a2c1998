import { PlainError } from '../../../core/api/plain-error.ts'
import { bankBytes, bankText, textOfBytes } from './bank-text.ts'

/** The account that the transfers are paid from. */
export interface Sender {
  /** The code that the bank gave for transfers of this account, ten digits. */
  readonly code: string
  readonly name: string
  readonly bank_code: string
  readonly bank_name: string
  readonly branch_code: string
  readonly branch_name: string
  readonly account_type: AccountType
  readonly account_number: string
}

export const account_types = { ordinary: 1, current: 2, savings: 4, other: 9 } as const
export type AccountType = keyof typeof account_types

/** One payee of a file. */
export interface BankOrder {
  readonly bank_code: string
  readonly bank_name: string
  readonly branch_code: string
  readonly branch_name: string
  readonly account_type: AccountType
  readonly account_number: string
  readonly payee: string
  readonly amount: number
  /** Travels to the payee's bank, at most 20 bytes. Or two codes of the customer. */
  readonly reference: string | readonly [string, string]
}

export const line_ends = { crlf: '\r\n', none: '' } as const
export type LineEnd = keyof typeof line_ends

const record_bytes = 120
const max_amount = 9_999_999_999
export const max_orders = 999_999

/** A field of a record: digits are filled with zeros on the left, text with spaces on the right. */
type Cell = readonly [value: string | number, length: number, kind: 'N' | 'C']

function record(cells: readonly Cell[]): string {
  const text = cells.map(([value, length, kind]) => fill(String(value), length, kind)).join('')
  return text.padEnd(record_bytes, ' ')
}

function fill(value: string, length: number, kind: 'N' | 'C'): string {
  if (kind === 'N' && !/^\d*$/.test(value)) throw new PlainError(`"${value}" has not only digits.`)
  if (value.length > length) throw new PlainError(`"${value}" is longer than ${length} characters.`)
  return kind === 'N' ? value.padStart(length, '0') : value.padEnd(length, ' ')
}

/** Kind of the file: general transfers. */
const transfers_kind = 21

/** The record at the beginning of a file. The day is a day of banks, without its year. */
export function headerRecord(sender: Sender, day: string): string {
  return record([
    [1, 1, 'N'],
    [transfers_kind, 2, 'N'],
    [0, 1, 'N'],
    [sender.code, 10, 'N'],
    [bankText(sender.name, 'person', 40), 40, 'C'],
    [day.slice(5).replace('-', ''), 4, 'N'],
    [sender.bank_code, 4, 'N'],
    [bankText(sender.bank_name, 'bank', 15), 15, 'C'],
    [sender.branch_code, 3, 'N'],
    [bankText(sender.branch_name, 'bank', 15), 15, 'C'],
    [account_types[sender.account_type], 1, 'N'],
    [sender.account_number, 7, 'N'],
  ])
}

/** The record of a payee. */
export function orderRecord(order: BankOrder): string {
  const { amount, reference } = order
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > max_amount) {
    throw new PlainError(`The amount ${amount} is not between 1 and ${max_amount}.`)
  }
  const has_text = typeof reference === 'string'
  const referred: readonly Cell[] = has_text
    ? [[bankText(reference, 'reference', 20), 20, 'C']]
    : [
        [reference[0], 10, 'N'],
        [reference[1], 10, 'N'],
      ]
  return record([
    [2, 1, 'N'],
    [order.bank_code, 4, 'N'],
    [bankText(order.bank_name, 'bank', 15), 15, 'C'],
    [order.branch_code, 3, 'N'],
    [bankText(order.branch_name, 'bank', 15), 15, 'C'],
    // The clearing houses were closed in 2022.
    [0, 4, 'N'],
    [account_types[order.account_type], 1, 'N'],
    [order.account_number, 7, 'N'],
    [bankText(order.payee, 'person', 30), 30, 'C'],
    [amount, 10, 'N'],
    [0, 1, 'N'],
    ...referred,
    // By telegraphic transfer, the only kind that is left.
    [7, 1, 'N'],
    [has_text ? 'Y' : '', 1, 'C'],
  ])
}

/** A file of its records, with their number and sum at its end. */
export function bankFile(header: string, orders: readonly string[], line_end: LineEnd): Buffer {
  if (orders.length > max_orders) throw new PlainError(`A file has ${max_orders} lines at most.`)
  const total = orders.reduce((sum, order) => sum + amountOf(order), 0)
  const trailer = record([
    [8, 1, 'N'],
    [orders.length, 6, 'N'],
    [total, 12, 'N'],
  ])
  const records = [header, ...orders, trailer, record([[9, 1, 'N']])]
  return bankBytes(records.map((one) => one + line_ends[line_end]).join(''))
}

const amountOf = (order: string) => Number(order.slice(80, 90))

/** The number of orders in a file and their sum, read again from its bytes. */
export interface ControlSum {
  readonly count: number
  readonly total: number
}

/** Reads a file as a bank does, record by record; throws when its order, lengths or sums are wrong. */
export function readBankFile(bytes: Buffer): ControlSum {
  const text = textOfBytes(bytes)
  const step = text.slice(record_bytes, record_bytes + 2) === '\r\n' ? 2 : 0
  const records: string[] = []
  for (let at = 0; at < text.length; at += record_bytes + step) {
    const one = text.slice(at, at + record_bytes)
    const end = text.slice(at + record_bytes, at + record_bytes + step)
    if (one.length !== record_bytes || end !== '\r\n'.slice(0, step)) {
      throw new PlainError(`Record ${records.length + 1} has not ${record_bytes} bytes.`)
    }
    records.push(one)
  }
  const kinds = records.map((one) => one[0]).join('')
  if (!/^12*89$/.test(kinds))
    throw new PlainError('The records are not in the order of a bank file.')
  const orders = records.slice(1, -2)
  const total = orders.reduce((sum, order) => sum + amountOf(order), 0)
  const trailer = records.at(-2) ?? ''
  const stated = { count: Number(trailer.slice(1, 7)), total: Number(trailer.slice(7, 19)) }
  if (stated.count !== orders.length || stated.total !== total) {
    throw new PlainError(
      'The number and the sum at the end of the file are not those of its lines.',
    )
  }
  return stated
}
