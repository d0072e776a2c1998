import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage } from '../../core/languages.ts'
import { max_amount } from '../../core/money.ts'
import { qrSvg } from '../../core/qr-image.ts'
import { actAsCustomer, type CustomerOutcome } from '../../providers/simulator/act-as-customer.ts'
import { pagePath, pageUrl, readPageKey } from '../../resources/hosted-links.ts'
import { poll } from '../../resources/poll.ts'
import type { Http, RouteModule } from '../../resources/route.ts'
import { depositTo, waitingOf } from '../../resources/test-levers/test-levers.ts'
import type { Service } from '../../service.ts'
import { findPage, isOpen, returnUrlOf, type Subject, viewPage } from './find-page.ts'
import { type HostedView, languages } from './hosted-view.ts'
import { hosted_style_hash, renderHosted } from './render-hosted.ts'

/**
 * Pages may show our style and our pictures, and send their forms to us. A browser that follows a
 * redirect after a form asks the same list, so the shop's own address is on it.
 */
export function pageHeaders(return_url: string | null = null): Record<string, string> {
  const shop = return_url === null ? '' : ` ${new URL(return_url).origin}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${hosted_style_hash}'; img-src 'self'; ` +
      `form-action 'self'${shop}; frame-ancestors 'none'; base-uri 'none'`,
    // Our own forms have to say where they come from; nobody else gets to know the page.
    'referrer-policy': 'same-origin',
    vary: 'accept-language',
  }
}

type Page = FastifyRequest<{ Params: { page: string } }>

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  view: HostedView,
  status = 200,
  return_url: string | null = null,
): FastifyReply {
  const language = chooseLanguage(request.headers['accept-language'], languages)
  return reply.code(status).headers(pageHeaders(return_url)).send(renderHosted(view, language))
}

/** A customer never sees an error in the form that programs get. */
function showTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const status = 'code' in error && error.code === 'BAD_REQUEST' ? 429 : (error.statusCode ?? 503)
  request.log.warn({ request_id: request.id, err: error }, 'a page could not be shown')
  return show(request, reply, { kind: 'trouble' }, status >= 400 ? status : 503)
}

async function found(service: Service, key: string) {
  const name = readPageKey(key)
  const subject = name && (await findPage(service, name))
  return name && subject ? { name, subject } : null
}

export const hostedRoutes: RouteModule = (http) => {
  const config = { access: { level: 'public' } } as const
  const schema = { hide: true }
  const options = { config, schema, errorHandler: showTrouble }

  for (const wallet of [false, true]) {
    const path = wallet ? '/pay/:page/wallet' : '/pay/:page'
    http.get(path, options, async (request, reply) => {
      const page = await found(request.service, (request as Page).params.page)
      if (!page) return show(request, reply, { kind: 'nobody' }, 404)
      const view = await viewPage(request.service, page.name, page.subject, wallet)
      return show(request, reply, view, 200, returnUrlOf(page.subject))
    })
    http.post(path, { ...options, config: { ...config, form: true } }, async (request, reply) =>
      act(request, reply, wallet),
    )
  }
  addQrImage(http, options)
}

/** The code leads to the page of a simulated wallet, or is what the provider said. */
function addQrImage(http: Http, options: object): void {
  http.get('/pay/:page/qr.svg', options, async (request, reply) => {
    const { service } = request
    const page = await found(service, (request as Page).params.page)
    const charge = page?.subject.kind === 'charge' ? page.subject.charge : null
    if (!page || charge?.instructions?.kind !== 'qr' || !isOpen(service, page.subject)) {
      return show(request, reply, { kind: 'nobody' }, 404)
    }
    const text = charge.instructions.code ?? `${pageUrl(service, page.name)}/wallet`
    // Shops show the picture on pages of their own.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return reply.type('image/svg+xml').send(qrSvg(text))
  })
}

/** What the customer did, if the form says so. */
interface Choice {
  readonly outcome: CustomerOutcome | null
  readonly amount: number | null
  readonly name: string | null
}

