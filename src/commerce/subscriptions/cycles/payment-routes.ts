import Type, { type Static } from 'typebox'
import { operation, type Route } from '../../../api/routes/operation.ts'
import { ownerName, type StorePath, store_paths } from '../../../api/routes/store-paths.ts'
import { fail } from '../../../core/api/errors.ts'
import { PageParameters } from '../../../core/api/schemas.ts'
import { phoneDigits } from '../../../core/typed/phone.ts'
import { typedDigits } from '../../../core/typed/typed-digits.ts'
import { ChargePage, ChargeView, viewCharge } from '../../../payments/charges/charge.ts'
import { ListCharges, listCharges } from '../../../payments/charges/list-charges.ts'
import { cardFingerprints } from '../../../payments/tokens/create/create-token.ts'
import type { Service } from '../../../service.ts'
import { listRows } from '../../../store/sql/reads/list-rows.ts'
import { viewPage } from '../../../store/sql/reads/page.ts'
import { patchPayment } from '../patch-subscription.ts'
import { getSubscription } from '../subscription.ts'
import { PatchPayment } from '../subscription-input.ts'
import { getPayment, PaymentPage, PaymentView, viewPayment } from './subscription-payment.ts'

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

export const paymentRoutes: readonly Route[] = [
  ...store_paths.flatMap((prefix) => [
    chargesOf(prefix),
    ...billedRoutes(prefix),
    ...onePaymentRoutes(prefix),
  ]),
  chargesOf('/merchants/:merchant_id/stores/:store_id'),
]

/** Routes of what a subscription bills, with or without its store in the path. */
function billedRoutes(prefix: StorePath): Route[] {
  const url = `${prefix}/subscriptions/:subscription_id` as const
  const owner = ownerName(prefix)
  return [
    operation({
      at: `GET ${url}/charges/latest`,
      id: `get${owner}LatestSubscriptionCharge`,
      client: 'subscriptions.getLatestCharge',
      tag: 'subscriptions',
      summary: 'Get the newest charge of a subscription',
      text: 'The last attempt to bill the subscription, whether it succeeded or failed.',
      right: 'payments',
      access: { without_secret: 'from_domains' },
      responses: { 200: ChargeView },
      handle: async ({ service, caller, params }) => {
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
    }),

    operation({
      at: `GET ${url}/payments`,
      id: `list${owner}SubscriptionPayments`,
      client: 'subscriptions.listPayments',
      tag: 'subscriptions',
      summary: 'List the past and next payments of a subscription',
      text: 'Each cycle is one payment, with its due date, its amount and whether it is paid.',
      right: 'payments',
      query: Type.Object(PageParameters),
      responses: { 200: PaymentPage },
      handle: async ({ service, caller, params, query }) => {
        const { merchant_id, id, retry_interval } = await getSubscription(service, caller, params)
        const known = { merchant_id, subscription_id: id }
        const payments = await listRows(service, 'subscription_payments', known, query)
        return viewPage(payments, (one) => viewPayment(one, retry_interval))
      },
    }),
  ]
}

/** Routes of one payment of a subscription. */
function onePaymentRoutes(prefix: StorePath): Route[] {
  const url = `${prefix}/subscriptions/:subscription_id` as const
  const owner = ownerName(prefix)
  return [
    operation({
      at: `GET ${url}/payments/:payment_id`,
      id: `get${owner}SubscriptionPayment`,
      client: 'subscriptions.getPayment',
      tag: 'subscriptions',
      summary: 'Get a payment of a subscription',
      text: 'One cycle with its due date, its amount and whether it is paid.',
      right: 'payments',
      responses: { 200: PaymentView },
      handle: async ({ service, caller, params }) => {
        const subscription = await getSubscription(service, caller, params)
        const payment = await getPayment(service, subscription, params.payment_id)
        return viewPayment(payment, subscription.retry_interval)
      },
    }),

    operation({
      at: `PATCH ${url}/payments/:payment_id`,
      id: `update${owner}SubscriptionPayment`,
      client: 'subscriptions.updatePayment',
      tag: 'subscriptions',
      summary: 'Update a payment that has not been made yet',
      text:
        'Moves the due date, marks the payment as paid elsewhere, changes its retries, or ' +
        'ends the subscription before it.',
      right: 'payments',
      errors: ['SUBSCRIPTION_ALREADY_ENDED'],
      body: PatchPayment,
      responses: { 200: PaymentView },
      handle: async ({ service, caller, params, body }) => {
        const payment = await patchPayment(service, caller, params, body)
        const { retry_interval } = await getSubscription(service, caller, params)
        return viewPayment(payment, retry_interval)
      },
    }),

    operation({
      at: `GET ${url}/payments/:payment_id/charges`,
      id: `list${owner}SubscriptionPaymentCharges`,
      client: 'subscriptions.listPaymentCharges',
      tag: 'subscriptions',
      summary: 'List the charges of a payment, one for each attempt',
      text: 'Failed attempts are charges too. The newest charge comes first.',
      right: 'payments',
      query: ListOfSubscription,
      responses: { 200: ChargePage },
      handle: async ({ service, caller, params, query }) => {
        const subscription = await getSubscription(service, caller, params)
        const { id: payment_id } = await getPayment(service, subscription, params.payment_id)
        const { filter, fingerprints } = readFilter(service, query)
        const of = { subscription_id: subscription.id, payment_id, fingerprints }
        return listCharges(service, caller, subscription.store_id, filter, of)
      },
    }),
  ]
}

function readFilter(service: Service, query: Static<typeof ListOfSubscription>) {
  const { card_number, phone, ...others } = query
  const filter = phone === undefined ? others : { ...others, phone: phoneDigits(phone) }
  const number = card_number?.replaceAll(/[ -]/g, '')
  return { filter, fingerprints: number ? cardFingerprints(service, number) : null }
}

function chargesOf(prefix: StorePath | '/merchants/:merchant_id/stores/:store_id'): Route {
  return operation({
    at: `GET ${prefix}/subscriptions/:subscription_id/charges`,
    id: `list${ownerName(prefix)}SubscriptionCharges`,
    client: 'subscriptions.listCharges',
    tag: 'subscriptions',
    summary: 'List the charges of a subscription',
    text:
      'Every charge of every payment of the subscription, newest first, with the failed ' +
      'attempts.',
    right: 'payments',
    query: ListOfSubscription,
    responses: { 200: ChargePage },
    handle: async ({ service, caller, params, query }) => {
      const { filter, fingerprints } = readFilter(service, query)
      const { store_id, id: subscription_id } = await getSubscription(service, caller, params)
      return listCharges(service, caller, store_id, filter, { subscription_id, fingerprints })
    },
  })
}
