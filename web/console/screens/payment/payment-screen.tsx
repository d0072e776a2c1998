import { useParams } from 'wouter'
import type { Charge } from '../../api/call-api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { IdText } from '../../parts/id-text.tsx'
import { KeyValues } from '../../parts/key-values.tsx'
import { Money } from '../../parts/money.tsx'
import { useScreenTitle } from '../../parts/screen-title.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useTimeFrame } from '../../parts/time-text.tsx'
import { useFailureText } from '../../words/charge-error-words.ts'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { PaymentActions } from './payment-actions.tsx'
import { type ChargePath, type Sums, shownStatus, sumsOf, usePayment } from './payment-data.ts'
import { PaymentDetails } from './payment-details.tsx'
import { PaymentDisputes } from './payment-disputes.tsx'
import { PaymentMetadata } from './payment-metadata.tsx'
import { PaymentLedger, PaymentRefunds } from './payment-refunds.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'
import { payment_words } from './payment-words.ts'
import './payment.css'

/** One payment: what it is, what can be done with it, and why it is as it is. */
export function PaymentScreen() {
  const words = useWords(payment_words)
  const { zone: zone_words } = useWords(part_words)
  const { zone } = useTimeFrame()
  const path = useParams() as unknown as ChargePath
  const { charge, refunds, disputes, token, ledgers, timeline } = usePayment(path)
  if (charge.error && !charge.data) {
    return <ErrorState error={charge.error} retry={() => void charge.refetch()} whole />
  }
  if (!charge.data || !refunds.data) return <Loading lines={9} />
  const sums = sumsOf(charge.data, refunds.data.items)
  return (
    <>
      <BackLink href="/payments" label={words.back} />
      <Head charge={charge.data} sums={sums} />
      <PaymentActions charge={charge.data} sums={sums} token={token.data} />
      <div className="payment-columns">
        <div>
          <Amounts charge={charge.data} sums={sums} />
          <PaymentTimeline timeline={timeline} />
          <PaymentRefunds refunds={refunds.data.items} />
          {disputes.data && disputes.data.items.length > 0 && (
            <PaymentDisputes disputes={disputes.data.items} />
          )}
          <PaymentLedger ledgers={ledgers.data?.items} />
          <PaymentMetadata charge={charge.data} />
        </div>
        <PaymentDetails charge={charge.data} token={token.data} timeline={timeline.data} />
      </div>
      <p className="zone">{zone_words(zone)}</p>
    </>
  )
}

function Head({ charge, sums }: { charge: Charge; sums: Sums }) {
  const words = useWords(payment_words)
  const failureText = useFailureText()
  const { amount, currency } = sums
  useScreenTitle(words.title(formatMoney(amount, currency)))
  return (
    <header className="record-head">
      <h1>
        <span className="unseen">{words.title('')}</span>
        <Money amount={amount} currency={currency} with_code />
      </h1>
      <StatusBadge status={shownStatus(charge, sums)} />
      <IdText id={charge.id} />
      {charge.error && (
        <p className="payment-error">
          <Icon name="warning" />
          <span>
            <strong>{words.error_code(String(charge.error.code))}</strong>{' '}
            {failureText(charge.error)}
          </span>
        </p>
      )}
    </header>
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
