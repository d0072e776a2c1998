import { currencies } from '../../../../src/core/money/currencies.ts'
import type { Filter } from '../../parts/lists/filters.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words, status_words } from '../../words/status-words.ts'
import { payments_words } from './payments-words.ts'

const statuses = [
  'successful',
  'pending',
  'awaiting',
  'authorized',
  'failed',
  'error',
  'canceled',
] as const
const brands = [
  'visa',
  'mastercard',
  'jcb',
  'american_express',
  'diners_club',
  'discover',
  'unionpay',
] as const

/** Everything that the API can filter by, the usual ones first. */
export function usePaymentFilters(): readonly Filter[] {
  const words = useWords(payments_words)
  const brandName = useBrandName()
  const status = useWords(status_words)
  const method = useWords(method_words)
  const { charge, refund } = words.types
  return [
    {
      kind: 'several',
      name: 'status',
      label: words.status,
      options: statuses.map((name) => [name, status[name]]),
    },
    { kind: 'range', name: 'from', to: 'to', of: 'days', label: words.created },
    { kind: 'range', name: 'amount_from', to: 'amount_to', of: 'amounts', label: words.amount },
    { kind: 'choice', name: 'payment_type', label: words.method, options: Object.entries(method) },
    {
      kind: 'choice',
      name: 'type',
      label: words.type,
      options: [
        ['charge', charge],
        ['refund', refund],
      ],
    },
    {
      kind: 'choice',
      name: 'expires_within_hours',
      label: words.expires,
      options: Object.entries(words.expiries),
    },
    { kind: 'text', name: 'card_last_four', label: words.last_four, digits: true },
    { kind: 'text', name: 'email', label: words.email },
    { kind: 'text', name: 'error_code', label: words.error_code, hint: words.error_code_hint },
    {
      kind: 'several',
      name: 'brand',
      label: words.brand,
      options: brands.map((name) => [name, brandName(name)]),
    },
    {
      kind: 'choice',
      name: 'currency',
      label: words.currency,
      options: Object.keys(currencies).map((name) => [name, name]),
    },
    { kind: 'text', name: 'cardholder', label: words.name },
    { kind: 'text', name: 'card_exp', label: words.card_exp, hint: words.card_exp_hint },
    { kind: 'text', name: 'metadata', label: words.metadata },
    { kind: 'text', name: 'customer_id', label: words.customer_id },
    { kind: 'text', name: 'subscription_id', label: words.subscription },
    { kind: 'text', name: 'customer_key', label: words.customer_key },
  ]
}
