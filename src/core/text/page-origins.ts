/** Whether a page is in one of the domains: `*`, `example.com`, `*.example.com:8443`. */
export function isOriginOf(origin: string | undefined, domains: readonly string[]): boolean {
  if (!origin || !URL.canParse(origin)) return false
  const { protocol, host, hostname } = new URL(origin)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return domains.some((domain) => {
    const wanted = domain.toLowerCase()
    if (wanted === '*') return true
    const found = wanted.includes(':') ? host : hostname
    return wanted.startsWith('*.') ? found.endsWith(wanted.slice(1)) : found === wanted
  })
}
