import type { Stripe } from 'stripe'
import type { CallLimit } from '../../providers/provider.ts'
import { type Reply, sendOnce } from '../send-once.ts'
import type { StripeAccount } from './stripe-settings.ts'

/** The version that the shapes below were written for. The version of the account does not matter. */
export const stripe_api_version = '2026-10-28.endive'

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>

let library: Promise<typeof Stripe> | null = null

/** Loaded with the first call or notification: no start waits for it. */
export function loadStripe(): Promise<typeof Stripe> {
  library ??= import('stripe').then((loaded) => loaded.default)
  return library
}

/** The library for one operation, which may be several requests. */
export interface StripeCall {
  readonly stripe: Stripe
  readonly Library: typeof Stripe
  /** Whether any request of the operation may have reached Stripe. */
  wasSent(): boolean
  /** Why there is no answer, in words without any value of the call. */
  problem(): string
}

/** An answer that cannot be relied on. It may still name what was made. */
export class NoResponse extends Error {
  readonly response: unknown

  constructor(message: string, response: unknown = null) {
    super(message)
    this.response = response
  }
}

/**
 * The library with a client of our own, which knows whether anything was sent and ends with the limit of the
 * call. It is opened for each operation, so that no key is kept.
 */
export async function openCall(
  { secret_key, host, port, protocol }: StripeAccount,
  secrets: readonly string[],
  limit: CallLimit | undefined,
): Promise<StripeCall> {
  const Library = await loadStripe()
  let was_sent = false
  let problem = ''
  const httpClient: HttpClient = {
    getClientName: () => 'undici',
    makeRequest: async (to_host, to_port, path, method, given, data, scheme) => {
      const headers = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, String(value)]),
      )
      if (limit?.traceparent !== undefined) headers.traceparent = limit.traceparent
      const origin = `${scheme}://${to_host}:${to_port}`
      const body = data === '' ? null : data
      const verb = method === 'POST' ? 'POST' : 'GET'
      const request = { origin, path, method: verb, headers, body } as const
      const reply = await sendOnce(request, limit?.signal)
      if (reply.kind !== 'not_sent') was_sent = true
      if (reply.kind === 'answered') return responseOf(reply, [secret_key, ...secrets])
      problem = reply.reason
      // Without the code of the connection error: the library repeats a request for some of them.
      throw new NoResponse(problem)
    },
  }
  const stripe = new Library(secret_key, {
    apiVersion: stripe_api_version,
    httpClient,
    host,
    port,
    protocol,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  return { stripe, Library, wasSent: () => was_sent, problem: () => problem }
}

/** Secrets of the request are masked wherever the answer repeats them. */
function responseOf(
  { status, headers, body }: Extract<Reply, { kind: 'answered' }>,
  secrets: readonly string[],
): Awaited<ReturnType<HttpClient['makeRequest']>> {
  return {
    getStatusCode: () => status,
    getHeaders: () => headers as Record<string, string>,
    getRawResponse: () => ({ headers, statusCode: status }),
    toStream: () => {
      throw new NoResponse('No answer is streamed.')
    },
    toJSON: async () => {
      const text = secrets.reduce(
        (masked, secret) => masked.replaceAll(secret, '[hidden]'),
        body.toString(),
      )
      const response: unknown = JSON.parse(text)
      const is_object = typeof response === 'object' && response !== null
      // The library takes any object without an error for a success, whatever its status is.
      if (!is_object || (status !== 200 && !('error' in response))) {
        throw new NoResponse(`The answer has status ${status}.`, response)
      }
      return response
    },
  }
}
