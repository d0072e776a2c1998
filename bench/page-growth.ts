import { useShops, type World } from './bench-world.ts'
import type { Kind } from './load-requests.ts'
import type { Measurements } from './measurements.ts'
import { atMost, type Bar } from './report.ts'
import type { OwnedShop } from './shops.ts'
import { sampleStored } from './stored-charges.ts'

const pages = ['list', 'by_email', 'by_time', 'search'] as const satisfies Kind[]
const names = {
  list: 'first page',
  by_email: 'page by e-mail',
  by_time: 'page by time',
  search: 'search',
}
/** Slow enough that twenty credentials stay within their rate limits. */
const pace = 150
const max_growth = 1.3

export interface StoredShops {
  big: OwnedShop
  small: OwnedShop[]
}

/** The p50 in milliseconds, by page and by merchant. */
export type PageTimes = Map<string, number>

/** Pages of the big merchant and of the small ones, one at a time. */
export async function measurePages(
  world: World,
  measurements: Measurements,
  { big, small }: StoredShops,
): Promise<PageTimes> {
  const times: PageTimes = new Map()
  for (const [whose, shops] of [
    ['big merchant', [big]],
    ['small merchants', small],
  ] as const) {
    await useShops(world, [...shops], await sampleStored(world, [...shops]))
    for (const kind of pages) {
      const run = { kind, connections: 1, pace }
      const name = `${names[kind]}, ${whose}`
      times.set(name, (await measurements.measureRead(name, run, [])).p50_ms)
    }
  }
  return times
}

/** What a page costs with many charges compared with few. */
export function growthBars(few: PageTimes, many: PageTimes): Bar[] {
  return [...few].map(([name, before_ms]) => {
    const after_ms = many.get(name) ?? 0
    const note = `p50 ${before_ms.toFixed(2)} ms, then ${after_ms.toFixed(2)} ms`
    return atMost(`${name}: time at most to least charges`, after_ms / before_ms, max_growth, note)
  })
}
