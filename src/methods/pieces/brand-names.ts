/** The specification writes `union_pay` in configurations; cards have the brand `unionpay`. */
export function plainName(brand: string): string {
  return brand.toLowerCase().replaceAll('_', '')
}
