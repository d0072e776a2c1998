import type { CheckoutSession } from '../../../api/call-api.ts'
import type { Column } from '../../../parts/lists/data-table.tsx'
import { dateColumn, moneyColumn } from '../../../parts/lists/table-columns.tsx'
import { StatusBadge } from '../../../parts/values/status-badge.tsx'
import { useFailureText } from '../../../words/charge-error-words.ts'
import { useWords } from '../../../words/language.tsx'
import { method_words } from '../../../words/status-words.ts'
import { SessionResult } from './session-result.tsx'
import { session_words } from './session-words.ts'

export function SessionBadge({ status }: Pick<CheckoutSession, 'status'>) {
  const words = useWords(session_words)
  return <StatusBadge status={status} word={words.statuses[status]} />
}

/** The first item represents all items. */
function goodsOf({ line_items }: CheckoutSession): string | null {
  const [first, ...others] = line_items
  if (!first) return null
  return others.length > 0 ? `${first.name} +${others.length}` : first.name
}

export function useSessionColumns(): readonly Column<CheckoutSession>[] {
  const words = useWords(session_words)
  const methods = useWords(method_words)
  const failureText = useFailureText()
  return [
    moneyColumn(words.amount),
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <SessionBadge status={status} />,
    },
    {
      name: 'goods',
      label: words.goods,
      phone: 'title',
      show: (session) => goodsOf(session) ?? <span className="none">{words.no_goods}</span>,
    },
    {
      name: 'method',
      label: words.method,
      show: ({ payment_type }) => payment_type && methods[payment_type],
    },
    {
      name: 'attempts',
      label: words.attempts,
      show: ({ attempts, error }) => (
        <>
          {attempts}
          {error && <span className="session-error"> {failureText(error)}</span>}
        </>
      ),
    },
    {
      name: 'result',
      label: words.payment,
      show: (session) => <SessionResult session={session} />,
    },
    dateColumn(words.created),
  ]
}
