// `npm run bench -- start`: from the start of the program to its first response, on an existing
// database: after an orderly stop, and after kill -9, which leaves a database server behind that must
// be stopped first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kaikei } from '../../../client/src/kaikei-client.ts'
import {
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../../../test/support/fleet/running-process.ts'

const runs = 10
const data_dir = temporaryFolder()

async function firstResponse(stop: NodeJS.Signals): Promise<number> {
  const begun_ms = performance.now()
  const running = await startProcess({ DATA_DIR: data_dir, LOG_LEVEL: 'error' })
  const credentials = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  await new Kaikei({ ...credentials, base_url: running.url, max_retries: 0 }).merchant.get()
  const passed_ms = performance.now() - begun_ms
  await running.stop(stop)
  return passed_ms
}

async function measure(name: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) times.push(await work())
  times.sort((a, b) => a - b)
  const [middle = 0, slowest = 0] = [times[Math.floor(runs / 2)], times.at(-1)]
  process.stdout.write(`${name}: ${Math.round(middle)} ms, at most ${Math.round(slowest)} ms\n`)
}

try {
  const first_ms = await firstResponse('SIGTERM')
  process.stdout.write(`new database: ${Math.round(first_ms)} ms\n`)
  await measure('after a stop', () => firstResponse('SIGTERM'))
  await firstResponse('SIGKILL')
  await measure('after kill -9', () => firstResponse('SIGKILL'))
  await measure('a command', async () => {
    const begun_ms = performance.now()
    await runCommand(['credentials'], { DATA_DIR: data_dir })
    return performance.now() - begun_ms
  })
} finally {
  removeFolder(data_dir)
}
