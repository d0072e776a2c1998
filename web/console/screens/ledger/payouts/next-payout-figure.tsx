import { Link } from 'wouter'
import { useRead } from '../../../api/api-hooks.ts'
import type { NextTransfer } from '../../../api/call-api.ts'
import { dayOf } from '../../../api/zone-days.ts'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { Money } from '../../../parts/values/money.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatCalendarDay, formatMoney } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { payout_words } from './payout-words.ts'
import './payout.css'

/** The sum reads everything that is owed, so it is read rarely. */
export const payout_refresh_ms = 5 * 60_000

/** Nothing is paid; the amount is carried over. */
export const carried_over: ReadonlySet<NextTransfer['reason']> = new Set([
  'below_minimum',
  'debt',
  'nothing_owed',
])

export function PayoutDay({ next: { paid_on, reason } }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  const { now, zone } = useTimeFrame()
  if (paid_on) {
    const day = formatCalendarDay(paid_on, language)
    const is_late = reason === 'scheduled' && paid_on < dayOf(new Date(now).toISOString(), zone)
    return <p className="payout-day">{is_late ? words.was_due(day) : words.on(day)}</p>
  }
  return (
    <p className="payout-day">{carried_over.has(reason) ? words.carried : words.by_operator}</p>
  )
}

/** Why it is this much, and what happens to the rest. */
export function PayoutWhy({ next }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  const { reason, later_amount, later_on, min_amount, currency } = next
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <p className="payout-why">
      {[
        words.reasons[reason],
        reason === 'below_minimum' && words.smallest(money(min_amount)),
        later_amount !== 0 &&
          (later_on
            ? words.later(money(later_amount), formatCalendarDay(later_on, language))
            : words.later_open(money(later_amount))),
      ]
        .filter(Boolean)
        .join(words.between)}
    </p>
  )
}

/** On Home: the amount and the day, with the way to the rest. */
export function NextPayoutFigure({ currency }: { currency: string }) {
  const words = useWords(payout_words)
  const { data, error, refetch } = useRead((api) => api.transfers.getNext({ currency }), {
    refresh_ms: payout_refresh_ms,
    fresh_ms: 60_000,
  })
  const [next] = data?.payouts ?? []
  return (
    <section className="section">
      <h2>{words.next}</h2>
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading lines={3} />}
      {data && !next && <p className="none-yet">{words.reasons.nothing_owed}</p>}
      {next && (
        <>
          <p className="figure-value">
            <Money amount={next.amount} currency={currency} />
          </p>
          <PayoutDay next={next} />
          <PayoutWhy next={next} />
          <p>
            <Link href="/ledger/payouts/next">{words.details}</Link>
          </p>
        </>
      )}
    </section>
  )
}
