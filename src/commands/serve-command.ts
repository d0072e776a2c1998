import type { Config } from '../config.ts'
import { type RunningService, startService } from '../main.ts'
import { credentialsPath } from '../resources/merchants/demo-merchant.ts'

/**
 * Runs until SIGTERM or SIGINT, then finishes what is being done. A signal during the start waits
 * for its end; a second one changes nothing.
 */
export async function serveCommand(config: Config): Promise<null> {
  const starting = startService(config)
  const stop = async () => {
    const running = await starting.catch(() => null)
    await running?.stop().catch((error) => {
      process.stderr.write(`kaikei: ${error.message}\n`)
      process.exitCode = 1
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.stdout.write(greeting(await starting, config))
  return null
}

function greeting({ base_url, demo }: RunningService, config: Config): string {
  const lines = [`Kaikei is ready at ${base_url}`, `  API documents   ${base_url}/docs`]
  if (demo) {
    lines.push(
      `  credentials     ${credentialsPath(config.data_dir)} (npm run -s credentials)`,
      '',
      'Try it:',
      '',
      `curl ${base_url}/me \\`,
      `  -H 'Authorization: Bearer ${demo.secret}.${demo.jwt}'`,
    )
  }
  return `\n${lines.join('\n')}\n\n`
}
