import type { Dispute } from '../../api/call-api.ts'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { useWords } from '../../words/language.tsx'
import { disputeHref, useDisputeColumns } from '../disputes/dispute-columns.tsx'
import { disputes_words } from '../disputes/disputes-words.ts'

export function PaymentDisputes({ disputes }: { disputes: readonly Dispute[] }) {
  const words = useWords(disputes_words)
  return (
    <TableSection
      title={words.title}
      none={words.none}
      columns={useDisputeColumns()}
      rows={disputes}
      idOf={({ id }) => id}
      hrefOf={disputeHref}
    />
  )
}
