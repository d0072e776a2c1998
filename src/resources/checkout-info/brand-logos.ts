import {
  bank_brands,
  inWords,
  konbini_names,
  online_brands,
  qr_merchant_brands,
  qr_scan_prefixes,
} from '../../core/payment-methods.ts'
import type { Service } from '../../service.ts'

/** Sub-brands of the gateway, in addition to the brands of our own tables. */
const gateway_brands = ['alipay_hk', 'kakaopay', 'gcash', 'tng']

const named = new Set<string>([
  ...Object.keys(online_brands),
  ...Object.keys(qr_merchant_brands),
  ...Object.values(qr_scan_prefixes),
  ...konbini_names,
  ...bank_brands,
  ...gateway_brands,
])

export const logo_size = { width: 160, height: 40 } as const

export function hasLogo(brand: string): boolean {
  return named.has(brand)
}

export function logoUrl({ address }: Service, brand: string): string {
  return `${address.base_url}/logos/${brand}.svg`
}

/** A plain plate with the name of the brand: the owners' logos may not be copied. */
export function drawLogo(brand: string): string {
  const { width, height } = logo_size
  const hue = [...brand].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img"` +
    ` viewBox="0 0 ${width} ${height}"><title>${inWords(brand)}</title>` +
    `<rect width="${width}" height="${height}" rx="6" fill="hsl(${hue} 55% 32%)"/>` +
    `<text x="${width / 2}" y="26" text-anchor="middle" fill="#fff" font-size="16"` +
    ` font-family="sans-serif" textLength="${Math.min(brand.length * 9, width - 16)}"` +
    ` lengthAdjust="spacingAndGlyphs">${inWords(brand)}</text></svg>`
  )
}
