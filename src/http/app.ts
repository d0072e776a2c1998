import { createHash } from 'node:crypto'
import { parse as parseQuery } from 'node:querystring'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { Caller } from '../core/caller.ts'
import { Failure, fail } from '../core/errors.ts'
import { newUnguessableId } from '../core/ids.ts'
import { readJson } from '../core/json.ts'
import { request_limits } from '../core/limits.ts'
import { cardNumberFailure } from '../core/refuse-card-numbers.ts'
import { passwordPageRoutes } from '../pages/account/password-page.ts'
import { docsRoutes } from '../pages/docs-page.ts'
import { hostedRoutes } from '../pages/hosted/hosted-routes.ts'
import { appTokenRoutes } from '../resources/app-tokens/app-token-routes.ts'
import { legacyAppTokenRoutes } from '../resources/app-tokens/legacy-app-token-routes.ts'
import { bankAccountRoutes } from '../resources/bank-accounts/bank-account-routes.ts'
import { callbackRoutes } from '../resources/callbacks/callback-routes.ts'
import { cancelRoutes } from '../resources/cancels/cancel-routes.ts'
import { chargeRoutes } from '../resources/charges/charge-routes.ts'
import { issuerRoutes } from '../resources/charges/issuer-routes.ts'
import { checkoutInfoRoutes } from '../resources/checkout-info/checkout-info-routes.ts'
import { compatibilityOf } from '../resources/compatibility.ts'
import { customsRoutes } from '../resources/customs/customs-routes.ts'
import { bankTransferLedgerRoutes } from '../resources/deposits/bank-transfer-ledgers.ts'
import { eventRoutes } from '../resources/events/event-routes.ts'
import { historyRoutes } from '../resources/history/history-routes.ts'
import { ledgerRoutes } from '../resources/ledgers/ledger-routes.ts'
import { merchantRoutes } from '../resources/merchants/merchant-routes.ts'
import { platformRoutes } from '../resources/merchants/platform-routes.ts'
import { refundRoutes } from '../resources/refunds/refund-routes.ts'
import type { Http, RouteModule } from '../resources/route.ts'
import { storeRoutes } from '../resources/stores/store-routes.ts'
import { paymentRoutes } from '../resources/subscriptions/payment-routes.ts'
import { subscriptionRoutes } from '../resources/subscriptions/subscription-routes.ts'
import { testClockRoutes } from '../resources/test-clock/test-clock-routes.ts'
import { testLeverRoutes } from '../resources/test-levers/test-lever-routes.ts'
import { confirmTokenRoutes } from '../resources/tokens/confirm-token.ts'
import { tokenAliasRoutes } from '../resources/tokens/token-alias-routes.ts'
import { tokenRoutes } from '../resources/tokens/token-routes.ts'
import { tokenThreeDsRoutes } from '../resources/tokens/token-three-ds.ts'
import { transferRoutes } from '../resources/transfers/transfer-routes.ts'
import { userRoutes } from '../resources/users/user-routes.ts'
import { verificationRoutes } from '../resources/verification/verification-routes.ts'
import { deliveryRoutes } from '../resources/webhooks/delivery-routes.ts'
import { webhookRoutes } from '../resources/webhooks/webhook-routes.ts'
import type { Service } from '../service.ts'
import { type Admission, newAdmission, noteWork, notingWork, sentStatus } from './admission.ts'
import { kindOfRoute } from './admission-rules.ts'
import { foreignPath, newGate } from './authenticate.ts'
import { answerPreflight } from './cors.ts'
import { ErrorBody, handleBrokenHttp, handleError } from './error-handler.ts'
import { type Health, healthRoutes } from './health.ts'
import { idempotent } from './idempotency.ts'
import { never_late } from './lateness.ts'
import type { Metrics } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { security_headers, strict_transport } from './security-headers.ts'
import { serializerCompiler, validatorCompiler } from './validation.ts'

