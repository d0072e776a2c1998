import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { fail, failField } from '../../core/api/errors.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import type { KnownCard, KnownCardData } from '../../store/tables/payments/token-data.ts'
import { readBilling } from '../card/read-card.ts'
import type { ReadPayment } from '../contract/payment-method.ts'

/** The encrypted part: only the acquirer that Apple encrypted it for can open it. */
const PaymentData = Type.Object({
  version: Type.String(),
  data: Type.String(),
  signature: Type.String(),
})
const WalletToken = Type.Object({
  paymentData: PaymentData,
  paymentMethod: Type.Optional(
    Type.Object({
      displayName: Type.Optional(Type.String()),
      network: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
    }),
  ),
})
type WalletToken = Static<typeof WalletToken>
const whole = Compile(WalletToken)
const bare = Compile(PaymentData)

/** The card networks by Apple's names for them. */
export const apple_networks: Readonly<Record<string, string>> = {
  visa: 'visa',
  masterCard: 'mastercard',
  jcb: 'jcb',
  amex: 'american_express',
  discover: 'discover',
  chinaUnionPay: 'unionpay',
}

type Billing = Parameters<typeof readBilling>[0]

/** Live mode passes the token on as it is, and shows what the wallet says of the card. */
export function readWalletToken(
  input: Billing & { applepay_token: string; cardholder: string },
): ReadPayment<KnownCardData> {
  const token = parse(input.applepay_token)
  if (token === null) {
    const rule =
      'must be the payment token of Apple Pay: an object with paymentData, as JSON or in base64'
    failField('data.applepay_token', 'INVALID_FORMAT', rule)
  }
  const errors: Parameters<typeof readBilling>[1] = []
  const billing = readBilling(input, errors)
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
  const card = { cardholder: input.cardholder.toUpperCase(), ...cardOf(token) }
  const number = sensitive(JSON.stringify(token))
  return { data: { card, billing }, number, cvv: null, is_card: false, confirmed: null }
}

function parse(text: string): WalletToken | null {
  const json = text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString()
  try {
    const read: unknown = JSON.parse(json)
    if (whole.Check(read)) return read
    return bare.Check(read) ? { paymentData: read } : null
  } catch {
    return null
  }
}

function cardOf({ paymentMethod = {} }: WalletToken): Omit<KnownCard, 'cardholder'> {
  const { displayName = '', network = '', type = '' } = paymentMethod
  const known = Object.entries(apple_networks).find(
    ([name]) => name.toLowerCase() === network.toLowerCase(),
  )
  return {
    exp_month: null,
    exp_year: null,
    card_bin: null,
    last_four: /(\d{4})$/.exec(displayName)?.[1] ?? null,
    brand: known?.[1] ?? 'unknown',
    card_type: ['credit', 'debit'].includes(type) ? type : null,
    country: null,
    category: type === 'prepaid' ? type : null,
    issuer: null,
    sub_brand: 'none',
  }
}
