import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Agent, Dispatcher, request } from 'undici'
import type { Config } from '../config.ts'
import { maskText } from '../core/cards/sensitive.ts'
import { faultOf } from '../core/read-unknown.ts'
import { second_ms, systemClock } from '../core/time/clock.ts'
import { isPublicAddress } from '../core/typed/public-address.ts'

/** Requests to addresses that merchants chose. */
export interface Outbound {
  /** Posts once. Never throws: a failure is part of the result. */
  post(message: OutboundMessage): Promise<OutboundResult>
  close(): Promise<void>
}

export interface OutboundMessage {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

export interface OutboundResult {
  /** Null: there was no response, and `error` says why. */
  readonly status: number | null
  readonly error: string | null
  readonly retry_after: string | null
  /** The beginning of an unsuccessful response, for finding its cause. */
  readonly answer: string | null
  readonly duration_ms: number
}

/** A response must begin within this time, which includes name lookup, connecting and sending. */
export const response_within_ms = 3 * second_ms
/** Maximum that is read of a response: only its status matters. */
const max_bytes = 64 * 1024
const shown_characters = 250
/** More than is shown is masked: half a card number would not be recognised. */
const masked_characters = 300
/**
 * Receivers of many merchants can share a host: each has its own limit, and this one is above all of
 * them.
 */
const connections_each = 1024

class AddressRefused extends Error {}

/** Resolves all addresses of a name, as `dns.lookup` does. */
type LookupAll = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export function newOutbound(
  { webhook_targets, host }: Pick<Config, 'webhook_targets' | 'host'>,
  lookup: LookupAll = systemLookup,
): Outbound {
  const own = [host, ...Object.values(networkInterfaces()).flatMap((all) => all ?? [])].map(
    (one) => (typeof one === 'string' ? one : one.address),
  )
  const isAllowed = (address: string) =>
    webhook_targets === 'any' || (isPublicAddress(address) && !own.includes(address))
  const options: Agent.Options = {
    connect: { lookup: checkedLookup(lookup, isAllowed), timeout: response_within_ms },
    connections: connections_each,
    headersTimeout: response_within_ms,
    bodyTimeout: response_within_ms,
    keepAliveTimeout: 10 * second_ms,
    maxHeaderSize: 16 * 1024,
    pipelining: 1,
  }
  // Loaded with the first message: no start waits for it.
  let client: Promise<{ agent: Agent; send: typeof request }> | null = null
  const openClient = () =>
    import('undici').then((undici) => ({ agent: new undici.Agent(options), send: undici.request }))

  async function post({ url, headers, body }: OutboundMessage): Promise<OutboundResult> {
    client ??= openClient()
    const { agent, send } = await client
    const started_ms = systemClock.monotonic()
    const over = AbortSignal.timeout(response_within_ms)
    const end = (result: Partial<OutboundResult>): OutboundResult => ({
      status: null,
      error: null,
      retry_after: null,
      answer: null,
      ...result,
      duration_ms: systemClock.monotonic() - started_ms,
    })
    try {
      refuseClosedLiteral(url, isAllowed)
      const options = { dispatcher: agent, method: 'POST', headers, body, signal: over } as const
      const response = await send(url, options)
      const { statusCode: status } = response
      const answer = await readStart(response, over)
      const succeeded = status >= 200 && status < 300
      return end({
        status,
        retry_after: single(response.headers['retry-after']),
        answer: succeeded ? null : answer,
      })
    } catch (error) {
      return end({ error: over.aborted ? 'No answer came within 3 seconds.' : explain(error) })
    }
  }

  return { post, close: async () => (await client)?.agent.destroy() }
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Names are checked when they are resolved; an address is not resolved. */
function refuseClosedLiteral(url: string, isAllowed: (address: string) => boolean): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isAllowed(host)) throw new AddressRefused(host)
}

/**
 * The checked addresses are the ones that are connected to: a name that is resolved twice can give
 * another result the second time. One address that is not public disqualifies them all.
 */
function checkedLookup(lookup: LookupAll, isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      const closed = addresses?.find(({ address }) => !isAllowed(address))
      if (error || !first) return callback(error ?? new Error('ENOTFOUND'), '', 0)
      if (closed) return callback(new AddressRefused(closed.address), '', 0)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}

/** Reads what arrives soon and drops the rest: a status that arrived stays valid. */
async function readStart(
  { body }: Dispatcher.ResponseData,
  over: AbortSignal,
): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= max_bytes || over.aborted) break
    }
  } catch {
    // Cut off, by the receiver or by us.
  }
  const text = Buffer.concat(parts)
    .toString()
    .replaceAll(/\p{Cc}+/gu, ' ')
  const beginning = text.trim().slice(0, masked_characters)
  // The response is stored and shown, and a receiver may echo a card number.
  return beginning === '' ? null : maskText(beginning).slice(0, shown_characters)
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The name of the host was not found.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about within 3 seconds.',
  UND_ERR_HEADERS_TIMEOUT: 'No answer came within 3 seconds.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
}

/** The failure, in words for the merchant. */
function explain(error: unknown): string {
  const causes = [error, ...(faultOf(error).errors ?? [])].map(faultOf)
  for (const cause of causes) {
    if (cause instanceof AddressRefused) return 'The address of the host is not public.'
    const sentence = sentences[cause?.code ?? '']
    if (sentence) return sentence
  }
  const { code = '', name = '' } = faultOf(error)
  if (/^(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) {
    return `The TLS connection is not trustworthy (${code}).`
  }
  return `The request failed (${code || name}).`
}
