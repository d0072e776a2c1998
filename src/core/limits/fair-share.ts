/** The fraction that is added to a total for owners below their share. */
const extra = 0.25

/** Counts how much of a bounded resource each owner holds, so that no owner starves the others. */
export interface FairShares {
  readonly count: number
  readonly held: ReadonlyMap<string, number>
  /** Whether an owner may take one more of a total; null: whether any owner might. */
  mayTake(owner: string | null, total: number): boolean
  take(owner: string): void
  release(owner: string): void
}

/** The total including the extra part. */
export function withExtra(total: number): number {
  return total + Math.max(1, Math.floor(total * extra))
}

/**
 * Free capacity is available to every owner. When all is taken, a quarter more is available to owners
 * that hold less than an equal share: an owner that takes everything delays only itself.
 */
export function newFairShares(): FairShares {
  const held = new Map<string, number>()
  let count = 0
  return {
    held,
    get count() {
      return count
    },
    mayTake: (owner, total) => {
      if (count < total) return true
      if (count >= withExtra(total)) return false
      if (owner === null) return true
      const own = held.get(owner) ?? 0
      const owners = held.size + (own === 0 ? 1 : 0)
      return own < total / owners
    },
    take: (owner) => {
      count += 1
      held.set(owner, (held.get(owner) ?? 0) + 1)
    },
    release: (owner) => {
      count -= 1
      const left = (held.get(owner) ?? 0) - 1
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
    },
  }
}
