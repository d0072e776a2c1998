import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type PageName, pagePath, pageUrl, readPageKey } from '../../api/hosted-links.ts'
import { isOwnOrigin } from '../../api/own-origin.ts'
import { poll } from '../../api/responses/poll.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { returnCustomer } from '../../commerce/notifications/return-customer.ts'
import {
  actAsCustomer,
  depositTo,
  missingAmount,
  waitingOf,
} from '../../commerce/test-actions/test-actions.ts'
import { errors, Failure } from '../../core/api/errors.ts'
import { max_amount } from '../../core/money/money.ts'
import { recordOf } from '../../core/read-unknown.ts'
import { qrSvg } from '../../core/text/formats/qr-image.ts'
import { halfWidth } from '../../core/typed/half-width.ts'
import { readName } from '../../core/typed/read-name.ts'
import { readWebAddress } from '../../core/typed/web-address.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import type {
  CustomerActions,
  CustomerOutcome,
  WaitingOperation,
} from '../../providers/test-customers.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { chosenLanguage, rememberChoices } from '../frame/page-frame.ts'
import {
  actionsOn,
  findPage,
  isChallenge,
  isOpen,
  isPosted,
  returnUrlOf,
  type Subject,
  viewLeaving,
  viewPage,
} from './find-page.ts'
import { webAddress } from './hosted-parts.ts'
import { type HostedView, languages } from './hosted-view.ts'
import { renderHosted } from './render-hosted.ts'
import { forwardAddress } from './render-payment.ts'
import { shopStyle, styleHash } from './shop-style.ts'
import { calendarOf } from './take-along.ts'
import { hosted_texts } from './texts/hosted-texts.ts'

/** Pages load our own files, and send their forms to us. */
export const page_sources = {
  style: "'self'",
  picture: "'self'",
  form: "'self'",
  /** The pages that it shows in a frame. */
  frame: '',
  /** The pages that may show it in a frame. */
  ancestor: "'none'",
}

export function policyOf({ style, picture, form, frame, ancestor }: typeof page_sources): string {
  return (
    `default-src 'none'; style-src ${style}; script-src 'self'; connect-src 'self'; ` +
    `img-src ${picture}; form-action ${form}; ${frame ? `frame-src ${frame}; ` : ''}` +
    `frame-ancestors ${ancestor}; base-uri 'none'`
  )
}

export const page_headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf(page_sources),
  // Our own forms must send their origin; other sites do not see the address of the page.
  'referrer-policy': 'same-origin',
  vary: 'accept-language, cookie',
} as const

/**
 * The page of a shop may show its logo and has its colors. A page that leads to a provider may post its
 * form there, and nowhere else.
 */
function headersFor(view: HostedView): Record<string, string> {
  if (!('store_name' in view)) return page_headers
  const sources = { ...page_sources }
  const style = shopStyle(view.main_color)
  if (style) sources.style += ` 'sha256-${styleHash(style)}'`
  const logo = webAddress(view.logo_url)
  if (logo) sources.picture += ` ${new URL(logo).origin}`
  if (view.kind === 'forward') sources.form = readWebAddress(view.form.url)?.origin ?? "'none'"
  if (view.ancestors.length > 0) sources.ancestor = view.ancestors.join(' ')
  const referrer = view.kind === 'forward' ? { 'referrer-policy': 'no-referrer' } : {}
  return { ...page_headers, 'content-security-policy': policyOf(sources), ...referrer }
}

type Page = FastifyRequest<{ Params: { page: string } }>

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  view: HostedView,
  status = 200,
): FastifyReply {
  rememberChoices(request, reply)
  const in_frame = request.headers['sec-fetch-dest'] === 'iframe'
  if ('ancestors' in view && view.ancestors.length > 0) reply.removeHeader('x-frame-options')
  // In the checkout, the page around the frame has said what comes: the bank's page opens without a click.
  if (in_frame && view.kind === 'forward' && view.form.method === 'get') {
    return reply.headers(headersFor(view)).redirect(forwardAddress(view.form), 303)
  }
  return reply
    .code(status)
    .headers(headersFor(view))
    .send(
      renderHosted(
        in_frame ? withoutReturn(view) : view,
        chosenLanguage(request, languages),
        in_frame,
      ),
    )
}

/** In a frame of the checkout, the page around it continues by itself. */
function withoutReturn(view: HostedView): HostedView {
  return view.kind === 'end' ? { ...view, leaving: false, return_url: null } : view
}

/** A customer never sees an error in the JSON form for programs. */
function showTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const failure = error instanceof Failure ? error : null
  const status = failure ? errors[failure.code][0] : (error.statusCode ?? 503)
  if (failure?.retry_after_s !== undefined) reply.header('retry-after', failure.retry_after_s)
  request.log.warn({ request_id: request.id, err: error }, 'a page could not be shown')
  return show(request, reply, { kind: 'trouble' }, status >= 400 ? status : 503)
}

