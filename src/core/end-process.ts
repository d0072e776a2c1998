import { beginStop } from './deadline.ts'

const flush_ms = 250

/**
 * Ends this process in a moment. A stop is over then: what still holds the process, such as a call to
 * a provider that does not answer, is not waited for.
 */
export function endProcessSoon(): void {
  setTimeout(() => process.exit(), flush_ms).unref()
}

/** Ends this process when a stop that begins now is not over in time, whatever it waits for. */
export function endProcessInTime(): void {
  setTimeout(() => {
    process.stderr.write('kaikei: The stop took too long and was cut short.\n')
    process.exit(1)
  }, beginStop().process.left_ms()).unref()
}
