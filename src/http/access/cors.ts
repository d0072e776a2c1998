import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../api/routes/route.ts'
import type { Caller } from '../../core/access/caller.ts'
import { isOriginOf } from '../../core/typed/page-origins.ts'

/** Lets the page at `origin` read the response: only where a JWT alone may call, and only its domains. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  { without_secret = 'never' }: Access,
): void {
  if (without_secret === 'never') return
  const { origin } = request.headers
  reply.header('vary', 'origin')
  if (origin && isOriginOf(origin, caller.domains)) {
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'x-request-id, retry-after')
  }
}

/**
 * Answers a preflight. It carries no credential, so the token's domains are not known yet: any real
 * origin may ask, and the response to the call itself decides what may be read.
 */
export function respondToPreflight(methods: string[]) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { origin } = request.headers
    reply.code(204).header('vary', 'origin')
    if (origin && isOriginOf(origin, ['*'])) {
      reply.header('access-control-allow-origin', origin)
      reply.header('access-control-allow-methods', methods.join(', '))
      reply.header(
        'access-control-allow-headers',
        'Authorization, Content-Type, Idempotency-Key, Accept',
      )
      reply.header('access-control-max-age', '600')
    }
    return null
  }
}
