import { type MethodFacts, wallet } from '../contract/payment-facts.ts'

export const apple_pay_facts = {
  name: { en: 'Apple Pay', ja: 'Apple Pay' },
  customer_name: { en: 'Apple Pay', ja: 'Apple Pay' },
  by_card: true,
  repeatable: 'in_test_mode',
  email: 'required',
  holds: true,
  refundable: true,
  deposit: null,
  on_pages: 'always',
  brands: { apple_pay: wallet('Apple Pay', { color: '#10151f' }) },
} as const satisfies MethodFacts
