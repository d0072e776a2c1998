import { wallet } from '../contract/payment-facts.ts'

/** Wallets that are paid with in several ways, each under an identifier of its own. */
export const alipay = wallet('Alipay', { color: '#1266d6' })
export const pay_pay = wallet('PayPay', { color: '#e6002d' })
export const we_chat = wallet('WeChat Pay', { color: '#067a3d' })
export const d_barai = wallet('d Barai', { ja: 'd払い', word: 'd払い', color: '#cc0033' })

export const across_borders = ['JPY', 'CNY', 'USD', 'EUR', 'GBP', 'HKD', 'KRW', 'SGD'] as const
