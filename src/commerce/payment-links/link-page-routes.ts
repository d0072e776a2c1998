import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  checkoutPath,
  checkoutUrl,
  customersUrl,
  paymentLinkPath,
  readPageKey,
} from '../../api/hosted-links.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { Failure, fail, failField } from '../../core/api/errors.ts'
import { session_life } from '../../core/limits/checkout-policy.ts'
import { currencyDigits } from '../../core/money/currencies.ts'
import { cookiesNamed } from '../../core/text/http/cookies.ts'
import { second_ms } from '../../core/time/clock.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { Amount } from '../../payments/charges/charge-input.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { addressWithFault, isForm, keepTyped } from '../checkout/customer/plain-forms.ts'
import { viewShop } from '../checkout/customer/view-shop.ts'
import { openPaymentLink } from './open-payment-link.ts'
import { findPaymentLink, isLinkOpen, type PaymentLink } from './payment-link.ts'

const OpenLink = Type.Object({
  amount: Type.Optional(typedDigits(Type.Union([Amount, Type.String({ maxLength: 20 })]))),
})
type PageRequest = FastifyRequest<{ Params: { page: string } }>

async function requireLink(request: PageRequest): Promise<PaymentLink> {
  const link = await findPaymentLink(request.service, request.params.page)
  return link ?? fail('NOT_FOUND', { message: 'There is no such payment link.' })
}

/** Scripts send the smallest unit; a customer types the major one. */
function readAmount(amount: number | string | undefined, currency: string): number | null {
  if (typeof amount !== 'string') return amount ?? null
  const digits = currencyDigits(currency)
  const [whole = '', part = ''] = amount.replaceAll(/[,\s]|^[^\d.-]|円$/g, '').split('.', 2)
  const is_amount = /^\d{1,10}$/.test(whole) && /^\d*$/.test(part) && part.length <= digits
  if (!is_amount) failField('amount', 'INVALID_FORMAT')
  return Number(whole + part.padEnd(digits, '0'))
}

/** A customer without scripts sees on the page that something was wrong. */
function showFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const name = readPageKey((request as PageRequest).params.page)
  if (!isForm(request) || !name || !(error instanceof Failure || error.validation)) throw error
  const path = paymentLinkPath(name)
  keepTyped(request, reply, path)
  return reply.redirect(addressWithFault(path, error), 303)
}

/** The requests of a link's visitors: they get a session of their own, and find it again by a cookie. */
export const linkPageRoutes: readonly Route[] = [
  page({
    at: 'GET /pay/link/:page/state',
    right: 'public',
    handle: async (request) => {
      const link = await requireLink(request)
      return viewLinkPage(atTimeOf(request.service, link), link)
    },
  }),

  page({
    at: 'POST /pay/link/:page',
    right: 'public',
    form: true,
    body: OpenLink,
    errorHandler: showFault,
    handle: async (request, reply) => {
      const { service, ip } = request
      const link = await requireLink(request)
      const amount = readAmount(request.body.amount, link.currency)
      const session_key = readCookie(request)
      const session = await openPaymentLink(service, link, { amount, session_key, ip })
      setCookie(service, reply, link, checkoutPath(session).split('/').at(-1) ?? '')
      if (!isForm(request)) return { url: checkoutUrl(service, session) }
      return reply.redirect(checkoutPath(session), 303)
    },
  }),
]

/** The data that the page of a link may show. */
export async function viewLinkPage(service: Service, link: PaymentLink) {
  const { name, amount, amount_choice, currency, mode, options } = link
  const is_open = isLinkOpen(service, link)
  return {
    name,
    store: await viewShop(service, link),
    amount,
    amount_choice,
    currency,
    is_open,
    test_mode: mode === 'test',
    locale: options.locale,
  }
}

const cookie = 'kaikei_checkout'

/** Sent to this link alone; other sites that lead to it may bring the visitor back to their session. */
function setCookie(service: Service, reply: FastifyReply, link: PaymentLink, value: string): void {
  const secure = customersUrl(service).startsWith('https:') ? '; Secure' : ''
  const max_age = session_life.of_visit_ms / second_ms
  const path = paymentLinkPath(link)
  const text = `${cookie}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${max_age}${secure}`
  reply.header('set-cookie', text)
}

function readCookie({ headers }: FastifyRequest): string | null {
  return cookiesNamed(headers.cookie, cookie)[0] ?? null
}