interface FoundPage {
  readonly name: PageName
  readonly subject: Subject
  /** At the time of the page's merchant and mode. */
  readonly service: Service
}

async function found(base: Service, key: string): Promise<FoundPage | null> {
  const name = readPageKey(key)
  const subject = name && (await findPage(base, name))
  return name && subject ? { name, subject, service: atTimeOf(base, subject.token) } : null
}

const shown_page = { right: 'public', page: true, errorHandler: showTrouble } as const

export const hostedRoutes: readonly Route[] = [
  ...(['/pay/:page', '/pay/:page/wallet'] as const).flatMap((path) => {
    const wallet = path.endsWith('/wallet')
    return [
      page({
        at: `GET ${path}`,
        ...shown_page,
        handle: async (request, reply) => {
          const page = await found(request.service, request.params.page)
          if (!page) return show(request, reply, { kind: 'nobody' }, 404)
          const checked = 'checked' in asObject(request.query)
          const view = await viewPage(page.service, page.name, page.subject, { wallet, checked })
          return show(request, reply, view)
        },
      }),
      page({
        at: `POST ${path}`,
        ...shown_page,
        form: true,
        handle: (request, reply) => act(request, reply, wallet),
      }),
    ]
  }),

  ...(['GET', 'POST'] as const).map((method) =>
    page({ at: `${method} /pay/:page/return`, ...shown_page, form: true, handle: comeBack }),
  ),

  page({ at: 'GET /pay/:page/qr.svg', ...shown_page, handle: sendQrImage }),

  page({ at: 'GET /pay/:page/deadline.ics', ...shown_page, handle: sendDeadline }),

  page({
    at: 'GET /pay/*',
    ...shown_page,
    handle: (request, reply) => show(request, reply, { kind: 'nobody' }, 404),
  }),
]

/**
 * The customer returns from a page of the provider. The parameters are for the provider, which says how
 * the payment ended.
 */
async function comeBack(request: Page, reply: FastifyReply) {
  const page = await found(request.service, request.params.page)
  if (!page) return show(request, reply, { kind: 'nobody' }, 404)
  const { service, name, subject } = page
  if (isOpen(service, subject)) {
    await returnCustomer(service, subject, {
      ...asObject(request.query),
      ...asObject(request.body),
    })
    const id = subject.kind === 'charge' ? subject.charge.id : subject.token.id
    const isOver = async () => !isWaiting(await findPage(service, name))
    await poll(service, id, true, isOver, (is_over) => !is_over)
  }
  const after = (await findPage(service, name)) ?? subject
  return leave(request, reply, { ...page, subject: after })
}

function asObject(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {}
}

/** The code leads to the page of a simulated wallet, or is what the provider returned. */
async function sendQrImage(request: Page, reply: FastifyReply) {
  const { service } = request
  const page = await found(service, request.params.page)
  const charge = page?.subject.kind === 'charge' ? page.subject.charge : null
  if (!page || charge?.instructions?.kind !== 'qr' || !isOpen(page.service, page.subject)) {
    return show(request, reply, { kind: 'nobody' }, 404)
  }
  const text = charge.instructions.code ?? `${pageUrl(service, page.name)}/wallet`
  // Shops embed the picture on pages of their own.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  return reply.type('image/svg+xml').send(qrSvg(text))
}

/** The deadline and the numbers of a payment elsewhere, for the customer's calendar. */
async function sendDeadline(request: Page, reply: FastifyReply) {
  const page = await found(request.service, request.params.page)
  const seen = { wallet: false, checked: false }
  const view = page && (await viewPage(page.service, page.name, page.subject, seen))
  if (view?.kind !== 'konbini' && view?.kind !== 'bank_transfer') {
    return show(request, reply, { kind: 'nobody' }, 404)
  }
  const language = chosenLanguage(request, languages)
  const words = { language, texts: hosted_texts[language], time_zone: view.time_zone }
  const now = new Date(request.service.clock.now())
  const text = calendarOf(view, now, words)
  return reply
    .header('content-disposition', 'attachment; filename="payment.ics"')
    .header('cache-control', 'no-store')
    .type('text/calendar; charset=utf-8')
    .send(text)
}

/** The customer's action, if the form names it. */
interface Choice {
  readonly outcome: CustomerOutcome | null
  readonly amount: number | null
  readonly name: string | null
}

const choices: readonly CustomerOutcome[] = ['successful', 'failed', 'abandoned']

