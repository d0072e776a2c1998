import { Link } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type { NextTransfer } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { KeyValues } from '../../parts/key-values.tsx'
import { Money } from '../../parts/money.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useTimeFrame } from '../../parts/time-text.tsx'
import { formatCalendarDay, formatDay, formatMoney } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { PayoutSum } from './payout-sum.tsx'
import { payout_words } from './payout-words.ts'
import './payout.css'

const refresh_ms = 30_000

export function nextPayoutPath(currency: string): string {
  return `/ledger/payouts/next?currency=${currency}&`
}

const carried: ReadonlySet<NextTransfer['reason']> = new Set([
  'below_minimum',
  'debt',
  'nothing_owed',
])

/** The next payout in each currency, or in one: amount, day, account, why, and how it adds up. */
export function NextPayouts({ currency }: { currency?: string }) {
  const words = useWords(payout_words)
  const { data, error, refetch } = useRead(
    (api) => api.transfers.listNext(currency ? { currency } : {}),
    { refresh_ms },
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  if (data.items.length === 0) return <p className="none-yet">{words.reasons.nothing_owed}</p>
  return data.items.map((next) => <NextPayout key={next.currency} next={next} />)
}

function NextPayout({ next }: { next: NextTransfer }) {
  const { reason, amount, currency, parts } = next
  return (
    <div className="payout-top">
      <div>
        <p className="payout-amount">
          <Money amount={amount} currency={currency} />
        </p>
        <PayoutDay next={next} />
        <Facts next={next} />
        <Why next={next} />
      </div>
      <PayoutSum
        parts={parts}
        amount={amount}
        currency={currency}
        path={nextPayoutPath(currency)}
        is_carried={carried.has(reason)}
      />
    </div>
  )
}

function PayoutDay({ next: { paid_on, reason } }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  if (paid_on) return <p className="payout-day">{words.on(formatCalendarDay(paid_on, language))}</p>
  return <p className="payout-day">{carried.has(reason) ? words.carried : words.by_operator}</p>
}

/** `to` is the first instant that is not paid: the period ends on the day before it. */
function Facts({ next }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const { bank_account: account, status, from, to } = next
  const may_see = useCan('bank_accounts:read')
  const dayOf = (at: number) => formatDay(at, language, zone)
  return (
    <KeyValues
      rows={[
        ...(status ? [[words.status, <StatusBadge key="status" status={status} />] as const] : []),
        [
          words.account,
          account ? (
            <AccountText key="account" account={account} />
          ) : next.bank_account_id || !may_see ? (
            words.hidden_account
          ) : (
            <Link key="account" href="/settings?tab=bank">
              {words.no_account}
            </Link>
          ),
        ],
        ...(from && to
          ? [
              [
                words.period,
                words.period_text(dayOf(Date.parse(from)), dayOf(Date.parse(to) - 1)),
              ] as const,
            ]
          : []),
      ]}
    />
  )
}

function AccountText({ account }: { account: NonNullable<NextTransfer['bank_account']> }) {
  const words = useWords(payout_words)
  const { bank_name, branch_name, account_type, last_four, holder_name } = account
  const type = account_type && words.account_types[account_type]
  return [bank_name, branch_name, type, `•••${last_four}`, holder_name].filter(Boolean).join(' ')
}

/** Why it is this much, and what happens to the rest. */
function Why({ next }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  const { reason, later_amount, later_on, min_amount, currency } = next
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <p className="payout-why">
      {words.reasons[reason]}
      {reason === 'below_minimum' && ` ${words.smallest(money(min_amount))}`}
      {later_amount !== 0 &&
        ` ${
          later_on
            ? words.later(money(later_amount), formatCalendarDay(later_on, language))
            : words.later_open(money(later_amount))
        }`}
    </p>
  )
}

/** On Home: the amount and the day, with the way to the rest. */
export function NextPayoutFigure({ currency }: { currency: string }) {
  const words = useWords(payout_words)
  const { data, error, refetch } = useRead((api) => api.transfers.listNext({ currency }), {
    refresh_ms,
  })
  const [next] = data?.items ?? []
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
          <Why next={next} />
          <p>
            <Link href="/ledger/payouts/next">{words.details}</Link>
          </p>
        </>
      )}
    </section>
  )
}
