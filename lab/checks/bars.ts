/** The figure below which this share of them is. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)
  return sorted[at] ?? 0
}

interface Measured {
  readonly fault: { readonly name: string; readonly bar_s: number | null }
  readonly gap_s: number
}

/** Faults after which writes stopped for longer than is promised, a sentence each. */
export function missedBars(rounds: readonly Measured[]): string[] {
  const faults = new Set(rounds.map(({ fault }) => fault))
  return [...faults].flatMap((fault) => {
    const { name, bar_s } = fault
    const gaps = rounds.filter((round) => round.fault === fault).map(({ gap_s }) => gap_s)
    const gap_s = percentile(gaps, 0.99)
    if (bar_s === null || gap_s <= bar_s) return []
    return `The bar is missed: ${name} stopped writes for ${gap_s.toFixed(1)} s, not ${bar_s} s.`
  })
}
