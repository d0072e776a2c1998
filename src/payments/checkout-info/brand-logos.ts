import { findName } from '../../methods/payment-names.ts'
import type { Service } from '../../service.ts'

/** Every brand that has a name has a logo that we drew. */
export function hasLogo(brand: string): boolean {
  return findName(brand) !== null
}

export function logoUrl({ address }: Service, brand: string): string {
  return `${address.base_url}/logos/${brand}.svg`
}
