/** Rate limits that the service reports, by the ending of their headers, and what each of them counts. */
const limits = [
  ['', () => 'charge'],
  ['-Route', ({ method, route }: Counted) => `${method} ${route}`],
  ['-Exact', ({ method, path }: Counted) => `${method} ${path}`],
] as const

interface Counted {
  readonly method: string
  readonly route: string
  readonly path: string
}

/** A limit that is used up: when its next request may be sent, and how long each one after it waits. */
interface UsedUp {
  next_ms: number
  readonly interval_ms: number
}

const max_used_up = 1000

/**
 * Sends requests no faster than the service accepts them: when the headers of a response say that
 * nothing is left, each further request waits until the service has one more for it.
 */
export interface Pacing {
  wait(request: Counted, signal?: AbortSignal): Promise<void>
  note(request: Counted, headers: Headers): void
}

export function newPacing(): Pacing {
  const used_up = new Map<string, UsedUp>()
  return {
    async wait(request, signal) {
      const now_ms = Date.now()
      let send_ms = now_ms
      for (const [, keyOf] of limits) {
        const limit = used_up.get(keyOf(request))
        if (!limit) continue
        limit.next_ms = Math.max(limit.next_ms, now_ms)
        send_ms = Math.max(send_ms, limit.next_ms)
        limit.next_ms += limit.interval_ms
      }
      if (send_ms > now_ms) await sleep(send_ms - now_ms, signal)
    },
    note(request, headers) {
      // Entries of addresses that are not called again would stay for ever.
      if (used_up.size > max_used_up) used_up.clear()
      for (const [ending, keyOf] of limits) {
        const remaining = headers.get(`x-remaining-requests${ending}`)
        if (remaining === null) continue
        const key = keyOf(request)
        const interval_ms = 60_000 / Number(headers.get(`x-requests-per-minute${ending}`))
        if (Number(remaining) > 0) used_up.delete(key)
        else if (!used_up.has(key))
          used_up.set(key, { next_ms: Date.now() + interval_ms, interval_ms })
      }
    },
  }
}

/** Rejects with the reason of the signal when that is aborted first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
