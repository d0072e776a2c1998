import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlainError } from '../../core/api/plain-error.ts'
import { rotatedPath } from '../../core/log/log-file.ts'
import { newLogFormatter } from '../../core/log/pretty-log.ts'
import { logFilePath } from '../../log.ts'
import type { Run } from '../command-table.ts'

const usual_lines = 20
const look_again_ms = 200

/** Prints the last lines of the service's log file, and new ones as they are written. */
export const tailLogs: Run<'logs tail'> = async (context, _, options) => {
  const { config, terminal } = context
  const { lines = usual_lines, 'no-follow': no_follow = false, json } = options
  if (config.database_url !== null) {
    throw new PlainError(
      'With DATABASE_URL the service writes no log file. Its standard output has the log: ask the ' +
        'program that started it, for example journalctl or docker logs.',
    )
  }
  const path = logFilePath(config.data_dir)
  const file = openLog(path)
  if (!file) throw new PlainError(`There is no ${path} yet. Start the service first.`)
  const stopped = context.untilStopped()
  const format =
    json || !terminal.is_terminal ? (line: string) => line : newLogFormatter(terminal.has_color)
  for (const line of lastLines(path, file, lines)) terminal.write(format(line))
  for (let open = file; !no_follow && !stopped.aborted; ) {
    for (const line of open.readLines()) terminal.write(format(line))
    const next = isCurrent(path, open) ? null : openLog(path)
    if (next) {
      for (const line of open.readLines()) terminal.write(format(line))
      open.close()
      open = next
    } else await sleep(look_again_ms, undefined, { signal: stopped }).catch(() => {})
  }
  return 0
}

interface OpenLog {
  readonly inode: number
  /** The complete lines since the last call. */
  readLines(): string[]
  close(): void
}

function openLog(path: string): OpenLog | null {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return null
  }
  const { ino: inode } = fstatSync(fd)
  const buffer = Buffer.alloc(64 * 1024)
  let rest = Buffer.alloc(0)
  return {
    inode,
    readLines: () => {
      const chunks = [rest]
      for (let size = readSync(fd, buffer); size > 0; size = readSync(fd, buffer)) {
        chunks.push(Buffer.from(buffer.subarray(0, size)))
      }
      const all = Buffer.concat(chunks)
      const end = all.lastIndexOf('\n') + 1
      rest = all.subarray(end)
      return end === 0 ? [] : all.toString('utf8', 0, end).split(/(?<=\n)/)
    },
    close: () => closeSync(fd),
  }
}

/** From the file before the last rotation too, when the new one has too few. */
function lastLines(path: string, file: OpenLog, count: number): string[] {
  const lines = file.readLines()
  if (lines.length >= count) return lines.slice(-count)
  const before = openLog(rotatedPath(path))
  const older = before?.readLines() ?? []
  before?.close()
  return [...older, ...lines].slice(-count)
}

/** Whether the file still has its name: after a rotation it has another one. */
function isCurrent(path: string, { inode }: OpenLog): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === inode
}
