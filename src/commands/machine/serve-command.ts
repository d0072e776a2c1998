import { endProcessInTime, endProcessSoon } from '../../core/end-process.ts'
import { once, startService } from '../../main.ts'
import { startProcesses } from '../../processes/first-process.ts'
import { runMember } from '../../processes/member-process.ts'
import type { Run } from '../command-table.ts'
import { greeting } from '../line/greeting.ts'
import { reportFault } from '../line/report-fault.ts'

/**
 * Runs until SIGTERM or SIGINT, then finishes the work in progress within ten seconds. A signal during
 * the start aborts the start; a second signal changes nothing.
 */
export const serve: Run<'serve'> = async (context, _, { process: number }) => {
  const { config, program, version, called_as } = context
  if (number !== undefined) return runMember(config, number)
  const stopping = new AbortController()
  const { signal } = stopping
  const starting =
    config.processes > 1
      ? startProcesses(config, { program, version, signal })
      : startService(config, { version, signal })
  const stop = once(async () => {
    endProcessInTime()
    stopping.abort()
    const running = await starting.catch(() => null)
    await running?.stop().catch((error) => {
      reportFault(context, error.message)
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
    reportFault(context, message)
    process.exitCode = 1
    await stop()
  })
  const { is_terminal } = context.terminal
  const place = { data_dir: config.data_dir, is_terminal, called_as }
  // The log has the address, too: with LOG_FORMAT=json nothing but its lines is printed.
  if (config.log_format !== 'json') context.terminal.write(greeting(running, place))
  return null
}
