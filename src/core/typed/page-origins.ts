import { readWebAddress } from './web-address.ts'

/** Whether a page is in one of the domains: `*`, `example.com`, `*.example.com:8443`. */
export function isOriginOf(origin: string | undefined, domains: readonly string[]): boolean {
  const page = readWebAddress(origin ?? '')
  if (!page) return false
  const { host, hostname } = page
  return domains.some((domain) => {
    const wanted = domain.toLowerCase()
    if (wanted === '*') return true
    const found = wanted.includes(':') ? host : hostname
    return wanted.startsWith('*.') ? found.endsWith(wanted.slice(1)) : found === wanted
  })
}
