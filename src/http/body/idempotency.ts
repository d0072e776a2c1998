import type { FastifyContextConfig, FastifyRequest, RouteHandlerMethod } from 'fastify'
import {
  type ApiResponse,
  findResponse,
  findStored,
  type IdempotencyKey,
  LostRace,
  NotStored,
  storeResponse,
} from '../../api/idempotency/stored-response.ts'
import { Failure, fail } from '../../core/api/errors.ts'
import { maskText } from '../../core/cards/sensitive.ts'
import { idempotency_limits } from '../../core/limits/limits.ts'
import { inTransaction } from '../../service.ts'
import { UnconfirmedCommit } from '../../store/sql/connections/session.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { json_type } from '../reply/error-handler.ts'

/** No spaces, quotes or control characters: enough for every id scheme, and nothing to escape. */
export const valid_key = /^[\w.:/+=@~|#-]+$/

/** The result for a key, in the header `Idempotency-Status`. */
export const idempotency_statuses = [
  'successfully_stored',
  'retrieved_idempotent_response',
  'not_stored',
  'conflicting_key',
] as const

/** Whether a route takes an Idempotency-Key. Responses to users and to the public are never stored. */
export function isIdempotent(route: {
  readonly method: string | string[]
  readonly config?: FastifyContextConfig
}): boolean {
  const { level } = route.config?.access ?? {}
  const changes = [route.method].flat().some((method) => method === 'POST' || method === 'PATCH')
  return changes && level !== 'public' && level !== 'user' && level !== 'operator'
}

/**
 * Makes a POST or PATCH idempotent. The response is stored in the transaction of the change it
 * describes: either both exist or neither, whenever the process dies. Only responses to changes are
 * stored; a refused request leaves its key unused.
 */
export function idempotent(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (this, request, reply) {
    const key = readKey(request)
    if (key === null) return handler.call(this, request, reply)
    const idempotency_key = idempotencyKeyOf(request, key)
    reply.header('idempotency-status', 'not_stored')
    const { service } = request
    const work = async () =>
      inTransaction(service, async (tx) => {
        const stored = await findResponse(tx, idempotency_key)
        if (stored) {
          reply.header('idempotency-status', 'retrieved_idempotent_response')
          return stored
        }
        request.service = tx
        const result = await handler.call(this, request, reply)
        const body = result === '' ? '' : String(reply.serialize(result as object))
        const response = { status: reply.statusCode, body }
        await storeResponse(tx, idempotency_key, response)
        reply.header('idempotency-status', 'successfully_stored')
        return response
        // Later steps, such as the audit log, are not part of the transaction.
      }).finally(() => {
        request.service = service
      })
    /**
     * The same with one statement, for a handler that writes its response together with the change, and
     * writes nothing if a response exists. Nearly every key is new, so it is only looked up after a
     * failure.
     */
    const workInOneStatement = async () => {
      let response: ApiResponse | null = null
      const responseOf = (result: object) => {
        response = { status: reply.statusCode, body: String(reply.serialize(result)) }
        return response
      }
      request.idempotency_writer = { key: idempotency_key, responseOf }
      try {
        await handler.call(this, request, reply)
      } catch (error) {
        // The commit may be lost with this server, so success must not be reported.
        if (error instanceof UnconfirmedCommit) throw error
        // The same request may have run before, and used up what this one would have needed.
        const stored = await findStored(service, idempotency_key)
        if (stored) {
          reply.header('idempotency-status', 'retrieved_idempotent_response')
          return stored
        }
        const is_taken = violatedIndex(error) === 'idempotency_records_pkey'
        if (!is_taken && !(error instanceof NotStored)) throw error
        response = null
      } finally {
        request.idempotency_writer = null
      }
      if (!response) return work()
      reply.header('idempotency-status', 'successfully_stored')
      return response
    }
    const begin = request.routeOptions.config.stores_response ? workInOneStatement : work
    const response = await begin().catch((error) => {
      reply.header('idempotency-status', conflictOf(error) ? 'conflicting_key' : 'not_stored')
      if (error instanceof LostRace) return work()
      throw error
    })
    return reply
      .code(response.status)
      .type(json_type)
      .serializer((body: unknown) => String(body))
      .send(response.body)
  }
}

function conflictOf(error: unknown): boolean {
  return error instanceof Failure && error.code === 'IDEMPOTENCY_KEY_CONFLICT'
}

function readKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  const given = request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'idempotency-key',
  )
  const { key_length } = idempotency_limits
  if (
    given.length > 1 ||
    typeof key !== 'string' ||
    key.length > key_length ||
    !valid_key.test(key)
  ) {
    fail('INVALID_REQUEST', {
      message: `Send one Idempotency-Key of 1 to ${key_length} letters, digits and ._:/+=@~|#- .`,
    })
  }
  return key
}

/**
 * A key belongs to one merchant and mode, and to the first request that used it. The request may
 * contain a card number, so its hash uses a key that is not in the database; so does the hash of an
 * Idempotency-Key that contains one.
 */
function idempotencyKeyOf(request: FastifyRequest, key: string): IdempotencyKey {
  const { merchant_id, store_id, mode } = request.caller
  const { fingerprint: ring } = request.service.keys
  const head = Buffer.from(JSON.stringify([request.method, request.url, store_id]))
  const content = Buffer.concat([head, request.body_hash ?? Buffer.alloc(0)])
  const fingerprints = ring.all().map((one) => keyedHash(one, 'idempotent request', content))
  const stored_key =
    maskText(key) === key ? key : keyedHash(ring.newest, 'idempotency key', key).toString('hex')
  return { merchant_id, mode: mode ?? 'merchant', key: stored_key, fingerprints }
}
