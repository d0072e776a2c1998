import { type PaymentType, payment_types } from '../core/payments/payment-types.ts'
import type { CardTokenData, KnownCardData } from '../store/tables/payments/token-data.ts'
import type { Token } from '../store/tables/rows.ts'
import { apple_pay_method } from './apple-pay/apple-pay-method.ts'
import { bank_transfer_method } from './bank-transfer/bank-transfer-method.ts'
import { card_method } from './card/card-method.ts'
import type { MethodFacts } from './contract/payment-facts.ts'
import type { AnyMethod, MethodSettings, Payer, PaymentMethod } from './contract/payment-method.ts'
import type { SettingWords } from './contract/setting-facts.ts'
import { konbini_method } from './konbini/konbini-method.ts'
import { method_facts, typesWhere } from './method-facts.ts'
import { method_setting_words } from './method-setting-words.ts'
import { online_method } from './online/online-method.ts'
import { paidy_method } from './paidy/paidy-method.ts'
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
} as const satisfies { [Name in PaymentType]: AnyMethod }

/**
 * Adds a payment method that is not part of the service, before the modules are loaded that make schemas from
 * the tables.
 */
export function addMethod(
  payment_type: string,
  facts: MethodFacts,
  words: SettingWords,
  method: AnyMethod,
): void {
  ;(payment_types as unknown as string[]).push(payment_type)
  Object.assign(method_facts, { [payment_type]: facts })
  Object.assign(method_setting_words, { [payment_type]: words })
  Object.assign(methods, { [payment_type]: method })
}

type Methods = typeof methods
type DataOf<Method> = Method extends { payer(data: infer Data): Payer } ? Data : never
type PaymentDetails = Pick<Token, 'payment_type' | 'data'>

/** The payment type of a row says which form its data has: only here the two are brought together. */
export function methodOf(payment_type: PaymentType): PaymentMethod<unknown, object> {
  return methods[payment_type] as unknown as PaymentMethod<unknown, object>
}

export function payerOf({ payment_type, data }: PaymentDetails): Payer {
  return methodOf(payment_type).payer(data)
}

/** The data of a token of this payment type; null for any other. */
export function dataOf<Name extends PaymentType>(
  { payment_type, data }: PaymentDetails,
  wanted: Name,
): DataOf<Methods[Name]> | null {
  return payment_type === wanted ? (data as DataOf<Methods[Name]>) : null
}

/** The known data of a token's card, which may be in a wallet. */
export function cardDataOf({ payment_type, data }: PaymentDetails): KnownCardData | null {
  return method_facts[payment_type].by_card ? (data as KnownCardData) : null
}

/** The same where the service has the whole card, and not only what a wallet says of it. */
export function wholeCardOf(details: PaymentDetails): CardTokenData | null {
  const data = cardDataOf(details)
  return data?.card.exp_month == null ? null : (data as CardTokenData)
}

type SettingsOf<Name extends PaymentType> = Methods[Name]['settings']

export type MethodGroups = {
  [Name in PaymentType as `${SettingsOf<Name>['group']}_configuration`]: SettingsOf<Name>['schema']
}

/** The settings of each method, by the names of groups; payments by deposit come last. */
function fromSettings(read: (settings: MethodSettings) => unknown): object {
  const types = [
    ...typesWhere(({ deposit }) => deposit === null),
    ...typesWhere(({ deposit }) => deposit !== null),
  ]
  const settings = types.map((type) => methodOf(type).settings)
  return Object.fromEntries(settings.map((one) => [`${one.group}_configuration`, read(one)]))
}

/** The settings of payment methods, as parts of a configuration. */
export function methodGroups(): MethodGroups {
  return fromSettings(({ schema }) => schema) as MethodGroups
}

export function methodDefaults(): object {
  return fromSettings(({ defaults }) => defaults)
}
