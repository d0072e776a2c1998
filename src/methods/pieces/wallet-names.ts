import { wallet } from '../contract/payment-facts.ts'

/** Wallets that are paid with in several ways, each under an identifier of its own. */
export const alipay = wallet('Alipay', '支', 'Alipay', '#1266d6')
export const pay_pay = wallet('PayPay', 'P', 'PayPay', '#e6002d')
export const we_chat = wallet('WeChat Pay', '微', 'WeChat Pay', '#067a3d')
export const d_barai = wallet('d Barai', 'd', 'd払い', '#cc0033')

export const across_borders = ['JPY', 'CNY', 'USD', 'EUR', 'GBP', 'HKD', 'KRW', 'SGD'] as const
