import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { newVerifier } from '../../accounts/app-tokens/verify-app-token.ts'
import { parseCredential } from '../../accounts/credentials/credential.ts'
import { readConsoleCookie, setConsoleCookie } from '../../accounts/sessions/console-cookie.ts'
import { isLoginToken, newLoginVerifier } from '../../accounts/sessions/verify-login-token.ts'
import {
  hasMode,
  requireOperator,
  requireUserRight,
  rightOfCall,
} from '../../accounts/users/user-rights.ts'
import { isOwnOrigin, parent_header } from '../../api/own-origin.ts'
import { callerOf, paramsOf } from '../../api/routes/request-parts.ts'
import type { Access } from '../../api/routes/route.ts'
import { addressSubject } from '../../core/access/address-subject.ts'
import type { Caller } from '../../core/access/caller.ts'
import type { SessionVia } from '../../core/access/users.ts'
import { Failure, fail } from '../../core/api/errors.ts'
import { noteHit, noteHits } from '../../core/limits/limit-hits.ts'
import type { Counted } from '../../core/limits/request-counts.ts'
import { isOriginOf } from '../../core/typed/page-origins.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { newRateLimiter } from '../admission/rate-limit.ts'
import {
  newRefusal,
  newRefusalPace,
  type Refusal,
  retryAfter,
  sendRefusal,
  too_many_requests,
} from '../admission/refusal.ts'
import type { Repeatable } from '../admission/repeated-refusals.ts'
import { consoleRefusal, inShownMode, isBackground, isConsoleCall } from './console-call.ts'
import { allowOrigin } from './cors.ts'
import { describeCredentialFault, hasSwappedHalves, swapped_halves } from './credential-fault.ts'

/** Whether the request continues. Otherwise it was answered. */
type Passed = boolean
type RememberRefusal = (request: FastifyRequest, facts: Omit<Repeatable, 'kind'>) => void

const no_credential = newRefusal('AUTH_HEADER_MISSING')
const not_signed_in = newRefusal('INVALID_LOGIN_TOKEN', 'Sign in with POST /console/session.')

/** A credential that was just refused is refused again without a check, for a moment. */
const refused_for_ms = 5000
const max_refused = 1000

/** The parts of authentication, of which there is one for all requests. */
interface Door {
  readonly service: Service
  readonly remember: RememberRefusal
  readonly limiter: ReturnType<typeof newRateLimiter>
  readonly pace: ReturnType<typeof newRefusalPace>
  readonly app_tokens: ReturnType<typeof newVerifier>
  readonly logins: ReturnType<typeof newLoginVerifier>
  readonly refused: ReturnType<typeof newRefusedCredentials>
}

/**
 * Authenticates every request: its caller, its rate limit, and whether the caller may use the route. A
 * credential that was not verified before is counted against its address before any hash is computed or
 * the database is queried; a refused one counts as a request of that address.
 */
export function newAuthentication(service: Service, remember: RememberRefusal) {
  const door: Door = {
    service,
    remember,
    limiter: newRateLimiter(service.counts),
    pace: newRefusalPace(),
    app_tokens: newVerifier(service),
    logins: newLoginVerifier(service),
    refused: newRefusedCredentials(service),
  }
  return (request: FastifyRequest, reply: FastifyReply, config: FastifyContextConfig) =>
    authenticate(door, request, reply, config)
}

function sendPaced(
  door: Door,
  subject: string,
  reply: FastifyReply,
  refusal: Refusal,
  wait_ms = 0,
): Passed {
  const retry_after_s = wait_ms > 0 ? retryAfter(wait_ms) : undefined
  door.pace(subject)((and_close) => sendRefusal(reply, refusal, retry_after_s, and_close))
  return false
}

/** Refuses a request over its rate limit; all refusals of one owner are paced together. */
function refuseRate(
  door: Door,
  subject: string,
  owner: string,
  request: FastifyRequest,
  reply: FastifyReply,
  counted: Counted,
): Passed {
  const keys = door.limiter.keysOf(subject, request)
  noteHits(keys, counted)
  door.remember(request, { owner, rate: { keys, counted }, refusal: null })
  return sendPaced(door, owner, reply, too_many_requests, counted.wait_ms)
}

