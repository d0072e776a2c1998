import type { NameLanguage, Texts } from './payment-facts.ts'

export interface FieldTexts {
  readonly label: string
  readonly hint?: string
  /** When it is left empty. */
  readonly missing: string
  /** When it cannot be right. */
  readonly wrong: string
}

/** A field that a customer fills in. */
export interface FormField {
  /** Its name on the page. */
  readonly id: string
  /** Its name in the form, if that is another: `phone_number.local_number` is a field of an object. */
  readonly name?: string
  /** The fields of requests that it asks for. */
  readonly asks: readonly string[]
  readonly texts: Readonly<Record<NameLanguage, FieldTexts>>
  readonly type?: 'text' | 'tel'
  readonly inputmode?: 'numeric'
  readonly autocomplete?: string
  readonly maxlength?: number
  /** It is a list of the brands; the text stands for none of them. */
  readonly choose?: Texts
  /** What the shop may have said of its customer. */
  readonly given?: 'name' | 'phone'
  /** After a fault the page shows the value again. */
  readonly is_shown_again?: boolean
  /** The reason of a failed payment that is mended here. */
  readonly mends?: 'wrong_code'
}

/** What a customer fills in on the checkout, and what the button says. */
export type CheckoutForm =
  /** The fields of a card have rules of their own on the page. */
  | { readonly kind: 'card' }
  | {
      readonly kind: 'fields'
      /** A name stands for the same field of the form of cards. */
      readonly fields: readonly (FormField | 'cardholder')[]
      /** Sent along, unseen. */
      readonly hidden?: Readonly<Record<string, string>>
      /** Without it the button pays the amount. */
      readonly button?: Texts
      readonly note?: Texts
      /** Shown by the script on devices that have this wallet, and nowhere else. */
      readonly wallet?: 'apple_pay'
    }
  /** An entry for each brand, in which only the button is left. */
  | {
      readonly kind: 'brands'
      title(brand: string, language: NameLanguage, is_only: boolean): string
      button(brand: string, language: NameLanguage): string
    }

/** What a customer is asked before a number that they took along is given up. */
export interface GiveUpTexts {
  readonly heading: string
  readonly sentence: string
  readonly number: string
  readonly confirm: string
  readonly keep: string
}
