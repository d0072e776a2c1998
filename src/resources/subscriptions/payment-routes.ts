import Type, { type Static, type TProperties } from 'typebox'
import { fail } from '../../core/errors.ts'
import { phoneDigits } from '../../core/phone.ts'
import { Id, PageParameters } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/page.ts'
import { ChargePage, ChargeView, viewCharge } from '../charges/charge.ts'
import { ListCharges, listCharges } from '../charges/list-charges.ts'
import type { Http, RouteModule } from '../route.ts'
import { cardFingerprints } from '../tokens/create-token.ts'
import { patchPayment } from './patch-subscription.ts'
import { getSubscription, type SubscriptionPath } from './subscription.ts'
import { PatchPayment } from './subscription-input.ts'
import {
  getPayment,
  type Payment,
  PaymentPage,
  PaymentView,
  viewPayment,
} from './subscription-payment.ts'
import { SubscriptionPathSchema } from './subscription-routes.ts'

const tags = ['subscriptions']
const PaymentPath = Type.Object({ ...SubscriptionPathSchema.properties, payment_id: Id })

/** A card number in an address is never logged; it is looked for by its keyed hash. */
const ListOfSubscription = Type.Object({
  ...ListCharges.properties,
  phone: Type.Optional(
    Type.String({
      pattern: '^[+ ]?\\(?[0-9][0-9 ().-]{0,30}$',
      description: 'Phone number, with or without its country code',
      examples: ['+81 90-1234-5678'],
    }),
  ),
  card_number: Type.Optional(
    Type.String({ pattern: '^[0-9 -]{12,30}$', description: 'Whole number of a card' }),
  ),
})

export const paymentRoutes: RouteModule = (http) => {
  addChargesRoute(http, '/stores/:store_id/subscriptions/:subscription_id/charges', {})
  addChargesRoute(
    http,
    '/merchants/:merchant_id/stores/:store_id/subscriptions/:subscription_id/charges',
    { merchant_id: Id },
  )

  http.get(
    '/stores/:store_id/subscriptions/:subscription_id/charges/latest',
    {
      config: { access: { without_secret: 'from_domains' } },
      schema: {
        tags,
        summary: 'Read the newest charge of a subscription',
        params: SubscriptionPathSchema,
        response: { 200: ChargeView },
      },
    },
    async ({ service, caller, params }) => {
      const { merchant_id, id } = await getSubscription(service, caller, params)
      const charge = await service.db
        .selectFrom('charges')
        .selectAll()
        .where('merchant_id', '=', merchant_id)
        .where('subscription_id', '=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return viewCharge(service, charge ?? fail('NOT_FOUND'), caller.with_secret)
    },
  )

  http.get(
    '/stores/:store_id/subscriptions/:subscription_id/payments',
    {
      schema: {
        tags,
        summary: 'List the payments of a subscription that were made or come next',
        params: SubscriptionPathSchema,
        querystring: Type.Object(PageParameters),
        response: { 200: PaymentPage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { merchant_id, id, retry_interval } = await getSubscription(service, caller, params)
      const payments = service.db
        .selectFrom('subscription_payments')
        .selectAll()
        .where('merchant_id', '=', merchant_id)
        .where('subscription_id', '=', id)
      const { items, has_more } = await readPage<Payment>(payments, query)
      return { items: items.map((one) => viewPayment(one, retry_interval)), has_more }
    },
  )

  http.get(
    '/stores/:store_id/subscriptions/:subscription_id/payments/:payment_id',
    {
      schema: {
        tags,
        summary: 'Read a payment of a subscription',
        params: PaymentPath,
        response: { 200: PaymentView },
      },
    },
    async ({ service, caller, params }) => {
      const subscription = await getSubscription(service, caller, params)
      const payment = await getPayment(service, subscription, params.payment_id)
      return viewPayment(payment, subscription.retry_interval)
    },
  )

  http.patch(
    '/stores/:store_id/subscriptions/:subscription_id/payments/:payment_id',
    {
      schema: {
        tags,
        summary: 'Change a payment that was not made yet',
        params: PaymentPath,
        body: PatchPayment,
        response: { 200: PaymentView },
      },
    },
    async ({ service, caller, params, body }) => {
      const payment = await patchPayment(service, caller, params, body)
      const { retry_interval } = await getSubscription(service, caller, params)
      return viewPayment(payment, retry_interval)
    },
  )

  http.get(
    '/stores/:store_id/subscriptions/:subscription_id/payments/:payment_id/charges',
    {
      schema: {
        tags,
        summary: 'List the charges of a payment: one for each try',
        params: PaymentPath,
        querystring: ListOfSubscription,
        response: { 200: ChargePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const subscription = await getSubscription(service, caller, params)
      const { id: payment_id } = await getPayment(service, subscription, params.payment_id)
      const { filter, fingerprints } = readFilter(service, query)
      const of = { subscription_id: subscription.id, payment_id, fingerprints }
      return listCharges(service, caller, params.store_id, filter, of)
    },
  )
}

function readFilter(service: Service, query: Static<typeof ListOfSubscription>) {
  const { card_number, phone, ...others } = query
  const filter = phone === undefined ? others : { ...others, phone: phoneDigits(phone) }
  const number = card_number?.replaceAll(/[ -]/g, '')
  return { filter, fingerprints: number ? cardFingerprints(service, number) : null }
}

function addChargesRoute(http: Http, path: string, more: TProperties): void {
  http.get(
    path,
    {
      schema: {
        tags,
        summary: 'List the charges of a subscription',
        params: Type.Object({ ...SubscriptionPathSchema.properties, ...more }),
        querystring: ListOfSubscription,
        response: { 200: ChargePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { filter, fingerprints } = readFilter(service, query)
      const { store_id, subscription_id } = params as SubscriptionPath
      await getSubscription(service, caller, { store_id, subscription_id })
      return listCharges(service, caller, store_id, filter, { subscription_id, fingerprints })
    },
  )
}
