import type { RequestListener } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { compatibilityOf } from '../api/responses/compatibility.ts'
import type { Route } from '../api/routes/operation.ts'
import { callerOf } from '../api/routes/request-parts.ts'
import { checkoutPageRoutes } from '../commerce/checkout/customer/checkout-page-routes.ts'
import { linkPageRoutes } from '../commerce/payment-links/link-page-routes.ts'
import { addressSubject } from '../core/access/address-subject.ts'
import { Failure, fail } from '../core/api/errors.ts'
import { cardNumberFailure } from '../core/api/refuse-card-numbers.ts'
import { request_limits } from '../core/limits/limits.ts'
import { errorOf } from '../core/read-unknown.ts'
import { enterConsoleRoutes } from '../pages/account/enter-console.ts'
import { passwordPageRoutes } from '../pages/account/password-page.ts'
import { cardFieldRoutes } from '../pages/checkout/card-field-page.ts'
import { checkoutPages } from '../pages/checkout/checkout-pages.ts'
import { checkoutPreview } from '../pages/console/checkout-preview.ts'
import { consolePageRoutes } from '../pages/console/console-page.ts'
import { webFileRoutes } from '../pages/frame/web-files.ts'
import { hostedRoutes } from '../pages/hosted/hosted-routes.ts'
import { referenceRoutes } from '../pages/reference/reference-routes.ts'
import { startRoutes } from '../pages/start/start-page.ts'
import type { Service } from '../service.ts'
import { isForeignPath, newAuthentication } from './access/authenticate.ts'
import { keepOrigins } from './access/checkout-origin.ts'
import { isConsoleCall, withoutConsolePrefix } from './access/console-call.ts'
import {
  addOtherMethods,
  collectPaths,
  max_parameter_length,
  refuseUnrouted,
} from './access/other-methods.ts'
import { newUserCalls, type UserCalls } from './access/user-call.ts'
import { type Admission, newAdmission, noteWork } from './admission/admission.ts'
import {
  type BodiesInFlight,
  bodyLimits,
  hasBody,
  newBodiesInFlight,
} from './admission/bodies-in-flight.ts'
import { never_late } from './admission/lateness.ts'
import { newRefusalLog } from './admission/refusal-log.ts'
import {
  newRepeatedRefusals,
  type Repeatable,
  type RepeatedRefusals,
} from './admission/repeated-refusals.ts'
import { addReplicaReads } from './admission/replica-reads.ts'
import { addBodyParser } from './body/body-parser.ts'
import { serializerCompiler, validatorCompiler } from './body/validation.ts'
import { completeRoute } from './complete-route.ts'
import { addOpenApi } from './description/openapi.ts'
import { addAccessLog, routeOf } from './observation/access-log.ts'
import { findFaults, type Health, healthRoutes } from './observation/health.ts'
import { addRequestLog, type LogRequests } from './observation/log-requests.ts'
import type { Metrics } from './observation/metrics.ts'
import { continueTrace } from './observation/trace-requests.ts'
import { compressJson } from './reply/compress-json.ts'
import { handleBrokenHttp, handleError, json_type } from './reply/error-handler.ts'
import { requestId } from './reply/request-id.ts'
import { refusal_headers, security_headers, strict_transport } from './reply/security-headers.ts'
import { client_names, route_modules } from './route-modules.ts'

export interface AppParts {
  health: Health
  metrics?: Metrics | null
  admission?: Admission
  modules?: readonly (readonly Route[])[]
}

/** Builds the HTTP application. It does not listen: `main.ts` and tests decide that. */
export function buildApp(service: Service, parts: AppParts): FastifyInstance {
  const app = fastify({
    loggerInstance: withoutChildren(service.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request, service.wall_clock),
    rewriteUrl: withoutConsolePrefix,
    requestIdHeader: false,
    trustProxy: service.config.trusted_proxies.length > 0 ? service.config.trusted_proxies : false,
    bodyLimit: request_limits.body_bytes,
    routerOptions: { maxParamLength: max_parameter_length, querystringParser: readQuery },
    http: {
      headersTimeout: request_limits.headers_timeout_ms,
      connectionsCheckingInterval: request_limits.connections_check_ms,
    },
    requestTimeout: request_limits.request_timeout_ms,
    keepAliveTimeout: request_limits.keep_alive_ms,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: handleBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      reply.headers(security_headers).header('x-request-id', request.id)
      handleError(error, request, reply)
    },
  })

  app.decorateReply('refused', false)
  app.decorateRequest('service', unset)
  app.decorateRequest('caller', unset)
  app.decorateRequest('body_hash', null)
  app.decorateRequest('idempotency_writer', null)
  app.decorateRequest('raw_body', null)
  app.decorateRequest('known_path', null)
  app.decorateRequest('audit_id', null)
  app.setValidatorCompiler(validatorCompiler as never)
  app.setSerializerCompiler(serializerCompiler as never)
  app.setErrorHandler(handleError)
  addBodyParser(app)
  const user_calls = newUserCalls()
  addHooks(app, service, parts, user_calls)
  addOpenApi(app)
  const compatibility = compatibilityOf(service.config)
  app.addHook('onRoute', (route) => {
    if (route.schema) route.schema = compatibility.schema(route.schema)
    user_calls.addReader(route)
    completeRoute(route)
  })
  addReplicaReads(app, service)
  const paths = collectPaths(app)
  app.setNotFoundHandler(refuseUnrouted(paths))
  const modules = [
    ...(parts.modules ?? route_modules),
    healthRoutes(parts.health),
    startRoutes(() => findFaults(parts.health)),
    referenceRoutes(app, client_names),
    webFileRoutes,
    consolePageRoutes,
    checkoutPreview,
    checkoutPages,
    cardFieldRoutes,
    hostedRoutes,
    checkoutPageRoutes,
    linkPageRoutes,
    passwordPageRoutes,
    enterConsoleRoutes,
  ]
  const routes = modules.flat()
  app.decorate('operations', routes)
  app.after(() => {
    // A schema is completed for each app: the routes are there once.
    for (const route of routes) app.route({ ...route, schema: { ...route.schema } })
    addOtherMethods(app, paths)
  })
  return app
}

