import Type, { type TProperties } from 'typebox'
import { Id } from '../../../core/api/schemas.ts'
import { type PaymentType, payment_types } from '../../../core/payments/payment-types.ts'
import { isRecord, recordOf } from '../../../core/read-unknown.ts'
import { splitExpiry } from '../../../core/time/expiry.ts'
import { halfWidth } from '../../../core/typed/half-width.ts'
import { typedDigits } from '../../../core/typed/typed-digits.ts'
import { methodOf, methods } from '../../../methods/method-table.ts'
import type { CreateToken } from '../../../payments/tokens/create/token-input.ts'

/** The request of a page to begin a payment. */
export interface PaymentDetails {
  payment_type: PaymentType
  email?: string | null
  data: Record<string, unknown>
}

const email = Type.Optional(Type.Unsafe({ type: ['string', 'null'], format: 'email' }))

function dataOf(payment_type: PaymentType) {
  const { properties } = methods[payment_type].input as unknown as { properties: TProperties }
  const stored = methods[payment_type].customer_fields.map((name) => [name, properties[name]])
  return Type.Object(Object.fromEntries(stored) as TProperties)
}

/** One branch for each payment type, as for new tokens. */
export const PaymentDetails = Type.Unsafe<PaymentDetails>({
  type: 'object',
  required: ['payment_type'],
  discriminator: { propertyName: 'payment_type' },
  oneOf: payment_types.map((name) =>
    Type.Object({ payment_type: Type.Literal(name), email, data: dataOf(name) }),
  ),
})

/**
 * A card that the customer stored before. Anyone with the link could pay with it, so its security code is
 * required.
 */
export const SavedCard = Type.Object({
  transaction_token_id: Id,
  cvv: typedDigits(Type.String({ minLength: 3, maxLength: 4 })),
})
export interface SavedCard {
  transaction_token_id: string
  cvv: string
}

/** How the customer pays: with new details, or with a card that was stored before. */
export type PaidWith =
  | { readonly kind: 'details'; readonly details: PaymentDetails }
  | { readonly kind: 'saved_card'; readonly card: SavedCard }

/** The `data` of the token that is made of them. */
export function tokenData({ payment_type, data }: PaymentDetails): CreateToken['data'] {
  const stored = methods[payment_type].customer_fields
    .filter((name) => data[name] !== undefined)
    .map((name) => [name, data[name]])
  const details = Object.fromEntries(stored)
  return { ...details, ...methodOf(payment_type).complete?.(data) }
}

/** A plain form has no objects: `phone_number.local_number` is a field of one, and all else is in `data`. */
export function readPlainForm(body: unknown): unknown {
  if (!isRecord(body) || 'data' in body) return body
  const { payment_type, email, expiry, ...others } = body
  const data: Record<string, unknown> = { ...readExpiry(expiry) }
  for (const [path, value] of Object.entries(others)) {
    const [name = '', inner] = path.split('.', 2)
    if (value === '' || name === '__proto__' || inner === '__proto__') continue
    if (inner === undefined) data[name] = value
    else data[name] = { ...recordOf(data[name]), [inner]: value }
  }
  return { payment_type, ...(email ? { email } : {}), data }
}

/**
 * An expiry as printed on a card: the month, and two or four digits of the year. Invalid dates are
 * refused later.
 */
function readExpiry(text: unknown): { exp_month?: string; exp_year?: string } {
  if (typeof text !== 'string' || text.trim() === '') return {}
  const { month, year } = splitExpiry(halfWidth(text)) ?? { month: text, year: '' }
  return { exp_month: month, exp_year: year }
}
