import { accepts, type SettingWords, shown } from '../contract/setting-facts.ts'

export const konbini_setting_words = {
  group: 'convenience',
  fields: {
    enabled: accepts('Accept convenience stores', 'コンビニ決済'),
    expiration: shown('Time to pay at a convenience store', 'コンビニの支払い期限'),
    'expiration_time_shift.enabled': accepts(
      'Convenience store: expire at a time of day',
      'コンビニの期限を時刻で指定',
    ),
    'expiration_time_shift.value': shown('Convenience store: time of day', 'コンビニの期限の時刻'),
  },
} satisfies SettingWords
