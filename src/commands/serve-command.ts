import type { Config } from '../config.ts'
import { endProcessInTime, endProcessSoon } from '../core/end-process.ts'
import { once, type RunningService, startService } from '../main.ts'
import { startProcesses } from '../processes/first-process.ts'
import { runMember } from '../processes/member-process.ts'
import { credentialsPath } from '../resources/merchants/demo-merchant.ts'

/**
 * Runs until SIGTERM or SIGINT, then finishes what is being done, in ten seconds at most. A signal
 * during the start ends the start; a second one changes nothing.
 */
export async function serveCommand(
  config: Config,
  [flag, number]: string[],
  program: string,
): Promise<null> {
  // A terminal that was closed, or a full disk below a log file, is no reason to end.
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
  process.stdout.write(greeting(running, config))
  return null
}

/** Ready to paste: needs nothing but a shell and curl. */
function tryIt(base_url: string, credential: string): string {
  const card = '"card_number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"123"'
  const token = `{"payment_type":"card","email":"a@example.com","data":{"cardholder":"A B",${card}}}`
  const charge = '{"transaction_token_id":"\'$TOKEN\'","amount":1000,"currency":"JPY"}'
  return [
    `AUTH='Authorization: Bearer ${credential}'; JSON='Content-Type: application/json'`,
    `TOKEN=$(curl -s ${base_url}/tokens -H "$AUTH" -H "$JSON" \\`,
    `  -d '${token}' | sed 's/^{"id":"\\([^"]*\\).*/\\1/')`,
    `curl -s ${base_url}/charges -H "$AUTH" -H "$JSON" -d '${charge}'`,
  ].join('\n')
}

function greeting({ base_url, demo }: RunningService, config: Config): string {
  const lines = [`Kaikei is ready at ${base_url}`, `  API documents   ${base_url}/docs`]
  if (demo) {
    lines.push(
      `  credentials     ${credentialsPath(config.data_dir)} (npm run -s credentials)`,
      '',
      'Make a token and a charge:',
      '',
      tryIt(base_url, `${demo.secret}.${demo.jwt}`),
    )
  }
  return `\n${lines.join('\n')}\n\n`
}
