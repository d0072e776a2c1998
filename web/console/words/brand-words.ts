/** Names that are not written like other words. */
const names: Readonly<Record<string, string>> = {
  jcb: 'JCB',
  unionpay: 'UnionPay',
  mastercard: 'Mastercard',
  we_chat: 'WeChat Pay',
  we_chat_online: 'WeChat Pay',
  alipay_online: 'Alipay',
  pay_pay_online: 'PayPay',
  d_barai_online: 'd払い',
}

/** A brand as its owner writes it: `american_express` is American Express. */
export function brandName(brand: string): string {
  const words = brand.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return names[brand] ?? words.join(' ')
}
