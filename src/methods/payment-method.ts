import type { TProperties, TSchema } from 'typebox'
import type { Caller } from '../core/access/caller.ts'
import type { ErrorCode } from '../core/api/errors.ts'
import type { Sensitive } from '../core/cards/sensitive.ts'
import type { MatchAmount } from '../core/payments/payment-methods.ts'
import type { Instrument } from '../providers/provider-operations.ts'
import type { Service } from '../service.ts'
import type { Token } from '../store/tables/rows.ts'
import type { PhoneData, TokenData } from '../store/tables/token-data.ts'
import type { MethodRules } from './method-rules.ts'

/** Payment details that were checked: what may be shown, and what must not be. */
export interface ReadPayment<Data = TokenData> {
  readonly data: Data
  /** The number of a card, the code of a wallet: kept sealed. */
  readonly number: Sensitive<string> | null
  readonly cvv: Sensitive<string> | null
  /** Cards are found again by their number. */
  readonly is_card: boolean
  readonly confirmed: boolean | null
}

export const nothing_sealed = { number: null, cvv: null, is_card: false, confirmed: null } as const

/** Who pays, and with which brand, where that is known. */
export interface Payer {
  readonly name: string | null
  readonly brand: string | null
}

/** How long the customer can pay; null where no customer has to act. */
export type PaymentPeriod =
  | { readonly kind: 'page'; readonly life_ms: number }
  | {
      readonly kind: 'deposit'
      readonly method: 'konbini' | 'bank_transfer'
      /** What the token says; else what its store says. */
      readonly period: string | null
      readonly time_shift: string | null
      /** It ends with a day, and not at a time of it. */
      readonly to_the_day: boolean
    }

/** `cvv_elsewhere`: another machine has the key of the security code. */
type OpenedInstrument = Instrument | null | 'broken' | 'cvv_elsewhere'

/** A token whose data has the form of one payment method. */
export type TokenWith<Data> = Omit<Token, 'data'> & { readonly data: Data }

/**
 * Everything that is particular to a payment method. Its facts and brands are `core/payment-
 * methods.ts`.
 */
export interface PaymentMethod<Input, Data extends TokenData> {
  /** The `data` of a new token. */
  readonly input: TSchema
  /** What of it a token shows; each of these may be absent. */
  readonly shown: TProperties
  /** What can be offered to a customer. */
  readonly brands: readonly string[]
  /** The part of a store's configuration that can turn it off, and what is then said. */
  readonly configuration: ConfigurationGroup
  readonly disabled: ErrorCode
  /** Whether the store takes such details at all, before they are read. */
  admit?(caller: Caller, rules: MethodRules): void
  /** Reads details; what no store takes is refused. */
  read(input: Input, context: ReadContext): ReadPayment<Data>
  /** Refuses what this store does not take. */
  accept?(read: ReadPayment<Data>, caller: Caller, rules: MethodRules): void
  payer(data: Data): Payer
  phone(data: Data): PhoneData | null
  /** What a provider gets; null when it was deleted. */
  instrument(service: Service, token: TokenWith<Data>): OpenedInstrument | Promise<OpenedInstrument>
  period(data: Data): PaymentPeriod | null
  /** Of payments by deposit: which amounts pay the charge. */
  matchAmount?(data: Data, rules: MethodRules): MatchAmount
}

export type ConfigurationGroup =
  | 'card'
  | 'qr_scan'
  | 'qr_merchant'
  | 'convenience'
  | 'paidy'
  | 'online'
  | 'bank_transfer'

export interface ReadContext {
  readonly service: Service
  /** The rules of the store; null where details are only checked, without looking at a store. */
  readonly rules: MethodRules | null
  readonly ip_address: string | null
}
