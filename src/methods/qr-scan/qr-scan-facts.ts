import { type BrandFacts, type MethodFacts, once, wallet } from '../contract/payment-facts.ts'
import { alipay, d_barai, pay_pay, we_chat } from '../pieces/wallet-names.ts'

/** Codes that a customer's wallet displays: their prefix identifies the wallet. Longest match wins. */
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
type Wallet = (typeof qr_scan_prefixes)[keyof typeof qr_scan_prefixes]

export const qr_scan_facts = {
  ...once,
  name: { en: 'QR code (shop scans)', ja: 'QRコード（店舗読取）' },
  customer_name: { en: 'Code in your payment app', ja: '決済アプリのコード' },
  on_pages: 'where_named',
  brands: {
    we_chat: { ...we_chat, merchant_transaction_id: true },
    alipay,
    alipay_hk: wallet('AlipayHK', { color: '#1266d6' }),
    kakaopay: wallet('Kakao Pay', { color: '#3c1e1e' }),
    pay_pay,
    d_barai,
    au_pay: wallet('au PAY', { color: '#b84a00' }),
    merpay: wallet('Merpay', { ja: 'メルペイ', color: '#c8102e' }),
    rakuten_pay: wallet('Rakuten Pay', { ja: '楽天ペイ', color: '#bf0000' }),
    line_pay: wallet('LINE Pay', { color: '#057a38' }),
    aeon_pay: wallet('AEON Pay', { color: '#a6006e' }),
  } satisfies Record<Wallet, BrandFacts>,
} as const satisfies MethodFacts

/** The wallet of a scanned code, or null when its beginning is not known. */
export function qrScanBrand(code: string): string | null {
  const found = Object.entries(qr_scan_prefixes)
    .filter(([prefix]) => code.startsWith(prefix))
    .sort(([one], [other]) => other.length - one.length)
  return found[0]?.[1] ?? null
}
