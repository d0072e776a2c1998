import { day_ms, minute_ms } from '../../core/time/time-units.ts'
import { bank, type MethodFacts, type NameLanguage, once } from '../contract/payment-facts.ts'

/** The second brand name exists for tests; both are the same simulated bank. */
export const bank_brands = ['aozora_bank', 'bank_test_brand'] as const

/** The account of the simulated bank, beside the bank itself. */
export const test_account = {
  branch: { en: 'Test Branch', ja: 'テスト支店' },
  holder: { en: 'Kaikei Test Account', ja: 'カイケイテスト' },
} as const

export const bank_transfer_facts = {
  ...once,
  name: { en: 'Bank transfer', ja: '銀行振込' },
  customer_name: { en: 'Bank transfer', ja: '銀行振込' },
  refundable: false,
  deposit: { min_ms: 30 * minute_ms, max_ms: 365 * day_ms, default_ms: 7 * day_ms },
  brands: {
    aozora_bank: bank('Aozora Bank', { ja: 'あおぞら銀行' }),
    bank_test_brand: bank('Test Bank', { ja: 'テスト銀行' }),
  } satisfies Record<(typeof bank_brands)[number], object>,
} as const satisfies MethodFacts

/** A provider's name for a bank, a branch or a holder, in the language of a page where it is known. */
export function accountName(name: string, language: NameLanguage): string {
  const known = [...Object.values(bank_transfer_facts.brands), ...Object.values(test_account)]
  return known.find(({ en }) => en === name)?.[language] ?? name
}