/** Log lines name their request themselves: a child logger for each would cost more than the line. */
function withoutChildren(log: Service['log']): FastifyBaseLogger {
  const childless = Object.assign(Object.create(log), { child: () => childless })
  return childless
}

/** Some clients write a list as `key[]=a&key[]=b`. */
function readQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (text === '') return query
  for (const [key, value] of Object.entries(parseQuery(text))) {
    if (key.endsWith('[]')) query[key.slice(0, -2)] = [value].flat()
    else if (key !== '__proto__') query[key] = value
  }
  return query
}

/** Refuses malformed requests before anything of them is interpreted. */
function checkForm({ raw, headers }: FastifyRequest): void {
  const url = raw.url ?? ''
  if (url.length > request_limits.url_bytes) fail('URI_TOO_LONG')
  if (!url.startsWith('/')) fail('INVALID_REQUEST', { message: 'Send the path, not an address.' })
  if (url.includes('%00')) fail('INVALID_REQUEST', { message: 'The address contains U+0000.' })
  if (headers.upgrade !== undefined) fail('INVALID_REQUEST', { message: 'Upgrade is not offered.' })
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding !== 'identity') {
    fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without compression.' })
  }
}

function addHooks(
  app: FastifyInstance,
  service: Service,
  parts: AppParts,
  user_calls: UserCalls,
): void {
  const { health, metrics } = parts
  const max_slots = service.config.requests_in_progress
  const admission = parts.admission ?? newAdmission(max_slots, never_late)
  const isLogged = newRefusalLog(service.log)
  const bodies = newBodiesInFlight(bodyLimits(max_slots))
  const is_https = service.config.base_url?.startsWith('https:') === true
  const headers = { ...security_headers, ...(is_https ? strict_transport : {}) }
  const repeated = newRepeatedRefusals({
    counts: service.counts,
    admission,
    headers: { ...refusal_headers, ...(is_https ? strict_transport : {}) },
    monotonic: service.clock.monotonic,
    onSent: ({ method, route, path, status, request_id, caller, came_ms }) => {
      const is_logged = service.log.isLevelEnabled('info') && isLogged(status)
      if (!metrics && !is_logged) return
      const ms = service.clock.monotonic() - came_ms
      metrics?.observeRequest(method, route, status, ms / 1000)
      if (!is_logged) return
      const { merchant_id } = caller ?? {}
      const shown = { route: routeOf(path, route), path }
      service.log.info({ request_id, method, ...shown, status, ms, merchant_id }, 'request')
    },
  })
  const remember = (request: FastifyRequest, facts: Omit<Repeatable, 'kind'>) => {
    // A call that is refused in the console may be allowed at the same path of the API.
    if (isConsoleCall(request.raw)) return
    const kind = admission.kindOf(request, request.routeOptions.config)
    repeated.remember(request, { kind, ...facts })
  }
  const authenticate = newAuthentication(service, remember)
  putBefore(app, (raw, response, next) => {
    if (health.accepting) repeated.handle(raw, response, next)
    else next()
  })

  /** A request without a body gets its slot now; one with a body when the body has arrived. */
  function admit(request: FastifyRequest, reply: FastifyReply): boolean {
    // A client that disconnected or was refused needs nothing any more.
    if (reply.sent || request.raw.socket.destroyed) return false
    if (!hasBody(request)) {
      return admission.enter(request, reply, request.routeOptions.config, ownerOf(request))
    }
    const address = addressSubject(request.ip)
    return bodies.begin(request, reply, request.caller ? [ownerOf(request), address] : [address])
  }

  // Without promises where nothing has to be waited for: every request runs this.
  app.addHook('onRequest', (request, reply, done) => {
    request.service = service
    reply.headers(headers).header('x-request-id', request.id)
    if (!health.accepting) reply.header('connection', 'close')
    const { config } = request.routeOptions
    if (!admission.hasFreeSlot(request, reply, config)) {
      remember(request, { owner: addressSubject(request.ip), rate: null, refusal: null })
      return
    }
    try {
      checkForm(request)
    } catch (error) {
      reply.header('connection', 'close')
      done(errorOf(error))
      return
    }
    try {
      if (keepOrigins(request, reply)) return
      const passing = authenticate(request, reply, config)
      if (passing instanceof Promise) {
        // Whatever becomes of the request here: a failure without a handler would end the process.
        passing.catch(() => {})
        // Looking up a credential takes a slot: it may have to wait for the database.
        if (!admission.enter(request, reply, config, addressSubject(request.ip))) return
        noteWork(reply, passing).then((passed) => {
          admission.leave(reply)
          if (passed && admit(request, reply)) done()
        }, done)
      } else if (!passing || !admit(request, reply)) return
      // The first chunk of a chunked body is read before anything is answered.
      else if (request.headers['transfer-encoding'] !== undefined) queueMicrotask(done)
      else done()
    } catch (error) {
      done(errorOf(error))
    }
  })
  const log_requests = addRequestLog(app, service)
  addBodyHooks(app, service, { admission, bodies, user_calls, log_requests })
  addAccessLog(app, service, metrics, isLogged, log_requests)
}

