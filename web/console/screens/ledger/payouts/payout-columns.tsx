import type { Transfer } from '../../../api/call-api.ts'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { moneyColumn, statusColumn } from '../../../parts/lists/table-columns.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatDay } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { status_words } from '../../../words/status-words.ts'
import { ledger_screen_words } from '../ledger-screen-words.ts'
import { payout_words } from './payout-words.ts'

const statuses = ['created', 'approved', 'processing', 'paid', 'failed', 'canceled'] as const

/** The days of a payout: `to` is the first instant that is not paid. */
export function usePayoutPeriod(): (from: string, to: string) => string {
  const { period_text } = useWords(payout_words)
  const { language } = useLanguage()
  const { zone, now } = useTimeFrame()
  const dayOf = (at: number) => formatDay(at, language, zone, now)
  return (from, to) => period_text(dayOf(Date.parse(from)), dayOf(Date.parse(to) - 1))
}

/** The common columns of all lists of payouts, the merchant's and the operator's. */
export function usePayoutColumns(): { columns: readonly Column<Transfer>[]; status: Filter } {
  const words = useWords(ledger_screen_words)
  const names = useWords(status_words)
  const periodText = usePayoutPeriod()
  return {
    columns: [
      moneyColumn(words.amount),
      statusColumn(words.status),
      {
        name: 'period',
        label: words.period,
        phone: 'title',
        show: ({ from, to }) => periodText(from, to),
      },
    ],
    status: {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: statuses.map((name) => [name, names[name]]),
    },
  }
}
