import type { Config } from '../config.ts'
import { startService } from '../main.ts'
import { startProcesses } from '../processes/first-process.ts'
import { runMember } from '../processes/member-process.ts'
import { greeting } from './greeting.ts'

/**
 * Runs until SIGTERM or SIGINT, then finishes what is being done. A signal during the start waits
 * for its end; a second one changes nothing.
 */
export async function serveCommand(
  config: Config,
  [flag, number]: string[],
  program: string,
): Promise<null> {
  if (flag === '--process') return runMember(config, Number(number))
  const starting = config.processes > 1 ? startProcesses(config, program) : startService(config)
  const stop = async () => {
    const running = await starting.catch(() => null)
    await running?.stop().catch((error) => {
      process.stderr.write(`kaikei: ${error.message}\n`)
      process.exitCode = 1
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const running = await starting
  void running.lost?.then(async ({ message }) => {
    process.stderr.write(`kaikei: ${message}\n`)
    await stop()
    process.exitCode = 1
  })
  process.stdout.write(greeting(running, config.data_dir, process.stdout.isTTY === true))
  return null
}
