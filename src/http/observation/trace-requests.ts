import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid, newUnguessableId } from '../../core/ids.ts'
import { childOf, contextOfId, readTraceparent } from '../../core/log/trace-context.ts'
import type { Service } from '../../service.ts'
import { createdId } from './log-requests.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The resource that the response created, where requests are traced. */
    traced_id?: string | null
  }
}

/** Before the response is sent: its client may call again, and the worker may have begun. */
export function continueTrace(
  { observers }: Service,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  if (reply.statusCode !== 201) return
  reply.traced_id = createdId(payload)
  const caller = readTraceparent(headers.traceparent)
  if (reply.traced_id && caller) observers.traces?.continueTrace(reply.traced_id, caller)
}

/**
 * The span of a request. Its trace is that of the caller, if there is one; else it has the id of what the
 * request created, or of the request.
 */
export function traceRequest(
  { observers, wall_clock }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  route: string,
  status: number,
): void {
  const { headers, id: request_id, method } = request
  const caller = readTraceparent(headers.traceparent)
  const own = reply.traced_id ?? (isUuid(request_id) ? request_id : newUnguessableId())
  const begun = contextOfId(own)
  observers.traces?.record({
    name: `${method} ${route}`,
    kind: 'server',
    context: caller ? { ...childOf(caller), span_id: begun.span_id } : begun,
    parent_span_id: caller?.span_id ?? null,
    ended_ms: wall_clock.now(),
    duration_ms: reply.elapsedTime,
    has_failed: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'kaikei.request_id': request_id,
      'kaikei.merchant_id': request.caller?.merchant_id,
    },
  })
}
