import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { shop_contacts } from '../../accounts/configuration/shop-contacts.ts'
import { requireStore } from '../../accounts/stores/store.ts'
import { page, type Route } from '../../api/routes/operation.ts'
import type { CheckoutSession } from '../../commerce/checkout/checkout-session.ts'
import { type CheckoutView, checkoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import type { Caller } from '../../core/access/caller.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { session_life } from '../../core/limits/checkout-policy.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { newRow, type Service } from '../../service.ts'
import { no_entry } from '../checkout/checkout-fields.ts'
import { renderLegal } from '../checkout/checkout-legal.ts'
import { renderCheckout } from '../checkout/render-checkout.ts'
import { checkout_texts } from '../checkout/texts/checkout-texts.ts'
import { type Language, languages } from '../frame/page-frame.ts'
import { webAddress } from '../hosted/hosted-parts.ts'
import { renderDocument } from '../hosted/render-hosted.ts'
import { shopStyle, styleHash } from '../hosted/shop-style.ts'
import { hosted_texts } from '../hosted/texts/hosted-texts.ts'

/** The typed text may not be an address or color yet: then the page is shown without it. */
const Typed = Type.Optional(Type.String({ maxLength: 2000 }))
const appearance_names = ['logo_url', 'main_color', ...Object.keys(shop_contacts)] as const
const Query = Type.Object({
  language: Type.Optional(Type.Enum([...languages])),
  ...Object.fromEntries(appearance_names.map((name) => [name, Typed])),
})

/**
 * The page of a checkout session with sample goods, as the appearance that is being edited makes it. Only
 * pages of our own origin may frame it; nothing on it runs or is sent.
 */
export const checkoutPreview: readonly Route[] = [
  page({
    at: 'GET /stores/:store_id/checkout_preview',
    right: 'settings',
    query: Query,
    handle: async ({ service, caller, params, query }, reply) => {
      const { language = 'en', ...typed } = query
      const store = await requireStore(service, caller, params.store_id)
      const session = sampleSession(service, caller, store.id, language)
      const view = await checkoutView(service, session)
      return send(reply, { ...view, store: { ...view.store, ...typed } }, language)
    },
  }),
]

function send(reply: FastifyReply, view: CheckoutView, language: Language): FastifyReply {
  const { store } = view
  const { time_zone } = store
  const words = {
    language,
    time_zone,
    texts: hosted_texts[language],
    checkout: checkout_texts[language],
  }
  const nothing = { fault: null, entry: no_entry, receipt: null }
  const visit = { path: '', ...nothing, is_leaving: false, is_phone: false }
  const { title, main } = renderCheckout(view, visit, words)
  const shop = {
    store_name: store.name,
    logo_url: store.logo_url,
    main_color: store.main_color ?? null,
  }
  const document = {
    title,
    shop,
    test_mode: false,
    main,
    goal: null,
    name: 'checkout',
    legal: renderLegal(store, words),
    is_still: true,
  } as const
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(shop),
      'x-frame-options': 'SAMEORIGIN',
    })
    .send(renderDocument(document, words))
}

/** Without `allow-scripts`, its own origin only lets the page have our styles. */
function policyFor(shop: { logo_url: string | null; main_color: string | null }): string {
  const style = shopStyle(shop.main_color)
  const logo = webAddress(shop.logo_url)
  return (
    `default-src 'none'; style-src 'self'${style ? ` 'sha256-${styleHash(style)}'` : ''}; ` +
    `img-src 'self'${logo ? ` ${new URL(logo).origin}` : ''}; form-action 'none'; ` +
    "frame-ancestors 'self'; base-uri 'none'; sandbox allow-same-origin"
  )
}

const samples = {
  en: [
    ['Coffee beans, 200 g', 2, 1600],
    ['Paper filters', 1, 480],
  ],
  ja: [
    ['コーヒー豆 200g', 2, 1600],
    ['ペーパーフィルター', 1, 480],
  ],
} as const satisfies Record<Language, readonly (readonly [string, number, number])[]>

/** A session that is never stored. */
function sampleSession(
  service: Service,
  { merchant_id, mode }: Caller,
  store_id: string,
  language: Language,
): CheckoutSession {
  const { id, created_on } = newRow(service)
  const line_items = samples[language].map(([name, quantity, amount]) => ({
    name,
    quantity,
    amount,
    description: null,
    image_url: null,
  }))
  return {
    merchant_id,
    id,
    store_id,
    mode: mode ?? 'test',
    page_id: newUnguessableId(),
    payment_link_id: null,
    status: 'open',
    amount: line_items.reduce((sum, { quantity, amount }) => sum + quantity * amount, 0),
    currency: 'JPY',
    options: {
      line_items,
      payment_types: [...payment_types],
      token_type: 'one_time',
      subscription: null,
      capture: true,
      capture_at: null,
      three_ds: null,
      metadata: {},
      customer: null,
      locale: language,
      success_url: null,
      cancel_url: null,
      only_direct_currency: null,
      descriptor: null,
    },
    payment_type: 'card',
    transaction_token_id: null,
    charge_id: null,
    subscription_id: null,
    attempts: 0,
    declines: 0,
    limit_keys: null,
    error: null,
    retry_on: null,
    expires_on: new Date(created_on.getTime() + session_life.default_ms),
    completed_on: null,
    created_on,
    updated_on: created_on,
    due_on: null,
    claims: 0,
  }
}
