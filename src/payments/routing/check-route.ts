import Type, { type Static } from 'typebox'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { isCurrency } from '../../core/money/currencies.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import type { Service } from '../../service.ts'
import type { MerchantRouting } from './merchant-routing.ts'
import {
  type LivePayment,
  matches,
  type PassedOver,
  passed_over,
  routeLivePayment,
  whyPassedOver,
} from './route-live-payment.ts'

/** The payment to route; without a payment type there is none. */
export const CheckedPayment = {
  payment_type: described(
    Type.Optional(Type.Enum([...payment_types])),
    'The payment type to check the routing for.',
  ),
  brand: described(Type.Optional(Type.String({ maxLength: 64 })), 'Its brand.'),
  amount: described(Type.Optional(Type.Integer({ minimum: 0 })), 'Its amount.'),
  currency: described(Type.Optional(Type.String({ maxLength: 3 })), 'Its currency.'),
  country: described(Type.Optional(Type.String({ maxLength: 2 })), 'The country of the card.'),
}
const Checked = Type.Object(CheckedPayment)

const outcomes = ['takes', 'falls_back', 'no_match', 'earlier_rule', ...passed_over] as const

export const RouteCheck = named(
  'RouteCheck',
  Type.Object({
    connector: described(Type.String(), 'The connector.'),
    position: described(nullable(Type.Integer()), 'The position of the rule; null without rules.'),
    outcome: described(
      textOf('RouteOutcome', outcomes, 'The role of a connector for a payment.'),
      'Whether the connector processes the payment, is a fallback, or why it is skipped.',
    ),
    is_circuit_open: described(
      Type.Boolean(),
      'Whether the connector is tried last because it does not respond.',
    ),
  }),
  'The result of a rule for a payment.',
)
type RouteCheck = Static<typeof RouteCheck>

/** The payment in question; null: there is none. */
export function readPayment(query: Static<typeof Checked>): LivePayment | null {
  const { payment_type, brand = null, amount = null, country = null } = query
  if (!payment_type) return null
  const currency = query.currency?.toUpperCase() ?? null
  if (currency && !isCurrency(currency)) failField('currency', 'INVALID_FORMAT_CURRENCY')
  return {
    mode: 'live',
    payment_type,
    brand,
    amount,
    currency,
    country: country?.toUpperCase() ?? null,
    only_direct_currency: false,
  }
}

/**
 * The route of a payment, rule by rule, in the order in which connectors would be tried; then the excluded
 * connectors. The function that decides is the same as that of a charge.
 */
export function checkRoute(
  { providers }: Service,
  routing: MerchantRouting,
  payment: LivePayment,
): RouteCheck[] {
  const { candidates } = routeLivePayment(providers, routing, payment)
  const taken = candidates.map(
    ({ connector, position, circuit }, at): RouteCheck => ({
      connector,
      position,
      outcome: at === 0 ? 'takes' : 'falls_back',
      is_circuit_open: circuit === 'open',
    }),
  )
  const named_by =
    routing.rules_of === null
      ? [...providers.connectors.keys()].map((connector) => ({
          connector,
          position: null,
          rule: null,
        }))
      : routing.rules.map((rule) => ({ connector: rule.connector, position: rule.position, rule }))
  const rest = named_by
    .filter(({ connector, position }) =>
      taken.every((one) => one.connector !== connector || one.position !== position),
    )
    .map(({ connector, position, rule }): RouteCheck => {
      const is_match = rule === null || matches(rule, payment)
      const why: PassedOver = whyPassedOver(providers, routing, connector, payment) ?? 'currency'
      const is_named = taken.some((one) => one.connector === connector)
      const outcome = !is_match ? 'no_match' : is_named ? 'earlier_rule' : why
      return { connector, position, outcome, is_circuit_open: false }
    })
  return [...taken, ...rest]
}
