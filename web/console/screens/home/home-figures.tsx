import type { ReactNode } from 'react'
import type { Activity } from '../../api/call-api.ts'
import { Money } from '../../parts/values/money.tsx'
import { formatMoney, formatNumber, formatPercent } from '../../words/format-values.ts'
import { type Language, useLanguage, useWords } from '../../words/language.tsx'
import { home_words } from './home-words.ts'

/** The change against the period before, in percent; none where there is nothing to compare with. */
export function changeText(
  value: number,
  before: number,
  words: { unchanged: string },
  language: Language,
): string {
  if (before === 0) return ''
  if (value === before) return words.unchanged
  const percent = formatPercent(Math.abs(value - before) / before, language)
  return `${value > before ? '+' : '−'}${percent}`
}

/** The figures of the period, each with the previous one. */
export function Figures({ activity, currency }: { activity: Activity; currency: string }) {
  const words = useWords(home_words)
  const { language } = useLanguage()
  const { totals, totals_before: before } = activity
  const percent = (rate: number | null) => (rate === null ? '–' : formatPercent(rate, language))
  return (
    <div className="figures">
      <Figure
        name={words.volume}
        before={formatMoney(before.volume, currency)}
        change={changeText(totals.volume, before.volume, words, language)}
      >
        <Money amount={totals.volume} currency={currency} />
      </Figure>
      <Figure
        name={words.count}
        before={formatNumber(before.count, language)}
        change={changeText(totals.count, before.count, words, language)}
      >
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

interface FigureProps {
  name: string
  before: string
  change?: string
  children: ReactNode
}

function Figure({ name, before, change, children }: FigureProps) {
  const words = useWords(home_words)
  return (
    <dl className="figure">
      <dt>{name}</dt>
      <dd className="figure-value">{children}</dd>
      <dd>
        {words.before} {before}
        {change && ` (${change})`}
      </dd>
    </dl>
  )
}
