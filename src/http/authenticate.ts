import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { addressSubject } from '../core/address-subject.ts'
import type { Caller } from '../core/caller.ts'
import { fail } from '../core/errors.ts'
import { newVerifier, parseCredential } from '../resources/app-tokens/verify-app-token.ts'
import type { Access } from '../resources/route.ts'
import { requireUserRight } from '../resources/users/user-rights.ts'
import { isLoginToken, newLoginVerifier } from '../resources/users/verify-login-token.ts'
import { atTimeOf, type Service } from '../service.ts'
import { allowOrigin, isOriginOf } from './cors.ts'
import { newRateLimiter } from './rate-limit.ts'

/**
 * The gate of every request: who it is, whether there is room for it, and whether this caller may
 * use this route. A credential that was never found good before is counted against its address
 * before any hash is computed or the database is asked; one that is refused counts as a request
 * of that address.
 */
export function newGate(service: Service) {
  const limiter = newRateLimiter(service.counts)
  const app_tokens = newVerifier(service)
  const logins = newLoginVerifier(service)

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const address = addressSubject(request.ip)
    const { authorization } = request.headers
    const credential = authorization === undefined ? null : parseCredential(authorization)
    if (authorization === undefined || !credential) {
      await limiter.take(address, request, reply)
      fail(authorization === undefined ? 'AUTH_HEADER_MISSING' : 'INVALID_APP_TOKEN')
    }
    const verifier = isLoginToken(credential) ? logins : app_tokens
    const is_known = verifier.knows(authorization)
    const attempt = is_known ? null : await limiter.attempt(address, request, reply)
    const caller = await verifier.verify(authorization, credential).catch(async (error) => {
      await limiter.take(address, request, reply)
      throw error
    })
    attempt?.succeeded()
    const counting = limiter.take(`token ${caller.token_id}`, request, reply)
    if (counting) await counting
    // Only to users: a program would take a token that it finds here for its own.
    const renewed = caller.user && (await logins.renew(authorization))
    if (renewed) reply.header('authorization', `Bearer ${renewed}`)
    return caller
  }

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    access: Access,
  ): void {
    request.caller = caller
    // A user has the time of everybody, whichever modes they see.
    request.service = caller.user ? service : atTimeOf(service, caller)
    allowOrigin(request, reply, caller, access)
    requireAccess(request, caller, access)
  }

  /** Most requests come with a credential that is known: they pass without waiting for anything. */
  return function gate(
    request: FastifyRequest,
    reply: FastifyReply,
    config: FastifyContextConfig,
  ): void | Promise<void> {
    const { access = {}, rate } = config
    if (rate === 'none') return
    if (access.level === 'public' || request.is404) {
      return limiter.take(addressSubject(request.ip), request, reply)
    }
    const { authorization } = request.headers
    const known = authorization === undefined ? null : app_tokens.recall(authorization)
    if (!known) {
      return authenticate(request, reply).then((caller) => admit(request, reply, caller, access))
    }
    const counting = limiter.take(`token ${known.token_id}`, request, reply)
    if (counting) return counting.then(() => admit(request, reply, known, access))
    admit(request, reply, known, access)
  }
}

function requireAccess(request: FastifyRequest, caller: Caller, access: Access): void {
  const { level = 'any', without_secret = 'never' } = access
  if (level === 'user') {
    if (!caller.user) {
      fail('INVALID_PERMISSIONS', { message: 'This call needs the login token of a user.' })
    }
    return
  }
  if (caller.user) requireUserRight(caller.user, request.method, request.routeOptions.url ?? '')
  if (!caller.with_secret) {
    if (without_secret === 'never') {
      fail('INVALID_PERMISSIONS', { message: 'This call needs the secret of the token.' })
    }
    if (without_secret === 'from_domains' && !isOriginOf(request.headers.origin, caller.domains)) {
      fail('INVALID_DOMAIN')
    }
  }
  if (level === 'merchant' && caller.store_id !== null) {
    fail('INVALID_PERMISSIONS', {
      message: 'This call needs an application token of the merchant.',
    })
  }
  if (level === 'store' && caller.store_id === null) {
    fail('INVALID_PERMISSIONS', { message: 'This call needs an application token of a store.' })
  }
}

/** Somebody else's store or merchant is not there. Looked at once, here, for every route. */
export function foreignPath({ params, caller }: FastifyRequest): boolean {
  const { store_id, merchant_id } = (params ?? {}) as Record<string, string | undefined>
  const is_other_store = store_id && caller.store_id && store_id.toLowerCase() !== caller.store_id
  return Boolean(
    is_other_store || (merchant_id && merchant_id.toLowerCase() !== caller.merchant_id),
  )
}
