import type { Mode } from '../../core/access/caller.ts'
import { isOriginOf } from '../../core/typed/page-origins.ts'
import type { Service } from '../../service.ts'
import { hasEnded } from './verify-app-token.ts'

interface Frame {
  readonly mode: Mode
  readonly domains: readonly string[]
}

/**
 * Whether a page may show ours in a frame: it must be in the domains, as for calls with the JWT alone. With
 * real money it must be https, because a page that was changed on its way could cover the frame.
 */
export function mayFrame(origin: string, { mode, domains }: Frame): boolean {
  return isOriginOf(origin, domains) && (mode === 'test' || origin.startsWith('https:'))
}

/** A header has an end. */
const max_sources = 50

/** The same for `frame-ancestors`. A domain without a port stands for every port. */
export function frameSources({ mode, domains }: Frame): string[] {
  const schemes = mode === 'test' ? ['http:', 'https:'] : ['https:']
  return [...new Set(domains)].slice(0, max_sources).flatMap((domain) =>
    schemes.map((scheme) => {
      if (domain === '*') return scheme
      return `${scheme}//${domain.includes(':') ? domain : `${domain}:*`}`
    }),
  )
}

interface StoreInMode {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
}

/** The domains of all application tokens of a store in a mode. */
export async function storeDomains(service: Service, store: StoreInMode): Promise<string[]> {
  const tokens = await service.db
    .selectFrom('app_tokens')
    .select(['domains', 'due_on', 'claims'])
    .where('merchant_id', '=', store.merchant_id)
    .where('store_id', '=', store.store_id)
    .where('mode', '=', store.mode)
    .where('deleted_on', 'is', null)
    .execute()
  return tokens.flatMap((token) => (hasEnded(service, token) ? [] : token.domains))
}
