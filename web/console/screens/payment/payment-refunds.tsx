import type { Ledger, Refund } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import {
  dateColumn,
  idColumn,
  moneyColumn,
  statusColumn,
} from '../../parts/lists/table-columns.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { useFailureText } from '../../words/charge-error-words.ts'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { payment_words } from './payment-words.ts'

export function PaymentRefunds({ refunds }: { refunds: readonly Refund[] }) {
  const words = useWords(payment_words)
  const failureText = useFailureText()
  const columns: Column<Refund>[] = [
    moneyColumn(words.amount),
    statusColumn(words.status),
    {
      name: 'reason',
      label: words.reason,
      phone: 'title',
      show: ({ reason, message, error }) =>
        error ? failureText(error) : (message ?? words.reasons[reason ?? 'none']),
    },
    dateColumn(words.date),
    idColumn(words.id, ({ id }) => id),
  ]
  return (
    <TableSection
      title={words.refunds}
      none={words.no_refunds}
      columns={columns}
      rows={refunds}
      idOf={({ id }) => id}
    />
  )
}

interface Posting {
  readonly id: string
  readonly kind: Ledger['kind']
  readonly account: Ledger['entries'][number]['account']
  readonly amount: number
  readonly currency: string
  readonly created_on: string
}

function postingsOf({ id, kind, entries, created_on }: Ledger): Posting[] {
  return entries.map((entry, at) => ({ id: `${id}/${at}`, kind, created_on, ...entry }))
}

/** Every posting of the payment: debits positive, credits negative, each group sums to zero. */
export function PaymentLedger({ ledgers }: { ledgers: readonly Ledger[] | undefined }) {
  const words = useWords(payment_words)
  const { kinds, accounts } = useWords(ledger_words)
  const columns: Column<Posting>[] = [
    { name: 'kind', label: words.posting, phone: 'note', show: ({ kind }) => kinds[kind] },
    {
      name: 'account',
      label: words.account,
      phone: 'title',
      show: ({ account }) => accounts[account],
    },
    moneyColumn(words.amount),
    { ...dateColumn<Posting>(words.date), phone: 'side' },
  ]
  return (
    <TableSection
      title={words.ledger}
      none={words.no_ledger}
      columns={columns}
      rows={ledgers?.flatMap(postingsOf)}
      idOf={({ id }) => id}
    />
  )
}
