import { useShops, type World } from './bench-world.ts'
import type { Kind } from './load/load-requests.ts'
import type { Measurements } from './measurements.ts'
import { atMost, type Bar } from './report.ts'
import { sampleStored } from './stored/stored-charges.ts'
import type { StoredShops } from './stored/stored-shops.ts'

export const pages: readonly Page[] = ['list', 'by_email', 'by_time', 'search']
/** Some have no index; then the next rows of the list are read, up to a limit. */
export const filters: readonly Page[] = [
  'by_status',
  'by_amount',
  'by_currency',
  'by_phone',
  'by_delivery_event',
]
const names = {
  get: 'one charge',
  list: 'first page',
  by_email: 'page by e-mail',
  by_time: 'page by time',
  search: 'search',
  by_status: 'history by status',
  by_amount: 'history by amount',
  by_currency: 'page by currency',
  by_phone: 'page by phone',
  by_delivery_event: 'deliveries by event',
} as const satisfies Partial<Record<Kind, string>>
export type Page = keyof typeof names
/** Slow enough that twenty credentials stay within their rate limits. */
const pace = 150
const max_growth = { pages: 1.3, filters: 1.5 }

/** The p50 in milliseconds, by page and by merchant. */
export type PageTimes = Map<string, number>

/** Pages of the big merchant and of the small ones, one at a time. */
export async function measurePages(
  world: World,
  measurements: Measurements,
  { big, small }: StoredShops,
  kinds = pages,
): Promise<PageTimes> {
  const times: PageTimes = new Map()
  for (const [whose, shops] of [
    ['big merchant', [big]],
    ['small merchants', small],
  ] as const) {
    if (shops.length === 0) continue
    await useShops(world, [...shops], await sampleStored(world, [...shops]))
    for (const kind of kinds) {
      const run = { kind, connections: 1, pace }
      const name = `${names[kind]}, ${whose}`
      times.set(name, (await measurements.measureRead(name, run, [])).p50_ms)
    }
  }
  return times
}

/** The cost of a page with many charges, compared with few. */
export function growthBars(
  few: PageTimes,
  many: PageTimes,
  of: keyof typeof max_growth = 'pages',
): Bar[] {
  return [...few].map(([name, before_ms]) => {
    const after_ms = many.get(name) ?? 0
    const note = `p50 ${before_ms.toFixed(2)} ms, then ${after_ms.toFixed(2)} ms`
    return atMost(
      `${name}: time at most to least charges`,
      after_ms / before_ms,
      max_growth[of],
      note,
    )
  })
}
