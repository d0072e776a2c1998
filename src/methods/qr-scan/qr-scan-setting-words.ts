import { accepts, type SettingWords, shown } from '../contract/setting-facts.ts'

export const qr_scan_setting_words = {
  group: 'qr_scan',
  fields: {
    enabled: accepts('Accept QR codes that the shop scans', 'QRコード決済（店舗読取）'),
    forbidden_qr_scan_gateways: shown('Refused wallets', '利用できないウォレット'),
  },
} satisfies SettingWords
