import Type, { type Static } from 'typebox'
import { pathIds } from '../../core/common-fields.ts'
import { fail } from '../../core/errors.ts'
import { PageParameters } from '../../core/schemas.ts'
import { phoneDigits } from '../../core/text/phone.ts'
import { typedDigits } from '../../core/text/typed-digits.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/sql/page.ts'
import { ChargePage, ChargeView, viewCharge } from '../charges/charge.ts'
import { ListCharges, listCharges } from '../charges/list-charges.ts'
import type { Http, RouteModule } from '../route.ts'
import { ownerName, type StorePath, store_paths, storePathSchema } from '../store-paths.ts'
import { cardFingerprints } from '../tokens/create/create-token.ts'
import { patchPayment } from './patch-subscription.ts'
import { getSubscription } from './subscription.ts'
import { PatchPayment } from './subscription-input.ts'
import {
  getPayment,
  type Payment,
  PaymentPage,
  PaymentView,
  viewPayment,
} from './subscription-payment.ts'

const tags = ['subscriptions']

/** A card number in a URL is never logged; it is looked up by its keyed hash. */
const ListOfSubscription = Type.Object({
  ...ListCharges.properties,
  phone: Type.Optional(
    typedDigits(
      Type.String({
        pattern: '^[+ ]?\\(?[0-9][0-9 ().-]{0,30}$',
        description: 'Phone number of the customer, with or without its country code.',
        examples: ['+81 90-1234-5678'],
      }),
    ),
  ),
  card_number: Type.Optional(
    typedDigits(
      Type.String({
        pattern: '^[0-9 -]{12,30}$',
        description: 'The whole number of the card. It is never logged.',
      }),
    ),
  ),
})

export const paymentRoutes: RouteModule = (http) => {
  for (const path of store_paths) addPaymentRoutes(http, path)
  const of_merchant = {
    prefix: '/merchants/:merchant_id/stores/:store_id',
    fields: pathIds('merchant_id', 'store_id'),
  }
  addChargesRoute(http, of_merchant)
}

/** Routes of what a subscription bills, with or without its store in the path. */
function addPaymentRoutes(http: Http, path: StorePath): void {
  const of_subscription = storePathSchema(path, pathIds('subscription_id'))
  const url = `${path.prefix}/subscriptions/:subscription_id`
  const owner = ownerName(path.prefix)
  addChargesRoute(http, path)

  http.get(
    `${url}/charges/latest`,
    {
      config: { access: { without_secret: 'from_domains' } },
      schema: {
        tags,
        summary: 'Read the newest charge of a subscription',
        operationId: `get${owner}LatestSubscriptionCharge`,
        params: of_subscription,
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
    `${url}/payments`,
    {
      schema: {
        tags,
        summary: 'List the payments of a subscription that were made or come next',
        operationId: `list${owner}SubscriptionPayments`,
        params: of_subscription,
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
  addOnePaymentRoutes(http, path)
}

/** Routes of one payment of a subscription. */
function addOnePaymentRoutes(http: Http, path: StorePath): void {
  const of_payment = storePathSchema(path, pathIds('subscription_id', 'payment_id'))
  const url = `${path.prefix}/subscriptions/:subscription_id`
  const owner = ownerName(path.prefix)

  http.get(
    `${url}/payments/:payment_id`,
    {
      schema: {
        tags,
        summary: 'Read a payment of a subscription',
        operationId: `get${owner}SubscriptionPayment`,
        params: of_payment,
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
    `${url}/payments/:payment_id`,
    {
      schema: {
        tags,
        summary: 'Change a payment that was not made yet',
        operationId: `update${owner}SubscriptionPayment`,
        params: of_payment,
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
    `${url}/payments/:payment_id/charges`,
    {
      schema: {
        tags,
        summary: 'List the charges of a payment: one for each try',
        operationId: `list${owner}SubscriptionPaymentCharges`,
        params: of_payment,
        querystring: ListOfSubscription,
        response: { 200: ChargePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const subscription = await getSubscription(service, caller, params)
      const { id: payment_id } = await getPayment(service, subscription, params.payment_id)
      const { filter, fingerprints } = readFilter(service, query)
      const of = { subscription_id: subscription.id, payment_id, fingerprints }
      return listCharges(service, caller, subscription.store_id, filter, of)
    },
  )
}

function readFilter(service: Service, query: Static<typeof ListOfSubscription>) {
  const { card_number, phone, ...others } = query
  const filter = phone === undefined ? others : { ...others, phone: phoneDigits(phone) }
  const number = card_number?.replaceAll(/[ -]/g, '')
  return { filter, fingerprints: number ? cardFingerprints(service, number) : null }
}

function addChargesRoute(http: Http, path: StorePath): void {
  http.get(
    `${path.prefix}/subscriptions/:subscription_id/charges`,
    {
      schema: {
        tags,
        summary: 'List the charges of a subscription',
        operationId: `list${ownerName(path.prefix)}SubscriptionCharges`,
        params: storePathSchema(path, pathIds('subscription_id')),
        querystring: ListOfSubscription,
        response: { 200: ChargePage },
      },
    },
    async ({ service, caller, params, query }) => {
      const { filter, fingerprints } = readFilter(service, query)
      const { store_id, id: subscription_id } = await getSubscription(service, caller, params)
      return listCharges(service, caller, store_id, filter, { subscription_id, fingerprints })
    },
  )
}
