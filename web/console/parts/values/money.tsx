import { createContext, useContext } from 'react'
import { formatMoney } from '../../words/format-values.ts'

/** Whether several currencies are shown together; null outside of lists. */
const Mixed = createContext<boolean | null>(null)
export const MixedCurrencies = Mixed.Provider

/** Whether the rows of a list have more than one currency. */
export function areMixed(rows: readonly unknown[]): boolean {
  const currencies = rows.map((row) =>
    typeof row === 'object' && row && 'currency' in row ? row.currency : null,
  )
  return new Set(currencies.filter(Boolean)).size > 1
}

/** Its sign alone is unambiguous, unlike that of the dollar. */
const yen = 'JPY'

interface Props {
  amount: number
  currency: string
  /** The code beside the amount; by default where currencies mix, and where the sign is not enough. */
  with_code?: boolean
}

export function Money({ amount, currency, with_code }: Props) {
  const is_mixed = useContext(Mixed)
  const has_code = with_code ?? is_mixed ?? currency !== yen
  return (
    <span className="money">
      {formatMoney(amount, currency)}
      {has_code && <span className="money-code">{currency}</span>}
    </span>
  )
}
