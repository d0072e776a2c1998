import { accepts, type SettingWords } from '../contract/setting-facts.ts'

export const paidy_setting_words = {
  group: 'paidy',
  fields: { enabled: accepts('Accept Paidy', 'ペイディ') },
} satisfies SettingWords
