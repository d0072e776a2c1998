import type { Transfer } from '../../../api/call-api.ts'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { moneyColumn, statusColumn } from '../../../parts/lists/table-columns.tsx'
import { useWords } from '../../../words/language.tsx'
import { status_words } from '../../../words/status-words.ts'
import { ledger_screen_words } from '../ledger-screen-words.ts'

const statuses = ['created', 'approved', 'processing', 'paid', 'failed', 'canceled'] as const

/** What every list of payouts has, that of a merchant and that of the operator. */
export function usePayoutColumns(): { columns: readonly Column<Transfer>[]; status: Filter } {
  const words = useWords(ledger_screen_words)
  const names = useWords(status_words)
  return {
    columns: [
      moneyColumn(words.amount),
      statusColumn(words.status),
      {
        name: 'period',
        label: words.period,
        phone: 'title',
        show: ({ from, to }) => `${from} – ${to}`,
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
