import { day_ms, minute_ms } from '../time/time-units.ts'

/**
 * Every payment method, and what each brand of it accepts. Rules, API description, documents and the
 * simulators read these tables; nothing else knows a brand.
 */
export const payment_types = [
  'card',
  'apple_pay',
  'qr_scan',
  'qr_merchant',
  'konbini',
  'paidy',
  'online',
  'bank_transfer',
] as const
export type PaymentType = (typeof payment_types)[number]

interface PaymentMethod {
  /** Other than once: as a recurring token or for a subscription. */
  readonly repeatable: boolean
  readonly email: 'required' | 'optional'
  /** Whether money can be held first and captured later. */
  readonly holds: boolean
  /** Whether money can be sent back the way it came; not so what was paid in cash or transferred. */
  readonly refundable: boolean
  /** The customer pays any amount at any time, and each payment is told on its own. */
  readonly by_deposit: boolean
}

const by_card = { repeatable: true, email: 'required', holds: true, refundable: true } as const
const once = { repeatable: false, holds: false, by_deposit: false, refundable: true } as const

export const payment_methods: Readonly<Record<PaymentType, PaymentMethod>> = {
  card: { ...by_card, by_deposit: false },
  apple_pay: { ...by_card, by_deposit: false },
  qr_scan: { ...once, email: 'required' },
  qr_merchant: { ...once, email: 'required' },
  konbini: {
    repeatable: true,
    email: 'required',
    holds: false,
    refundable: false,
    by_deposit: true,
  },
  paidy: { ...once, repeatable: true, email: 'required' },
  online: { ...once, email: 'optional' },
  bank_transfer: { ...once, email: 'required', refundable: false, by_deposit: true },
}

/** `http_get_mobile` behaves as `http_get`, but the page is for mobile browsers. */
export const call_methods = [
  'http_get',
  'http_get_mobile',
  'http_post',
  'sdk',
  'web',
  'app',
] as const
export type CallMethod = (typeof call_methods)[number]

export const os_types = ['android', 'ios'] as const

interface OnlineBrand {
  readonly call_methods: readonly CallMethod[]
  /** Call methods that cannot do without the field. */
  readonly user_identifier_for: readonly CallMethod[]
  readonly os_type_for: readonly CallMethod[]
  readonly ip_address_for: readonly CallMethod[]
  /** Whether `redirect.endpoint` of a charge is taken. */
  readonly redirects: boolean
  readonly currencies: readonly string[]
}

const plain = { user_identifier_for: [], os_type_for: [], ip_address_for: [] } as const
const at_home = ['JPY'] as const
const across_borders = ['JPY', 'CNY', 'USD', 'EUR', 'GBP', 'HKD', 'KRW', 'SGD'] as const

export const online_brands = {
  alipay_online: {
    ...plain,
    call_methods: ['http_get', 'sdk', 'app'],
    redirects: true,
    currencies: across_borders,
  },
  alipay_plus_online: {
    ...plain,
    call_methods: ['http_get', 'http_get_mobile', 'sdk', 'app'],
    os_type_for: ['http_get_mobile', 'app'],
    redirects: true,
    currencies: across_borders,
  },
  pay_pay_online: {
    ...plain,
    call_methods: ['http_post'],
    redirects: true,
    currencies: at_home,
  },
  we_chat_online: {
    ...plain,
    call_methods: ['http_get', 'sdk', 'app', 'web'],
    user_identifier_for: ['sdk', 'web'],
    ip_address_for: ['web', 'http_get'],
    redirects: false,
    currencies: across_borders,
  },
  d_barai_online: {
    ...plain,
    call_methods: ['http_post'],
    redirects: false,
    currencies: at_home,
  },
} as const satisfies Record<string, OnlineBrand>

/** QR codes that the merchant displays. The last two are other spellings of the one before. */
export const qr_merchant_brands = {
  alipay_merchant_qr: { currencies: across_borders },
  pay_pay_merchant: { currencies: at_home },
  we_chat_mpm: { currencies: across_borders },
  d_barai_online: { currencies: at_home },
  d_barai_mpm: { currencies: at_home },
  d_barai_merchant: { currencies: at_home },
} as const satisfies Record<string, { readonly currencies: readonly string[] }>

