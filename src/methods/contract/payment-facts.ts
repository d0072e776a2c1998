/** The languages of names and texts of payment methods; pages have more. */
export const name_languages = ['en', 'ja'] as const
export type NameLanguage = (typeof name_languages)[number]
export type Texts = Readonly<Record<NameLanguage, string>>

/** The subject of a neutral drawing. The owners' logos may not be copied. */
export type MarkKind = 'card' | 'wallet' | 'store' | 'machine' | 'bank'

export interface PaymentName {
  /** As the owner writes it. */
  readonly en: string
  readonly ja: string
  readonly mark: MarkKind
  /** The word on its mark, where that is not its name: as it stands on cards and at doors. */
  readonly word?: string
  /** The colours by which customers know it: of the mark, and of a line below; without them it is grey. */
  readonly color?: string
  readonly line?: string
}

export interface BrandFacts extends PaymentName {
  /** In which test mode takes payments; JPY without it. */
  readonly currencies?: readonly string[]
  /** Charges take `redirect.endpoint`. */
  readonly redirects?: boolean
  /** Charges can carry an id of the merchant's own. */
  readonly merchant_transaction_id?: boolean
  /** Its owner has closed: the API accepts the name, and pages do not offer it. */
  readonly closed?: boolean
}

/** How long a payment by deposit can be open. */
export interface DepositBounds {
  readonly min_ms: number
  readonly max_ms: number
  readonly default_ms: number
}

/**
 * The facts of a payment method, without any code: pages, the console and documents read them. Files of
 * facts import only facts, because the console loads them.
 */
export interface MethodFacts {
  /** As staff know it. */
  readonly name: Texts
  /** As the checkout calls it; without it, each brand is an entry there. */
  readonly customer_name?: Texts
  /** The details that identify a token: those of a card, which may be in a wallet. */
  readonly by_card: boolean
  /** Other than once: as a recurring token or for a subscription. */
  readonly repeatable: boolean | 'in_test_mode'
  readonly email: 'required' | 'optional'
  /** Whether money can be held first and captured later. */
  readonly holds: boolean
  /** Whether money can be sent back the way it came; not so what was paid in cash or transferred. */
  readonly refundable: boolean
  /** The customer pays any amount at any time, and each payment is reported on its own. */
  readonly deposit: DepositBounds | null
  /**
   * Whether our pages offer it. Only its owner's page can create what `never` needs. `where_named` is for
   * tills: a session offers it when the shop names it.
   */
  readonly on_pages: 'always' | 'where_named' | 'never'
  /** In the order in which they are offered. */
  readonly brands: Readonly<Record<string, BrandFacts>>
  /** Identifiers of the same owners that are no brands of payments. */
  readonly other_names?: Readonly<Record<string, PaymentName>>
}

export const once = {
  by_card: false,
  repeatable: false,
  email: 'required',
  holds: false,
  refundable: true,
  deposit: null,
  on_pages: 'always',
} as const satisfies Partial<MethodFacts>

interface Look {
  readonly ja?: string
  readonly word?: string
  readonly color?: string
  readonly line?: string
}

const named =
  (mark: MarkKind) =>
  (en: string, look: Look = {}): PaymentName => ({ en, ja: en, mark, ...look })
export const card = named('card')
export const wallet = named('wallet')
export const store = named('store')
export const bank = named('bank')