const choices: readonly string[] = ['successful', 'failed', 'abandoned']

function readChoice(body: unknown): Choice {
  const form = new Map(Object.entries((body ?? {}) as Record<string, unknown>))
  const outcome = String(form.get('outcome') ?? '')
  const amount = String(form.get('amount') ?? '')
  const in_range = /^[1-9]\d{0,11}$/.test(amount) && Number(amount) <= max_amount
  const name = String(form.get('name') ?? '')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255)
  return {
    outcome: choices.includes(outcome) ? (outcome as CustomerOutcome) : null,
    amount: in_range ? Number(amount) : null,
    name: name === '' ? null : name,
  }
}

/**
 * The customer acts, or arrives: a shop posts its customer's browser here to open the page. Only
 * test mode has anything to choose. A page that was used already says so and changes nothing.
 */
async function act(request: FastifyRequest, reply: FastifyReply, wallet: boolean) {
  const { service } = request
  const page = await found(service, (request as Page).params.page)
  if (!page) return show(request, reply, { kind: 'nobody' }, 404)
  const { name, subject } = page
  const choice = readChoice(request.body)
  const chosen = choice.outcome !== null || choice.amount !== null
  const by_program = !chosen && isProgram(request) && isChallenge(subject)
  if (!chosen && !by_program) {
    const view = await viewPage(service, name, subject, wallet)
    return show(request, reply, view, 200, returnUrlOf(subject))
  }
  const allowed = isOwnForm(service, request) && subject.token.mode === 'test'
  const acted = allowed && isOpen(service, subject) && (await carryOut(service, subject, choice))
  if (!acted) {
    const view = await viewPage(service, name, subject, wallet)
    const used = view.kind === 'end' ? ({ ...view, end: usedEnd(view.end) } as const) : view
    return show(request, reply, used, allowed ? 409 : 403, returnUrlOf(subject))
  }
  const id = subject.kind === 'charge' ? subject.charge.id : subject.token.id
  // The customer goes on when the payment has its result, if that comes soon.
  await poll(service, id, true, () => findPage(service, name), isBetween)
  const target = returnUrlOf(subject) ?? pagePath(name)
  return reply.header('referrer-policy', 'no-referrer').redirect(target, 303)
}

/** What is over stays what it is; what was done before is said to be done. */
function usedEnd(end: Extract<HostedView, { kind: 'end' }>['end']) {
  return end === 'expired' || end === 'canceled' ? end : 'used'
}

function isChallenge(subject: Subject): boolean {
  return subject.kind === 'token' || subject.charge.instructions?.kind === 'three_ds'
}

/** Programs post the issuer token's form themselves, which is taken as the cardholder's yes. */
function isProgram({ headers }: FastifyRequest): boolean {
  return !(headers.accept ?? '').includes('text/html')
}

/** A choice comes from our own page: another site's form may open the page, but not choose. */
function isOwnForm({ address }: Service, { headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  return (
    URL.canParse(origin) && [new URL(address.base_url).host, host].includes(new URL(origin).host)
  )
}

async function carryOut(
  service: Service,
  subject: Subject,
  { outcome, amount, name }: Choice,
): Promise<boolean> {
  if (subject.kind === 'token') {
    const { merchant_id, id: resource_id, page_id } = subject.token
    return actAsCustomer(
      service,
      {
        merchant_id,
        resource_type: 'transaction_token',
        resource_id,
        reference: page_id ?? resource_id,
        kind: 'challenge',
      },
      outcome ?? 'successful',
    )
  }
  const { charge } = subject
  if (charge.match_amount === null) {
    return actAsCustomer(service, waitingOf(charge), outcome ?? 'successful')
  }
  await depositTo(service, charge, amount ?? charge.provider_amount, name)
  return true
}

function isBetween(subject: Subject | null): boolean {
  if (subject === null) return false
  if (subject.kind === 'token') return subject.token.three_ds.status === 'awaiting'
  const { status, match_amount } = subject.charge
  return status === 'awaiting' && match_amount === null
}
