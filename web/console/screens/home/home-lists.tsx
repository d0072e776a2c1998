import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Activity, ActivityMethod } from '../../api/call-api.ts'
import { Money } from '../../parts/values/money.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useFailureText } from '../../words/charge-error-words.ts'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { home_words } from './home-words.ts'

interface Bar {
  readonly key: string
  readonly label: ReactNode
  readonly value: ReactNode
  /** Decides the length; the longest one is full. */
  readonly size: number
}

/** Few values, longest first; the bar only shows what the number says. */
function Bars({ bars }: { bars: readonly Bar[] }) {
  const longest = Math.max(1, ...bars.map(({ size }) => size))
  return (
    <ul className="bars">
      {bars.map(({ key, label, value, size }) => (
        <li key={key}>
          <span>{label}</span>
          <strong>{value}</strong>
          <progress value={size} max={longest} aria-hidden="true" />
        </li>
      ))}
    </ul>
  )
}

/** A reason opens the failed payments of the period and currency that were counted. */
export function FailureReasons({ activity }: { activity: Activity }) {
  const { failure_reasons: reasons, from, to, currency } = activity
  const counted = new URLSearchParams({ type: 'charge', from, to, currency: currency ?? '' })
  const words = useWords(home_words)
  const { language } = useLanguage()
  const failureText = useFailureText()
  return (
    <section className="section">
      <h2>{words.reasons}</h2>
      {reasons.length === 0 && <p className="none-yet">{words.no_reasons}</p>}
      <Bars
        bars={reasons.map(({ code, message, count }) => ({
          key: String(code),
          label: (
            <Link href={`/payments?error_code=${code}&${counted}`}>
              {words.error_code(code)} · {failureText({ code, message })}
            </Link>
          ),
          value: formatNumber(count, language),
          size: count,
        }))}
      />
    </section>
  )
}

interface MethodsProps {
  methods: readonly ActivityMethod[]
  currency: string
}

export function Methods({ methods, currency }: MethodsProps) {
  const words = useWords(home_words)
  const names = useWords(method_words)
  const brandName = useBrandName()
  // The bars are volumes: the longest is first.
  const sorted = methods.toSorted((one, other) => other.volume - one.volume)
  return (
    <section className="section">
      <h2>{words.methods}</h2>
      {methods.length === 0 && <p className="none-yet">{words.no_methods}</p>}
      <Bars
        bars={sorted.map(({ payment_type, brand, volume }) => ({
          key: `${payment_type} ${brand}`,
          label: (
            <span>
              {brand ? `${names[payment_type]} · ${brandName(brand)}` : names[payment_type]}
            </span>
          ),
          value: <Money amount={volume} currency={currency} />,
          size: volume,
        }))}
      />
    </section>
  )
}
