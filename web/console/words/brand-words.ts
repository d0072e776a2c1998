import { paymentName } from '../../../src/methods/payment-names.ts'
import { useLanguage } from './language.tsx'

/** Writes a brand or a chain as its customers know it: `seven_eleven` is 7-Eleven or セブン-イレブン. */
export function useBrandName(): (brand: string) => string {
  const { language } = useLanguage()
  return (brand) => paymentName(brand, language)
}
