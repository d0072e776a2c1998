import type { LimitedResource } from './limits.ts'
import type { Counted, CountKey, LimitName } from './request-counts.ts'

type Limit = LimitName | LimitedResource | 'test_charges'

/** How often each limit refused something in this process, since its start. */
const hits: Partial<Record<Limit, number>> = {}

export function noteHit(limit: Limit): void {
  hits[limit] = (hits[limit] ?? 0) + 1
}

/** The buckets that refused a request: the empty ones. */
export function noteHits(keys: readonly CountKey[], { remaining }: Counted): void {
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]
    if (key && (remaining[index] ?? 0) <= 0) noteHit(key[0])
  }
}

export function limitHits(): Readonly<Record<string, number>> {
  return hits
}
