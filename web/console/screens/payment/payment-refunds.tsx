import type { Ledger, Refund } from '../../api/call-api.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { IdText } from '../../parts/id-text.tsx'
import { Money } from '../../parts/money.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { TimeText } from '../../parts/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { payment_words } from './payment-words.ts'

export function PaymentRefunds({ refunds }: { refunds: readonly Refund[] }) {
  const words = useWords(payment_words)
  const columns: Column<Refund>[] = [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <StatusBadge status={status} />,
    },
    {
      name: 'reason',
      label: words.reason,
      phone: 'title',
      show: ({ reason, message, error }) =>
        error?.message ?? message ?? words.reasons[reason ?? 'none'],
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
    <section className="section">
      <h2>{words.refunds}</h2>
      <DataTable
        label={words.refunds}
        columns={columns}
        rows={refunds}
        idOf={({ id }) => id}
        empty={<p className="none-yet">{words.no_refunds}</p>}
      />
    </section>
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
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      name: 'date',
      label: words.date,
      phone: 'side',
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
  return (
    <section className="section">
      <h2>{words.ledger}</h2>
      <DataTable
        label={words.ledger}
        columns={columns}
        rows={ledgers?.flatMap(postingsOf)}
        idOf={({ id }) => id}
        empty={<p className="none-yet">{words.no_ledger}</p>}
      />
    </section>
  )
}
