/** Every payment type. `methods/method-facts.ts` and `methods/method-table.ts` say what each of them is. */
export const payment_types = [
  'card',
  'apple_pay',
  'qr_scan',
  'qr_merchant',
  'konbini',
  'paidy',
  'online',
  'bank_transfer',
] as const
export type PaymentType = (typeof payment_types)[number]
