import { paymentName } from '../methods/payment-names.ts'
import type { CheckoutQuestion } from '../providers/provider.ts'

/** The offers of a gateway, in the form of its response. A real one changes it without notice. */
const offers = [
  { brand: 'alipay_hk', name: 'ALIPAY_HK', currencies: ['HKD', 'JPY', 'USD'] },
  { brand: 'kakaopay', name: 'KAKAOPAY', currencies: ['KRW', 'JPY', 'USD'] },
  { brand: 'gcash', name: 'GCASH', currencies: ['JPY', 'USD', 'CNY'] },
  { brand: 'tng', name: 'TNG', currencies: ['SGD', 'JPY', 'USD'] },
] as const

export async function simulateCheckoutInfo(
  gateway: string,
  { currency, call_method, os_type, logos_url }: CheckoutQuestion,
): Promise<unknown> {
  const taken = offers.filter(({ currencies }) => currencies.some((one) => one === currency))
  return {
    service: gateway,
    service_name: paymentName(gateway, 'en'),
    brands: taken.map(({ brand, name }) => ({
      brand,
      service_brand_name: name,
      brand_display_name: paymentName(brand, 'en'),
      extras: {
        logos: [
          {
            name: `${brand}_logo`,
            url: `${logos_url}/${brand}.svg`,
            pattern: call_method,
            width: 160,
            height: 40,
          },
        ],
        promotion_names: os_type === null ? [] : [`${os_type} welcome`],
      },
    })),
  }
}
