import { isNamedBrand, type NamedBrand } from '../../core/payment-names/payment-names.ts'
import type { Service } from '../../service.ts'

/** Every brand that has a name has a logo that we drew. */
export function hasLogo(brand: string): brand is NamedBrand {
  return isNamedBrand(brand)
}

export function logoUrl({ address }: Service, brand: string): string {
  return `${address.base_url}/logos/${brand}.svg`
}
