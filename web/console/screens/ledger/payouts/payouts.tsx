import type { ListTransfersQuery, Transfer } from '../../../api/call-api.ts'
import type { Column } from '../../../parts/lists/data-table.tsx'
import type { Filter } from '../../../parts/lists/filters.tsx'
import { ListView } from '../../../parts/lists/list-view.tsx'
import { dateColumn, idColumn } from '../../../parts/lists/table-columns.tsx'
import { useWords } from '../../../words/language.tsx'
import { ledger_screen_words } from '../ledger-screen-words.ts'
import { NextPayouts } from './next-payout.tsx'
import { usePayoutColumns } from './payout-columns.tsx'
import { payout_words } from './payout-words.ts'

/** What was paid to the merchant. */
export function Payouts() {
  const words = useWords(ledger_screen_words)
  const payout = useWords(payout_words)
  const shared = usePayoutColumns()
  const filters: readonly Filter[] = [
    shared.status,
    { kind: 'text', name: 'currency', label: words.currency },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
  ]
  const columns: readonly Column<Transfer>[] = [
    ...shared.columns,
    dateColumn(words.date),
    idColumn(words.id, ({ id }) => id),
  ]
  return (
    <>
      <section className="section">
        <h2>{payout.next}</h2>
        <NextPayouts />
      </section>
      <ListView
        label={words.payouts}
        columns={columns}
        filters={filters}
        read={(api, query) => api.transfers.list(query as ListTransfersQuery)}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/ledger/payouts/${id}`}
        empty={{ icon: 'ledger', title: words.no_payouts, text: words.no_payouts_text }}
      />
    </>
  )
}
