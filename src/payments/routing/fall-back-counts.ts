/** How many payments of this process went from one connector to another. */
const counts = new Map<string, FallBackCount>()

interface FallBackCount {
  readonly from: string
  readonly to: string
  count: number
}

export function noteFallBack(from: string, to: string): void {
  const key = `${from} ${to}`
  const found = counts.get(key) ?? { from, to, count: 0 }
  found.count += 1
  counts.set(key, found)
}

export function fallBackCounts(): readonly Readonly<FallBackCount>[] {
  return [...counts.values()]
}