/** Counts the request against its address, and refuses it. */
function refuseCredential(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Passed | Promise<Passed> {
  const owner = addressSubject(request.ip)
  const refuse = (counted: Counted) => {
    const keys = door.limiter.keysOf(owner, request)
    door.remember(request, { owner, rate: { keys, counted }, refusal })
    if (counted.allowed) return sendPaced(door, owner, reply, refusal)
    noteHits(keys, counted)
    return sendPaced(door, owner, reply, too_many_requests, counted.wait_ms)
  }
  const counted = door.limiter.take(owner, request, reply)
  return counted instanceof Promise ? counted.then(refuse) : refuse(counted)
}

async function verifyCredential(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  authorization: string,
  access: Access,
  via: SessionVia,
): Promise<Passed> {
  const address = addressSubject(request.ip)
  const refuseFor = (refusal: Refusal) => {
    door.refused.add(`${via} ${authorization}`, refusal)
    return refuseCredential(door, request, reply, refusal)
  }
  const credential = parseCredential(authorization)
  const is_login = credential !== null && isLoginToken(credential)
  if (via === 'cookie' && !is_login) return refuseFor(not_signed_in)
  if (!credential) {
    return refuseFor(newRefusal('INVALID_APP_TOKEN', describeCredentialFault(authorization)))
  }
  const verifier = is_login ? door.logins : door.app_tokens
  const is_known = verifier.knows(authorization)
  if (!is_known) {
    const wait_ms = await door.limiter.attempt(address)
    if (wait_ms > 0) {
      noteHit('attempt')
      await door.limiter.take(address, request, reply)
      return sendPaced(door, address, reply, too_many_requests, wait_ms)
    }
  }
  const in_background = via === 'cookie' && isBackground(request)
  const checked = in_background ? { ...credential, in_background } : credential
  const caller = await verifier.verify(authorization, checked).catch((error) => {
    if (!(error instanceof Failure)) throw error
    if (!caller_faults.has(error.code)) throw error
    return error
  })
  if (caller instanceof Failure) {
    const message = hasSwappedHalves(credential.secret) ? swapped_halves : caller.message
    return refuseFor(newRefusal(caller.code, message))
  }
  // The token of a cookie is no header, and vice versa: neither is of use where it was not meant for.
  if (caller.user && caller.user.via !== via) return refuseFor(newRefusal('INVALID_LOGIN_TOKEN'))
  if (!is_known) door.limiter.succeeded(address)
  const shown = via === 'cookie' ? inShownMode(request, caller) : caller
  const passed = await admit(door, request, reply, shown, access)
  // Only to users: a program would take a token that it finds here for its own.
  const renewed = passed && caller.user && (await door.logins.renew(authorization))
  if (renewed && via === 'cookie') setConsoleCookie(reply, door.service, renewed)
  else if (renewed) reply.header('authorization', `Bearer ${renewed}`)
  return passed
}

/** Checks the rate limit and the access to the route, at the time of the caller's mode. */
function admit(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  access: Access,
): Passed | Promise<Passed> {
  const waiting = caller.mode === 'live' ? null : door.service.clocks.catchUp()
  if (waiting) return waiting.then(() => admitNow(door, request, reply, caller, access))
  return admitNow(door, request, reply, caller, access)
}

function admitNow(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  access: Access,
): Passed | Promise<Passed> {
  request.caller = caller
  request.service = hasRealTime(request, caller) ? door.service : atTimeOf(door.service, caller)
  allowOrigin(request, reply, caller, access)
  const subject = `token ${caller.token_id}`
  const check = (counted: Counted) => {
    if (!counted.allowed) {
      return refuseRate(door, subject, caller.merchant_id, request, reply, counted)
    }
    requireAccess(request, caller, access)
    return true
  }
  const counted = door.limiter.take(subject, request, reply)
  return counted instanceof Promise ? counted.then(check) : check(counted)
}

/** A public route has no caller: its requests are counted against their address. */
function admitPublic(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
): Passed | Promise<Passed> {
  const address = addressSubject(request.ip)
  const check = (counted: Counted) =>
    counted.allowed || refuseRate(door, address, address, request, reply, counted)
  const counted = door.limiter.take(address, request, reply)
  return counted instanceof Promise ? counted.then(check) : check(counted)
}

/** In the console the cookie is the credential. */
function authenticateInConsole(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
): Passed | Promise<Passed> {
  const not_allowed = consoleRefusal(door.service, request)
  if (not_allowed) return refuseCredential(door, request, reply, not_allowed)
  if (access.level === 'public') return admitPublic(door, request, reply)
  const cookie = readConsoleCookie(door.service, request)
  if (cookie === null) return refuseCredential(door, request, reply, not_signed_in)
  const authorization = `Bearer ${cookie}`
  const refusal = door.refused.find(`cookie ${authorization}`)
  if (refusal) return refuseCredential(door, request, reply, refusal)
  return verifyCredential(door, request, reply, authorization, access, 'cookie')
}

/** Most requests come with a cached credential: they pass without waiting for anything. */
function authenticate(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  config: FastifyContextConfig,
): Passed | Promise<Passed> {
  const { access = {}, rate } = config
  if (rate === 'none') return true
  if (request.is404 || config.refuses) return admitPublic(door, request, reply)
  if (config.console_only || isConsoleCall(request.raw)) {
    return authenticateInConsole(door, request, reply, access)
  }
  if (access.level === 'public') return admitPublic(door, request, reply)
  const { authorization } = request.headers
  if (authorization === undefined) {
    return refuseCredential(door, request, reply, no_credential)
  }
  const known = door.app_tokens.recall(authorization)
  if (known) return admit(door, request, reply, known, access)
  const refusal = door.refused.find(`token ${authorization}`)
  if (refusal) return refuseCredential(door, request, reply, refusal)
  return verifyCredential(door, request, reply, authorization, access, 'token')
}

/** Faults of the credential itself; anything else, such as an unavailable database, is not. */
const caller_faults: ReadonlySet<string> = new Set([
  'INVALID_APP_TOKEN',
  'INVALID_CREDENTIALS',
  'OUTDATED_APP_TOKEN',
  'INVALID_LOGIN_TOKEN',
  'EXPIRED_LOGIN_TOKEN',
])

function newRefusedCredentials({ clock }: Service) {
  const refused = new Map<string, { refusal: Refusal; until_ms: number }>()
  return {
    find: (header: string): Refusal | null => {
      const found = refused.get(header)
      return found && clock.monotonic() < found.until_ms ? found.refusal : null
    },
    add: (header: string, refusal: Refusal): void => {
      if (refused.size >= max_refused) refused.clear()
      refused.set(header, { refusal, until_ms: clock.monotonic() + refused_for_ms })
    },
  }
}

/**
 * A user has real time, whichever modes they see; but the console in test mode has that of the test
 * clock, for what belongs to a mode.
 */
function hasRealTime(request: FastifyRequest, { user }: Caller): boolean {
  if (!user) return false
  const { level } = request.routeOptions.config.access ?? {}
  if (user.via === 'token' || level === 'user' || level === 'operator') return true
  return !hasMode(rightOfCall(request))
}

const with_secret = 'send "Authorization: Bearer <secret>.<jwt>"'

function requireAccess(request: FastifyRequest, caller: Caller, access: Access): void {
  const { level = 'any', without_secret = 'never' } = access
  if (level === 'operator') {
    requireOperator(caller)
    return
  }
  if (caller.user) {
    requireUserRight(caller.user, caller.mode, rightOfCall(request))
  }
  if (level === 'user') {
    if (caller.user) return
    fail('INVALID_PERMISSIONS', { message: 'This call needs the login token of a user.' })
  }
  if (!caller.with_secret) {
    if (without_secret === 'never') {
      const message = `This call needs the secret of the application token: ${with_secret}.`
      fail('INVALID_PERMISSIONS', { message })
    }
    if (without_secret === 'from_domains' && !isOriginOf(callingPage(request), caller.domains)) {
      fail('INVALID_DOMAIN', {
        message:
          'Without its secret, an application token works only from a page of its domains; ' +
          `from a server, ${with_secret}.`,
      })
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

/**
 * The origin of the page that calls. Card fields are pages of ours in frames of a shop's page: they name
 * that one, which no page of another origin can do for them.
 */
function callingPage(request: FastifyRequest): string | undefined {
  const { origin, [parent_header]: parent } = request.headers
  return typeof parent === 'string' && isOwnOrigin(request.service, request) ? parent : origin
}

/**
 * The store or merchant of another caller is not found. Checked once, here, for every route; a request
 * without a caller is public, or only asks which methods exist.
 */
export function isForeignPath(request: FastifyRequest): boolean {
  const caller = callerOf(request)
  if (!caller || request.routeOptions.config.access?.level === 'operator') return false
  const { store_id, merchant_id } = paramsOf(request)
  const is_other_store = store_id && caller.store_id && store_id.toLowerCase() !== caller.store_id
  return Boolean(
    is_other_store || (merchant_id && merchant_id.toLowerCase() !== caller.merchant_id),
  )
}
