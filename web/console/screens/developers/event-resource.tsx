import { Link } from 'wouter'
import { eventHref } from '../../api/event-place.ts'
import { IdText } from '../../parts/values/id-text.tsx'
import { useWords } from '../../words/language.tsx'
import { developers_words } from './developers-words.ts'

/** The id of what an event is about, and the way to its screen. */
export function EventResource({ event }: { event: Parameters<typeof eventHref>[0] }) {
  const words = useWords(developers_words)
  const href = eventHref(event)
  if (!event.resource_id) return null
  return (
    <>
      <IdText id={event.resource_id} whole />{' '}
      {href && <Link href={href}>{words.open_resource}</Link>}
    </>
  )
}
