import type { IncomingHttpHeaders } from 'node:http'
import { newId } from '../core/ids.ts'

export const usable_request_id = /^[\w.:-]{1,128}$/

/** The request id that a client sent, if it can be used. */
export function givenRequestId(headers: IncomingHttpHeaders): string | null {
  const given = headers['x-request-id']
  return typeof given === 'string' && usable_request_id.test(given) ? given : null
}

/** The id of a request; one of ours contains its time, by which the request log finds it. */
export function requestId({ headers }: { headers: IncomingHttpHeaders }, now_ms: number): string {
  return givenRequestId(headers) ?? newId(now_ms)
}
