import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { BankAccount } from '../../../accounts/bank-accounts/bank-account.ts'
import type { Mode } from '../../../core/access/caller.ts'
import { PlainError } from '../../../core/api/plain-error.ts'
import { bankDayAfter, isBankDay, nextBankDay } from '../../../core/time/bank-days.ts'
import { default_zone } from '../../../core/time/schedule.ts'
import { halfWidth } from '../../../core/typed/half-width.ts'
import { inTransaction, newRow, type Service, type Transacting } from '../../../service.ts'
import type { BankFileTable } from '../../../store/tables/commerce/transfer-tables.ts'
import { seal, unseal } from '../../../vault/seal.ts'
import { moveTransferIn } from '../move-transfer.ts'
import type { Transfer } from '../transfer.ts'
import {
  bankFile,
  type ControlSum,
  headerRecord,
  type LineEnd,
  orderRecord,
  readBankFile,
  type Sender,
} from './bank-file.ts'
import { bankText } from './bank-text.ts'

export type BankFile = Selectable<BankFileTable>

export interface WantedFile {
  readonly sender: Sender
  /** The day of the transfers in Japan; null: the next one on which banks are open. */
  readonly day: string | null
  readonly mode: Mode
  readonly line_end: LineEnd
}

interface Line {
  readonly transfer: Transfer
  readonly text: string
}

/** The number and the sum of the transfers that a file would have now. */
export function previewBankFile(
  service: Service,
  wanted: WantedFile,
): Promise<ControlSum & { warnings: string[] }> {
  return inTransaction(service, async (tx) => {
    const { bytes, lines } = await prepare(tx, wanted)
    return { ...readBankFile(bytes), warnings: findAlike(lines) }
  })
}

/** Two transfers of one amount to one account may be one too many. */
function findAlike(lines: readonly Line[]): string[] {
  const known = new Map<string, string>()
  return lines.flatMap(({ transfer: { id }, text }) => {
    const payment = text.slice(1, 5) + text.slice(20, 23) + text.slice(42, 50) + text.slice(80, 90)
    const other = known.get(payment)
    known.set(payment, id)
    return other ? [`The transfers ${other} and ${id} pay one amount to one account.`] : []
  })
}

/**
 * Writes all approved transfers in yen into one file and moves them to processing, in one transaction: a
 * transfer is in one file at most, also when two are made at the same time.
 */
export function createBankFile(
  service: Service,
  wanted: WantedFile,
): Promise<{ file: BankFile; bytes: Buffer }> {
  return inTransaction(service, async (tx) => {
    const { day, header, lines, bytes } = await prepare(tx, wanted)
    const { count, total } = readBankFile(bytes)
    const { mode, line_end } = wanted
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = await tx.db
      .insertInto('bank_files')
      .values({ ...newRow(tx), mode, day, header, line_end, transfers: count, total, sha256 })
      .returningAll()
      .executeTakeFirstOrThrow()
    const rows = lines.map(({ transfer: { merchant_id, id }, text }, position) => {
      const line = seal(tx.keys.vault, contextOf(merchant_id, id), text)
      return { merchant_id, id, bank_file_id: file.id, position, line }
    })
    for (let at = 0; at < rows.length; at += rows_at_once) {
      await tx.db
        .insertInto('bank_file_lines')
        .values(rows.slice(at, at + rows_at_once))
        .execute()
    }
    for (const { transfer } of lines) {
      await moveTransferIn(tx, transfer.id, 'process', `bank file ${file.id}`)
    }
    return { file, bytes }
  })
}

const rows_at_once = 1000

/** The same bytes again. */
export async function readStoredFile(service: Service, id: string): Promise<Buffer> {
  const files = service.db.selectFrom('bank_files').selectAll().where('id', '=', id)
  const file = await files.executeTakeFirst()
  if (!file) throw new PlainError('There is no such file; "kaikei bank-files list" shows them.')
  const lines = await service.db
    .selectFrom('bank_file_lines')
    .selectAll()
    .where('bank_file_id', '=', id)
    .orderBy('position')
    .execute()
  const texts = lines.map(({ merchant_id, id: transfer_id, line }) =>
    unseal(service.keys.vault, contextOf(merchant_id, transfer_id), line).toString(),
  )
  return bankFile(file.header, texts, file.line_end)
}

