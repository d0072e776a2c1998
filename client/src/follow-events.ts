import type { Event, ListEventsQuery } from './generated/api-types.ts'
import type { Page } from './list-pages.ts'
import type { CallOptions } from './send-request.ts'

export interface FollowOptions
  extends Pick<ListEventsQuery, 'event' | 'resource_id'>,
    Pick<CallOptions, 'signal' | 'store_id'> {
  /**
   * The id of the last event that you have processed, or `latest` for those that happen from now on.
   * Without it the feed begins with the first event there is.
   */
  after?: string
}

type ReadPage = (query: ListEventsQuery, options: CallOptions) => PromiseLike<Page<Event>>

const page_size = 100

/**
 * Every event, in the order in which they were committed, as they happen. It waits while the service
 * cannot be reached, and ends when the signal is aborted.
 */
export async function* followEvents(
  readPage: ReadPage,
  { after, event, resource_id, signal, store_id }: FollowOptions = {},
): AsyncGenerator<Event, void> {
  const options: CallOptions = { max_retries: Number.POSITIVE_INFINITY }
  if (signal) options.signal = signal
  if (store_id) options.store_id = store_id
  const feed: ListEventsQuery = { cursor_direction: 'asc', polling: true, limit: page_size }
  if (event) feed.event = event
  if (resource_id) feed.resource_id = resource_id
  try {
    let cursor = after === 'latest' ? (await readPage({}, options)).items[0]?.id : after
    for (;;) {
      const { items } = await readPage(cursor ? { ...feed, cursor } : feed, options)
      for (const item of items) {
        if (signal?.aborted) return
        yield item
        cursor = item.id
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
