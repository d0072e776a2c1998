/** How many letters must be inserted, removed, replaced or swapped with the next one. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (last[at - 1] ?? 0) + (from[row - 1] === to[at - 1] ? 0 : 1)
      const swaps = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      const swapped = swaps ? (before[at - 2] ?? 0) + 1 : replaced
      next[at] = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced, swapped)
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}

const longest_typo = 40

/** The word that was probably meant: at most a third of its letters differ. */
export function closestWord(typed: string, words: readonly string[]): string | null {
  if (typed.length > longest_typo) return null
  const near = words
    .map((word) => ({ word, distance: distance(typed.toLowerCase(), word) }))
    .filter((one) => one.distance <= Math.max(1, Math.floor(one.word.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.word ?? null
}
