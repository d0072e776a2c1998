import { useRead } from '../../api/api-hooks.ts'
import type { ListTransactionHistoryQuery } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Money } from '../../parts/values/money.tsx'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { bulk_words } from './bulk-words.ts'

/** The sums of everything that the filters leave, not of the page. */
export function PaymentsTotals({ query }: { query: ListTransactionHistoryQuery }) {
  const words = useWords(bulk_words)
  const { language } = useLanguage()
  const { store_id } = useStoreChoice()
  const { data } = useRead((api) => api.history.getTotals(query, { store_id }), {
    keep: true,
    refresh_ms: 30_000,
  })
  if (!data || data.count === 0) return <p className="payments-totals" aria-hidden="true" />
  const count = formatNumber(data.count, language)
  return (
    <section className="payments-totals" aria-label={words.totals}>
      <strong>{data.is_complete ? words.rows(count) : words.more_rows(count)}</strong>
      {data.items.map(({ currency, amount, refunded_amount, successful }) => (
        <span key={currency}>
          {words.paid} {formatNumber(successful, language)}{' '}
          <Money amount={amount} currency={currency} with_code={data.items.length > 1} />
          {refunded_amount > 0 && (
            <>
              {' · '}
              {words.refunded} <Money amount={-refunded_amount} currency={currency} />
            </>
          )}
        </span>
      ))}
    </section>
  )
}
