import type { Config } from '../config.ts'
import { endProcessInTime, endProcessSoon } from '../core/end-process.ts'
import { once, startService } from '../main.ts'
import { startProcesses } from '../processes/first-process.ts'
import { runMember } from '../processes/member-process.ts'
import { greeting } from './greeting.ts'

/**
 * Runs until SIGTERM or SIGINT, then finishes the work in progress within ten seconds. A signal during
 * the start aborts the start; a second signal changes nothing.
 */
export async function serveCommand(
  config: Config,
  [flag, number]: string[],
  program: string,
): Promise<null> {
  // A closed terminal, or a full disk below a log file, is no reason to exit.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (flag === '--process') return runMember(config, Number(number))
  const stopping = new AbortController()
  const { signal } = stopping
  const starting =
    config.processes > 1
      ? startProcesses(config, program, signal)
      : startService(config, undefined, signal)
  const stop = once(async () => {
    endProcessInTime()
    stopping.abort()
    const running = await starting.catch(() => null)
    await running?.stop().catch((error) => {
      process.stderr.write(`kaikei: ${error.message}\n`)
      process.exitCode = 1
    })
    endProcessSoon()
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const running = await starting.catch((error) => {
    if (!signal.aborted) throw error
    return null
  })
  if (!running) return null
  void running.lost.then(async ({ message }) => {
    process.stderr.write(`kaikei: ${message}\n`)
    process.exitCode = 1
    await stop()
  })
  process.stdout.write(greeting(running, config.data_dir, process.stdout.isTTY === true))
  return null
}
