import { accepts, type SettingWords } from '../contract/setting-facts.ts'

export const qr_merchant_setting_words = {
  group: 'qr_merchant',
  fields: {
    enabled: accepts('Accept QR codes that the customer scans', 'QRコード決済（顧客読取）'),
  },
} satisfies SettingWords
