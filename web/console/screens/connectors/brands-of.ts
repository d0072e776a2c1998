import { card_brands } from '../../../../src/core/cards/card-number.ts'
import {
  bank_brands,
  konbini_names,
  online_brands,
  type PaymentType,
  qr_merchant_brands,
  qr_scan_prefixes,
} from '../../../../src/core/payments/payment-methods.ts'

/** The brands that each payment type has. A test compares them with those that the service takes. */
export const brands_of: Readonly<Record<PaymentType, readonly string[]>> = {
  card: card_brands,
  apple_pay: ['apple_pay'],
  qr_scan: [...new Set(Object.values(qr_scan_prefixes))],
  qr_merchant: Object.keys(qr_merchant_brands),
  konbini: konbini_names,
  paidy: ['paidy'],
  online: Object.keys(online_brands),
  bank_transfer: bank_brands,
}
