import type { Kaikei, ListTransferLedgersQuery, PayoutLine } from '../../../api/call-api.ts'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { dateColumn } from '../../../parts/lists/table-columns.tsx'
import { IdText } from '../../../parts/values/id-text.tsx'
import { Money } from '../../../parts/values/money.tsx'
import { useWords } from '../../../words/language.tsx'
import { ledger_words } from '../../../words/ledger-words.ts'
import { ledger_screen_words } from '../ledger-screen-words.ts'
import { payout_words } from './payout-words.ts'

/** The ledger has what disputes take and give back as adjustments, with a note. */
const isDispute = (note: string | null) => note?.startsWith('dispute ') ?? false

interface Props {
  read: (
    api: Kaikei,
    query: ListTransferLedgersQuery,
  ) => PromiseLike<{ items: readonly PayoutLine[]; has_more: boolean }>
  path: string
  /** The transfer whose lines can be saved as a file; the next payout has none yet. */
  transfer_id?: string
}

/** The lines that a payout sums; a part of it is a filter in the address. */
export function PayoutLines({ read, path, transfer_id }: Props) {
  const words = useWords(ledger_screen_words)
  const { lines, part, parts } = useWords(payout_words)
  const { kinds } = useWords(ledger_words)
  const filters: readonly Filter[] = [
    { kind: 'choice', name: 'part', label: part, options: Object.entries(parts) },
  ]
  const columns: readonly Column<PayoutLine>[] = [
    dateColumn(words.date, true),
    {
      name: 'kind',
      label: words.kind,
      phone: 'title',
      show: ({ kind, note }) => (isDispute(note) ? parts.disputes : kinds[kind]),
    },
    {
      name: 'customer',
      label: words.customer,
      phone: 'side',
      show: ({ customer_name, customer_email }) => customer_name ?? customer_email,
    },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      name: 'cause',
      label: words.cause,
      show: ({ charge_id }) => charge_id && <IdText id={charge_id} />,
    },
  ]
  return (
    <section className="section">
      <h2>{lines}</h2>
      <ListView
        label={lines}
        columns={columns}
        filters={filters}
        {...(transfer_id ? { csv: 'payout_lines', csv_query: { transfer_id } } : {})}
        read={(api, query) => read(api, query as ListTransferLedgersQuery)}
        idOf={({ id }) => id}
        hrefOf={({ charge_id, store_id }) =>
          charge_id ? `/payments/${store_id}/${charge_id}` : path
        }
        empty={{ icon: 'ledger', title: words.nothing, text: words.nothing_text }}
      />
    </section>
  )
}
