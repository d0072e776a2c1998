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
  /** The request fields of the form. */
  readonly asks: readonly string[]
  readonly texts: Readonly<Record<NameLanguage, FieldTexts>>
  readonly type?: 'text' | 'tel'
  readonly inputmode?: 'numeric'
  readonly autocomplete?: string
  readonly maxlength?: number
  /** It is a choice of the brands, each with its mark. */
  readonly choose?: 'mark'
  /** Facts that the shop may have given about its customer. */
  readonly given?: 'name' | 'phone'
  /** After a fault the page shows the value again. */
  readonly is_shown_again?: boolean
  /** The reason of a failed payment that is mended here. */
  readonly mends?: 'wrong_code'
}

/** The fields of the checkout form, and the text of its button. */
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
  /** An entry for each brand, or one for all of them with the first, in which only the button is left. */
  | {
      readonly kind: 'brands'
      /** Prefers the easier of two methods of one brand. */
      readonly best_on?: 'phone' | 'desktop'
      button(brand: string, language: NameLanguage): string
    }

/** The question to a customer before a payment number is given up. */
export interface GiveUpTexts {
  readonly heading: string
  readonly sentence: string
  readonly number: string
  readonly confirm: string
  readonly keep: string
}
