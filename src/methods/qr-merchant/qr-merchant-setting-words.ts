import { accepts, type SettingWords } from '../contract/setting-facts.ts'

export const qr_merchant_setting_words = {
  group: 'qr_merchant',
  fields: {
    enabled: accepts('Accept QR codes that the customer scans', 'QRコード決済(お客様読取)'),
  },
} satisfies SettingWords
