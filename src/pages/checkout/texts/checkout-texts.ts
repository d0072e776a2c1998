import type { CheckoutView } from '../../../commerce/checkout/customer/checkout-view.ts'
import type { FieldTexts } from '../../../methods/contract/checkout-form.ts'
import type { Language } from '../../hosted/hosted-view.ts'
import { checkout_texts_en } from './checkout-texts-en.ts'
import { checkout_texts_ja } from './checkout-texts-ja.ts'
import { checkout_texts_ko } from './checkout-texts-ko.ts'
import { checkout_texts_zh_hans } from './checkout-texts-zh-hans.ts'
import { checkout_texts_zh_hant } from './checkout-texts-zh-hant.ts'

export type CustomerError = Extract<CheckoutView, { step: 'failed' }>['error']

/** The fault of a request, by the code of its error. Everything else is `input`. */
export const faults_by_code: Readonly<Record<string, RequestFault>> = {
  CHECKOUT_SESSION_ENDED: 'ended',
  CHECKOUT_SESSION_PROCESSING: 'processing',
  CHECKOUT_CARDS_CLOSED: 'cards_closed',
  BAD_REQUEST: 'busy',
  SERVICE_UNAVAILABLE: 'busy',
  CHARGE_TOO_QUICK: 'busy',
  CARD_BRAND_NOT_SUPPORTED: 'card_refused',
  CARD_COUNTRY_NOT_SUPPORTED: 'card_refused',
  NO_TEST_CARD_IN_LIVE_MODE: 'card_refused',
  NON_UNIQUE_ACTIVE_TOKEN: 'subscribed',
}
export type RequestFault =
  | 'input'
  | 'ended'
  | 'processing'
  | 'cards_closed'
  | 'card_refused'
  | 'busy'
  | 'subscribed'

/** Outcomes that a tester tries first. */
export type TestCard = 'success' | 'declined' | 'insufficient_funds' | 'three_ds'

export type FieldName = 'card_number' | 'expiry' | 'cvv' | 'cardholder' | 'email' | 'amount'

/** Every text of the checkout that is not on other pages of customers too. */
export interface CheckoutTexts {
  readonly title: string
  readonly pay_to: (store: string) => string
  readonly items: string
  readonly quantity: (count: string) => string
  /** The order in one line: how many things. */
  readonly order: (count: number) => string
  readonly total: string
  readonly expires: string
  readonly ways: string
  readonly other_ways: string
  /** Of the block with number, expiry and security code. */
  readonly card: string
  readonly saved_card: (brand: string, last_four: string) => string
  readonly saved_expiry: (month: string, year: string) => string
  readonly pay: (amount: string) => string
  readonly hold: (amount: string) => string
  readonly subscribe: (amount: string) => string
  readonly safe: string
  readonly busy: string
  readonly stored: string
  readonly subscription: (amount: string, period: string) => string
  readonly periods: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<FieldName, FieldTexts>>
  readonly failed: string
  readonly errors: Readonly<Record<CustomerError, string>>
  readonly faults: Readonly<Record<RequestFault, string>>
  readonly offline: string
  /** In a frame on a page that may not show it. */
  readonly refused: string
  /** Test mode: above the cards. */
  readonly test_fill: string
  /** Test mode: cards that fill the form, by what then happens. */
  readonly test_cards: Readonly<Record<TestCard, string>>
  readonly no_ways: string
  readonly wait: { readonly heading: string; readonly sentence: string; readonly slow: string }
  readonly bank: {
    readonly heading: string
    readonly sentence: string
  }
  readonly elsewhere: {
    readonly heading: string
    readonly sentence: string
    readonly go: string
    readonly change: string
  }
  readonly done: {
    readonly heading: string
    readonly sentence: (store: string, amount: string) => string
    readonly number: string
    readonly date: string
    readonly way: string
    readonly card: (brand: string, last_four: string) => string
    readonly store: string
    /** The page goes back to the shop by itself. */
    readonly returning: (store: string) => string
    readonly mail: {
      readonly subject: (store: string) => string
      readonly send: string
      readonly sent: string
      /** No more mails are sent for the payment. */
      readonly enough: string
    }
  }
  readonly expired: { readonly heading: string; readonly sentence: string }
  readonly canceled: { readonly heading: string; readonly sentence: string }
  readonly nobody: { readonly heading: string; readonly sentence: string }
  readonly link: {
    readonly go: string
    readonly closed: { readonly heading: string; readonly sentence: string }
    readonly bounds: (min: string, max: string) => string
  }
  readonly back: string
  readonly leave: string
  readonly questions: string
  readonly law: string
  readonly privacy: string
  readonly terms: string
}

export const checkout_texts: Readonly<Record<Language, CheckoutTexts>> = {
  en: checkout_texts_en,
  ja: checkout_texts_ja,
  'zh-Hans': checkout_texts_zh_hans,
  'zh-Hant': checkout_texts_zh_hant,
  ko: checkout_texts_ko,
}