interface BodyParts {
  readonly admission: Admission
  readonly bodies: BodiesInFlight
  readonly user_calls: UserCalls
  readonly log_requests: LogRequests
}

/** The body of a request and of a response, and the slot that a request has meanwhile. */
function addBodyHooks(
  app: FastifyInstance,
  service: Service,
  { admission, bodies, user_calls, log_requests }: BodyParts,
): void {
  const compatibility = compatibilityOf(service.config)
  // One hook for everything that happens to a response: every response runs it.
  app.addHook('onSend', (request, reply, payload, done) => {
    bodies.end(reply)
    setContentType(reply, payload)
    log_requests.read(request, reply, payload)
    if (service.observers.traces) continueTrace(service, request, reply, payload)
    if (!callerOf(request)?.user) {
      admission.leave(reply)
      compressJson(request, reply, payload, done)
      return
    }
    const noted = user_calls.end(request, reply, payload).catch((error) => {
      request.log.error(
        { request_id: request.id, err: error },
        'the outcome of an action could not be written to the audit log',
      )
    })
    void noted.then(() => {
      admission.leave(reply)
      // It took too long, and the request was refused meanwhile.
      if (!reply.sent) done(null, payload)
    })
  })
  const { response: rewrite } = compatibility
  if (rewrite) {
    app.addHook('preSerialization', (request, _, payload, done) => {
      done(null, rewrite(payload, request.query))
    })
  }
  app.addHook('preValidation', (request, reply, done) => {
    bodies.end(reply)
    if (reply.sent) return
    const { config } = request.routeOptions
    const had_body = hasBody(request)
    if (had_body && !admission.enter(request, reply, config, ownerOf(request))) return
    request.body = compatibility.body(request.body === undefined ? {} : request.body)
    if (config.wrapBody) request.body = config.wrapBody(request.body)
    const ignored = config.readKnownFields?.(request.body, request.query)
    if (ignored) reply.header('x-ignored-fields', ignored)
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    const failure = isForeignPath(request)
      ? new Failure('NOT_FOUND')
      : cardNumberFailure(request.body)
    if (failure) done(failure)
    // A refusal needs no database, so it waits for no request that does.
    else if (request.is404 || request.routeOptions.config.refuses) done()
    else if (callerOf(request)?.user) {
      admission.waitForTurn(reply, () => user_calls.begin(request).then(() => done(), done))
    } else admission.waitForTurn(reply, done)
  })
}

function setContentType(reply: FastifyReply, payload: unknown): void {
  if (payload === '' || payload === null || payload === undefined) {
    reply.removeHeader('content-type')
  } else if (reply.getHeader('content-type') === framework_json_type) {
    reply.header('content-type', json_type)
  }
}

/** A field that hooks set before anything reads it. */
const unset = null as never

/** Lets requests from the network pass a handler before the framework sees them. */
function putBefore({ server }: FastifyInstance, handle: RepeatedRefusals['handle']): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (raw, response) => {
    // The system forgets the address of a client that has reset the connection; once it is read, it
    // is kept.
    if (raw.socket.remoteAddress === undefined) return void raw.destroy()
    handle(raw, response, () => {
      for (const listener of listeners) listener(raw, response)
    })
  })
}

/** The owner whose share of the service a request uses. */
function ownerOf(request: FastifyRequest): string {
  const caller = callerOf(request)
  return caller ? caller.merchant_id : addressSubject(request.ip)
}

/** The default of the framework. */
const framework_json_type = `${json_type}; charset=utf-8`
