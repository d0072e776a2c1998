/** The languages of everything that customers read. */
export const name_languages = ['en', 'ja'] as const
export type NameLanguage = (typeof name_languages)[number]

/** What a neutral drawing shows. The owners' logos may not be copied. */
export type MarkKind = 'card' | 'wallet' | 'store' | 'machine' | 'bank'

interface PaymentName {
  /** As the owner writes it. */
  readonly en: string
  readonly ja: string
  readonly mark: MarkKind
  /** Up to four letters that tell one drawing from another. */
  readonly letters: string
}

const card = (name: string, letters: string, ja = name): PaymentName => ({
  en: name,
  ja,
  mark: 'card',
  letters,
})
const wallet = (en: string, letters: string, ja = en): PaymentName => ({
  en,
  ja,
  mark: 'wallet',
  letters,
})
const store = (en: string, ja: string, letters: string): PaymentName => ({
  en,
  ja,
  mark: 'store',
  letters,
})

const alipay = wallet('Alipay', 'A')
const pay_pay = wallet('PayPay', 'PP')
const we_chat = wallet('WeChat Pay', 'W')
const d_barai = wallet('d Barai', 'd', 'd払い')
const union_pay = card('UnionPay', 'UP', '銀聯（UnionPay）')

/**
 * The display name of every card brand, wallet, convenience store chain, gateway and bank that the API
 * knows by an identifier. Pages, console, receipts and logos read this table; nothing else spells a brand.
 */
export const payment_names = {
  visa: card('Visa', 'VISA'),
  mastercard: card('Mastercard', 'MC'),
  jcb: card('JCB', 'JCB'),
  american_express: card('American Express', 'AMEX', 'アメリカン・エキスプレス'),
  diners_club: card('Diners Club', 'DC', 'ダイナースクラブ'),
  discover: card('Discover', 'DISC'),
  maestro: card('Maestro', 'MAES'),
  unionpay: union_pay,
  union_pay,
  private_label: card('Store card', '…', 'ハウスカード'),
  unknown: card('Card', '…', 'カード'),
  apple_pay: wallet('Apple Pay', 'AP'),
  paidy: wallet('Paidy', 'P', 'ペイディ（Paidy）'),

  alipay,
  alipay_online: alipay,
  alipay_merchant_qr: alipay,
  alipay_plus_online: wallet('Alipay+', 'A+'),
  alipay_hk: wallet('AlipayHK', 'AHK'),
  pay_pay,
  pay_pay_online: pay_pay,
  pay_pay_merchant: pay_pay,
  we_chat,
  we_chat_online: we_chat,
  we_chat_mpm: we_chat,
  d_barai,
  d_barai_online: d_barai,
  d_barai_mpm: d_barai,
  d_barai_merchant: d_barai,
  au_pay: wallet('au PAY', 'au'),
  merpay: wallet('Merpay', 'M', 'メルペイ'),
  rakuten_pay: wallet('Rakuten Pay', 'R', '楽天ペイ'),
  line_pay: wallet('LINE Pay', 'L'),
  aeon_pay: wallet('AEON Pay', 'AE'),
  kakaopay: wallet('Kakao Pay', 'K'),
  gcash: wallet('GCash', 'G'),
  tng: wallet("Touch 'n Go eWallet", 'TNG'),

  seven_eleven: store('7-Eleven', 'セブン-イレブン', '7'),
  family_mart: store('FamilyMart', 'ファミリーマート', 'FM'),
  lawson: store('Lawson', 'ローソン', 'L'),
  mini_stop: store('Ministop', 'ミニストップ', 'MS'),
  seico_mart: store('Seicomart', 'セイコーマート', 'SM'),
  circle_k: store('Circle K', 'サークルK', 'K'),
  sunkus: store('Sunkus', 'サンクス', 'S'),
  daily_yamazaki: store('Daily Yamazaki', 'デイリーヤマザキ', 'DY'),
  yamazaki_daily_store: store('Yamazaki Daily Store', 'ヤマザキデイリーストアー', 'YD'),
  pay_easy: { en: 'Pay-easy', ja: 'ペイジー（Pay-easy）', mark: 'machine', letters: 'PE' },

  aozora_bank: { en: 'Aozora Bank', ja: 'あおぞら銀行', mark: 'bank', letters: 'AB' },
  bank_test_brand: { en: 'Test Bank', ja: 'テスト銀行', mark: 'bank', letters: 'TB' },
} as const satisfies Record<string, PaymentName>

export type NamedBrand = keyof typeof payment_names

export function isNamedBrand(brand: string): brand is NamedBrand {
  return Object.hasOwn(payment_names, brand)
}

/** The name for people; an identifier that the table does not have yet is shown in words. */
export function paymentName(brand: string, language: NameLanguage): string {
  return isNamedBrand(brand) ? payment_names[brand][language] : inWords(brand)
}

function inWords(identifier: string): string {
  if (!/^[a-z0-9_]+$/.test(identifier)) return identifier
  const words = identifier.split('_').filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/** The account of the simulated bank, beside the bank itself. */
export const test_account = {
  branch: { en: 'Test Branch', ja: 'テスト支店' },
  holder: { en: 'Kaikei Test Account', ja: 'カイケイテスト' },
} as const

/** What a provider calls a bank, a branch or a holder, in the language of a page where that is known. */
export function accountName(name: string, language: NameLanguage): string {
  const { aozora_bank, bank_test_brand } = payment_names
  const known = [aozora_bank, bank_test_brand, ...Object.values(test_account)]
  return known.find(({ en }) => en === name)?.[language] ?? name
}
