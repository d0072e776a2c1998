import { accepts, type MethodFacts, once, wallet } from '../payment-facts.ts'

export const paidy_facts = {
  ...once,
  name: { en: 'Paidy', ja: 'ペイディ' },
  repeatable: true,
  on_pages: 'never',
  brands: { paidy: wallet('Paidy', 'P', 'ペイディ（Paidy）') },
  settings: { group: 'paidy', fields: { enabled: accepts('Accept Paidy', 'ペイディ') } },
} as const satisfies MethodFacts
