import { wallet } from '../contract/payment-facts.ts'

/** Wallets that are paid with in several ways, each under an identifier of its own. */
export const alipay = wallet('Alipay', 'A')
export const pay_pay = wallet('PayPay', 'PP')
export const we_chat = wallet('WeChat Pay', 'W')
export const d_barai = wallet('d Barai', 'd', 'd払い')

export const across_borders = ['JPY', 'CNY', 'USD', 'EUR', 'GBP', 'HKD', 'KRW', 'SGD'] as const
