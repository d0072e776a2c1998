/** Concurrent callers share a statement, but never one that was sent before they asked. */
export function shareQueries<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null
  const start = () => {
    const asked = ask().finally(() => {
      if (running === asked) running = null
    })
    running = asked
    return asked
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