/** Every route of the service, in the order the documents show them. */
export const route_modules: readonly RouteModule[] = [
  merchantRoutes,
  verificationRoutes,
  platformRoutes,
  storeRoutes,
  appTokenRoutes,
  legacyAppTokenRoutes,
  tokenRoutes,
  tokenThreeDsRoutes,
  tokenAliasRoutes,
  confirmTokenRoutes,
  chargeRoutes,
  issuerRoutes,
  refundRoutes,
  cancelRoutes,
  customsRoutes,
  subscriptionRoutes,
  paymentRoutes,
  historyRoutes,
  ledgerRoutes,
  bankTransferLedgerRoutes,
  checkoutInfoRoutes,
  callbackRoutes,
  webhookRoutes,
  deliveryRoutes,
  eventRoutes,
  bankAccountRoutes,
  transferRoutes,
  userRoutes,
  testLeverRoutes,
  testClockRoutes,
]

export interface AppParts {
  health: Health
  metrics?: Metrics | null
  admission?: Admission
  modules?: readonly RouteModule[]
}

/** Builds the HTTP side of a service. It listens nowhere: `main.ts` and tests decide that. */
export function buildApp(service: Service, parts: AppParts): FastifyInstance {
  const app = fastify({
    loggerInstance: withoutChildren(service.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: service.config.trusted_proxies.length > 0 ? service.config.trusted_proxies : false,
    bodyLimit: request_limits.body_bytes,
    routerOptions: { maxParamLength: 200, querystringParser: readQuery },
    http: { headersTimeout: request_limits.headers_timeout_ms },
    requestTimeout: request_limits.request_timeout_ms,
    keepAliveTimeout: request_limits.keep_alive_ms,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: handleBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      reply.headers(security_headers).header('x-request-id', request.id)
      handleError(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorateRequest('service', null as unknown as Service)
  app.decorateRequest('caller', null as unknown as Caller)
  app.decorateRequest('body_hash', null)
  app.decorateRequest('keep', null)
  app.decorateRequest('raw_body', null)
  app.setValidatorCompiler(validatorCompiler as never)
  app.setSerializerCompiler(serializerCompiler as never)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(() => fail('NOT_FOUND', { message: 'There is no such route.' }))
  addBodyParser(app)
  addHooks(app, service, parts)
  addOpenApi(app)
  const compatibility = compatibilityOf(service.config)
  app.addHook('onRoute', (route) => {
    if (route.schema) route.schema = compatibility.schema(route.schema)
    completeRoute(route)
  })
  const paths = collectPaths(app)
  const modules = [
    ...(parts.modules ?? route_modules),
    healthRoutes(parts.health),
    docsRoutes,
    hostedRoutes,
    passwordPageRoutes,
  ]
  app.after(() => {
    for (const add of modules) add(app as unknown as Http)
    addRefusals(app, paths)
  })
  return app
}

/** Lines name their request themselves: a logger for each would cost more than the line. */
function withoutChildren(log: Service['log']): FastifyBaseLogger {
  const childless = Object.assign(Object.create(log), { child: () => childless })
  return childless
}

const usable_request_id = /^[\w.:-]{1,128}$/

function requestId({ headers }: { headers: Record<string, unknown> }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && usable_request_id.test(given) ? given : newUnguessableId()
}

/** `key[]=a&key[]=b` is how some programs write a list. */
function readQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (text === '') return query
  for (const [key, value] of Object.entries(parseQuery(text))) {
    if (key.endsWith('[]')) query[key.slice(0, -2)] = [value].flat()
    else if (key !== '__proto__') query[key] = value
  }
  return query
}

/** Not even a hash of a security code is kept: with a thousand tries it would tell the code. */
function withoutCvv(body: Buffer): string {
  return body.toString('latin1').replaceAll(/"cvv"\s*:\s*("[^"]*"|\d+)/g, '"cvv":""')
}

function addBodyParser(app: FastifyInstance): void {
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
  // Pages have forms; the API takes nothing but JSON.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: request_limits.form_bytes },
    (request: FastifyRequest, body: string, done) => {
      if (request.routeOptions.config.form) done(null, { ...parseQuery(body) })
      else done(new Failure('UNSUPPORTED_MEDIA_TYPE'))
    },
  )
}

/** Refuses what no honest client sends, before anything of it is interpreted. */
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

function addHooks(app: FastifyInstance, service: Service, parts: AppParts): void {
  const { health, metrics } = parts
  const most = service.config.requests_in_progress
  const admission = parts.admission ?? newAdmission(most, never_late)
  const gate = newGate(service)
  const compatibility = compatibilityOf(service.config)
  const is_https = service.config.base_url?.startsWith('https:') === true
  const headers = { ...security_headers, ...(is_https ? strict_transport : {}) }

  // Without promises where nothing has to be waited for: every request comes through here.
  app.addHook('onRequest', (request, reply, done) => {
    request.service = service
    reply.headers(headers).header('x-request-id', request.id)
    if (!health.accepting) reply.header('connection', 'close')
    const { config } = request.routeOptions
    if (!admission.enter(request, reply, config)) return
    try {
      checkForm(request)
    } catch (error) {
      reply.header('connection', 'close')
      done(error as Error)
      return
    }
    try {
      const passing = gate(request, reply, config)
      if (passing) noteWork(reply, passing).then(() => done(), done)
      // What has arrived of a body in pieces is looked at before anything is answered.
      else if (request.headers['transfer-encoding'] !== undefined) queueMicrotask(done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onSend', admission.leave)
  app.addHook('preValidation', (request, _reply, done) => {
    request.body = compatibility.body(request.body === undefined ? {} : request.body)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (foreignPath(request)) done(new Failure('NOT_FOUND'))
    else done(cardNumberFailure(request.body) ?? undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { method, routeOptions, id: request_id } = request
    const route = routeOptions.url ?? 'unknown'
    const status = sentStatus(reply)
    metrics?.observeRequest(method, route, status, reply.elapsedTime / 1000)
    if (!service.log.isLevelEnabled('info')) return
    const { merchant_id, token_id } = request.caller ?? {}
    request.log.info(
      {
        request_id,
        method,
        route,
        status,
        ms: reply.elapsedTime,
        merchant_id,
        token_id,
      },
      'request',
    )
  })
}

const error_answers = { '4xx': ErrorBody, '5xx': ErrorBody }

/** What every route has without saying so: error answers, its access in words, safe repetition, room. */
function completeRoute(route: RouteOptions): void {
  const { schema, config = {} } = route
  route.config = { ...config, admit_as: kindOfRoute(route) }
  const methods = [route.method].flat()
  if (schema && !schema.hide) {
    schema.response = { ...(schema.response as object), ...error_answers }
    if (config.access?.level === 'public') schema.security = []
    if (config.access?.level === 'user') schema.security = [{ login_token: [] }]
    Object.assign(schema, { 'x-access': config.access ?? {} })
    if (schema.body) schema.body = withoutDefaults(schema.body)
    if (schema.querystring) schema.querystring = withoutDefaults(schema.querystring)
  }
  if (methods.includes('POST') || methods.includes('PATCH')) {
    const { level } = config.access ?? {}
    if (level !== 'public' && level !== 'user') route.handler = idempotent(route.handler)
  }
  route.handler = notingWork(route.handler)
}

type ObjectSchema = { required?: string[]; properties?: Record<string, object> } | undefined

/** A field with a default need not be sent, although the handler always gets it. */
function withoutDefaults(part: unknown): unknown {
  const schema = part as ObjectSchema
  if (!schema?.required || !schema.properties) return part
  const { properties } = schema
  const required = schema.required.filter((name) => !('default' in (properties[name] ?? {})))
  return { ...schema, required }
}

interface PathMethods {
  methods: Set<string>
  without_secret: boolean
}

function collectPaths(app: FastifyInstance): Map<string, PathMethods> {
  const paths = new Map<string, PathMethods>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const found = paths.get(url) ?? { methods: new Set(), without_secret: false }
    for (const one of [method].flat()) found.methods.add(one)
    if ((config?.access?.without_secret ?? 'never') !== 'never') found.without_secret = true
    paths.set(url, found)
  })
  return paths
}

const all_methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A known path with another method is 405, not 404; browsers may ask first where it matters. */
function addRefusals(app: FastifyInstance, paths: Map<string, PathMethods>): void {
  for (const [url, { methods, without_secret }] of [...paths]) {
    const allowed = [...methods]
    const schema = { hide: true }
    const config = { access: { level: 'public' as const }, refuses: allowed }
    const others = all_methods.filter((method) => !methods.has(method))
    if (without_secret) {
      app.route({ method: 'OPTIONS', url, schema, config, handler: answerPreflight(allowed) })
    }
    const method = without_secret ? others.filter((other) => other !== 'OPTIONS') : others
    app.route({
      method,
      url,
      schema,
      config,
      handler: (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        fail('NOT_ALLOWED')
      },
    })
  }
}
