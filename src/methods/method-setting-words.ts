import type { PaymentType } from '../core/payments/payment-types.ts'
import { bank_transfer_setting_words } from './bank-transfer/bank-transfer-setting-words.ts'
import { card_setting_words } from './card/card-setting-words.ts'
import type { SettingWords } from './contract/setting-facts.ts'
import { konbini_setting_words } from './konbini/konbini-setting-words.ts'
import { online_setting_words } from './online/online-setting-words.ts'
import { paidy_setting_words } from './paidy/paidy-setting-words.ts'
import { qr_merchant_setting_words } from './qr-merchant/qr-merchant-setting-words.ts'
import { qr_scan_setting_words } from './qr-scan/qr-scan-setting-words.ts'

/**
 * What the console says of the settings of each payment method; null: those of another method. Apart from the
 * facts, because only one screen needs it.
 */
export const method_setting_words: Readonly<Record<PaymentType, SettingWords | null>> = {
  card: card_setting_words,
  apple_pay: null,
  qr_scan: qr_scan_setting_words,
  qr_merchant: qr_merchant_setting_words,
  konbini: konbini_setting_words,
  paidy: paidy_setting_words,
  online: online_setting_words,
  bank_transfer: bank_transfer_setting_words,
}
