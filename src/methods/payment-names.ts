import type { NameLanguage, PaymentName } from './contract/payment-facts.ts'
import { method_facts } from './method-facts.ts'

/**
 * The display name of every card brand, wallet, convenience store chain, gateway and bank that the API
 * knows by an identifier. Pages, console, receipts and logos read this table; nothing else spells a brand.
 */
const payment_names: Readonly<Record<string, PaymentName>> = Object.assign(
  {},
  ...Object.values(method_facts).flatMap(({ brands, other_names }) => [brands, other_names]),
)

/** The name and the mark of an identifier; null: no table has it. */
export function findName(brand: string): PaymentName | null {
  return Object.hasOwn(payment_names, brand) ? (payment_names[brand] ?? null) : null
}

/** The name for people; an identifier that the table does not have yet is shown in words. */
export function paymentName(brand: string, language: NameLanguage): string {
  return findName(brand)?.[language] ?? inWords(brand)
}

function inWords(identifier: string): string {
  if (!/^[a-z0-9_]+$/.test(identifier)) return identifier
  const words = identifier.split('_').filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
