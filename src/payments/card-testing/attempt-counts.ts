/** The results of card attempts in this process since its start. */
const counts = { admitted: 0, declined: 0, limited: 0, challenged: 0, with_secret: 0 }
type AttemptResult = keyof typeof counts

export function countAttempt(result: AttemptResult): void {
  counts[result] += 1
}

export function attemptCounts(): Readonly<Record<AttemptResult, number>> {
  return counts
}
