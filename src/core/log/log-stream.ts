import { write, writeSync } from 'node:fs'
import { faultOf } from '../read-unknown.ts'

/** Lines that cannot be written yet are buffered up to this size; then new ones are dropped. */
const max_stored_bytes = 4 * 1024 ** 2
const usual_write_bytes = 16 * 1024
const retry_ms = 100
/** How often the last lines are retried when the process exits and their reader is slow. */
const max_last_attempts = 50

/** The destination of a logger. */
export interface LogStream {
  write(line: string): void
}

/**
 * Lines for a file descriptor. A log that cannot be written, because its disk is full or its reader is
 * gone, must neither stop payments nor keep the process alive: lines that fail are lost, and the next
 * lines are tried a moment later. A write contains whole lines only, and exceeds the maximum size only
 * for a single longer line.
 */
export function newLogStream(fd: number, max_write_bytes = usual_write_bytes): LogStream {
  const chunks: { text: string; bytes: number }[] = []
  let stored_bytes = 0
  let rest: Buffer | null = null
  let writing = false
  let is_used = false

  function nextChunk(): Buffer | null {
    const chunk = rest ?? chunks.shift()
    rest = null
    if (!chunk || Buffer.isBuffer(chunk)) return chunk ?? null
    stored_bytes -= chunk.bytes
    return Buffer.from(chunk.text)
  }

  function writeNext(): void {
    const chunk = nextChunk()
    writing = chunk !== null
    if (!chunk) return
    write(fd, chunk, (error, written) => {
      if (error?.code === 'EAGAIN') rest = chunk
      if (error) return void setTimeout(writeNext, retry_ms).unref()
      if (written < chunk.length) rest = chunk.subarray(written)
      writeNext()
    })
  }

  function writeLast(): void {
    let attempts = 0
    for (let chunk = nextChunk(); chunk; chunk = nextChunk()) {
      try {
        const written = writeSync(fd, chunk)
        if (written < chunk.length) rest = chunk.subarray(written)
      } catch (error) {
        attempts += 1
        if (faultOf(error).code !== 'EAGAIN' || attempts > max_last_attempts) return
        rest = chunk
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
    }
  }

  return {
    write: (line) => {
      if (!is_used) process.once('exit', writeLast)
      is_used = true
      const bytes = Buffer.byteLength(line)
      if (stored_bytes + bytes > max_stored_bytes) return
      stored_bytes += bytes
      const last = chunks.at(-1)
      if (!last || last.bytes + bytes > max_write_bytes) chunks.push({ text: line, bytes })
      else {
        last.text += line
        last.bytes += bytes
      }
      if (!writing) writeNext()
    },
  }
}
