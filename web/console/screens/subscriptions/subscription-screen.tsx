import { Link, useParams } from 'wouter'
import type { Subscription, SubscriptionConnections } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { RecordScreen } from '../../parts/screen/record-screen.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import {
  formatCalendarDay,
  formatMoney,
  formatPeriod,
  formatZone,
} from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { ScheduleLine } from './schedule-line.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'
import { rhythmOf, type SubscriptionPath, useSubscription } from './subscription-data.ts'
import { SubscriptionPayments } from './subscription-payments.tsx'
import { subscriptions_words } from './subscriptions-words.ts'

/** One subscription: its schedule, its payments, and what can be changed. */
export function SubscriptionScreen() {
  const words = useWords(subscriptions_words)
  const path = useParams() as unknown as SubscriptionPath
  const { subscription, payments, connections } = useSubscription(path)
  return (
    <RecordScreen
      back={{ href: '/subscriptions', label: words.title }}
      query={subscription}
      titleOf={({ amount, currency }) => words.one(formatMoney(amount, currency))}
      head={(data) => ({
        heading: <Money amount={data.amount} currency={data.currency} />,
        badge: <StatusBadge status={data.status} />,
        id: data.id,
        notes: (
          <>
            <span>{rhythmOf(data, words.periods)}</span>
            {connections.data && <Payer connections={connections.data} />}
          </>
        ),
      })}
    >
      {(data) => (
        <>
          <SubscriptionActions subscription={data} />
          {connections.data && <Progress subscription={data} connections={connections.data} />}
          <ScheduleLine subscription={data} payments={payments.data?.items ?? []} />
          <SubscriptionPayments
            store_id={data.store_id}
            payments={payments.data?.items}
            attempts={connections.data?.attempts}
          />
          <Details subscription={data} />
        </>
      )}
    </RecordScreen>
  )
}

/** The customer and their payment method. */
function Payer({ connections }: { connections: SubscriptionConnections }) {
  const words = useWords(subscriptions_words)
  const methods = useWords(method_words)
  const brandName = useBrandName()
  const { customer, name, email, payment_type, brand, last_four } = connections
  const shown = customer?.name ?? name ?? customer?.email ?? email ?? words.no_name
  const method = [
    brand ? brandName(brand) : methods[payment_type],
    last_four && `•••• ${last_four}`,
  ]
  return (
    <p className="record-payer">
      {customer ? <Link href={`/customers/${customer.id}`}>{shown}</Link> : shown}
      <span>{method.filter(Boolean).join(' ')}</span>
    </p>
  )
}

/** The results of the subscription: paid, failed and upcoming payments. */
function Progress({
  subscription,
  connections,
}: {
  subscription: Subscription
  connections: SubscriptionConnections
}) {
  const words = useWords(subscriptions_words)
  const { language } = useLanguage()
  const { paid_amount, paid_count, failed_count, refunded_amount, currency } = connections
  const { next_payment } = subscription
  return (
    <div className="figures">
      <dl className="figure">
        <dt>{words.paid}</dt>
        <dd className="figure-value">
          <Money amount={paid_amount} currency={currency} />
        </dd>
        <dd>{words.times(paid_count)}</dd>
        {refunded_amount > 0 && (
          <dd>
            {words.refunded} <Money amount={-refunded_amount} currency={currency} />
          </dd>
        )}
      </dl>
      <dl className="figure">
        <dt>{words.failed}</dt>
        <dd className="figure-value">{words.times(failed_count)}</dd>
        <dd>
          <Link href={`/payments?subscription_id=${subscription.id}`}>{words.all_payments}</Link>
        </dd>
      </dl>
      <dl className="figure">
        <dt>{words.next}</dt>
        <dd className="figure-value">
          {next_payment ? (
            <Money amount={next_payment.amount} currency={next_payment.currency} />
          ) : (
            '–'
          )}
        </dd>
        <dd>{next_payment && formatCalendarDay(next_payment.due_date, language)}</dd>
      </dl>
    </div>
  )
}

function Details({ subscription }: { subscription: Subscription }) {
  const words = useWords(subscriptions_words)
  const methods = useWords(method_words)
  const { language } = useLanguage()
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
          [
            words.retries,
            schedule_settings.retry_interval
              ? formatPeriod(schedule_settings.retry_interval, language)
              : words.no_retries,
          ],
          [words.zone, formatZone(schedule_settings.zone_id, language)],
          [words.store, stores.find(({ id }) => id === subscription.store_id)?.name],
          [words.created, <TimeText key="on" at={subscription.created_on} exact />],
          [words.id, <IdText key="id" id={subscription.id} whole />],
          [words.token, <IdText key="token" id={subscription.transaction_token_id} whole />],
        ]}
      />
    </section>
  )
}
