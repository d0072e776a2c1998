import type { Dispute } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { dateColumn, moneyColumn } from '../../parts/lists/table-columns.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { disputes_words } from './disputes-words.ts'

export const disputeHref = ({ store_id, id }: Pick<Dispute, 'store_id' | 'id'>) =>
  `/disputes/${store_id}/${id}`

export function DisputeBadge({ status }: Pick<Dispute, 'status'>) {
  const { statuses } = useWords(disputes_words)
  return <StatusBadge status={status} word={statuses[status]} />
}

export function useDisputeColumns(): Column<Dispute>[] {
  const words = useWords(disputes_words)
  return [
    moneyColumn(words.amount),
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      show: ({ status }) => <DisputeBadge status={status} />,
    },
    {
      name: 'reason',
      label: words.reason,
      phone: 'title',
      show: ({ reason }) => words.reasons[reason],
    },
    {
      name: 'respond_by',
      label: words.respond_by,
      show: ({ respond_by, status }) =>
        status === 'needs_response' && <TimeText at={respond_by} exact />,
    },
    dateColumn(words.date),
  ]
}
