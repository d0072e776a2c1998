import type { ListTransfersQuery, Transfer } from '../../api/call-api.ts'
import type { Column } from '../../parts/data-table.tsx'
import type { Filter } from '../../parts/filters.tsx'
import { IdText } from '../../parts/id-text.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Money } from '../../parts/money.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { TimeText } from '../../parts/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { status_words } from '../../words/status-words.ts'
import { ledger_screen_words } from './ledger-screen-words.ts'

const statuses = ['created', 'approved', 'processing', 'paid', 'failed', 'canceled'] as const

/** What was paid to the merchant. */
export function Payouts() {
  const words = useWords(ledger_screen_words)
  const status = useWords(status_words)
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: statuses.map((name) => [name, status[name]]),
    },
    { kind: 'text', name: 'currency', label: words.currency },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
  ]
  const columns: readonly Column<Transfer>[] = [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} with_code />,
    },
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status: name }) => <StatusBadge status={name} />,
    },
    {
      name: 'period',
      label: words.period,
      phone: 'title',
      show: ({ from, to }) => `${from} – ${to}`,
    },
    {
      name: 'date',
      label: words.date,
      phone: 'note',
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
    { name: 'id', label: words.id, show: ({ id }) => <IdText id={id} /> },
  ]
  return (
    <ListView
      name="transfers"
      label={words.payouts}
      columns={columns}
      filters={filters}
      read={(api, query) => api.transfers.list(query as ListTransfersQuery)}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/ledger/payouts/${id}`}
      empty={{ icon: 'ledger', title: words.no_payouts, text: words.no_payouts_text }}
    />
  )
}
