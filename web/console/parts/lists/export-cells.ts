import { isNameIn } from '../../../../src/core/table-names.ts'
import type { CsvValue } from '../../../../src/core/text/formats/csv.ts'
import { useBrandName } from '../../words/brand-words.ts'
import { export_words } from '../../words/export-words.ts'
import { formatFileTime } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { method_words, status_words } from '../../words/status-words.ts'
import { useTimeFrame } from '../values/time-text.tsx'

const times: readonly string[] = ['created_on', 'payout_on', 'bank_transfer_latest_deposit_date']
const statuses: readonly string[] = ['status', 'payout_status', 'bank_transfer_payment_status']

/** The name of an export column and the text of its values, in the language of the console. */
export function useExportCells() {
  const words = useWords(export_words)
  const status = useWords(status_words)
  const methods = useWords(method_words)
  const { kinds, accounts, dispute_steps } = useWords(ledger_words)
  const brandName = useBrandName()
  const { zone } = useTimeFrame()
  const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...Object.fromEntries(statuses.map((name) => [name, status])),
    payment_type: methods,
    type: words.types,
    mode: words.modes,
    kind: kinds,
    account: accounts,
    note: Object.fromEntries(
      Object.entries(dispute_steps).map(([step, text]) => [`dispute ${step}`, text]),
    ),
  }
  const headerOf = (column: string) =>
    isNameIn(words.columns, column) ? words.columns[column] : column
  const cellOf = (column: string, text: string): CsvValue => {
    if (text === '') return null
    if (times.includes(column)) return formatFileTime(Date.parse(text), zone)
    if (column === 'brand') return brandName(text)
    const table = tables[column]
    if (table) return table[text] ?? text
    // Digits that are no number: of a card, or with a zero in front.
    if (column === 'last_four') return text
    return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : text
  }
  return { headerOf, cellOf }
}
