import type {
  BankTransferView,
  EndView,
  HostedView,
  KonbiniView,
  OnlineView,
  QrView,
  ThreeDsView,
} from '../../../src/pages/hosted/hosted-view.ts'

// One view of each kind of page, and how a reader and a browser see a page.
const common = {
  store_name: 'Tea House',
  logo_url: null,
  main_color: null,
  time_zone: 'Asia/Tokyo',
  test_mode: true,
  ancestors: [],
  money: { amount: 1000, currency: 'JPY' },
}
const acting = { action: '/pay/abc', expires_on: new Date('2026-11-22T14:59:59Z') }

export const online: OnlineView = { kind: 'online', ...common, ...acting, brand: 'pay_pay_online' }
export const qr: QrView = {
  kind: 'qr',
  ...common,
  brand: 'pay_pay_merchant',
  image_path: '/codes/abc.svg',
  wallet_path: '/wallets/abc',
  expires_on: acting.expires_on,
  checked_on: null,
}
export const konbini: KonbiniView = {
  kind: 'konbini',
  ...common,
  ...acting,
  convenience_store: 'family_mart',
  customer_name: '山田 花子',
  payment_code: '12345678901',
  company_code: '20020',
  confirmation_code: null,
  checked_on: null,
  barcode: '919084123456',
}
export const bank_transfer: BankTransferView = {
  kind: 'bank_transfer',
  ...common,
  ...acting,
  bank_name: 'あおぞら銀行',
  bank_code: '0398',
  branch_name: 'フリージア支店',
  branch_code: '512',
  account_number: '1234567',
  account_holder_name: 'チャヤ',
  match_amount: 'exact',
  received: 0,
  returned: [],
  checked_on: null,
}
export const three_ds: ThreeDsView = {
  kind: 'three_ds',
  ...common,
  ...acting,
  card_brand: 'american_express',
  last_four: '0005',
}
export const end: EndView = {
  kind: 'end',
  ...common,
  end: 'paid',
  return_url: 'https://shop.example/back',
  receipt_number: '019bbef4-38b8-7293-a690-f1611b13451d',
  paid_on: new Date('2026-11-20T03:04:05Z'),
  brand: 'pay_pay_online',
  last_four: null,
  refunded_amount: 0,
  returned: [],
}
export const views: HostedView[] = [
  online,
  qr,
  konbini,
  bank_transfer,
  three_ds,
  end,
  { kind: 'nobody' },
  { kind: 'trouble' },
]

interface Tag {
  readonly name: string
  readonly attributes: [name: string, value: string][]
}

/** The tags of a document as a browser finds them: after each < that a letter, / or ! follows. */
function tagsOf(page: string): Tag[] {
  const tags = [...page.matchAll(/<([a-z/!?][^\s>/]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi)]
  return tags.map(([, name = '', inside = '']) => ({
    name: name.toLowerCase(),
    attributes: [...inside.matchAll(/([^\s="'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g)].map(
      ([, attribute = '', value = '']) => [attribute.toLowerCase(), value.replace(/^"|"$/g, '')],
    ),
  }))
}

/** Tags with the names of their attributes: the structure that no text may change. */
export function shapeOf(page: string): string[] {
  return tagsOf(page).map(({ name, attributes }) =>
    [name, ...attributes.map(([attribute]) => attribute)].join(' '),
  )
}

/** The words of a page as a person reads them. */
export function readingOf(page: string): string {
  const body = page.slice(page.indexOf('<body>')).replace(/<[^>]*>/g, '')
  return unescaped(body).replace(/\u00a0/g, ' ')
}

function unescaped(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

export function valuesOf(page: string, ...names: string[]): string[] {
  const all = tagsOf(page).flatMap(({ attributes }) => attributes)
  return all.filter(([name]) => names.includes(name)).map(([, value]) => unescaped(value))
}
