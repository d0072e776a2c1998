import type { CreateToken } from './generated/api-types.ts'

/** The customer's way out of the overlay. Get the session on your server before you deliver. */
export interface CheckoutResult {
  status: 'completed' | 'canceled' | 'expired' | 'closed'
}

export interface Checkout {
  /**
   * Shows the session over the page, or leads to it. Where the page is not in the domains of an
   * application token of the store, it leads to it in any case. A redirect never resolves.
   */
  open(options?: { as?: 'overlay' | 'redirect' }): Promise<CheckoutResult>
  close(): void
}

export type CardFieldName = 'card_number' | 'expiry' | 'cvv' | 'cardholder'

/** Colors are `#rgb`, `#rrggbb` or with transparency; sizes are whole pixels. */
export interface CardFieldStyle {
  color?: string
  background?: string
  placeholder_color?: string
  error_color?: string
  /** While the field has the focus, and while its text is wrong. */
  focus_color?: string
  focus_background?: string
  error_background?: string
  color_scheme?: 'light' | 'dark'
  font_family?: 'system' | 'serif' | 'mono'
  /** 12 to 24. */
  font_size?: number
  font_weight?: 400 | 500 | 600 | 700
  /** 24 to 80. */
  height?: number
  /** 0 to 24; `padding_x` for left and right. */
  padding?: number
  padding_x?: number
  /** 0 to 4. */
  letter_spacing?: number
  text_align?: 'left' | 'center' | 'right'
}

export interface CardFieldsOptions {
  /** The JWT of an application token of the store, without its secret. */
  app_token: string
  /** The elements that the fields are put into, or their selectors. */
  fields: { card_number: Element | string; expiry: Element | string } & {
    [Name in CardFieldName]?: Element | string
  }
  style?: CardFieldStyle
  /** Up to 60 characters each. */
  placeholders?: { [Name in CardFieldName]?: string }
  /** The language of texts. Default: that of the page, else that of the browser. */
  locale?: 'en' | 'ja' | 'zh-Hans' | 'zh-Hant' | 'ko'
}

export interface CardFieldEvents {
  /** `ignored`: names of styles that are not on the list, or have another value. */
  ready: { field: CardFieldName; ignored: string[] }
  /** `error`: the fault, in the customer's language, after the field lost focus. */
  change: {
    field: CardFieldName
    empty: boolean
    complete: boolean
    error: string | null
    /** The brand of the card number; null while unknown. */
    brand?: string | null
  }
  focus: { field: CardFieldName }
  blur: { field: CardFieldName }
  /** The page may not show the field: `message` gives its developer the reason. */
  refused: { field: CardFieldName; code: string; message: string }
}

type Listening = <Name extends keyof CardFieldEvents>(
  type: Name,
  listener: (event: CustomEvent<CardFieldEvents[Name]>) => void,
) => void

type CardToken = Extract<CreateToken, { payment_type: 'card' }>
type TypedData = 'card_number' | 'exp_month' | 'exp_year' | 'cvv'

/** The fields of a token besides the card that the customer types. */
export type CardTokenOptions = Omit<CardToken, 'payment_type' | 'data'> & {
  data?: Partial<Omit<CardToken['data'], TypedData>>
}

/** Why there is no token. */
export interface CardFieldsError extends Error {
  code: string
  errors: { field: string; reason: string }[]
}

export interface CardFields {
  /** When all fields are shown; rejects on pages that are not in the domains. */
  readonly ready: Promise<void>
  addEventListener: Listening
  removeEventListener: Listening
  focus(field: CardFieldName): void
  /** The id of a transaction token for the card. Rejects with a `CardFieldsError`. */
  createToken(options: CardTokenOptions): Promise<string>
  unmount(): void
}

/** The global object that `/checkout.js` adds to a page. */
export interface KaikeiCheckout {
  checkout(session_url: string): Checkout
  fields(options: CardFieldsOptions): CardFields
}

declare global {
  interface Window {
    Kaikei?: KaikeiCheckout
  }
  interface HTMLElementEventMap {
    'kaikei-ready': CustomEvent
    'kaikei-completed': CustomEvent
    'kaikei-canceled': CustomEvent<{ url?: string }>
    'kaikei-expired': CustomEvent
    'kaikei-refused': CustomEvent<{ code: string; message: string }>
  }
}

let loading: Promise<KaikeiCheckout> | null = null

/** Adds the script to the page, once. `base_url` is where checkout sessions are. */
export function loadCheckout(base_url: string): Promise<KaikeiCheckout> {
  loading ??= new Promise<KaikeiCheckout>((resolve, reject) => {
    const fail = () => {
      loading = null
      reject(new Error(`checkout.js cannot be loaded from ${base_url}.`))
    }
    const done = () => (window.Kaikei ? resolve(window.Kaikei) : fail())
    if (window.Kaikei) return done()
    const script = document.createElement('script')
    script.src = new URL('/checkout.js', base_url).href
    script.onload = done
    script.onerror = fail
    document.head.append(script)
  })
  return loading
}
