/** An operation on a register, as its caller saw it. Times are of one clock. */
export interface RegisterOperation {
  readonly kind: 'write' | 'read'
  readonly value: string
  readonly began_ms: number
  /** Infinity: no response came. Such a write may take effect at any later time, or never. */
  readonly ended_ms: number
}

/**
 * Whether one order of the operations explains all that was read: each takes effect at an instant between its
 * beginning and its end. A search in the manner of Wing and Gong that remembers what it has tried.
 */
export function isLinearizable(
  history: readonly RegisterOperation[],
  first_value: string,
): boolean {
  const operations = history
    // A read without a response says nothing.
    .filter(({ kind, ended_ms }) => kind === 'write' || ended_ms !== Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.began_ms - b.began_ms)
  const tried = new Set<string>()
  // `done`: which operations have taken effect, as bits.
  const search = (done: bigint, value: string): boolean => {
    const open = operations.filter((_, at) => !(done & (1n << BigInt(at))))
    if (open.every(({ ended_ms }) => ended_ms === Number.POSITIVE_INFINITY)) return true
    const key = `${done} ${value}`
    if (tried.has(key)) return false
    tried.add(key)
    const first_end_ms = Math.min(...open.map(({ ended_ms }) => ended_ms))
    for (const [at, operation] of operations.entries()) {
      const bit = 1n << BigInt(at)
      // None can come before one that had ended when it began.
      if (done & bit || operation.began_ms > first_end_ms) continue
      if (operation.kind === 'read' && operation.value !== value) continue
      if (search(done | bit, operation.kind === 'write' ? operation.value : value)) return true
    }
    return false
  }
  return search(0n, first_value)
}
