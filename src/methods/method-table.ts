import type { PaymentType } from '../core/payments/payment-methods.ts'
import type { Token } from '../store/tables/rows.ts'
import type { CardTokenData, TokenData, TokenDataOf } from '../store/tables/token-data.ts'
import { apple_pay_method } from './apple-pay/apple-pay-method.ts'
import { bank_transfer_method } from './bank-transfer/bank-transfer-method.ts'
import { card_method } from './card/card-method.ts'
import { konbini_method } from './konbini/konbini-method.ts'
import { online_method } from './online/online-method.ts'
import { paidy_method } from './paidy/paidy-method.ts'
import type { Payer, PaymentMethod } from './payment-method.ts'
import { qr_merchant_method } from './qr-merchant/qr-merchant-method.ts'
import { qr_scan_method } from './qr-scan/qr-scan-method.ts'

/** Every payment method, by the payment type of its tokens. */
export const methods = {
  card: card_method,
  apple_pay: apple_pay_method,
  qr_scan: qr_scan_method,
  qr_merchant: qr_merchant_method,
  konbini: konbini_method,
  paidy: paidy_method,
  online: online_method,
  bank_transfer: bank_transfer_method,
} as const satisfies { [Name in PaymentType]: PaymentMethod<never, TokenDataOf[Name]> }

type PaymentDetails = Pick<Token, 'payment_type' | 'data'>

/** The payment type of a row says which form its data has: only here the two are brought together. */
export function methodOf(payment_type: PaymentType): PaymentMethod<unknown, TokenData> {
  return methods[payment_type] as unknown as PaymentMethod<unknown, TokenData>
}

export function payerOf({ payment_type, data }: PaymentDetails): Payer {
  return methodOf(payment_type).payer(data)
}

/** The data of a token of this payment type; null for any other. */
export function dataOf<Name extends PaymentType>(
  { payment_type, data }: PaymentDetails,
  wanted: Name,
): TokenDataOf[Name] | null {
  return payment_type === wanted ? (data as TokenDataOf[Name]) : null
}

/** What is known of the card of a token, which may be in a wallet. */
export function cardDataOf(token: PaymentDetails): CardTokenData | null {
  return dataOf(token, 'card') ?? dataOf(token, 'apple_pay')
}
