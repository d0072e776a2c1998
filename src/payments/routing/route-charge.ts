import { cardDataOf, payerOf } from '../../methods/method-table.ts'
import { findProvider, routePayment } from '../../open-providers.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'
import type { ChargeRoute } from '../../store/tables/payments/provider-tables.ts'
import type { Token } from '../../store/tables/rows.ts'
import { type MerchantRouting, merchantRouting } from './merchant-routing.ts'
import { directCurrencies, type LivePayment, routeLivePayment } from './route-live-payment.ts'

/** The route of a new charge. */
export interface RoutedCharge {
  readonly provider: Provider | null
  /** The account there, where it is known already. */
  readonly account: string | null
  /** The route of a live charge. */
  readonly route: ChargeRoute | null
  /** The currencies that the account takes without a conversion. */
  readonly currencies: readonly string[]
}

interface Wanted {
  readonly amount: number
  readonly currency: string
  readonly only_direct_currency: boolean
}

/** A test charge goes to its simulator, without a wait; a live one where the rules of its merchant say. */
export function routeCharge(
  service: Service,
  token: Token,
  wanted: Wanted,
): RoutedCharge | Promise<RoutedCharge> {
  if (token.mode === 'live') return routeLiveCharge(service, token, wanted)
  const { mode, payment_type } = token
  const { brand } = payerOf(token)
  const provider = routePayment(service.providers, { mode, payment_type, brand })
  const currencies = provider?.capabilities.currencies({ payment_type, brand }) ?? []
  return { provider, account: null, route: null, currencies }
}

async function routeLiveCharge(
  service: Service,
  token: Token,
  wanted: Wanted,
): Promise<RoutedCharge> {
  const { providers } = service
  const { route, routing, payment } = await routeLive(service, token, wanted)
  const [first] = route.candidates
  const provider = first ? findProvider(providers, first.connector) : null
  if (!first || !provider) return { provider: null, account: null, route, currencies: [] }
  const currencies = directCurrencies(providers, routing, provider, payment)
  return { provider, account: first.account, route, currencies }
}

/** The route of a card authentication without a charge, which has no amount. */
export async function routeAuthentication(service: Service, token: Token): Promise<ChargeRoute> {
  const nothing = { amount: null, currency: null, only_direct_currency: false }
  return (await routeLive(service, token, nothing)).route
}

type Facts = Pick<LivePayment, 'amount' | 'currency' | 'only_direct_currency'>

async function routeLive(
  service: Service,
  token: Token,
  { amount, currency, only_direct_currency }: Facts,
): Promise<{ route: ChargeRoute; routing: MerchantRouting; payment: LivePayment }> {
  const { mode, payment_type } = token
  const { brand } = payerOf(token)
  const data = cardDataOf(token)
  // The country of the card's issuer if known, or else of the billing address.
  const country = data?.card.country ?? data?.billing.country ?? null
  const routing = await merchantRouting(service, token)
  const payment = { mode, payment_type, brand, amount, currency, country, only_direct_currency }
  return { route: routeLivePayment(service.providers, routing, payment), routing, payment }
}
