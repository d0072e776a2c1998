import type { ListDisputesQuery } from '../../api/call-api.ts'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { ScreenTitle } from '../../parts/screen/screen-title.tsx'
import { useWords } from '../../words/language.tsx'
import { disputeHref, useDisputeColumns } from './dispute-columns.tsx'
import { disputes_words } from './disputes-words.ts'

/** What customers want back through their banks. */
export function DisputesScreen() {
  const words = useWords(disputes_words)
  const filters: readonly Filter[] = [
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      options: Object.entries(words.statuses),
    },
    { kind: 'choice', name: 'reason', label: words.reason, options: Object.entries(words.reasons) },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
    { kind: 'text', name: 'charge_id', label: words.charge },
  ]
  return (
    <>
      <ScreenTitle title={words.title} />
      <p className="screen-intro">{words.intro}</p>
      <ListView
        label={words.title}
        columns={useDisputeColumns()}
        filters={filters}
        read={(api, query, store_id) =>
          api.disputes.list(query as ListDisputesQuery, store_id ? { store_id } : {})
        }
        idOf={({ id }) => id}
        hrefOf={disputeHref}
        empty={{ icon: 'disputes', title: words.empty_title, text: words.empty_text }}
        refresh_ms={10_000}
      />
    </>
  )
}
