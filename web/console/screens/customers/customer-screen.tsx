import { Link, useParams } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type {
  CustomerDetails,
  CustomerDispute,
  CustomerSubscription,
  CustomerToken,
  HistoryItem,
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
import { MixedCurrencies, Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { disputes_words } from '../disputes/disputes-words.ts'
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
              [
                words.customer_id,
                data.customer_ids.length > 0 && (
                  <span key="ids" className="id-list">
                    {data.customer_ids.map((id) => (
                      <IdText key={id} id={id} whole />
                    ))}
                  </span>
                ),
              ],
            ]}
          />
          <Totals customer={data} />
          <Methods tokens={data.tokens} />
          <Subscriptions subscriptions={data.subscriptions} />
          <Payments customer_key={data.id} />
          <Refunds customer_key={data.id} />
          {data.disputes.length > 0 && <Disputes disputes={data.disputes} />}
        </>
      )}
    </RecordScreen>
  )
}

function Totals({ customer }: { customer: CustomerDetails }) {
  const words = useWords(customers_words)
  if (customer.totals.length === 0) return <p className="none-yet">{words.no_totals}</p>
  return (
    <MixedCurrencies value={customer.totals.length > 1}>
      <div className="figures">
        {customer.totals.map(
          ({ currency, amount, refunded_amount, successful, failed, first_on, last_on }) => (
            <dl key={currency} className="figure">
              <dt>{words.paid}</dt>
              <dd className="figure-value">
                <Money amount={amount} currency={currency} />
              </dd>
              <dd>
                {words.successful}: {successful} · {words.failed}: {failed}
              </dd>
              {refunded_amount > 0 && (
                <dd>
                  {words.refunded}: <Money amount={refunded_amount} currency={currency} />
                </dd>
              )}
              {first_on && last_on && (
                <dd>
                  {words.first}: <TimeText at={first_on} exact /> · {words.last}:{' '}
                  <TimeText at={last_on} exact />
                </dd>
              )}
            </dl>
          ),
        )}
      </div>
    </MixedCurrencies>
  )
}

function Methods({ tokens }: { tokens: readonly CustomerToken[] }) {
  const words = useWords(customers_words)
  const methods = useWords(method_words)
  const brandName = useBrandName()
  const columns: readonly Column<CustomerToken>[] = [
    {
      name: 'method',
      label: words.method,
      phone: 'title',
      show: ({ payment_type, brand, last_four }) =>
        [methods[payment_type], brand && brandName(brand), last_four && words.ending(last_four)]
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

function usePayments(customer_key: string, type: 'charge' | 'refund') {
  return useRead((api) => api.history.list({ customer_key, type, limit: few }))
}

function useHistoryColumns(): readonly Column<HistoryItem>[] {
  const words = useWords(customers_words)
  return [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'title',
      show: ({ type, amount, currency }) => (
        <Money amount={type === 'refund' ? -amount : amount} currency={currency} />
      ),
    },
    statusColumn(words.status),
    dateColumn(words.date),
  ]
}

const historyHref = ({ store_id, charge_id }: HistoryItem) => `/payments/${store_id}/${charge_id}`

function Payments({ customer_key }: { customer_key: string }) {
  const words = useWords(customers_words)
  const { data, error } = usePayments(customer_key, 'charge')
  return (
    <TableSection
      title={words.payments}
      none={words.no_payments}
      columns={useHistoryColumns()}
      rows={data?.items}
      idOf={({ resource_id }) => resource_id}
      hrefOf={historyHref}
      error={error}
    >
      <Link href={`/payments?customer_key=${customer_key}`}>{words.all_payments}</Link>
    </TableSection>
  )
}

function Refunds({ customer_key }: { customer_key: string }) {
  const words = useWords(customers_words)
  const columns = useHistoryColumns()
  const { data, error } = usePayments(customer_key, 'refund')
  if (data?.items.length === 0) return null
  return (
    <TableSection
      title={words.refunds}
      none={words.no_payments}
      columns={columns}
      rows={data?.items}
      idOf={({ resource_id }) => resource_id}
      hrefOf={historyHref}
      error={error}
    />
  )
}

function Disputes({ disputes }: { disputes: readonly CustomerDispute[] }) {
  const words = useWords(customers_words)
  const { statuses } = useWords(disputes_words)
  return (
    <TableSection
      title={words.disputes}
      none={words.no_payments}
      columns={[
        { ...moneyColumn<CustomerDispute>(words.amount), phone: 'title' },
        {
          name: 'status',
          label: words.status,
          phone: 'side',
          show: ({ status }) => <StatusBadge status={status} word={statuses[status]} />,
        },
        dateColumn(words.date),
      ]}
      rows={disputes}
      idOf={({ id }) => id}
      hrefOf={({ store_id, id }) => `/disputes/${store_id}/${id}`}
    />
  )
}

function Subscriptions({ subscriptions }: { subscriptions: readonly CustomerSubscription[] }) {
  const words = useWords(customers_words)
  return (
    <TableSection
      title={words.subscriptions}
      none={words.no_subscriptions}
      columns={[
        { ...moneyColumn<CustomerSubscription>(words.amount), phone: 'title' },
        statusColumn(words.status),
        dateColumn(words.date),
      ]}
      rows={subscriptions}
      idOf={({ id }) => id}
      hrefOf={({ store_id, id }) => `/subscriptions/${store_id}/${id}`}
    />
  )
}
