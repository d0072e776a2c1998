import Type, { type Static } from 'typebox'
import { credentialsFor } from '../../../accounts/provider-credentials/provider-credentials.ts'
import { customersUrl } from '../../../api/hosted-links.ts'
import { fail, failField } from '../../../core/api/errors.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { majorUnits } from '../../../core/money/money.ts'
import { apple_networks } from '../../../methods/apple-pay/apple-pay-token.ts'
import { plainName } from '../../../methods/pieces/brand-names.ts'
import { findProvider } from '../../../open-providers.ts'
import { merchantRouting } from '../../../payments/routing/merchant-routing.ts'
import { routeLivePayment } from '../../../payments/routing/route-live-payment.ts'
import type { StoreRules } from '../../../payments/store-rules/store-rules.ts'
import type { Service } from '../../../service.ts'
import { type CheckoutSession, isEnded } from '../checkout-session.ts'
import { viewShop } from './view-shop.ts'

export const ApplePayBody = Type.Object({ validation_url: Type.String({ maxLength: 255 }) })

/** Apple's own hosts: no request makes an acquirer call another address. */
const apple_host = /^(cn-)?apple-pay-gateway[a-z0-9-]*\.apple\.com$/
const max_name_length = 64

/** The payment request of the wallet, in Apple's words. Null: nothing is paid with it here. */
export function applePayRequest(
  { mode, options, amount, currency }: CheckoutSession,
  { country, forbidden_card_brands }: StoreRules,
  store_name: string,
) {
  if (mode !== 'live' || !options.payment_types.includes('apple_pay')) return null
  const forbidden = new Set(forbidden_card_brands.map(plainName))
  return {
    countryCode: country,
    currencyCode: currency,
    supportedNetworks: Object.entries(apple_networks).flatMap(([network, brand]) =>
      forbidden.has(plainName(brand)) ? [] : [network],
    ),
    merchantCapabilities: ['supports3DS'],
    requiredBillingContactFields: ['name'],
    total: {
      label: store_name.slice(0, max_name_length),
      amount: majorUnits(amount, currency),
    },
  }
}

/** The session that Apple gives the acquirer for the page; the browser opens the wallet with it. */
export async function applePaySession(
  service: Service,
  session: CheckoutSession,
  { validation_url }: Static<typeof ApplePayBody>,
): Promise<object> {
  const { merchant_id, store_id, mode, options, amount, currency } = session
  if (isEnded(session)) fail('CHECKOUT_SESSION_ENDED')
  const url = URL.canParse(validation_url) ? new URL(validation_url) : null
  if (url?.protocol !== 'https:' || !apple_host.test(url.host)) {
    failField('validation_url', 'INVALID_FORMAT_URL', 'must be an address of Apple')
  }
  const only_direct_currency = options.only_direct_currency ?? false
  const kind = { mode, payment_type: 'apple_pay', brand: null, country: null } as const
  const payment = { ...kind, amount, currency, only_direct_currency }
  const routing = await merchantRouting(service, session)
  const { candidates } = routeLivePayment(service.providers, routing, payment)
  const [first] = mode === 'live' && options.payment_types.includes('apple_pay') ? candidates : []
  const provider = first ? findProvider(service.providers, first.connector) : null
  if (!first || !provider?.applePaySession) fail('NOT_SUPPORTED_BY_PROCESSOR')
  const owner = { merchant_id, provider_credentials_id: first.account }
  const shop = await viewShop(service, session)
  const question = {
    merchant_id,
    store_id,
    validation_url: url.href,
    domain: new URL(customersUrl(service)).hostname,
    display_name: shop.name.slice(0, max_name_length),
    credentials: await credentialsFor(service, provider, owner),
  }
  const limit = { signal: AbortSignal.timeout(provider_policy.no_response_ms) }
  return provider.applePaySession(question, limit).catch((error: unknown) => {
    service.log.warn(
      { err: error, connector: provider.name, merchant_id },
      'Apple Pay gave no session',
    )
    fail('SERVICE_UNAVAILABLE', { message: 'Apple Pay does not answer.', retry_after_s: 5 })
  })
}
