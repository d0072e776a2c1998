import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { callerOf } from '../../api/routes/request-parts.ts'
import { acceptedEncodings, min_compressed_bytes } from '../../core/text/http/content-encoding.ts'
import { json_type } from './error-handler.ts'

interface Schema {
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/**
 * Fields that are credentials, or open a page without one. A text that an attacker chose, beside one
 * of them in the same compressed response, would reveal it by the response's length (BREACH).
 */
const secret_fields = new RegExp(
  '^(\\w*secret|\\w*password|jwt|auth_token|token|alias|key|issuer_token\\w*|payload|redirect_id' +
    '|(\\w+_)?url|recovery_codes|credentials)$',
)
/** Any JSON at all: the resource of an event, what a request has changed. */
const open_fields = /^(data|details|input|before|after|answer|body|image)$/

function mayHoldSecret(schema: Schema, depth = 0): boolean {
  if (depth > 12) return true
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema
  const names = Object.keys(properties)
  if (names.some((name) => secret_fields.test(name) || open_fields.test(name))) return true
  const inner = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...oneOf,
    ...anyOf,
    ...allOf,
  ]
  return inner.some((one) => mayHoldSecret(one, depth + 1))
}

/** Whether the responses of a route may be compressed: by the fields that they can have. */
export function isCompressible(schema: FastifySchema | undefined): boolean {
  const shown = (schema?.response as Record<string, Schema> | undefined)?.[200]
  return shown !== undefined && !mayHoldSecret(shown)
}

type Done = (error: Error | null, payload?: unknown) => void

/**
 * Compresses a JSON response for programs. Not for people: a browser can be made to repeat a request
 * of theirs, which an attacker needs for guessing a secret.
 */
export function compressJson(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  if (!mayCompress(request, reply, payload)) {
    done(null, payload)
    return
  }
  reply.header('vary', 'accept-encoding')
  const accepted = acceptedEncodings(request.headers['accept-encoding'])
  if (!accepted.includes('gzip') || request.method === 'HEAD') {
    done(null, payload)
    return
  }
  gzip(payload, (error, packed) => {
    // It took too long, and the request was refused meanwhile.
    if (reply.sent) return
    if (!error) reply.header('content-encoding', 'gzip').removeHeader('content-length')
    done(null, error ? payload : packed)
  })
}

function mayCompress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string {
  const { compresses } = request.routeOptions.config
  if (!compresses || callerOf(request)?.user || reply.statusCode !== 200) return false
  const is_json = String(reply.getHeader('content-type') ?? '').startsWith(json_type)
  return is_json && typeof payload === 'string' && payload.length >= min_compressed_bytes
}