/** Codes that a customer's wallet displays: how they begin tells the wallet. Longest match wins. */
export const qr_scan_prefixes = {
  '90008181': 'pay_pay',
  '90008182': 'd_barai',
  '90008183': 'au_pay',
  '90008184': 'merpay',
  '90008185': 'rakuten_pay',
  '90008186': 'line_pay',
  '90008187': 'aeon_pay',
  '10': 'we_chat',
  '11': 'we_chat',
  '12': 'we_chat',
  '13': 'we_chat',
  '14': 'we_chat',
  '15': 'we_chat',
  '25': 'alipay',
  '26': 'alipay',
  '27': 'alipay',
  '28': 'alipay',
  '29': 'alipay_hk',
  '30': 'kakaopay',
} as const satisfies Record<string, string>

/** The wallet of a scanned code, or null when its beginning is not known. */
export function qrScanBrand(code: string): string | null {
  const found = Object.entries(qr_scan_prefixes)
    .filter(([prefix]) => code.startsWith(prefix))
    .sort(([one], [other]) => other.length - one.length)
  return found[0]?.[1] ?? null
}

interface Chain {
  /** Whether its stores support the time of day of an expiry, and not only the day. */
  readonly to_the_minute: boolean
  /** The last store has closed: the API accepts the name, and pages do not offer it. */
  readonly closed?: true
}

const to_the_minute = { to_the_minute: true } as const
const to_the_day = { to_the_minute: false } as const

export const konbini_chains = {
  seven_eleven: to_the_day,
  family_mart: to_the_minute,
  lawson: to_the_minute,
  mini_stop: to_the_minute,
  seico_mart: to_the_day,
  pay_easy: to_the_day,
  circle_k: { ...to_the_day, closed: true },
  sunkus: { ...to_the_day, closed: true },
  daily_yamazaki: to_the_minute,
  yamazaki_daily_store: to_the_minute,
} as const satisfies Record<string, Chain>
export type KonbiniChain = keyof typeof konbini_chains

export const konbini_names = Object.keys(konbini_chains) as [KonbiniChain, ...KonbiniChain[]]

export function isClosedChain(name: string): boolean {
  const chains: Readonly<Record<string, Chain>> = konbini_chains
  return Object.hasOwn(chains, name) && chains[name]?.closed === true
}

export const match_amounts = ['disabled', 'exact', 'minimum', 'maximum'] as const
export type MatchAmount = (typeof match_amounts)[number]

/** The second brand name exists for tests; both are the same simulated bank. */
export const bank_brands = ['aozora_bank', 'bank_test_brand'] as const

interface Waiting {
  readonly least_ms: number
  readonly most_ms: number
  readonly default_ms: number
}

/** How long a payment by deposit can be open. */
export const deposit_periods = {
  konbini: { least_ms: 30 * minute_ms, most_ms: 30 * day_ms, default_ms: 30 * day_ms },
  bank_transfer: { least_ms: 30 * minute_ms, most_ms: 365 * day_ms, default_ms: 7 * day_ms },
} as const satisfies Record<string, Waiting>

/** How long a customer has on a page that was opened for one payment. */
export const page_life_ms = { online: 30 * minute_ms, qr: 30 * minute_ms, three_ds: 15 * minute_ms }

/** Brands whose charges can carry an id of the merchant's own. */
const with_merchant_transaction_id = ['we_chat', 'we_chat_mpm', 'we_chat_online']

export function takesMerchantTransactionId(brand: string | null): boolean {
  return brand !== null && with_merchant_transaction_id.includes(brand)
}

/** Online brands whose charges take `redirect.endpoint`. */
export const redirecting_brands: readonly string[] = Object.entries(online_brands)
  .filter(([, { redirects }]) => redirects)
  .map(([name]) => name)

export function takesRedirect(payment_type: string, brand: string | null): boolean {
  return payment_type === 'online' && brand !== null && redirecting_brands.includes(brand)
}

/** A key of one of the tables above, whatever its letters' case; null when it is none. */
export function readName<const Name extends string>(
  text: string,
  names: readonly Name[],
): Name | null {
  const lower = text.toLowerCase()
  return names.find((name) => name === lower) ?? null
}
