import type { ReactNode } from 'react'
import type { Activity } from '../../api/call-api.ts'
import { Money } from '../../parts/money.tsx'
import { formatMoney, formatNumber, formatPercent } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { home_words } from './home-words.ts'

/** The figures of the period, each beside the one before. */
export function Figures({ activity, currency }: { activity: Activity; currency: string }) {
  const words = useWords(home_words)
  const { language } = useLanguage()
  const { totals, totals_before: before } = activity
  const percent = (rate: number | null) => (rate === null ? '–' : formatPercent(rate, language))
  return (
    <div className="figures">
      <Figure name={words.volume} before={formatMoney(before.volume, currency)}>
        <Money amount={totals.volume} currency={currency} />
      </Figure>
      <Figure name={words.count} before={formatNumber(before.count, language)}>
        {formatNumber(totals.count, language)}
      </Figure>
      <Figure name={words.success} before={percent(before.success_rate)}>
        {percent(totals.success_rate)}
      </Figure>
      <Figure name={words.refunds} before={formatMoney(before.refund_volume, currency)}>
        <Money amount={totals.refund_volume} currency={currency} />
      </Figure>
    </div>
  )
}

function Figure({ name, before, children }: { name: string; before: string; children: ReactNode }) {
  const words = useWords(home_words)
  return (
    <dl className="figure">
      <dt>{name}</dt>
      <dd className="figure-value">{children}</dd>
      <dd>
        {words.before} {before}
      </dd>
    </dl>
  )
}
