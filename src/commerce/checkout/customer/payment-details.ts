import Type, { type TProperties } from 'typebox'
import { Id } from '../../../core/api/schemas.ts'
import {
  online_brands,
  type PaymentType,
  readName,
} from '../../../core/payments/payment-methods.ts'
import { isRecord, recordOf } from '../../../core/read-unknown.ts'
import { namesOf } from '../../../core/table-names.ts'
import { splitExpiry } from '../../../core/time/expiry.ts'
import { halfWidth } from '../../../core/typed/half-width.ts'
import { typedDigits } from '../../../core/typed/typed-digits.ts'
import { methods } from '../../../methods/method-table.ts'
import type { CreateToken } from '../../../payments/tokens/create/token-input.ts'

const by_cardholder = [
  'cardholder',
  'line1',
  'line2',
  'state',
  'city',
  'country',
  'zip',
  'phone_number',
] as const

/** What a customer says for each payment type. All else that a token takes is decided by the shop. */
export const customer_fields = {
  card: ['card_number', 'exp_month', 'exp_year', 'cvv', ...by_cardholder],
  apple_pay: ['applepay_token', ...by_cardholder],
  qr_scan: ['scanned_qr'],
  qr_merchant: ['brand'],
  konbini: ['convenience_store', 'customer_name', 'phone_number'],
  paidy: ['paidy_token', 'phone_number', 'shipping_address'],
  online: ['brand'],
  bank_transfer: ['brand'],
} as const satisfies Record<PaymentType, readonly string[]>

/** What a page sends to begin a payment. */
export interface PaymentDetails {
  payment_type: PaymentType
  email?: string | null
  data: Record<string, unknown>
}

const email = Type.Optional(Type.Unsafe({ type: ['string', 'null'], format: 'email' }))

function dataOf(payment_type: PaymentType) {
  const { properties } = methods[payment_type].input as unknown as { properties: TProperties }
  const kept = customer_fields[payment_type].map((name) => [name, properties[name]])
  return Type.Object(Object.fromEntries(kept) as TProperties)
}

/** One branch for each payment type, as for new tokens. */
export const PaymentDetails = Type.Unsafe<PaymentDetails>({
  type: 'object',
  required: ['payment_type'],
  discriminator: { propertyName: 'payment_type' },
  oneOf: namesOf(customer_fields).map((name) =>
    Type.Object({ payment_type: Type.Literal(name), email, data: dataOf(name) }),
  ),
})

/** A card that the customer stored before, and its security code: who has the address may not be them. */
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
  const kept = customer_fields[payment_type]
    .filter((name) => data[name] !== undefined)
    .map((name) => [name, data[name]])
  const details = Object.fromEntries(kept)
  return payment_type === 'online' ? { ...details, ...callMethod(data) } : details
}

/** The customer is sent to the page of the brand. */
function callMethod({ brand }: PaymentDetails['data']): { call_method: string } {
  const names = namesOf(online_brands)
  const name = readName(String(brand), names)
  const offered: readonly string[] = name ? online_brands[name].call_methods : []
  return { call_method: offered.includes('http_post') ? 'http_post' : 'http_get' }
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

/** As a card shows it: the month, and two or four digits of the year. What is no date is refused later. */
function readExpiry(text: unknown): { exp_month?: string; exp_year?: string } {
  if (typeof text !== 'string' || text.trim() === '') return {}
  const { month, year } = splitExpiry(halfWidth(text)) ?? { month: text, year: '' }
  return { exp_month: month, exp_year: year }
}
