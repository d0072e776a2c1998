import { expect, test } from 'vitest'
import { card_brands } from '../cards/card-number.ts'
import {
  bank_brands,
  konbini_names,
  online_brands,
  payment_types,
  qr_merchant_brands,
  qr_scan_prefixes,
} from '../payments/payment-methods.ts'
import { konbini_guides } from './konbini-guides.ts'
import { drawLogo, drawMark } from './payment-marks.ts'
import { isNamedBrand, name_languages, payment_names, paymentName } from './payment-names.ts'

/** Every identifier with which the API names a brand, a chain, a gateway or a bank. */
const identifiers = [
  ...card_brands,
  'union_pay',
  ...Object.keys(online_brands),
  ...Object.keys(qr_merchant_brands),
  ...Object.values(qr_scan_prefixes),
  ...konbini_names,
  ...bank_brands,
  ...payment_types.filter((type) => type === 'apple_pay' || type === 'paidy'),
]

test('every identifier has a name in every language, a drawing and letters', () => {
  for (const brand of identifiers) {
    if (!isNamedBrand(brand)) expect.unreachable(`${brand} has no name`)
    for (const language of name_languages) {
      expect(paymentName(brand, language)).toMatch(/\S/)
      expect(paymentName(brand, language), brand).not.toMatch(/_|Pay Pay|Seven Eleven/)
    }
    expect([...payment_names[brand].letters].length, brand).toBeLessThanOrEqual(4)
    for (const svg of [drawMark(brand), drawLogo(brand)]) {
      expect(svg).toMatch(/^<svg xmlns.*<\/svg>$/)
      expect(svg).not.toMatch(/<script|href|style=|url\(/)
    }
  }
})

test('an identifier that the table does not have is written in words', () => {
  expect(paymentName('new_wallet', 'ja')).toBe('New Wallet')
  expect(paymentName('constructor', 'en')).toBe('Constructor')
  expect(paymentName('<b>', 'en')).toBe('<b>')
})

test.each(konbini_names)('%s has a guide in every language, with the same steps', (chain) => {
  const { numbers, steps, note } = konbini_guides[chain]
  expect(numbers.map(([field]) => field)).toContain('payment_code')
  expect(steps.en).toHaveLength(steps.ja.length)
  const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/
  const texts = [...numbers.map(([, name]) => name), ...(note ? [note] : [])]
  for (const text of [...steps.ja, ...texts.map(({ ja }) => ja)]) expect(text).toMatch(japanese)
  // English readers get the Japanese words of a screen in quotes or brackets only.
  for (const text of [...steps.en, ...texts.map(({ en }) => en)]) {
    expect(text.replaceAll(/“[^”]*”|\([^)]*\)/g, '')).not.toMatch(japanese)
  }
})
