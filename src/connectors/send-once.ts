import type { Agent, Dispatcher } from 'undici'
import { provider_policy } from '../core/limits/retry-policies.ts'
import { second_ms } from '../core/time/clock.ts'

/** Connections to one provider. A call that finds none free waits for one as long as its limit allows. */
const connections_each = 64
const connect_within_ms = 5 * second_ms
/** The size limit of a provider's response, without headers. */
const max_body_bytes = 2 ** 20

/** The outcome of a call. Only a call that was not sent certainly had no effect. */
export type Reply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      readonly body: Buffer
    }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string }

const options: Agent.Options = {
  connect: { timeout: connect_within_ms },
  connections: connections_each,
  headersTimeout: provider_policy.claim_ms,
  bodyTimeout: provider_policy.claim_ms,
  keepAliveTimeout: 4 * second_ms,
  maxHeaderSize: 16 * 1024,
  pipelining: 1,
}

// Loaded with the first call, and shared by all connectors: no start waits for it.
let agent: Promise<Agent> | null = null

/** Sends a request once. It never rejects, and nothing of the request is in what it returns. */
export async function sendOnce(
  request: Dispatcher.DispatchOptions,
  limit: AbortSignal | undefined,
): Promise<Reply> {
  agent ??= import('undici').then((undici) => new undici.Agent(options))
  const opened = await agent
  const signal = limit ?? AbortSignal.timeout(provider_policy.claim_ms)
  return new Promise((resolve) => dispatch(opened, request, signal, resolve))
}

/**
 * `onRequestStart` is called before the first byte is written to a connection, and not when connecting
 * fails: a failure before it had no effect, a failure after it may have had one.
 */
function dispatch(
  dispatcher: Agent,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  resolve: (reply: Reply) => void,
): void {
  const parts: Buffer[] = []
  let bytes = 0
  let status = 0
  let headers: Extract<Reply, { kind: 'answered' }>['headers'] = {}
  let controller: Dispatcher.DispatchController | null = null

  function end(reply: Reply): void {
    signal.removeEventListener('abort', giveUp)
    resolve(reply)
  }
  function fail(reason: string): void {
    end({ kind: controller ? 'lost' : 'not_sent', reason })
  }
  function giveUp(): void {
    fail('The time for the call was over.')
    controller?.abort(new Error('The call was given up.'))
  }
  if (signal.aborted) {
    fail('There was no time left for the call.')
    return
  }
  signal.addEventListener('abort', giveUp, { once: true })
  dispatcher.dispatch(request, {
    onRequestStart: (started) => {
      // It waited for a connection, and was reported as not sent meanwhile: then it must not be sent.
      if (signal.aborted) started.abort(new Error('The call was given up.'))
      else controller = started
    },
    onResponseStart: (_, code, received) => {
      status = code
      headers = received
    },
    onResponseData: (started, part) => {
      parts.push(part)
      bytes += part.length
      if (bytes > max_body_bytes) started.abort(new Error('The answer is too long.'))
    },
    onResponseEnd: () => end({ kind: 'answered', status, headers, body: Buffer.concat(parts) }),
    onResponseError: (_, error) => fail(explain(error)),
  })
}

/** The failure, in words without any value of the call. */
function explain(error: Error & { code?: string; errors?: { code?: string }[] }): string {
  const code = error.code ?? error.errors?.find((one) => one.code)?.code
  return code ? `The connection failed (${code}).` : error.message
}
