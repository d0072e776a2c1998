import { KaikeiError } from './kaikei-error.ts'
import { sleep } from './pacing.ts'
import type { CallOptions } from './send-request.ts'

export interface WaitOptions extends Pick<CallOptions, 'signal' | 'store_id'> {
  /** How long to wait, 60 s by default; then it rejects with the code `TIMED_OUT`. */
  timeout_ms?: number
}

/** A lifecycle: every status with those that can follow it. */
export type Lifecycle = Readonly<Record<string, readonly string[]>>

export interface WithStatus {
  readonly status: string
  readonly error?: { readonly code: number; readonly message: string } | null
}

const usual_wait_ms = 60_000
const first_pause_ms = 250
const max_pause_ms = 5_000

/**
 * Reads a resource until it has one of the wanted statuses. The service delays its response while the
 * resource is being processed; while it waits for a customer, the pauses between reads grow.
 */
export async function waitUntil(
  name: string,
  lifecycle: Lifecycle,
  wanted: readonly string[],
  read: (options: CallOptions) => Promise<WithStatus>,
  { timeout_ms = usual_wait_ms, ...options }: WaitOptions,
): Promise<WithStatus> {
  const end_ms = Date.now() + timeout_ms
  for (let pause_ms = first_pause_ms; ; pause_ms = Math.min(pause_ms * 1.5, max_pause_ms)) {
    const resource = await read(options)
    const { status } = resource
    if (wanted.includes(status)) return resource
    if (!canReach(lifecycle, status, wanted)) {
      const { error } = resource
      const why = error ? ` (${error.code}: ${error.message})` : ''
      const message = `The ${name} is ${status}${why} and cannot become ${wanted.join(' or ')}.`
      throw new KaikeiError('STATUS_UNREACHABLE', message, { resource })
    }
    const left_ms = end_ms - Date.now()
    if (left_ms <= 0) {
      const message = `The ${name} is still ${status} after ${timeout_ms} ms.`
      throw new KaikeiError('TIMED_OUT', message, { resource })
    }
    await sleep(Math.min(pause_ms, left_ms), options.signal)
  }
}

/** A status that this version of the client does not know may lead anywhere. */
function canReach(lifecycle: Lifecycle, from: string, wanted: readonly string[]): boolean {
  const reachable = new Set([from])
  for (const status of reachable) {
    if (!lifecycle[status]) return true
    for (const next of lifecycle[status]) reachable.add(next)
  }
  return wanted.some((status) => reachable.has(status))
}
