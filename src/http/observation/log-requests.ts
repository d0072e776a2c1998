import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../api/routes/request-parts.ts'
import { maskCardNumbers } from '../../core/cards/find-card-numbers.ts'
import { isUuid, newId } from '../../core/ids.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { aheadOf, type Service } from '../../service.ts'
import type { LoggedError } from '../../store/tables/accounts/console-tables.ts'
import { newRequestLog, type RequestLog } from '../../views/request-log/record-requests.ts'
import { givenRequestId } from '../reply/request-id.ts'
import { shownPath } from '../reply/shown-path.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Null: requests are not logged. */
    request_log: RequestLog | null
  }
  interface FastifyReply {
    /** What the response created, for the request log. */
    created_id: string | null
    /** Why the request was refused, for the request log. */
    logged_error: LoggedError | null
  }
}

/** The parts of a request that its route decides. */
export interface AnsweredRoute {
  readonly route: string
  readonly operation: string | undefined
  readonly status: number
}

export interface LogRequests {
  /** Reads what the log needs from a response before it is sent. */
  read(request: FastifyRequest, reply: FastifyReply, payload: unknown): void
  /** Logs one request that was answered. */
  write(request: FastifyRequest, reply: FastifyReply, answered: AnsweredRoute): void
}

/** Adds what the request log needs to the app. */
export function addRequestLog(app: FastifyInstance, service: Service): LogRequests {
  const { wall_clock, config } = service
  const log = config.request_log_days === 0 ? null : newRequestLog(service)
  app.decorate('request_log', log)
  if (!log) return { read: () => {}, write: () => {} }
  app.decorateReply('created_id', null)
  app.decorateReply('logged_error', null)
  app.addHook('onClose', () => log.close())
  const read: LogRequests['read'] = (request, reply, payload) => {
    if (reply.statusCode === 201) reply.created_id = createdId(payload)
    else if (reply.statusCode >= 400 && request.caller) reply.logged_error = errorIn(payload)
  }
  const write: LogRequests['write'] = (request, reply, { route, operation = null, status }) => {
    const caller = callerOf(request)
    // The console itself reads all the time.
    if (!caller || (caller.user && request.method === 'GET' && status < 400)) return
    if (!log.accepts(caller.merchant_id, request.method, status)) return
    const now_ms = wall_clock.now()
    const key = request.headers['idempotency-key']
    log.add({
      merchant_id: caller.merchant_id,
      id: newId(now_ms),
      request_id: storedRequestId(request),
      store_id: caller.store_id,
      mode: caller.mode,
      token_id: caller.token_id,
      is_user: caller.user !== null,
      method: request.method,
      operation,
      path: shownPath(request) ?? route,
      status,
      duration_ms: Math.round(reply.elapsedTime),
      idempotency_key:
        typeof key === 'string' ? maskCardNumbers(key.slice(0, 255), '[card]') : null,
      resource_id: reply.created_id ?? lastId(request.params),
      error: reply.logged_error,
      ahead_ms: aheadOf(service, caller),
    })
  }
  return { read, write }
}

/** One that the client chose may be anything. */
export function storedRequestId({ headers, id }: FastifyRequest): string {
  return givenRequestId(headers) === null ? id : maskCardNumbers(id, '[card]')
}

const before_id = '{"id":"'

/** Every resource that is created begins with its id. */
export function createdId(payload: unknown): string | null {
  if (typeof payload !== 'string' || !payload.startsWith(before_id)) return null
  const id = payload.slice(before_id.length, before_id.length + 36)
  return isUuid(id) ? id : null
}

/** Codes and names of fields, without card numbers; a message may repeat what was sent. */
function errorIn(payload: unknown): LoggedError | null {
  if (typeof payload !== 'string' || !payload.startsWith('{"status":"error"')) return null
  const { code, errors = [] } = JSON.parse(payload) as LoggedError
  const reported = errors.map(({ field, reason }) => ({
    field: maskCardNumbers(field, '[card]'),
    reason,
  }))
  return { code, errors: reported }
}

function lastId(params: unknown): string | null {
  let found: string | null = null
  for (const value of Object.values(recordOf(params))) {
    if (typeof value === 'string' && isUuid(value)) found = value
  }
  return found
}
