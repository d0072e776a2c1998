import { Link, useParams } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type {
  CustomerDetails,
  CustomerToken,
  HistoryItem,
  ListTransactionHistoryQuery,
  SubscriptionItem,
} from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import {
  dateColumn,
  idColumn,
  moneyColumn,
  statusColumn,
} from '../../parts/lists/table-columns.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { RecordScreen } from '../../parts/screen/record-screen.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { customers_words } from './customers-words.ts'

const few = 10

/** One customer: what they paid, with what, and what they will pay. */
export function CustomerScreen() {
  const words = useWords(customers_words)
  const { customer_key } = useParams() as { customer_key: string }
  const customer = useRead((api) => api.customers.get(customer_key))
  const nameOf = ({ name, email }: CustomerDetails) => name ?? email ?? words.no_name
  return (
    <RecordScreen
      back={{ href: '/customers', label: words.title }}
      query={customer}
      titleOf={nameOf}
      head={(data) => ({ heading: nameOf(data), is_name: true })}
    >
      {(data) => (
        <>
          <KeyValues
            rows={[
              [words.email, data.email],
              [words.customer_id, data.customer_id && <IdText id={data.customer_id} whole />],
              [words.since, <TimeText key="since" at={data.created_on} exact />],
            ]}
          />
          <Totals customer={data} />
          <Methods tokens={data.tokens} />
          <Payments customer={data} />
          {data.email && <Subscriptions email={data.email} />}
        </>
      )}
    </RecordScreen>
  )
}

function Totals({ customer }: { customer: CustomerDetails }) {
  const words = useWords(customers_words)
  if (customer.totals.length === 0) return <p className="none-yet">{words.no_totals}</p>
  return (
    <div className="figures">
      {customer.totals.map(({ currency, amount, refunded_amount, successful, failed }) => (
        <dl key={currency} className="figure">
          <dt>{words.paid}</dt>
          <dd className="figure-value">
            <Money amount={amount} currency={currency} with_code />
          </dd>
          <dd>
            {words.successful}: {successful} · {words.failed}: {failed}
          </dd>
          {refunded_amount > 0 && (
            <dd>
              {words.refunded}: <Money amount={refunded_amount} currency={currency} />
            </dd>
          )}
        </dl>
      ))}
    </div>
  )
}

function Methods({ tokens }: { tokens: readonly CustomerToken[] }) {
  const words = useWords(customers_words)
  const methods = useWords(method_words)
  const columns: readonly Column<CustomerToken>[] = [
    {
      name: 'method',
      label: words.method,
      phone: 'title',
      show: ({ payment_type, brand, last_four }) =>
        [methods[payment_type], brand?.replaceAll('_', ' '), last_four && words.ending(last_four)]
          .filter(Boolean)
          .join(' '),
    },
    { name: 'kind', label: words.kind, phone: 'note', show: ({ type }) => words.kinds[type] },
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ active }) => (active ? words.usable : words.unusable),
    },
    {
      name: 'used',
      label: words.used,
      phone: 'value',
      show: ({ last_used_on }) => last_used_on && <TimeText at={last_used_on} />,
    },
    idColumn('ID', ({ id }) => id),
  ]
  return (
    <TableSection
      title={words.methods}
      none={words.no_methods}
      columns={columns}
      rows={tokens}
      idOf={({ id }) => id}
    />
  )
}

/** Of the customer: by the id where there is one, else by the e-mail. */
function Payments({ customer }: { customer: CustomerDetails }) {
  const words = useWords(customers_words)
  const { customer_id, email } = customer
  const filter: Record<string, string> = customer_id ? { customer_id } : { email: email ?? '' }
  const { data, error } = useRead((api) =>
    api.history.list({ ...filter, limit: few } as ListTransactionHistoryQuery),
  )
  const columns: readonly Column<HistoryItem>[] = [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'title',
      show: ({ type, amount, currency }) => (
        <Money amount={type === 'refund' ? -amount : amount} currency={currency} with_code />
      ),
    },
    statusColumn(words.status),
    dateColumn(words.date),
  ]
  return (
    <TableSection
      title={words.payments}
      none={words.no_payments}
      columns={columns}
      rows={data?.items}
      idOf={({ resource_id }) => resource_id}
      hrefOf={({ store_id, charge_id }) => `/payments/${store_id}/${charge_id}`}
      error={error}
    >
      <Link href={`/payments?${new URLSearchParams(filter)}`}>{words.all_payments}</Link>
    </TableSection>
  )
}

function Subscriptions({ email }: { email: string }) {
  const words = useWords(customers_words)
  const { data, error } = useRead((api) => api.subscriptions.list({ search: email, limit: few }))
  const columns: readonly Column<SubscriptionItem>[] = [
    { ...moneyColumn(words.amount), phone: 'title' },
    statusColumn(words.status),
    {
      name: 'next',
      label: words.next,
      phone: 'note',
      show: ({ next_payment }) => next_payment?.due_date,
    },
  ]
  return (
    <TableSection
      title={words.subscriptions}
      none={words.no_subscriptions}
      columns={columns}
      rows={data?.items}
      idOf={({ id }) => id}
      hrefOf={({ store_id, id }) => `/subscriptions/${store_id}/${id}`}
      error={error}
    />
  )
}
