import { isUuid } from '../core/ids.ts'
import type { Service } from '../service.ts'

/** A hosted page: its merchant, and 122 random bits that cannot be guessed. */
export interface PageName {
  readonly merchant_id: string
  readonly page_id: string
}

/** Both ids in one short text: the address of a page says where its data is stored. */
function pageKey({ merchant_id, page_id }: PageName): string {
  return Buffer.from((merchant_id + page_id).replaceAll('-', ''), 'hex').toString('base64url')
}

export function readPageKey(key: string): PageName | null {
  if (!/^[\w-]{43}$/.test(key)) return null
  const hex = Buffer.from(key, 'base64url').toString('hex')
  const [merchant_id, page_id] = [asUuid(hex.slice(0, 32)), asUuid(hex.slice(32))]
  return isUuid(merchant_id) && isUuid(page_id) ? { merchant_id, page_id } : null
}

function asUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The origin of the customers' pages: a separate one if configured. Never taken from a request. */
export function customersUrl({ address }: Pick<Service, 'address'>): string {
  return address.checkout_url ?? address.base_url
}

/** The page of a checkout session. */
export function checkoutPath(name: PageName): string {
  return `/checkout/${pageKey(name)}`
}

export function checkoutUrl(service: Service, name: PageName): string {
  return customersUrl(service) + checkoutPath(name)
}

/** The address of a payment link's page. */
export function paymentLinkPath(name: PageName): string {
  return `/pay/link/${pageKey(name)}`
}

export function paymentLinkUrl(service: Service, name: PageName): string {
  return customersUrl(service) + paymentLinkPath(name)
}

export function pagePath(name: PageName): string {
  return `/pay/${pageKey(name)}`
}

export function pageUrl(service: Service, name: PageName): string {
  return customersUrl(service) + pagePath(name)
}

/** The address to which a provider redirects the customer after its own page. */
export function returnUrl(service: Service, name: PageName): string {
  return `${pageUrl(service, name)}/return`
}

export function qrImageUrl(service: Service, name: PageName): string {
  return `${pageUrl(service, name)}/qr.svg`
}
