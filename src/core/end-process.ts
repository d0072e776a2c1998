import { beginStop } from './time/deadline.ts'

const flush_ms = 250

/**
 * Exits this process in a moment. The stop is complete by then; whatever still holds the process open,
 * such as a call to a provider that does not respond, is not waited for.
 */
export function endProcessSoon(): void {
  setTimeout(() => process.exit(), flush_ms).unref()
}

/** Exits this process when a stop that begins now is not complete in time, whatever it waits for. */
export function endProcessInTime(): void {
  setTimeout(() => {
    process.stderr.write('kaikei: The stop took too long and was cut short.\n')
    process.exit(1)
  }, beginStop().process.left_ms()).unref()
}

const look_ms = 200

/**
 * Sends this process SIGTERM when the process that started it is gone. npx starts a program through a
 * shell: a signal for npx ends npx and the shell, and would leave the program running.
 */
export function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, look_ms).unref()
}
