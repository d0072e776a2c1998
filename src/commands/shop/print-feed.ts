import { setTimeout as sleep } from 'node:timers/promises'
import { faultOf } from '../../core/read-unknown.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { ApiClient } from '../line/api-client.ts'

export interface FeedEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
  readonly created_on: string
  readonly resource_id: string
  readonly sequence: number
}

export interface Following {
  /** Names of events, separated by commas; undefined: all. */
  readonly events: string | undefined
  /** How many of the last events come first. */
  readonly last: number
  readonly follow: boolean
  readonly stopped: AbortSignal
  /** From now on no event is missed. */
  onListening?(): void
  onTrouble(message: string): void
}

/** The minimum size of a page of the feed. */
const min_page = 10
const max_page = 100

/** The last events of the demo store, and then those that happen, until it is stopped. */
export async function* followEvents(api: ApiClient, options: Following): AsyncGenerator<FeedEvent> {
  const { events, last, follow, stopped } = options
  const limit = String(Math.min(max_page, Math.max(min_page, last)))
  const filter: Record<string, string> = events ? { event: events } : {}
  const query = new URLSearchParams({ limit, ...filter })
  const newest: FeedEvent[] = (await api.call('GET', `/events?${query}`)).items
  options.onListening?.()
  yield* newest.slice(0, last).reverse()
  let cursor = newest[0]?.id
  while (follow && !stopped.aborted) {
    for (const event of await nextEvents(api, cursor, filter, options)) {
      cursor = event.id
      yield event
    }
  }
}

/** Long-polls for events after the cursor. Retries while the service restarts. */
async function nextEvents(
  api: ApiClient,
  cursor: string | undefined,
  filter: Record<string, string>,
  { stopped, onTrouble }: Following,
): Promise<FeedEvent[]> {
  const query = new URLSearchParams({
    cursor_direction: 'asc',
    polling: 'true',
    limit: String(max_page),
    ...filter,
    ...(cursor ? { cursor } : {}),
  })
  try {
    return (await api.call('GET', `/events?${query}`, undefined, stopped)).items
  } catch (error) {
    if (!stopped.aborted) onTrouble(faultOf(error).message ?? '')
    await sleep(second_ms, undefined, { signal: stopped }).catch(() => {})
    return []
  }
}
