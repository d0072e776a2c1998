import { Link } from 'wouter'
import type { SubscriptionAttempt, SubscriptionPayment } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText, useTimeFrame } from '../../parts/values/time-text.tsx'
import { useFailureText } from '../../words/charge-error-words.ts'
import { formatCalendarDay } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { stateOf } from './subscription-data.ts'
import { subscriptions_words } from './subscriptions-words.ts'

/** A payment of the plan, with the charges that tried it; or a charge that belongs to none. */
interface Row {
  readonly id: string
  readonly payment: SubscriptionPayment | null
  readonly attempts: readonly SubscriptionAttempt[]
  readonly amount: number
  readonly currency: string
}

function rowsOf(
  payments: readonly SubscriptionPayment[],
  attempts: readonly SubscriptionAttempt[],
): Row[] {
  const ids = new Set(payments.map(({ id }) => id))
  return [
    ...payments.map((payment) => ({
      ...payment,
      payment,
      attempts: attempts.filter(({ payment_id }) => payment_id === payment.id).toReversed(),
    })),
    ...attempts
      .filter(({ payment_id }) => payment_id === null || !ids.has(payment_id))
      .map((one) => ({ ...one, id: one.charge_id, payment: null, attempts: [one] })),
  ]
}

interface Props {
  store_id: string
  payments: readonly SubscriptionPayment[] | undefined
  attempts: readonly SubscriptionAttempt[] | undefined
}

/** Every payment of the plan, and how often it was tried. */
export function SubscriptionPayments({ store_id, payments, attempts }: Props) {
  const words = useWords(subscriptions_words)
  const { language } = useLanguage()
  const { now } = useTimeFrame()
  const today = new Date(now).toISOString().slice(0, 10)
  const columns: readonly Column<Row>[] = [
    {
      name: 'due',
      label: words.due,
      phone: 'title',
      show: ({ payment }) => payment && formatCalendarDay(payment.due_date, language),
    },
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      name: 'state',
      label: words.status,
      phone: 'side',
      show: ({ payment }) =>
        payment && (
          <>
            {words.states[stateOf(payment, today)]}
            {payment.retry_date && ` ${formatCalendarDay(payment.retry_date, language)}`}
          </>
        ),
    },
    {
      name: 'attempts',
      label: words.attempts,
      phone: 'note',
      show: (row) => <Attempts store_id={store_id} attempts={row.attempts} />,
    },
  ]
  return (
    <TableSection
      title={words.payments}
      none={words.no_payments}
      columns={columns}
      rows={payments && attempts && rowsOf(payments, attempts)}
      idOf={({ id }) => id}
    />
  )
}

function Attempts({ store_id, attempts }: Pick<Row, 'attempts'> & { store_id: string }) {
  const failureText = useFailureText()
  if (attempts.length === 0) return null
  return (
    <ul className="attempts">
      {attempts.map(({ charge_id, status, error, created_on }) => (
        <li key={charge_id}>
          <Link href={`/payments/${store_id}/${charge_id}`}>
            <TimeText at={created_on} />
          </Link>
          <StatusBadge status={status} />
          {error && <span>{failureText(error)}</span>}
        </li>
      ))}
    </ul>
  )
}