function readChoice(body: unknown): Choice {
  const form = new Map(Object.entries(recordOf(body)))
  const textOf = (field: string) => {
    const value = form.get(field)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const outcome = textOf('outcome')
  const amount = halfWidth(textOf('amount')).replaceAll(/[,\s]/g, '')
  const in_range = /^[1-9]\d{0,11}$/.test(amount) && Number(amount) <= max_amount
  const name = textOf('name')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255)
  return {
    outcome: readName(outcome, choices),
    amount: in_range ? Number(amount) : null,
    name: name === '' ? null : name,
  }
}

/**
 * The customer acts, or arrives: a shop posts its customer's browser here to open the page. Only a
 * simulator offers a choice. A page that was already used says so and changes nothing.
 */
async function act(request: Page, reply: FastifyReply, wallet: boolean) {
  const page = await found(request.service, request.params.page)
  if (!page) return show(request, reply, { kind: 'nobody' }, 404)
  const { name, subject, service } = page
  const choice = readChoice(request.body)
  const chosen = choice.outcome !== null || (choice.amount !== null && byDeposit(subject) !== null)
  const by_program = !chosen && isProgram(request) && isChallenge(subject)
  if (!chosen && !by_program) {
    const view = await viewPage(service, name, subject, { wallet, checked: false })
    return show(request, reply, view)
  }
  const customer = actionsOn(service, subject)
  // The form of another site may open the page, but not choose.
  const allowed = isOwnOrigin(service, request) && customer !== null
  const open = allowed && isOpen(service, subject)
  const hasResult = open ? await carryOut(service, customer, name, subject, choice) : null
  if (!hasResult) {
    const view = await viewPage(service, name, subject, { wallet, checked: false })
    const used = view.kind === 'end' ? ({ ...view, end: usedEnd(view.end) } as const) : view
    return show(request, reply, used, allowed ? 409 : 403)
  }
  const id = subject.kind === 'charge' ? subject.charge.id : subject.token.id
  // The customer continues when the payment has its result, if that comes soon.
  await poll(service, id, true, hasResult, (has) => !has)
  const after = (await findPage(service, name)) ?? subject
  return leave(request, reply, { ...page, subject: after })
}

/**
 * The customer continues to the shop, or sees the result here. The browser is forwarded by a page: a
 * redirect would be part of posting our form, and every further redirect of the shop would have to be
 * on the list of allowed form targets.
 */
async function leave(request: FastifyRequest, reply: FastifyReply, page: FoundPage) {
  const { service, name, subject } = page
  const return_url = returnUrlOf(subject)
  if (return_url !== null && !isProgram(request)) {
    return show(request, reply, await viewLeaving(service, subject))
  }
  const target = return_url ?? pagePath(name)
  return reply.header('referrer-policy', 'no-referrer').redirect(target, 303)
}

/** A finished payment stays as it is; an action that was done before is reported as done. */
function usedEnd(end: Extract<HostedView, { kind: 'end' }>['end']) {
  return end === 'expired' || end === 'canceled' ? end : 'used'
}

/** Programs post the issuer token's form themselves, which counts as the cardholder's consent. */
function isProgram({ headers }: FastifyRequest): boolean {
  return !(headers.accept ?? '').includes('text/html')
}

/** The charge of a page on which money is sent, not only approved. */
function byDeposit(subject: Subject): Charge | null {
  return subject.kind === 'charge' && subject.charge.match_amount ? subject.charge : null
}

/** Carries out the choice. Returns how to check for its result; null when nothing was pending. */
async function carryOut(
  service: Service,
  customer: CustomerActions,
  name: PageName,
  subject: Subject,
  choice: Choice,
): Promise<(() => Promise<boolean>) | null> {
  const deposit = byDeposit(subject)
  if (deposit && (choice.outcome ?? 'successful') === 'successful') {
    const amount = choice.amount ?? (await missingAmount(service, deposit))
    const reference = await depositTo(service, deposit, amount, choice.name)
    return () => isPosted(service, deposit, reference)
  }
  const outcome = choice.outcome ?? 'successful'
  if (!(await actAsCustomer(service, customer, waitsFor(subject), outcome))) return null
  return async () => !isWaiting(await findPage(service, name))
}

function waitsFor(subject: Subject): WaitingOperation {
  if (subject.kind === 'charge') return waitingOf(subject.charge)
  const { merchant_id, id: resource_id, page_id } = subject.token
  const reference = page_id ?? resource_id
  return {
    merchant_id,
    resource_type: 'transaction_token',
    resource_id,
    reference,
    kind: 'challenge',
  }
}

function isWaiting(subject: Subject | null): boolean {
  if (subject?.kind === 'token') return subject.token.three_ds.status === 'awaiting'
  return subject?.charge.status === 'awaiting'
}
