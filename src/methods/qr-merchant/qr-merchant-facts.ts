import { type MethodFacts, once } from '../contract/payment-facts.ts'
import { across_borders, alipay, d_barai, pay_pay, we_chat } from '../pieces/wallet-names.ts'

export const qr_merchant_facts = {
  ...once,
  name: { en: 'QR code (customer scans)', ja: 'QRコード（顧客読取）' },
  // The last two are other spellings of the previous brand.
  brands: {
    alipay_merchant_qr: { ...alipay, currencies: across_borders },
    pay_pay_merchant: pay_pay,
    we_chat_mpm: { ...we_chat, currencies: across_borders, merchant_transaction_id: true },
    d_barai_online: d_barai,
    d_barai_mpm: d_barai,
    d_barai_merchant: d_barai,
  },
} as const satisfies MethodFacts
