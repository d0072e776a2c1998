import type { ReturnReason } from '../../../store/tables/commerce/deposit-tables.ts'
import type { BankTransferView, EndView, Language, ReturnedDeposit } from '../hosted-view.ts'
import { hosted_texts_en } from './hosted-texts-en.ts'
import { hosted_texts_ja } from './hosted-texts-ja.ts'
import { hosted_texts_ko } from './hosted-texts-ko.ts'
import { hosted_texts_zh_hans } from './hosted-texts-zh-hans.ts'
import { hosted_texts_zh_hant } from './hosted-texts-zh-hant.ts'

type Sentence = (name: string) => string

/** A page about an amount; without an amount, it is about the card alone. */
interface WithOrWithoutMoney {
  readonly money: (store: string, amount: string) => string
  readonly no_money: Sentence
}

interface EndTexts {
  readonly heading: string
  readonly sentence: WithOrWithoutMoney
}

/** Every text that a customer can read. All languages have the same keys. */
export interface HostedTexts {
  readonly test_banner: { readonly title: string; readonly sentence: string }
  /** Above the actions of a tester. */
  readonly trial: { readonly heading: string; readonly sentence: string }
  /** Its own name. */
  readonly language: string
  readonly copy: string
  readonly copied: string
  readonly copy_what: Sentence
  readonly print: string
  /** The deadline and the numbers, for the customer's calendar and mail. */
  readonly calendar: string
  readonly mail: string
  readonly to_pay: Sentence
  readonly help: Sentence
  readonly service: string
  readonly amount: string
  readonly expiry: string
  /** The zone of most shops. */
  readonly japan_time: string
  readonly how: string
  readonly check_now: string
  /** After a check that found nothing, and what to expect. */
  readonly not_yet: {
    readonly title: Sentence
    /** When a part has arrived. */
    readonly rest: Sentence
    readonly qr: string
    readonly konbini: string
    readonly bank_transfer: string
  }
  readonly online: {
    readonly heading: Sentence
    readonly pay: Sentence
    readonly pay_nothing: string
    readonly decline: string
    readonly cancel: string
  }
  readonly qr: {
    readonly heading: Sentence
    readonly image: Sentence
    readonly steps: readonly Sentence[]
    readonly wallet: string
  }
  readonly konbini: {
    readonly heading: AtTillOrMachine<Sentence>
    readonly numbers: string
    readonly by_barcode: string
    readonly show_barcode: string
    readonly barcode: string
    readonly customer_name: string
    readonly test_pay: AtTillOrMachine<string>
  }
  readonly bank_transfer: {
    readonly heading: string
    readonly account: string
    readonly bank: string
    readonly bank_code: string
    readonly branch: string
    readonly branch_code: string
    readonly account_type: string
    readonly ordinary: string
    readonly account_number: string
    readonly account_holder: string
    readonly amount: string
    readonly rule: Readonly<Record<BankTransferView['match_amount'], Sentence>>
    readonly fee: string
    readonly received: string
    readonly missing: string
    readonly test_amount: Sentence
    readonly test_name: string
    readonly test_transfer: string
  }
  readonly returned: {
    /** The arrived amount, and its fault. */
    readonly reasons: Readonly<Record<ReturnReason, ReturnedSentence>>
    /** The state of the returned money. */
    readonly states: Readonly<Record<ReturnedDeposit['status'], ReturnedSentence>>
  }
  readonly three_ds: {
    readonly asks: string
    readonly heading: string
    readonly question: WithOrWithoutMoney
    readonly store: string
    readonly card: string
    readonly expiry: string
    readonly card_ending: (brand: string, last_four: string) => string
    readonly approve: string
    readonly decline: string
    readonly leave: string
  }
  readonly forward: {
    readonly heading: Sentence
    readonly challenge: string
    readonly sentence: string
    readonly go: string
  }
  readonly end: Readonly<Record<EndView['end'], EndTexts>>
  readonly receipt: {
    readonly number: string
    readonly paid_on: string
    readonly store: string
    readonly method: string
    readonly refunded: string
    readonly keep: string
  }
  readonly back: Sentence
  readonly nobody: EndWords
  readonly trouble: EndWords
}

interface EndWords {
  readonly heading: string
  readonly sentence: string
}

/** `difference`: how much too little or too much it was; `returned`: how much goes back. */
export type ReturnedSentence = (given: {
  readonly amount: string
  readonly difference: string
  readonly returned: string
  readonly day: string
  readonly store: string
}) => string

/** A store counter with staff, or a machine and a bank's own screen. */
interface AtTillOrMachine<T> {
  readonly till: T
  readonly machine: T
}

export const hosted_texts: Readonly<Record<Language, HostedTexts>> = {
  en: hosted_texts_en,
  ja: hosted_texts_ja,
  'zh-Hans': hosted_texts_zh_hans,
  'zh-Hant': hosted_texts_zh_hant,
  ko: hosted_texts_ko,
}
