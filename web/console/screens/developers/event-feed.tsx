import { useState } from 'react'
import { event_names } from '../../../../src/events/event-names.ts'
import type { Event, ListEventsQuery } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { dateColumn, idColumn, openColumn } from '../../parts/lists/table-columns.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { useWords } from '../../words/language.tsx'
import { developers_words } from './developers-words.ts'
import { EventResource } from './event-resource.tsx'

/** Everything that happened, newest first; each event opens to its data. */
export function EventFeed() {
  const words = useWords(developers_words)
  const [shown, setShown] = useState<Event | null>(null)
  const filters: readonly Filter[] = [
    {
      kind: 'several',
      name: 'event',
      label: words.event,
      options: Object.keys(event_names).map((name) => [name, name]),
    },
    { kind: 'text', name: 'resource_id', label: words.resource },
  ]
  const columns: readonly Column<Event>[] = [
    openColumn<Event>(words.event, ({ event }) => event, setShown),
    { ...idColumn<Event>(words.resource, ({ resource_id }) => resource_id), phone: 'value' },
    dateColumn(words.date),
  ]
  return (
    <>
      <ListView
        label={words.tabs.events}
        columns={columns}
        filters={filters}
        read={(api, query, store_id) =>
          api.events.list({ ...query, cursor_direction: 'desc' } as ListEventsQuery, { store_id })
        }
        idOf={({ id }) => id}
        empty={{ icon: 'developers', title: words.no_feed, text: words.no_feed_text }}
        refresh_ms={5_000}
      />
      {shown && (
        <Dialog open close={() => setShown(null)} title={shown.event} wide>
          <p>
            <EventResource event={shown} />
          </p>
          <CodeBlock title={words.data} value={shown.data} />
        </Dialog>
      )}
    </>
  )
}
