import { Link } from 'wouter'
import type { TransferPart } from '../../../api/call-api.ts'
import { Money } from '../../../parts/values/money.tsx'
import { formatNumber } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { payout_words } from './payout-words.ts'
import './payout.css'

interface Props {
  parts: readonly TransferPart[]
  amount: number
  currency: string
  /** The screen whose lines can be those of a part. */
  path: string
  /** It is not paid but carried over. */
  is_carried?: boolean
}

/** Sales less fees, refunds and disputes: each part leads to its lines. */
export function PayoutSum({ parts, amount, currency, path, is_carried = false }: Props) {
  const words = useWords(payout_words)
  const { language } = useLanguage()
  return (
    <section aria-label={words.sum}>
      <table className="payout-sum">
        <tbody>
          {parts.map(({ part, amount: sum, count }) => (
            <tr key={part}>
              <th scope="row">
                <Link href={`${path}part=${part}`}>{words.parts[part]}</Link>{' '}
                <small>{words.count(formatNumber(count, language))}</small>
              </th>
              <td>
                <Money amount={sum} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{is_carried ? words.carried : words.total}</th>
            <td>
              <Money amount={amount} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
