import type { TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Mode } from '../../core/access/caller.ts'
import type { ErrorCode } from '../../core/api/errors.ts'
import { flag, group } from '../../core/api/setting-values.ts'
import type { Sensitive } from '../../core/cards/sensitive.ts'
import type { Instructions } from '../../core/payments/instructions.ts'
import type { MatchAmount } from '../../core/payments/match-amounts.ts'
import type { Authorization, Instrument } from '../../providers/provider-operations.ts'
import type { Service } from '../../service.ts'
import type { SimulatorOutcome } from '../../store/tables/payments/simulator-tables.ts'
import type { PhoneData } from '../../store/tables/payments/token-data.ts'
import type { Token } from '../../store/tables/rows.ts'
import type { CheckoutForm, GiveUpTexts } from './checkout-form.ts'
import type { MethodRules } from './method-rules.ts'
import type { DepositBounds, NameLanguage } from './payment-facts.ts'

/** Validated payment details: the public part, and the secret part. */
export interface ReadPayment<Data = object> {
  readonly data: Data
  /** The number of a card, the code of a wallet: kept sealed. */
  readonly number: Sensitive<string> | null
  readonly cvv: Sensitive<string> | null
  /** Cards are found again by their number. */
  readonly is_card: boolean
  readonly confirmed: boolean | null
}

export const nothing_sealed = { number: null, cvv: null, is_card: false, confirmed: null } as const

/** The payer and the brand, where they are known. */
export interface Payer {
  readonly name: string | null
  readonly brand: string | null
}

/** How long the customer can pay; null where no customer has to act. */
export type PaymentPeriod =
  | { readonly kind: 'page'; readonly life_ms: number }
  | {
      readonly kind: 'deposit'
      readonly bounds: DepositBounds
      /** The value of the token; else that of its store. */
      readonly period: string | null
      readonly time_shift: string | null
      /** It ends with a day, and not at a time of it. */
      readonly to_the_day: boolean
    }

/** `cvv_elsewhere`: another machine has the key of the security code. */
type OpenedInstrument = Instrument | null | 'broken' | 'cvv_elsewhere'

/** A token whose data has the form of one payment method. */
export type TokenWith<Data> = Omit<Token, 'data'> & { readonly data: Data }

/** A part of a store's configuration, which can turn the method off. */
export interface MethodSettings<
  Group extends string = string,
  Fields extends TProperties = TProperties,
> {
  readonly group: Group
  readonly schema: TObject<{ enabled: ReturnType<typeof flag> } & Fields>
  readonly defaults: Readonly<Record<string, unknown>>
  /** Its switch, in a sentence. */
  readonly accepted: string
}

export function settingsOf<
  const Group extends string,
  Fields extends TProperties = Record<never, never>,
>(
  name: Group,
  title: string,
  texts: { readonly about: string; readonly accepted: string },
  fields: Fields = {} as Fields,
  defaults: object = {},
): MethodSettings<Group, Fields> {
  const { about, accepted } = texts
  return {
    group: name,
    schema: group(title, { enabled: flag(`${accepted} Default: true.`), ...fields }, about),
    defaults: { enabled: true, ...defaults },
    accepted,
  }
}

/** Checkout information of a brand, where it is not the same for all methods. */
export interface BrandOffer {
  readonly card_brand: string
  readonly qr_brand: string
  readonly online_brand: string
  readonly dynamic_info: boolean
  readonly requires_full_name: boolean
  readonly requires_cvv: boolean
  readonly cvv_auth: boolean
  readonly installment_capable: boolean
  readonly mcp_capable: boolean
}

/** Something a tester can do, and what then happens. */
export interface TestScenario {
  /** A stable name; after a colon, which one of several of the same kind. */
  readonly id: string
  readonly group: string
  /** The value or the call that selects it, as the documentation shows it. */
  readonly trigger: string
  readonly effect: string
}

/** The behaviour of a payment method. Its facts are its `MethodFacts`. */
export interface PaymentMethod<Input, Data extends object> {
  /** The `data` of a new token. */
  readonly input: TSchema
  /** The fields of it that a token shows; each of these may be absent. */
  readonly shown: TProperties
  readonly settings: MethodSettings
  /** The error code where the settings turn it off. */
  readonly disabled: ErrorCode
  /** Whether the store takes such details at all, before they are read. */
  admit?(caller: Caller, rules: MethodRules): void
  /** Reads details and refuses those that no store takes. */
  read(input: Input, context: ReadContext): ReadPayment<Data>
  /** Refuses what this store does not take. */
  accept?(read: ReadPayment<Data>, caller: Caller, rules: MethodRules): void
  payer(data: Data): Payer
  phone(data: Data): PhoneData | null
  /** The instrument for a provider; null when it was deleted. */
  instrument(service: Service, token: TokenWith<Data>): OpenedInstrument | Promise<OpenedInstrument>
  /** How acquirers know such payments; null: live mode takes none. */
  readonly sent_as: SentAs | null
  period(data: Data): PaymentPeriod | null
  /** Of payments by deposit: which amounts pay the charge. */
  matchAmount?(data: Data, rules: MethodRules): MatchAmount
  offer?(brand: string, rules: MethodRules): Partial<BrandOffer>
  /** Its simulator in test mode. Cards have a simulator of their own. */
  simulate?(operation: Authorization): SimulatorOutcome
  readonly scenarios?: readonly TestScenario[]
  /** The fields of `input` that a customer fills in on our pages. All else is decided by the shop. */
  readonly customer_fields: readonly string[]
  /** The rest of `input`, by what the customer filled in. */
  complete?(data: Readonly<Record<string, unknown>>): object
  /** Null: it has no place on a checkout page. */
  readonly form: CheckoutForm | null
  /** The instrument that a customer prepared, and would pay with in vain if it were given up unnoticed. */
  readonly taken_along?: {
    number(instructions: Partial<Instructions>): string | null
    readonly texts: Readonly<Record<NameLanguage, GiveUpTexts>>
  }
}

/** A method in the table, where the forms of its input and its data are not known. */
export interface AnyMethod extends Omit<PaymentMethod<never, never>, 'read'> {
  read(input: never, context: ReadContext): ReadPayment
}

export interface SentAs {
  readonly instrument: Instrument['kind']
  /** Whether the acquirer learns of the brand. */
  readonly with_brand: boolean
}

export interface ReadContext {
  readonly service: Service
  /** The rules of the store; null where details are only checked, without looking at a store. */
  readonly rules: MethodRules | null
  /** Null where the caller is not known yet. */
  readonly mode: Mode | null
  readonly ip_address: string | null
}
