import Type from 'typebox'
import { fail, failField } from '../../core/errors.ts'
import { online_brands, os_types, readName } from '../../core/payment-methods.ts'
import { nullable } from '../../core/schemas.ts'
import { Amount, Currency } from '../charges/charge.ts'
import type { RouteModule } from '../route.ts'
import { askGateway, DynamicInformation } from './ask-gateway.ts'

/** The one gateway that can be asked. */
const gateway_name = 'alipay_plus_online'

const Question = Type.Object({
  amount: Amount,
  currency: Currency,
  call_method: Type.String({
    maxLength: 32,
    description: `One of ${online_brands[gateway_name].call_methods.join(', ')}`,
  }),
  os_type: Type.Optional(
    nullable(Type.String({ maxLength: 32, description: os_types.join(', ') })),
  ),
})

export const checkoutInfoRoutes: RouteModule = (http) => {
  http.post(
    '/checkout_info/gateways/:gateway',
    {
      config: { access: { level: 'store', without_secret: 'anywhere' } },
      schema: {
        tags: ['checkout information'],
        summary: 'Ask a gateway what it can offer for a payment',
        params: Type.Object({ gateway: Type.String({ maxLength: 64 }) }),
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
      if (call_method === null) failField('call_method', 'NOT_ALLOWED_VALUE')
      const os_type = body.os_type ? readName(body.os_type, os_types) : null
      if (body.os_type && os_type === null) failField('os_type', 'NOT_ALLOWED_VALUE')
      const needs_os = os_type_for.some((method) => method === call_method)
      if (needs_os && os_type === null) failField('os_type', 'REQUIRED_VALUE')
      const { amount } = body
      const currency = body.currency.toUpperCase()
      return askGateway(service, gateway_name, { amount, currency, call_method, os_type })
    },
  )
}
