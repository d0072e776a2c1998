import type { LedgerEntryItem, ListLedgerEntriesQuery } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { ledger_screen_words } from './ledger-screen-words.ts'

/** Entries, newest first; each leads to the charge that caused it. */
export function LedgerEntries() {
  const words = useWords(ledger_screen_words)
  const filters = useFilters()
  const columns = useColumns()
  return (
    <ListView
      label={words.entry_list}
      columns={columns}
      filters={filters}
      csv="ledger_entries"
      read={(api, query, store_id) =>
        api.ledgers.listEntries({
          ...query,
          ...(store_id ? { store_id } : {}),
        } as ListLedgerEntriesQuery)
      }
      idOf={({ id, line }) => `${id} ${line}`}
      cursorOf={({ id }) => id}
      hrefOf={causeOf}
      empty={{ icon: 'ledger', title: words.nothing, text: words.nothing_text }}
    />
  )
}

function causeOf({ charge_id, store_id, transfer_id }: LedgerEntryItem): string {
  if (charge_id) return `/payments/${store_id}/${charge_id}`
  return transfer_id ? `/ledger/payouts/${transfer_id}` : '/ledger?tab=entries'
}

function useFilters(): readonly Filter[] {
  const words = useWords(ledger_screen_words)
  const { accounts } = useWords(ledger_words)
  return [
    { kind: 'choice', name: 'account', label: words.account, options: Object.entries(accounts) },
    { kind: 'text', name: 'currency', label: words.currency },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
    { kind: 'text', name: 'charge_id', label: words.charge },
    { kind: 'text', name: 'transfer_id', label: words.transfer },
  ]
}

function useColumns(): readonly Column<LedgerEntryItem>[] {
  const words = useWords(ledger_screen_words)
  const { accounts, kinds, dispute_steps } = useWords(ledger_words)
  const steps: Readonly<Record<string, string>> = dispute_steps
  const noteText = (note: string | null) => note && (steps[note.replace('dispute ', '')] ?? note)
  return [
    {
      name: 'date',
      label: words.date,
      phone: 'note',
      show: ({ created_on }) => <TimeText at={created_on} exact />,
    },
    { name: 'kind', label: words.kind, phone: 'title', show: ({ kind }) => kinds[kind] },
    {
      name: 'account',
      label: words.account,
      phone: 'side',
      show: ({ account }) => accounts[account],
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
      show: ({ charge_id, transfer_id }) => {
        const id = charge_id ?? transfer_id
        return id && <IdText id={id} />
      },
    },
    { name: 'note', label: words.note, show: ({ note }) => noteText(note) },
  ]
}
