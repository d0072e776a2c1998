import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { checkoutPath, paymentLinkPath } from '../../api/hosted-links.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import { queryOf, queryText } from '../../api/routes/request-parts.ts'
import { findSession, isEnded } from '../../commerce/checkout/checkout-session.ts'
import { type CheckoutView, checkoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import { forgetTyped } from '../../commerce/checkout/customer/plain-forms.ts'
import { viewLinkPage } from '../../commerce/payment-links/link-page-routes.ts'
import { findPaymentLink } from '../../commerce/payment-links/payment-link.ts'
import { errors, Failure } from '../../core/api/errors.ts'
import { default_zone } from '../../core/time/schedule.ts'
import { readName } from '../../core/typed/read-name.ts'
import { atTimeOf } from '../../service.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { sendPackedOnce } from '../frame/packed-file.ts'
import { chosenLanguage, rememberChoices } from '../frame/page-frame.ts'
import { inlineStyle, webFile } from '../frame/web-files.ts'
import { webAddress } from '../hosted/hosted-parts.ts'
import { page_headers, page_sources, policyOf } from '../hosted/hosted-routes.ts'
import { type Language, languages } from '../hosted/hosted-view.ts'
import { renderDocument, type Shop } from '../hosted/render-hosted.ts'
import { shopStyle, styleHash } from '../hosted/shop-style.ts'
import type { CheckoutWords } from './checkout-fields.ts'
import { renderLegal } from './checkout-legal.ts'
import { wordsOf } from './checkout-page-words.ts'
import { addressInFrame, frameParent, namedParent } from './frame-parent.ts'
import { receiptRoute } from './receipt-route.ts'
import { refuseFrame, wrongDomain } from './refused-frame.ts'
import {
  type CheckoutPage,
  renderCheckout,
  renderLink,
  renderNobody,
  type Visit,
} from './render-checkout.ts'
import { receipt_notices } from './render-done.ts'
import { readEntry } from './sent-form.ts'
import { faults_by_code, type RequestFault } from './texts/checkout-texts.ts'

/** A plain form comes back with the code of what was wrong. */
function faultOf(request: FastifyRequest): RequestFault | null {
  const { error } = queryOf(request)
  return typeof error === 'string' ? (faults_by_code[error] ?? 'input') : null
}

/** As browsers say it; those that do not send the hint have it in their name. */
function isPhone({ headers }: FastifyRequest): boolean {
  const hint = headers['sec-ch-ua-mobile']
  return hint ? hint === '?1' : /Mobi|Android/i.test(headers['user-agent'] ?? '')
}

function visitOf(
  request: FastifyRequest,
  path: string,
  { checkout, language }: CheckoutWords,
): Visit {
  const is_leaving = 'leave' in queryOf(request)
  const entry = readEntry(request, checkout, language)
  const receipt = readName(queryText(request, 'receipt'), receipt_notices)
  return { path, fault: faultOf(request), entry, is_leaving, is_phone: isPhone(request), receipt }
}

interface Shown {
  readonly page: CheckoutPage
  readonly words: CheckoutWords
  readonly test_mode: boolean
  readonly store: CheckoutView['store'] | null
  readonly view: CheckoutView | null
  /** The origin of the shop's page that shows it in a frame. */
  readonly parent?: string | null
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown,
  status = 200,
): FastifyReply {
  const { page, words, test_mode, store, view, parent = null } = shown
  const shop = store && shopOf(store)
  rememberChoices(request, reply)
  const document = {
    title: page.title,
    shop,
    test_mode,
    main: parent === null ? page.main : html`${page.main}${frameScript(parent)}`,
    goal: null,
    name: 'checkout' as const,
    legal: store && renderLegal(store, words),
  }
  if (parent !== null) reply.removeHeader('x-frame-options')
  reply
    .code(status)
    .headers({ ...page_headers, 'content-security-policy': policyFor(shop, view, parent) })
    .header('cache-control', 'no-store')
  const text = renderDocument(document, words)
  return view ? sendPackedOnce(request, reply, text) : reply.send(text)
}

function frameScript(parent: string): Html {
  const file = webFile('checkout/in-frame.js')
  return html`<script type="module" src="${file}" data-parent="${parent}"></script>`
}

/** Pictures of the shop and of what it sells come from addresses that the shop gave. */
function policyFor(shop: Shop | null, view: CheckoutView | null, parent: string | null): string {
  const style = shop && shopStyle(shop.main_color)
  const of_shop = style ? [styleHash(style)] : []
  const hashes = [inlineStyle('checkout').hash, ...of_shop].map((hash) => `'sha256-${hash}'`)
  const pictures = [shop?.logo_url ?? null, ...(view?.line_items ?? []).map((one) => one.image_url)]
  const origins = pictures.flatMap((address) => {
    const found = webAddress(address)
    return found ? new URL(found).origin : []
  })
  return policyOf({
    ...page_sources,
    style: `${page_sources.style} ${hashes.join(' ')}`,
    picture: [page_sources.picture, ...new Set(origins)].join(' '),
    frame: view?.step === 'three_ds' ? bankSources(view.bank_origin) : page_sources.frame,
    ancestor: parent ?? page_sources.ancestor,
  })
}

/** The addresses of banks are not known before. Without TLS only an acquirer on this machine is shown. */
function bankSources(origin: string | null): string {
  return origin?.startsWith('http:') ? `'self' https: ${origin}` : "'self' https:"
}

/** A customer never sees an error in the JSON form for programs. */
function showTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const failure = error instanceof Failure ? error : null
  const status = failure ? errors[failure.code][0] : (error.statusCode ?? 503)
  request.log.warn({ request_id: request.id, err: error }, 'a page could not be shown')
  return showNobody(request, reply, status >= 400 ? status : 503)
}