const contextOf = (merchant_id: string, row_id: string) =>
  ({ table: 'bank_file_lines', column: 'line', merchant_id, row_id }) as const

async function prepare(tx: Transacting, { sender, day: given, mode, line_end }: WantedFile) {
  const day = readDay(given, tx.wall_clock.now())
  const header = headerRecord(sender, day)
  const transfers = await tx.db
    .selectFrom('transfers')
    .selectAll()
    .where('status', '=', 'approved')
    .where('mode', '=', mode)
    .where('currency', '=', 'JPY')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (transfers.length === 0) throw new PlainError('No transfer in yen is approved.')
  const ids = transfers.flatMap(({ bank_account_id }) => bank_account_id ?? [])
  const found = ids.length === 0 ? [] : await accountsOf(tx, [...new Set(ids)])
  const accounts = new Map(found.map((account) => [account.id, account]))
  const faults: string[] = []
  const lines = transfers.flatMap((transfer): Line[] => {
    try {
      return [{ transfer, text: writeLine(tx, transfer, accounts) }]
    } catch (error) {
      if (!(error instanceof PlainError)) throw error
      faults.push(`Transfer ${transfer.id} of merchant ${transfer.merchant_id}: ${error.message}`)
      return []
    }
  })
  if (faults.length > 0) {
    throw new PlainError(['No file was written.', ...faults].join('\n'))
  }
  const texts = lines.map(({ text }) => text)
  return { day, header, lines, bytes: bankFile(header, texts, line_end) }
}

function accountsOf(tx: Transacting, ids: string[]): Promise<BankAccount[]> {
  return tx.db.selectFrom('bank_accounts').selectAll().where('id', 'in', ids).execute()
}

/** Banks take orders for days on which they are open, from today on. */
function readDay(day: string | null, now_ms: number): string {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: default_zone }).format(now_ms)
  if (day === null) return bankDayAfter(today)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new PlainError(`The date must be a day such as 2026-11-30, and not "${day}".`)
  }
  if (day < today) throw new PlainError(`${day} is past: today is ${today}.`)
  if (!isBankDay(day)) {
    throw new PlainError(`Banks are closed on ${day}. The next day is ${nextBankDay(day)}.`)
  }
  return day
}

/** The code of the bank, four digits, and of its branch, three. */
const japanese_routing = /^(\d{4})-?(\d{3})$/

function writeLine(
  tx: Transacting,
  { id, amount, bank_account_id }: Transfer,
  accounts: ReadonlyMap<string, BankAccount>,
): string {
  const account = accounts.get(bank_account_id ?? '')
  if (!account) throw new PlainError('It has no bank account.')
  const { merchant_id, holder_name, bank_name, branch_name, account_type } = account
  if (account.country !== 'JP') throw new PlainError('Its bank account is not in Japan.')
  const [, bank_code, branch_code] =
    japanese_routing.exec(halfWidth(account.routing_number ?? '')) ?? []
  if (!bank_code || !branch_code) {
    throw new PlainError('Its routing_number must be bank and branch, such as 0001-001.')
  }
  const context = { table: 'bank_accounts', column: 'account_number', merchant_id } as const
  const number = unseal(tx.keys.vault, { ...context, row_id: account.id }, account.account_number)
  const account_number = number.toString().replaceAll('-', '')
  if (!/^\d{1,7}$/.test(account_number)) {
    throw new PlainError('Its account number must have at most seven digits.')
  }
  return orderRecord({
    bank_code,
    bank_name: optionalName(bank_name),
    branch_code,
    branch_name: optionalName(branch_name ?? ''),
    account_type: account_type === 'savings' ? 'ordinary' : 'current',
    account_number,
    payee: requireName(holder_name),
    amount,
    reference: `TR-${id.slice(-12)}`,
  })
}

function requireName(name: string): string {
  const text = bankText(name, 'person', 30)
  if (text === '') throw new PlainError('Its account has no holder.')
  return text
}

/** Banks find an account by its codes: a name that the file cannot hold is left out. */
function optionalName(name: string): string {
  try {
    return bankText(name, 'bank', 15)
  } catch {
    return ''
  }
}
