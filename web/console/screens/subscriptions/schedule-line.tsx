import { useRead } from '../../api/api-hooks.ts'
import type { PlannedPayment, Subscription, SubscriptionPayment } from '../../api/call-api.ts'
import { ScrollBox } from '../../parts/lists/scroll-box.tsx'
import { useTimeFrame } from '../../parts/values/time-text.tsx'
import { formatDay, formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { type PaymentState, stateOf } from './subscription-data.ts'
import { subscriptions_words } from './subscriptions-words.ts'
import './subscriptions.css'

interface Step {
  readonly key: string
  readonly date: string
  readonly state: PaymentState
  readonly amount: number
  readonly currency: string
}

const past = 6
const to_come = 6
const ended: ReadonlySet<string> = new Set(['canceled', 'completed', 'suspended'])

/** Payments on a line of days: those that were, and those to come if nothing changes. */
export function ScheduleLine({
  subscription,
  payments,
}: {
  subscription: Subscription
  payments: readonly SubscriptionPayment[]
}) {
  const words = useWords(subscriptions_words)
  const { now } = useTimeFrame()
  const today = new Date(now).toISOString().slice(0, 10)
  const planned = usePlanned(subscription)
  const known = payments.toSorted((a, b) => a.due_date.localeCompare(b.due_date))
  const last = known.at(-1)?.due_date ?? ''
  const steps: Step[] = [
    ...known
      .slice(-past)
      .map((one) => ({ ...one, key: one.id, date: one.due_date, state: stateOf(one, today) })),
    ...planned
      .filter(({ due_date }) => due_date > last)
      .slice(0, to_come)
      .map(stepOf),
  ]
  if (steps.length === 0) return null
  return (
    <section className="section">
      <h2>{words.schedule}</h2>
      <Steps steps={steps} />
      <p className="field-hint">{words.schedule_hint}</p>
    </section>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const words = useWords(subscriptions_words)
  const { language } = useLanguage()
  const { now } = useTimeFrame()
  return (
    <ScrollBox label={words.schedule}>
      <ol className="schedule">
        {steps.map(({ key, date, state, amount, currency }) => (
          <li key={key} className={state}>
            <span className="schedule-dot" aria-hidden="true" />
            <time dateTime={date}>{formatDay(Date.parse(date), language, 'UTC', now)}</time>
            <strong>{formatMoney(amount, currency)}</strong>
            <span>{words.states[state]}</span>
          </li>
        ))}
      </ol>
    </ScrollBox>
  )
}

/** Payments of a plan that does not exist yet. */
export function PlannedLine({ payments }: { payments: readonly PlannedPayment[] }) {
  return <Steps steps={payments.map(stepOf)} />
}

function stepOf({ due_date, amount, currency }: PlannedPayment): Step {
  return { key: due_date, date: due_date, state: 'planned', amount, currency }
}

/** The plan as it would be billed from the next payment on. */
function usePlanned(subscription: Subscription): readonly PlannedPayment[] {
  const { amount, currency, period, cyclical_period, next_payment, status } = subscription
  const { zone_id, preserve_end_of_month } = subscription.schedule_settings
  const start_on = next_payment?.due_date
  const { data } = useRead(
    (api) =>
      api.subscriptions.simulatePlan(
        {
          payment_type: subscription.payment_type,
          amount,
          currency,
          ...(period ? { period } : { cyclical_period }),
          schedule_settings: {
            start_on: start_on ?? null,
            zone_id,
            preserve_end_of_month,
          },
        },
        { store_id: subscription.store_id },
      ),
    { enabled: start_on !== undefined && !ended.has(status) },
  )
  return data ?? []
}
