import { formatMoney } from '../../words/format-values.ts'

interface Props {
  amount: number
  currency: string
  /** The code beside the amount, where several currencies occur. */
  with_code?: boolean
}

export function Money({ amount, currency, with_code }: Props) {
  return (
    <span className="money">
      {formatMoney(amount, currency)}
      {with_code && <span className="money-code">{currency}</span>}
    </span>
  )
}
