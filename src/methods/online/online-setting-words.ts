import { accepts, type SettingWords } from '../contract/setting-facts.ts'

export const online_setting_words = {
  group: 'online',
  fields: { enabled: accepts('Accept online wallets', 'オンライン決済') },
} satisfies SettingWords
