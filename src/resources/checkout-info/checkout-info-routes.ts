import Type from 'typebox'
import { common } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { type FieldError, fail, failField, oneOf } from '../../core/errors.ts'
import { convertCurrency } from '../../core/money/exchange-rates.ts'
import { online_brands, os_types, readName } from '../../core/payment-methods.ts'
import { drawLogo } from '../../core/payment-names/payment-marks.ts'
import { nullable } from '../../core/schemas.ts'
import { Amount, Currency } from '../charges/charge-input.ts'
import type { Http, RouteModule } from '../route.ts'
import { askGateway, DynamicInformation } from './ask-gateway.ts'
import { hasLogo } from './brand-logos.ts'
import { CheckoutInfo, getCheckoutInfo } from './checkout-info.ts'

const tags = ['checkout information']
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

export const checkoutInfoRoutes: RouteModule = (http) => {
  http.get(
    '/checkout_info',
    {
      config: { access: { level: 'store', without_secret: 'anywhere' } },
      schema: {
        tags,
        summary: 'Read what a checkout needs to know of the store',
        operationId: 'getCheckoutInfo',
        querystring: Type.Object({
          origin: described(
            Type.Optional(Type.String({ maxLength: 2048 })),
            'The origin of the page. It is accepted, and changes nothing.',
          ),
        }),
        response: { 200: CheckoutInfo },
      },
    },
    ({ service, caller }) => {
      const { store_id } = caller
      return getCheckoutInfo(service, { ...caller, store_id: store_id ?? fail('NOT_FOUND') })
    },
  )

  http.get(
    '/logos/:brand',
    { config: { access: { level: 'public' } }, schema: { hide: true, params: LogoPath } },
    async ({ params }, reply) => {
      const brand = params.brand.replace(/\.svg$/, '')
      if (!hasLogo(brand)) return fail('NOT_FOUND')
      return reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
        .send(drawLogo(brand))
    },
  )

  http.post(
    '/exchange_rates/calculate',
    {
      schema: {
        tags,
        summary: 'Say what an amount is in another currency, by the dated table of rates',
        operationId: 'calculateExchangeRate',
        body: ConvertAmount,
        response: { 200: ConvertedAmount },
      },
    },
    async ({ body }) => {
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
  )
  addGatewayRoute(http)
}

function addGatewayRoute(http: Http): void {
  http.post(
    '/checkout_info/gateways/:gateway',
    {
      config: { access: { level: 'store', without_secret: 'anywhere' } },
      schema: {
        tags,
        summary: 'Ask a gateway what it can offer for a payment',
        operationId: 'getGatewayInfo',
        params: Type.Object({
          gateway: Type.String({ maxLength: 64, description: `The gateway: \`${gateway_name}\`.` }),
        }),
        body: Question,
        response: { 200: DynamicInformation },
      },
    },
    async ({ service, caller, params, body }) => {
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
  )
}
