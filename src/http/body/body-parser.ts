import { createHash } from 'node:crypto'
import { parse as parseQuery } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../core/api/errors.ts'
import { request_limits } from '../../core/limits/limits.ts'
import { errorOf } from '../../core/read-unknown.ts'
import { readJson } from './read-json.ts'

/** Not even a hash of a security code is stored: a thousand guesses would reveal the code. */
function withoutCvv(body: Buffer): string {
  return body.toString('latin1').replaceAll(/"cvv"\s*:\s*("[^"]*"|\d+)/g, '"cvv":""')
}

export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  addParser(app, 'application/json', (request, body) => {
    if (request.headers['idempotency-key'] !== undefined) {
      request.body_hash = createHash('sha256').update(withoutCvv(body)).digest()
    }
    return body.length === 0 ? undefined : readJson(body)
  })
  // Pages have forms; the API accepts only JSON.
  const form_limit = { bodyLimit: request_limits.form_bytes }
  addParser(app, 'application/x-www-form-urlencoded', readForm, form_limit)
  addParser(app, '*', () => fail('UNSUPPORTED_MEDIA_TYPE'))
}

function readForm({ routeOptions }: FastifyRequest, body: Buffer): unknown {
  if (!routeOptions.config.form) fail('UNSUPPORTED_MEDIA_TYPE')
  return { ...parseQuery(body.toString()) }
}

function addParser(
  app: FastifyInstance,
  type: string,
  read: (request: FastifyRequest, body: Buffer) => unknown,
  options: { bodyLimit?: number } = {},
): void {
  app.addContentTypeParser(
    type,
    { ...options, parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        const { signed } = request.routeOptions.config
        // A provider's signed message may have any form: only the provider reads it.
        if (signed) request.raw_body = body
        done(null, signed ? undefined : read(request, body))
      } catch (error) {
        done(errorOf(error))
      }
    },
  )
}