function showNobody(request: FastifyRequest, reply: FastifyReply, status = 404) {
  const words = wordsOf(request, null, default_zone)
  const page = renderNobody(words)
  return send(request, reply, { page, words, test_mode: false, store: null, view: null }, status)
}

const shown_page = { right: 'public', page: true, errorHandler: showTrouble } as const

/** The page of a checkout session, and that of a payment link. */
export const checkoutPages: readonly Route[] = [
  receiptRoute,

  page({
    at: 'GET /checkout/:page',
    ...shown_page,
    handle: async (request, reply) => {
      const session = await findSession(request.service, request.params.page)
      if (!session) return showNobody(request, reply)
      const in_frame = addressInFrame(request, checkoutPath(session))
      if (in_frame) return reply.redirect(in_frame, 303)
      const parent = await frameParent(request, session)
      const named = namedParent(request)
      if (named && !parent && request.headers['sec-fetch-dest'] === 'iframe') {
        const language = session.options.locale ?? chosenLanguage(request, languages)
        const message = wrongDomain(named)
        return refuseFrame(request, reply, { code: 'INVALID_DOMAIN', message, language })
      }
      const view = await checkoutView(atTimeOf(request.service, session), session)
      const words = wordsOf(request, view.locale as Language | null, view.store.time_zone)
      const path = checkoutPath(session)
      const page = renderCheckout(view, visitOf(request, path, words), words)
      if (isEnded(session)) forgetTyped(request, reply, path)
      return send(request, reply, {
        page,
        words,
        test_mode: view.test_mode,
        store: view.store,
        view,
        parent,
      })
    },
  }),

  page({
    at: 'GET /pay/link/:page',
    ...shown_page,
    handle: async (request, reply) => {
      const link = await findPaymentLink(request.service, request.params.page)
      if (!link) return showNobody(request, reply)
      const view = await viewLinkPage(atTimeOf(request.service, link), link)
      const words = wordsOf(request, view.locale as Language | null, view.store.time_zone)
      const page = renderLink(view, visitOf(request, paymentLinkPath(link), words), words)
      const { test_mode, store } = view
      return send(request, reply, { page, words, test_mode, store, view: null })
    },
  }),
]

function shopOf(store: CheckoutView['store']): Shop {
  return { store_name: store.name, logo_url: store.logo_url, main_color: store.main_color ?? null }
}
