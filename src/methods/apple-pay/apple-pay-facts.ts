import { type MethodFacts, wallet } from '../contract/payment-facts.ts'

export const apple_pay_facts = {
  name: { en: 'Apple Pay', ja: 'Apple Pay' },
  customer_name: { en: 'Apple Pay', ja: 'Apple Pay' },
  by_card: true,
  repeatable: true,
  email: 'required',
  holds: true,
  refundable: true,
  deposit: null,
  on_pages: 'in_test_mode',
  brands: { apple_pay: wallet('Apple Pay', { color: '#10151f' }) },
} as const satisfies MethodFacts
