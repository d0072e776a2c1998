import type { Error as ErrorBody } from './generated/api-types.ts'
import { KaikeiError } from './kaikei-error.ts'
import { type Pacing, sleep } from './pacing.ts'

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call and its retries; it rejects with the reason of the signal. */
  signal?: AbortSignal
  /** How long each attempt may take. */
  timeout_ms?: number
  /** How often the call is repeated at most. */
  max_retries?: number
  /**
   * The key with which a POST or PATCH has its effect once, however often it is sent. By default every
   * call gets a new one. With `null` none is sent, and a call whose outcome is unknown is not repeated.
   */
  idempotency_key?: string | null
  /** Another store than that of the client; `null` for none, with the token of a merchant. */
  store_id?: string | null
}

export interface Connection {
  readonly base_url: string
  readonly authorization: string | null
  readonly headers: () => Record<string, string>
  readonly fetch: typeof fetch
  readonly timeout_ms: number
  readonly max_retries: number
  readonly pacing: Pacing
}

export interface ApiRequest {
  readonly method: string
  /** The path with the names of its ids. */
  readonly route: string
  readonly path: string
  readonly body: unknown
}

const first_delay_ms = 500
const max_delay_ms = 8_000
/** A call does not wait longer than this; its caller gets the error, which says how long to wait. */
const max_retry_after_ms = 60_000
/** Clients that were refused at the same moment do not return at the same moment. */
const spread_ms = 250

/** Sends a request, and repeats it as docs/errors.md of the service says. */
export async function sendRequest(
  connection: Connection,
  request: ApiRequest,
  options: CallOptions,
): Promise<unknown> {
  const { signal, max_retries = connection.max_retries } = options
  const headers = headersOf(connection, request, options)
  const is_repeatable = !isChange(request) || 'idempotency-key' in headers
  let is_response_lost = false
  for (let attempt = 0; ; attempt += 1) {
    try {
      await connection.pacing.wait(request, signal)
      return await sendOnce(connection, request, headers, options)
    } catch (error) {
      if (!(error instanceof KaikeiError)) throw error
      // The attempt whose response was lost has deleted it.
      if (is_response_lost && request.method === 'DELETE' && error.status === 404) return undefined
      is_response_lost ||= hasUnknownOutcome(error)
      const delay_ms = retryDelay(error, attempt, is_repeatable)
      if (delay_ms === null || attempt >= max_retries) throw error
      await sleep(delay_ms, signal)
    }
  }
}

const isChange = ({ method }: ApiRequest) => method === 'POST' || method === 'PATCH'

/** Browsers may send no other headers to the service. */
function headersOf(
  { authorization, headers }: Connection,
  request: ApiRequest,
  { idempotency_key = newKey() }: CallOptions,
): Record<string, string> {
  return {
    ...headers(),
    accept: 'application/json',
    ...(authorization && { authorization }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(isChange(request) && idempotency_key && { 'idempotency-key': idempotency_key }),
  }
}

/** 128 random bits; `crypto.randomUUID` is missing on pages without https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function sendOnce(
  { base_url, fetch, timeout_ms: usual_ms, pacing }: Connection,
  request: ApiRequest,
  headers: Record<string, string>,
  { signal, timeout_ms = usual_ms }: CallOptions,
): Promise<unknown> {
  const { method, path, body } = request
  const stop = new AbortController()
  const abort = () => stop.abort()
  const timer = setTimeout(abort, timeout_ms)
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    const response = await fetch(base_url + path, {
      method,
      headers,
      redirect: 'manual',
      signal: stop.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    pacing.note(request, response.headers)
    return readResponse(response, await response.text())
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof KaikeiError) throw error
    const name = `${method} ${request.route}`
    throw stop.signal.aborted
      ? new KaikeiError('TIMED_OUT', `${name}: no response within ${timeout_ms} ms.`)
      : new KaikeiError('CONNECTION_FAILED', `${name}: no response.`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function readResponse({ ok, status, headers }: Response, text: string): unknown {
  const is_json = /^application\/json\b/.test(headers.get('content-type') ?? '')
  const body = is_json && text !== '' ? JSON.parse(text) : text || undefined
  if (ok) return body
  const details = {
    status,
    request_id: headers.get('x-request-id'),
    retry_after_ms: readRetryAfter(headers.get('retry-after')),
  }
  const { code, message } = (body ?? {}) as Partial<ErrorBody>
  if (code) throw new KaikeiError(code, message ?? code, { ...details, body })
  throw new KaikeiError(
    'UNREADABLE_RESPONSE',
    `The response with status ${status} is not one of the service.`,
    details,
  )
}

/** Seconds, as the service sends them, or a date, as a proxy may. */
function readRetryAfter(text: string | null): number | null {
  if (!text) return null
  const seconds = Number(text)
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? null : Math.max(ms, 0)
}

/** The request may have had its effect, although no response says so. */
function hasUnknownOutcome({ code, status }: KaikeiError): boolean {
  if (status === null) return code === 'CONNECTION_FAILED' || code === 'TIMED_OUT'
  return status === 408 || status >= 500
}

/** How long to wait before the next attempt; null when there must be none. */
function retryDelay(error: KaikeiError, attempt: number, is_repeatable: boolean): number | null {
  const { code, status, retry_after_ms } = error
  const is_in_progress = code === 'IDEMPOTENCY_KEY_CONFLICT' && retry_after_ms !== null
  const is_refused = status === 429 || is_in_progress
  if (!is_refused && !(is_repeatable && hasUnknownOutcome(error))) return null
  if (retry_after_ms !== null) {
    return retry_after_ms > max_retry_after_ms ? null : retry_after_ms + Math.random() * spread_ms
  }
  const delay_ms = Math.min(first_delay_ms * 2 ** attempt, max_delay_ms)
  return delay_ms * (0.5 + Math.random() / 2)
}
