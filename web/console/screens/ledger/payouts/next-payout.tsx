import { Link } from 'wouter'
import { useRead } from '../../../api/api-hooks.ts'
import type { NextTransfer } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { KeyValues } from '../../../parts/values/key-values.tsx'
import { Money } from '../../../parts/values/money.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatDay } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { carried_over, PayoutDay, PayoutWhy, payout_refresh_ms } from './next-payout-figure.tsx'
import { PayoutSum } from './payout-sum.tsx'
import { payout_words } from './payout-words.ts'

export function nextPayoutPath(currency: string): string {
  return `/ledger/payouts/next?currency=${currency}&`
}

/** The next payout in each currency, or in one: amount, day, account, why, and how it adds up. */
export function NextPayouts({ currency }: { currency?: string }) {
  const words = useWords(payout_words)
  const { data, error, refetch } = useRead(
    (api) => api.transfers.getNext(currency ? { currency } : {}),
    { refresh_ms: payout_refresh_ms },
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  if (data.payouts.length === 0) return <p className="none-yet">{words.reasons.nothing_owed}</p>
  return data.payouts.map((next) => <NextPayout key={next.currency} next={next} />)
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
        <PayoutWhy next={next} />
      </div>
      <PayoutSum
        parts={parts}
        amount={amount}
        currency={currency}
        path={nextPayoutPath(currency)}
        is_carried={carried_over.has(reason)}
      />
    </div>
  )
}

/** `to` is the first instant that is not paid: the period ends on the day before it. */
function Facts({ next }: { next: NextTransfer }) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const { bank_account: account, status, from, to } = next
  const may_see = useCan('bank_accounts:read')
  const dayText = (at: number) => formatDay(at, language, zone)
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
                words.period_text(dayText(Date.parse(from)), dayText(Date.parse(to) - 1)),
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
