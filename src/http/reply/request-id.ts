import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { newId, newUnguessableId } from '../../core/ids.ts'
import type { Clock } from '../../core/time/clock.ts'

export const usable_request_id = /^[\w.:-]{1,128}$/

/** The request id that a client sent, if it can be used. */
export function givenRequestId(headers: IncomingHttpHeaders): string | null {
  const given = headers['x-request-id']
  return typeof given === 'string' && usable_request_id.test(given) ? given : null
}

/** The request log finds a request that may create something by the time in its id. */
export function requestId(request: IncomingMessage, clock: Clock): string {
  const given = givenRequestId(request.headers)
  if (given !== null) return given
  return request.method === 'POST' ? newId(clock.now()) : newUnguessableId()
}
