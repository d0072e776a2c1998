import { createHash } from 'node:crypto'
import { parse as parseQuery } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../core/errors.ts'
import { request_limits } from '../core/limits/limits.ts'
import { readJson } from '../core/text/json.ts'

/** Not even a hash of a security code is stored: a thousand guesses would reveal the code. */
function withoutCvv(body: Buffer): string {
  return body.toString('latin1').replaceAll(/"cvv"\s*:\s*("[^"]*"|\d+)/g, '"cvv":""')
}

export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        if (request.headers['idempotency-key'] !== undefined) {
          request.body_hash = createHash('sha256').update(withoutCvv(body)).digest()
        }
        if (request.routeOptions.config.signed) request.raw_body = body
        done(null, body.length === 0 ? undefined : readJson(body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  // Pages have forms; the API accepts only JSON.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: request_limits.form_bytes },
    (request: FastifyRequest, body: string, done) => {
      if (request.routeOptions.config.form) done(null, { ...parseQuery(body) })
      else done(new Failure('UNSUPPORTED_MEDIA_TYPE'))
    },
  )
}
