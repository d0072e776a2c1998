import { accepts, type SettingWords, shown } from '../contract/setting-facts.ts'

export const bank_transfer_setting_words = {
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
} satisfies SettingWords
