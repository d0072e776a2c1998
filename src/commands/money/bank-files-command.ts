import { readFileSync, writeFileSync } from 'node:fs'
import Type from 'typebox'
import Value from 'typebox/value'
import {
  account_types,
  readBankFile,
  type Sender,
} from '../../commerce/transfers/bank-files/bank-file.ts'
import {
  type BankFile,
  createBankFile,
  previewBankFile,
  readStoredFile,
} from '../../commerce/transfers/bank-files/create-bank-file.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { namesOf } from '../../core/table-names.ts'
import type { Run } from '../command-table.ts'
import { moneyText, showJson, showList, timeText } from '../line/show.ts'
import { withService } from '../line/with-service.ts'

const max_listed = 100
const digits = (count: number) => Type.String({ pattern: `^\\d{${count}}$` })
const SenderShape = Type.Object({
  code: digits(10),
  name: Type.String({ minLength: 1 }),
  bank_code: digits(4),
  bank_name: Type.Optional(Type.String()),
  branch_code: digits(3),
  branch_name: Type.Optional(Type.String()),
  account_type: Type.Enum([...namesOf(account_types)]),
  account_number: Type.String({ pattern: '^\\d{1,7}$' }),
})

function readSender(path: string): Sender {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new PlainError(`${path} cannot be read as JSON: ${(error as Error).message}`)
  }
  if (!Value.Check(SenderShape, given)) {
    const wrong = Value.Errors(SenderShape, given).map(({ instancePath, message }) =>
      `${instancePath.slice(1)} ${message}`.trim(),
    )
    throw new PlainError(`${path} does not describe the account that pays: ${wrong.join('; ')}.`)
  }
  return { bank_name: '', branch_name: '', ...given }
}

const nameOf = (day: string, id: string) => `transfers-${day}-${id.slice(-8)}.txt`

/** Writes a file that is not there yet, and reads it again. */
function write(path: string, bytes: Buffer) {
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600, flush: true })
  return { written: path, ...readBankFile(readFileSync(path)) }
}

export const createBankFileCommand: Run<'bank-files create'> = async (context, args, options) => {
  const { date: day = null, mode = 'live', out } = options
  const line_end = options['line-ends'] ?? 'crlf'
  const wanted = { sender: readSender(args[0] ?? ''), day, mode, line_end }
  await withService(context.config, async ({ service }) => {
    if (options.preview) {
      showJson(context.terminal, await previewBankFile(service, wanted))
      return
    }
    const { file, bytes } = await createBankFile(service, wanted)
    const { id, sha256, day: date } = file
    showJson(context.terminal, { id, date, sha256, ...write(out ?? nameOf(date, id), bytes) })
  })
  return 0
}

export const listBankFilesCommand: Run<'bank-files list'> = async (context, _, options) => {
  const files = await withService(context.config, ({ service }) =>
    service.db
      .selectFrom('bank_files')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(max_listed)
      .execute(),
  )
  showList<BankFile>(
    context.terminal,
    files,
    [
      { title: 'ID', text: (one) => one.id },
      { title: 'DATE', text: (one) => one.day },
      { title: 'TRANSFERS', text: (one) => String(one.transfers), align: 'right' },
      { title: 'TOTAL', text: (one) => moneyText(one.total, 'JPY'), align: 'right' },
      { title: 'MODE', text: (one) => one.mode },
      { title: 'CREATED', text: (one) => timeText(one.created_on.toISOString()) },
      { title: 'SHA-256', text: (one) => one.sha256, shrinks: true },
    ],
    options,
  )
  return 0
}

export const writeBankFileCommand: Run<'bank-files write'> = async (
  context,
  [id = ''],
  { out },
) => {
  await withService(context.config, async ({ service }) => {
    const bytes = await readStoredFile(service, id)
    showJson(context.terminal, { id, ...write(out ?? nameOf('again', id), bytes) })
  })
  return 0
}
