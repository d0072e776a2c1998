import { expect, test } from 'vitest'
import { card_brands } from '../core/cards/card-number.ts'
import { payment_types } from '../core/payments/payment-types.ts'
import { bank_brands } from './bank-transfer/bank-transfer-facts.ts'
import { name_languages } from './contract/payment-facts.ts'
import { drawLogo, drawMark } from './contract/payment-marks.ts'
import { konbini_names } from './konbini/konbini-facts.ts'
import { konbini_guides } from './konbini/konbini-guides.ts'
import { online_brands } from './online/online-facts.ts'
import { findName, paymentName } from './payment-names.ts'
import { qr_merchant_facts } from './qr-merchant/qr-merchant-facts.ts'
import { qr_scan_prefixes } from './qr-scan/qr-scan-facts.ts'

/** Every identifier with which the API names a brand, a chain, a gateway or a bank. */
const identifiers = [
  ...card_brands,
  'union_pay',
  ...Object.keys(online_brands),
  ...Object.keys(qr_merchant_facts.brands),
  ...Object.values(qr_scan_prefixes),
  ...konbini_names,
  ...bank_brands,
  ...payment_types.filter((type) => type === 'apple_pay' || type === 'paidy'),
]

test('every identifier has a name in every language and a drawing', () => {
  for (const brand of identifiers) {
    const name = findName(brand) ?? expect.unreachable(`${brand} has no name`)
    for (const language of name_languages) {
      expect(paymentName(brand, language)).toMatch(/\S/)
      expect(paymentName(brand, language), brand).not.toMatch(/_|Pay Pay|Seven Eleven/)
    }
    for (const svg of [drawMark(name, 'ja'), drawMark(name, 'en'), drawLogo(name)]) {
      expect(svg).toMatch(/^<svg .*<\/svg>$/)
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
