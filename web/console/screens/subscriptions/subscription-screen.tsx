import { useParams } from 'wouter'
import type { ChargeItem, Subscription, SubscriptionPayment } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
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
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { ScheduleLine } from './schedule-line.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'
import { rhythmOf, type SubscriptionPath, stateOf, useSubscription } from './subscription-data.ts'
import { subscriptions_words } from './subscriptions-words.ts'

/** One subscription: its schedule, its payments, and what can be changed. */
export function SubscriptionScreen() {
  const words = useWords(subscriptions_words)
  const path = useParams() as unknown as SubscriptionPath
  const { subscription, payments, charges } = useSubscription(path)
  return (
    <RecordScreen
      back={{ href: '/subscriptions', label: words.title }}
      query={subscription}
      titleOf={({ amount, currency }) => words.one(formatMoney(amount, currency))}
      head={(data) => ({
        heading: <Money amount={data.amount} currency={data.currency} with_code />,
        badge: <StatusBadge status={data.status} />,
        id: data.id,
        notes: <span>{rhythmOf(data, words.periods)}</span>,
      })}
    >
      {(data) => (
        <>
          <SubscriptionActions subscription={data} />
          <ScheduleLine subscription={data} payments={payments.data?.items ?? []} />
          <Payments payments={payments.data?.items} />
          <Charges charges={charges.data?.items} />
          <Details subscription={data} />
        </>
      )}
    </RecordScreen>
  )
}

function Payments({ payments }: { payments: readonly SubscriptionPayment[] | undefined }) {
  const words = useWords(subscriptions_words)
  const { now } = useTimeFrame()
  const today = new Date(now).toISOString().slice(0, 10)
  const columns: readonly Column<SubscriptionPayment>[] = [
    { name: 'due', label: words.due, phone: 'title', show: ({ due_date }) => due_date },
    moneyColumn(words.amount),
    {
      name: 'state',
      label: words.status,
      phone: 'side',
      show: (one) => words.states[stateOf(one, today)],
    },
    {
      name: 'paid',
      label: words.paid_on,
      phone: 'note',
      show: ({ successful_payment_date }) => successful_payment_date,
    },
    { name: 'retry', label: words.retry_on, show: ({ retry_date }) => retry_date },
  ]
  return (
    <TableSection
      title={words.payments}
      none={words.no_payments}
      columns={columns}
      rows={payments}
      idOf={({ id }) => id}
    />
  )
}

function Charges({ charges }: { charges: readonly ChargeItem[] | undefined }) {
  const words = useWords(subscriptions_words)
  const columns: readonly Column<ChargeItem>[] = [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'title',
      show: ({ requested_amount, requested_currency }) => (
        <Money amount={requested_amount} currency={requested_currency} />
      ),
    },
    statusColumn(words.status),
    dateColumn(words.date),
    idColumn(words.id, ({ id }) => id),
  ]
  return (
    <TableSection
      title={words.charges}
      none={words.no_charges}
      columns={columns}
      rows={charges}
      idOf={({ id }) => id}
      hrefOf={({ store_id, id }) => `/payments/${store_id}/${id}`}
    />
  )
}

function Details({ subscription }: { subscription: Subscription }) {
  const words = useWords(subscriptions_words)
  const methods = useWords(method_words)
  const { stores } = useStoreChoice()
  const { currency, initial_amount, payments_left, amount_left, schedule_settings } = subscription
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  return (
    <section className="section">
      <h2>{words.details}</h2>
      <KeyValues
        rows={[
          [words.method, methods[subscription.payment_type]],
          ...(initial_amount !== null ? [[words.first, money(initial_amount)] as const] : []),
          [words.left, payments_left ?? words.unlimited],
          ...(amount_left !== null ? [[words.amount_left, money(amount_left)] as const] : []),
          [words.retries, schedule_settings.retry_interval ?? words.no_retries],
          [words.zone, schedule_settings.zone_id],
          [words.store, stores.find(({ id }) => id === subscription.store_id)?.name],
          [words.created, <TimeText key="on" at={subscription.created_on} exact />],
          [words.id, <IdText key="id" id={subscription.id} whole />],
          [words.token, <IdText key="token" id={subscription.transaction_token_id} whole />],
        ]}
      />
    </section>
  )
}
