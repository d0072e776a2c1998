import { appendFileSync } from 'node:fs'
import { appendFile, rename, stat } from 'node:fs/promises'
import type { LogStream } from './log-stream.ts'

/** The file and the rotated one together have at most twice this size. */
const usual_max_bytes = 5 * 1024 ** 2
/** Lines that were not written yet are kept up to this size; then new ones are dropped. */
const max_stored_characters = 1024 ** 2
const write_every_ms = 100

/** The file with the lines before the last rotation. */
export function rotatedPath(path: string): string {
  return `${path}.1`
}

/**
 * The last lines of the log, for the operator: a file of bounded size that only its owner can read.
 * Several processes append to it. Lines are written together every 100 ms, so that they cost requests
 * nothing; lines that cannot be written are lost.
 */
export function newLogFile(path: string, max_bytes = usual_max_bytes): LogStream {
  let lines: string[] = []
  let stored_characters = 0
  let is_scheduled = false

  function take(): string {
    const text = lines.join('')
    lines = []
    stored_characters = 0
    return text
  }

  async function writeLines(): Promise<void> {
    try {
      const size = await stat(path).then(
        (found) => found.size,
        () => 0,
      )
      if (size >= max_bytes) await rename(path, rotatedPath(path))
      await appendFile(path, take(), { mode: 0o600 })
    } catch {
      take()
    }
    is_scheduled = false
    if (lines.length > 0) schedule()
  }

  function schedule(): void {
    if (is_scheduled) return
    is_scheduled = true
    setTimeout(() => void writeLines(), write_every_ms).unref()
  }

  function writeLast(): void {
    try {
      if (lines.length > 0) appendFileSync(path, take(), { mode: 0o600 })
    } catch {
      // They are lost.
    }
  }

  process.once('exit', writeLast)
  return {
    write: (line) => {
      if (stored_characters + line.length > max_stored_characters) return
      lines.push(line)
      stored_characters += line.length
      schedule()
    },
  }
}
