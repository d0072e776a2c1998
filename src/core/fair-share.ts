/** What is added to a total for owners that hold less than their share. */
const extra = 0.25

/** Counts who holds how much of something bounded, so that no owner keeps the others out. */
export interface FairShares {
  readonly count: number
  readonly held: ReadonlyMap<string, number>
  /** Whether an owner may hold one more out of a total; null: whether anybody might. */
  mayTake(owner: string | null, total: number): boolean
  take(owner: string): void
  release(owner: string): void
}

/** With what is added. */
export function withExtra(total: number): number {
  return total + Math.max(1, Math.floor(total * extra))
}

/**
 * What is free is for everybody. When everything is taken, a quarter more is there for owners that
 * hold less than an equal share: one that takes all there is delays nobody but itself.
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
