import Type from 'typebox'
import { operation, page, type Route } from '../../api/routes/operation.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, failField, oneOf } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { convertCurrency } from '../../core/money/exchange-rates.ts'
import { readName } from '../../core/typed/read-name.ts'
import { drawLogo } from '../../methods/contract/payment-marks.ts'
import { online_brands, os_types } from '../../methods/online/online-facts.ts'
import { findName } from '../../methods/payment-names.ts'
import { Amount, Currency } from '../charges/charge-input.ts'
import { askGateway, DynamicInformation } from './ask-gateway.ts'
import { CheckoutInfo, getCheckoutInfo } from './checkout-info.ts'

const LogoPath = Type.Object({ brand: Type.String({ maxLength: 64 }) })

/** The only supported gateway. */
const gateway_name = 'alipay_plus_online'

const Question = named(
  'GetGatewayInfo',
  Type.Object({
    amount: described(
      Amount,
      'The amount of the planned payment, in the smallest unit of the currency.',
    ),
    currency: described(Currency, 'The currency of the planned payment.'),
    call_method: Type.String({
      maxLength: 32,
      description: `One of ${online_brands[gateway_name].call_methods.join(', ')}.`,
    }),
    os_type: Type.Optional(
      nullable(
        Type.String({
          maxLength: 32,
          description: `The operating system: ${os_types.join(' or ')}. Needed for http_get_mobile and app.`,
        }),
      ),
    ),
  }),
  'The payment that a gateway is asked about.',
)

const ConvertAmount = named(
  'ConvertAmount',
  Type.Object({
    amount: described(Amount, 'The amount to convert, in the smallest unit of its currency.'),
    currency: described(Currency, 'The currency to convert from.'),
    to: described(Currency, 'The currency to convert to.'),
  }),
  'An amount, and the currency it is wanted in.',
)
const ConvertedAmount = named(
  'ConvertedAmount',
  Type.Object({
    amount: described(
      Type.Integer(),
      'The converted amount, in the smallest unit of its currency.',
    ),
    currency: common.currency,
  }),
  'An amount in the requested currency.',
)

export const checkoutInfoRoutes: readonly Route[] = [
  operation({
    at: 'GET /checkout_info',
    id: 'getCheckoutInfo',
    client: 'checkout.get',
    tag: 'checkout information',
    summary: 'Get the settings of a checkout',
    text:
      'The JWT alone suffices, from any page. Switches have their effective value: that of ' +
      'the store, of its merchant, or the default.',
    right: 'settings',
    access: { level: 'store', without_secret: 'anywhere' },
    query: Type.Object({
      origin: described(
        Type.Optional(Type.String({ maxLength: 2048 })),
        'The origin of the page. It is accepted, and changes nothing.',
      ),
    }),
    responses: { 200: CheckoutInfo },
    handle: ({ service, caller }) => {
      const { store_id } = caller
      return getCheckoutInfo(service, { ...caller, store_id: store_id ?? fail('NOT_FOUND') })
    },
  }),

  page({
    at: 'GET /logos/:brand',
    right: 'public',
    params: LogoPath,
    handle: async ({ params }, reply) => {
      const brand = params.brand.replace(/\.svg$/, '')
      const name = findName(brand) ?? fail('NOT_FOUND')
      return reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
        .send(drawLogo(name))
    },
  }),

  operation({
    at: 'POST /exchange_rates/calculate',
    id: 'calculateExchangeRate',
    client: 'checkout.calculateExchangeRate',
    tag: 'checkout information',
    summary: 'Convert an amount to another currency',
    text: 'Uses the exchange rates that also convert charges.',
    right: 'settings',
    computes: true,
    body: ConvertAmount,
    responses: { 200: ConvertedAmount },
    handle: async ({ body }) => {
      const to = body.to.toUpperCase()
      const amount = convertCurrency(body.amount, body.currency, to)
      return {
        amount:
          amount ??
          failField(
            'to',
            'NOT_ALLOWED_VALUE',
            'is a currency that the table of rates does not have',
          ),
        currency: to,
      }
    },
  }),

  operation({
    at: 'POST /checkout_info/gateways/:gateway',
    id: 'getGatewayInfo',
    client: 'checkout.getGatewayInfo',
    tag: 'checkout information',
    summary: 'Get what a gateway offers for a payment',
    text: 'Only the gateway `alipay_plus_online` is supported. The JWT alone suffices.',
    right: 'settings',
    access: { level: 'store', without_secret: 'anywhere' },
    errors: ['NOT_SUPPORTED_BY_PROCESSOR'],
    params: Type.Object({
      gateway: Type.String({ maxLength: 64, description: `The gateway: \`${gateway_name}\`.` }),
    }),
    body: Question,
    responses: { 200: DynamicInformation },
    handle: async ({ service, caller, params, body }) => {
      if (params.gateway.toLowerCase() !== gateway_name) {
        fail('NOT_FOUND', { message: `Only ${gateway_name} can be asked.` })
      }
      if (caller.mode === 'live') fail('NOT_SUPPORTED_BY_PROCESSOR')
      const { call_methods, os_type_for } = online_brands[gateway_name]
      const call_method = readName(body.call_method, call_methods)
      const errors: FieldError[] = []
      const need = (field: string, reason: FieldError['reason'], rule: string) =>
        errors.push({ field, reason, rule })
      if (call_method === null) {
        const rule = `${oneOf(call_methods)} for ${gateway_name}`
        need('call_method', 'NOT_ALLOWED_VALUE', rule)
      }
      const os_type = body.os_type ? readName(body.os_type, os_types) : null
      if (body.os_type && os_type === null) need('os_type', 'NOT_ALLOWED_VALUE', oneOf(os_types))
      const needs_os = os_type_for.some((method) => method === call_method)
      if (needs_os && !body.os_type) {
        need('os_type', 'REQUIRED_VALUE', `is required with ${call_method}: android or ios`)
      }
      if (errors.length > 0 || call_method === null) fail('VALIDATION_ERROR', { errors })
      const { amount } = body
      const currency = body.currency.toUpperCase()
      const logos_url = `${service.address.base_url}/logos`
      const question = { amount, currency, call_method, os_type, logos_url }
      return askGateway(service, gateway_name, question)
    },
  }),
]
