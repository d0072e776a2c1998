import { type MethodFacts, once, wallet } from '../contract/payment-facts.ts'

export const paidy_facts = {
  ...once,
  name: { en: 'Paidy', ja: 'ペイディ' },
  repeatable: true,
  on_pages: 'never',
  brands: { paidy: wallet('Paidy', { ja: 'ペイディ（Paidy）', word: 'Paidy' }) },
} as const satisfies MethodFacts
