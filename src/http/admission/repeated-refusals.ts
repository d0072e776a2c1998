import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../api/routes/request-parts.ts'
import type { Caller } from '../../core/access/caller.ts'
import { randomText } from '../../core/ids.ts'
import { noteHits } from '../../core/limits/limit-hits.ts'
import type { Counted, RequestCounts } from '../../core/limits/request-counts.ts'
import { second_ms } from '../../core/time/clock.ts'
import { givenRequestId } from '../reply/request-id.ts'
import { loggedPath, unknown_route } from '../reply/shown-path.ts'
import type { Admission } from './admission.ts'
import type { RequestKind } from './admission-rules.ts'
import { onlyIds, type RateKey, rateHeaders } from './rate-limit.ts'
import {
  type HeaderList,
  newRefusalPace,
  type Refusal,
  retryAfter,
  type SendPaced,
  too_many_requests,
  writeRefusal,
} from './refusal.ts'

/** The properties by which a repeated request is refused again. */
export interface Repeatable {
  /** The owner whose refusals are paced together. */
  readonly owner: string
  readonly kind: RequestKind
  /** The buckets that it counts in, and their result; null: there was no free slot, and no count. */
  readonly rate: { readonly keys: readonly RateKey[]; readonly counted: Counted } | null
  /** Why it is refused although it is within its rate; null: then it would pass. */
  readonly refusal: Refusal | null
}

interface Remembered extends Repeatable {
  readonly route: string
  readonly path: string | undefined
  readonly caller: Caller | null
  readonly sendPaced: SendPaced
  /** The instant at which the exhausted limits refill, and the headers of the response until then. */
  used_up_until_ms: number
  empty: Counted | null
  rate_headers: HeaderList
}

/** A refusal that was sent without the framework, for the log and the metrics. */
export interface SentRefusal {
  readonly method: string
  readonly route: string
  readonly path: string | undefined
  readonly status: number
  readonly request_id: string
  readonly caller: Caller | null
  readonly came_ms: number
}

export interface RepeatedRefusals {
  remember(request: FastifyRequest, facts: Repeatable): void
  /** Answers a request that repeats a refused one; any other continues. */
  handle(raw: IncomingMessage, response: ServerResponse, next: () => void): void
}

interface Parts {
  readonly counts: RequestCounts
  readonly admission: Admission
  readonly headers: Readonly<Record<string, string>>
  monotonic(): number
  onSent(sent: SentRefusal): void
}

/** Entries expire after this time: the credential may be valid by now. */
const remember_ms = 5 * second_ms
const max_remembered = 2000
const max_key_length = 4096

/**
 * A client that repeats a refused request is refused before the framework sees the request: routing,
 * hooks and a reply object would cost more than the refusal. Requests that their rate allows again, or
 * that were not refused for their credential, take the ordinary path. So do requests from pages, which
 * need more headers, and URLs that may contain a card number, which are not kept in memory.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: small functions that share their state
export function newRepeatedRefusals(parts: Parts): RepeatedRefusals {
  const { counts, admission, monotonic, onSent } = parts
  const base_headers: HeaderList = Object.entries(parts.headers).flat()
  const remembered = new Map<string, Remembered>()
  const pace = newRefusalPace(monotonic)
  /** Generating random ids would cost as much as everything else that is written. */
  const id_prefix = randomText(12)
  let count = 0
  let forget_at_ms = 0

  function forgetOld(now_ms: number): void {
    if (now_ms < forget_at_ms && remembered.size < max_remembered) return
    remembered.clear()
    forget_at_ms = now_ms + remember_ms
  }

  function send(
    { route, path, caller, rate_headers }: Remembered,
    raw: IncomingMessage,
    response: ServerResponse,
    refusal: Refusal,
    came_ms: number,
    and_close: boolean,
    retry_after_s?: number,
  ): void {
    if (response.destroyed) return
    count += 1
    const request_id = givenRequestId(raw.headers) ?? `${id_prefix}${count}`
    const method = raw.method ?? ''
    const headers = base_headers.slice()
    for (const part of rate_headers) headers.push(part)
    headers.push('x-request-id', request_id)
    writeRefusal(response, method, refusal, headers, retry_after_s, and_close)
    onSent({ method, route, path, status: refusal.status, request_id, caller, came_ms })
  }

  function noteCounted(found: Remembered, keys: readonly RateKey[], counted: Counted): void {
    found.rate_headers = rateHeaders(keys, counted)
    if (counted.allowed) return
    found.empty = counted
    found.used_up_until_ms = monotonic() + counted.wait_ms
  }

  function refuseRate(
    found: Remembered,
    raw: IncomingMessage,
    response: ServerResponse,
    came_ms: number,
  ): void {
    const retry_after_s = retryAfter(found.used_up_until_ms - came_ms)
    if (found.rate && found.empty) noteHits(found.rate.keys, found.empty)
    found.sendPaced((and_close) =>
      send(found, raw, response, too_many_requests, came_ms, and_close, retry_after_s),
    )
  }

  return {
    remember: (request, facts) => {
      const { raw, routeOptions } = request
      const key = keyOf(raw)
      if (routeOptions.config.page || key === null || onlyIds(request) === null) return
      forgetOld(monotonic())
      const found: Remembered = {
        ...facts,
        route: routeOptions.url ?? unknown_route,
        path: loggedPath(request),
        caller: callerOf(request),
        sendPaced: pace(facts.owner),
        used_up_until_ms: Number.NEGATIVE_INFINITY,
        empty: null,
        rate_headers: [],
      }
      if (facts.rate) noteCounted(found, facts.rate.keys, facts.rate.counted)
      remembered.set(key, found)
    },
    handle: (raw, response, next) => {
      if (remembered.size === 0) return next()
      const came_ms = monotonic()
      forgetOld(came_ms)
      const key = keyOf(raw)
      const found = key === null ? undefined : remembered.get(key)
      if (!found) return next()
      const { kind, owner, rate, refusal } = found
      const is_full = admission.refuseAgain(kind, owner, (busy, retry_after_s, and_close) =>
        send(found, raw, response, busy, came_ms, and_close, retry_after_s),
      )
      if (is_full) return
      if (came_ms < found.used_up_until_ms) return refuseRate(found, raw, response, came_ms)
      if (!rate || !refusal) return next()
      const decide = (counted: Counted) => {
        noteCounted(found, rate.keys, counted)
        if (!counted.allowed) return refuseRate(found, raw, response, came_ms)
        found.sendPaced((and_close) => send(found, raw, response, refusal, came_ms, and_close))
      }
      const counted = counts.take(rate.keys)
      if (counted instanceof Promise) counted.then(decide, next)
      else decide(counted)
    },
  }
}

/** Everything that a refusal depends on. */
function keyOf({ method, url, headers, socket }: IncomingMessage): string | null {
  if (headers.origin !== undefined) return null
  const { authorization = '', 'x-forwarded-for': forwarded = '' } = headers
  const key = `${method} ${url} ${socket.remoteAddress} ${forwarded} ${authorization}`
  return key.length > max_key_length ? null : key
}
