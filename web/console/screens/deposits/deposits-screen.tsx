import { typesWhere } from '../../../../src/methods/method-facts.ts'
import type { Deposit, ListDepositsQuery } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { deposits_words } from './deposits-words.ts'

/** Payments at convenience stores or by transfer: expected, arrived, held, returned. */
export function DepositsScreen() {
  const words = useWords(deposits_words)
  const filters = useFilters()
  const columns = useColumns()
  return (
    <>
      <ScreenTitle title={words.title} />
      <p className="screen-intro">{words.intro}</p>
      <ListView
        label={words.list}
        columns={columns}
        filters={filters}
        read={(api, { status, ...query }, store_id) =>
          api.deposits.list({
            ...query,
            ...(status ? { status: String(status).split(',') } : {}),
            ...(store_id ? { store_id } : {}),
          } as ListDepositsQuery)
        }
        idOf={({ id }) => id}
        hrefOf={({ store_id, charge_id }) => `/payments/${store_id}/${charge_id}`}
        empty={{ icon: 'deposits', title: words.empty_title, text: words.empty_text }}
        refresh_ms={10_000}
      />
    </>
  )
}

const deposit_types = typesWhere(({ deposit }) => deposit !== null)

function useFilters(): readonly Filter[] {
  const words = useWords(deposits_words)
  const methods = useWords(method_words)
  return [
    {
      kind: 'several',
      name: 'status',
      label: words.status,
      options: Object.entries(words.statuses),
    },
    {
      kind: 'choice',
      name: 'payment_type',
      label: words.method,
      options: deposit_types.map((type) => [type, methods[type]] as const),
    },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
    { kind: 'text', name: 'charge_id', label: words.charge },
  ]
}

function useColumns(): readonly Column<Deposit>[] {
  const words = useWords(deposits_words)
  const methods = useWords(method_words)
  const some = (amount: number, currency: string) =>
    amount > 0 && <Money amount={amount} currency={currency} />
  return [
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
      show: ({ status }) => <StatusBadge status={status} word={words.statuses[status]} />,
    },
    {
      name: 'customer',
      label: words.customer,
      phone: 'title',
      show: ({ name, email }) => name || email || <span className="none">{words.no_name}</span>,
    },
    { name: 'method', label: words.method, show: ({ payment_type }) => methods[payment_type] },
    {
      name: 'applied',
      label: words.applied,
      align: 'right',
      show: ({ applied_amount, currency }) => some(applied_amount, currency),
    },
    {
      name: 'back',
      label: words.back,
      align: 'right',
      show: ({ return_amount, currency }) => some(return_amount, currency),
    },
    {
      name: 'until',
      label: words.until,
      show: ({ expires_on }) => expires_on && <TimeText at={expires_on} exact />,
    },
    {
      name: 'date',
      label: words.date,
      phone: 'note',
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
}
