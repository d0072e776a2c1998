import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import type { Language } from '../frame/page-frame.ts'
import { checkout_texts_en } from './checkout-texts-en.ts'
import { checkout_texts_ja } from './checkout-texts-ja.ts'

export type CustomerError = Extract<CheckoutView, { step: 'failed' }>['error']

/** What is wrong with a request, by the code of its error. Everything else is `input`. */
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

interface FieldTexts {
  readonly label: string
  readonly hint?: string
  /** When it is left empty. */
  readonly missing: string
  /** When it cannot be right. */
  readonly wrong: string
}

interface GiveUpTexts {
  readonly heading: string
  readonly sentence: string
  readonly number: string
  readonly confirm: string
  readonly keep: string
}

export type FieldName =
  | 'card_number'
  | 'expiry'
  | 'cvv'
  | 'cardholder'
  | 'email'
  | 'convenience_store'
  | 'customer_name'
  | 'phone'
  | 'scanned_qr'
  | 'amount'

/** Every text of the checkout that is not on other pages of customers too. */
export interface CheckoutTexts {
  readonly title: string
  readonly pay_to: (store: string) => string
  readonly items: string
  readonly quantity: (count: string) => string
  readonly total: string
  readonly expires: string
  readonly ways: string
  readonly card: string
  readonly saved_card: (brand: string, last_four: string) => string
  readonly saved_expiry: (month: string, year: string) => string
  readonly konbini: string
  readonly bank_transfer: string
  readonly qr_scan: string
  readonly test_wallet: string
  readonly by_code: (brand: string) => string
  readonly pay: (amount: string) => string
  readonly hold: (amount: string) => string
  readonly subscribe: (amount: string) => string
  readonly get_number: string
  readonly get_account: string
  readonly go_to: (brand: string) => string
  readonly show_code: string
  readonly safe: string
  readonly busy: string
  readonly stored: string
  readonly subscription: (amount: string, period: string) => string
  readonly periods: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<FieldName, FieldTexts>>
  readonly choose_chain: string
  readonly failed: string
  readonly errors: Readonly<Record<CustomerError, string>>
  readonly faults: Readonly<Record<RequestFault, string>>
  readonly offline: string
  /** In a frame on a page that may not show it. */
  readonly refused: string
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
    /** Before a number or an account that the customer has is given up. */
    readonly give_up: Readonly<Record<'konbini' | 'bank_transfer', GiveUpTexts>>
  }
  readonly done: {
    readonly heading: string
    readonly sentence: (store: string, amount: string) => string
    readonly number: string
    readonly date: string
    readonly way: string
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
}
