import { day_ms, minute_ms } from '../../core/time/time-units.ts'
import {
  accepts,
  bank,
  type MethodFacts,
  type NameLanguage,
  once,
  shown,
} from '../payment-facts.ts'

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
    aozora_bank: bank('Aozora Bank', 'AB', 'あおぞら銀行'),
    bank_test_brand: bank('Test Bank', 'TB', 'テスト銀行'),
  } satisfies Record<(typeof bank_brands)[number], object>,
  settings: {
    group: 'bank_transfer',
    fields: {
      enabled: accepts('Accept bank transfers', '銀行振込'),
      match_amount: {
        ...shown('Transfers of another amount', '金額が異なる振込'),
        values: {
          disabled: {
            en: 'In parts, until the amount is reached',
            ja: '合計が金額に達するまで受け付ける',
          },
          exact: { en: 'The exact amount only', ja: '同額のみ受け付ける' },
          minimum: { en: 'The amount or more', ja: '同額以上を受け付ける' },
          maximum: {
            en: 'In parts, up to the amount',
            ja: '合計が金額を超えない範囲で受け付ける',
          },
        },
      },
      expiration: shown('Time to pay by bank transfer', '銀行振込の支払い期限'),
      'expiration_time_shift.enabled': accepts(
        'Bank transfer: expire at a time of day',
        '銀行振込の期限を時刻で指定',
      ),
      'expiration_time_shift.value': shown('Bank transfer: time of day', '銀行振込の期限の時刻'),
    },
  },
} as const satisfies MethodFacts

/** What a provider calls a bank, a branch or a holder, in the language of a page where that is known. */
export function accountName(name: string, language: NameLanguage): string {
  const known = [...Object.values(bank_transfer_facts.brands), ...Object.values(test_account)]
  return known.find(({ en }) => en === name)?.[language] ?? name
}
