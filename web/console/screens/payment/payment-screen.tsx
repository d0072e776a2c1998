import { lazy, Suspense } from 'react'
import { useParams } from 'wouter'
import type { Charge } from '../../api/call-api.ts'
import { RecordScreen } from '../../parts/screen/record-screen.tsx'
import { Loading } from '../../parts/screen/states.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { useFailureText } from '../../words/charge-error-words.ts'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { PaymentActions } from './payment-actions.tsx'
import { type ChargePath, type Sums, shownStatus, sumsOf, usePayment } from './payment-data.ts'
import { PaymentDetails } from './payment-details.tsx'
import { PaymentDisputes } from './payment-disputes.tsx'
import { PaymentMetadata } from './payment-metadata.tsx'
import { PaymentLedger, PaymentRefunds } from './payment-refunds.tsx'
import { payment_words } from './payment-words.ts'
import './payment.css'

/** Its sentences are many words. */
const PaymentTimeline = lazy(async () => ({
  default: (await import('./payment-timeline.tsx')).PaymentTimeline,
}))

/** One payment: what it is, what can be done with it, and why it is as it is. */
export function PaymentScreen() {
  const words = useWords(payment_words)
  const path = useParams() as unknown as ChargePath
  const { charge, refunds, disputes, token, ledgers, timeline, connections } = usePayment(path)
  const both = charge.data && refunds.data && { charge: charge.data, refunds: refunds.data.items }
  const query = {
    data: both && { ...both, sums: sumsOf(both.charge, both.refunds, disputes.data?.items) },
    error: charge.error ?? refunds.error,
    refetch: () => Promise.all([charge.refetch(), refunds.refetch()]),
  }
  return (
    <RecordScreen
      back={{ href: '/payments', label: words.back }}
      query={query}
      titleOf={({ sums: { amount, currency } }) => words.title(formatMoney(amount, currency))}
      head={({ charge: one, sums }) => ({
        heading: <Money amount={sums.amount} currency={sums.currency} />,
        badge: <StatusBadge status={shownStatus(one, sums)} />,
        id: one.id,
        notes: one.error && <Failure error={one.error} />,
      })}
    >
      {(one) => (
        <>
          <PaymentActions charge={one.charge} sums={one.sums} token={token.data} />
          <div className="payment-columns">
            <div>
              <Amounts charge={one.charge} sums={one.sums} />
              <Suspense fallback={<Loading />}>
                <PaymentTimeline timeline={timeline} />
              </Suspense>
              <PaymentRefunds refunds={one.refunds} />
              {disputes.data && disputes.data.items.length > 0 && (
                <PaymentDisputes disputes={disputes.data.items} />
              )}
              <PaymentLedger ledgers={ledgers.data?.items} />
              <PaymentMetadata charge={one.charge} />
            </div>
            <PaymentDetails
              charge={one.charge}
              token={token.data}
              timeline={timeline.data}
              connections={connections.data}
            />
          </div>
        </>
      )}
    </RecordScreen>
  )
}

function Failure({ error }: { error: NonNullable<Charge['error']> }) {
  const words = useWords(payment_words)
  const failureText = useFailureText()
  return (
    <p className="payment-error">
      <Icon name="warning" />
      <span>
        <strong>{words.error_code(String(error.code))}</strong> {failureText(error)}
      </span>
    </p>
  )
}

function Amounts({ charge, sums }: { charge: Charge; sums: Sums }) {
  const words = useWords(payment_words)
  const { currency, amount, refunded, refund_pending } = sums
  const { fee_amount, fee_currency, requested_amount, requested_currency } = charge
  const money = (value: number, of = currency) => <Money amount={value} currency={of} />
  const is_converted = charge.charged_currency && charge.charged_currency !== requested_currency
  const has_net = fee_amount !== null && fee_currency === currency
  return (
    <section className="section amounts">
      <h2>{words.amounts}</h2>
      <KeyValues
        rows={[
          ...(is_converted
            ? [[words.requested, money(requested_amount, requested_currency)] as const]
            : []),
          [charge.charged_amount === null ? words.requested : words.charged, money(amount)],
          ...(refunded > 0 ? [[words.refunded, money(-refunded)] as const] : []),
          ...(refund_pending > 0 ? [[words.refund_pending, money(-refund_pending)] as const] : []),
          ...(fee_amount !== null
            ? [[words.fee, money(-fee_amount, fee_currency ?? currency)] as const]
            : []),
          ...(has_net
            ? [
                [
                  words.net,
                  <strong key="net">{money(amount - refunded - fee_amount)}</strong>,
                ] as const,
              ]
            : []),
        ]}
      />
    </section>
  )
}
