// `npm run bench -- backup`: how long a backup of a running service takes with a million charges (`BENCH_STORED`), and from
// an empty folder to the first response of the restored service.
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../../../test/support/fleet/running-process.ts'
import { openWorld } from '../../bench-world.ts'
import { newMeasurements } from '../../measurements.ts'
import { fill, storedShops } from '../../stored/stored-shops.ts'

const stored = Number(process.env.BENCH_STORED ?? 1_000_000)
const world = await openWorld()
const files = temporaryFolder()
const restored = temporaryFolder()

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun_ms = performance.now()
  const result = await work()
  process.stdout.write(`${name}: ${((performance.now() - begun_ms) / 1000).toFixed(1)} s\n`)
  return result
}

async function command(args: string[], DATA_DIR: string): Promise<void> {
  const { code, output } = await runCommand(args, { DATA_DIR, BACKUP_DIR: files })
  if (code !== 0) throw new Error(`"${args.join(' ')}" ended with ${code}: ${output}`)
}

try {
  await fill(world, newMeasurements(world), await storedShops(world), stored)
  const { rows } = await world.database.client.query(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  await timed('backup create', () => command(['backup', 'create'], world.data_dir))
  const bytes = readdirSync(files).map((name) => statSync(join(files, name)).size)
  const sizes = [rows[0].bytes, Math.max(...bytes)].map((one) => Math.round(one / 1_000_000))
  process.stdout.write(`${stored} charges: database ${sizes[0]} MB, backup ${sizes[1]} MB\n`)
  await timed('backup verify', () => command(['backup', 'verify'], world.data_dir))
  await timed('backup restore', () => command(['backup', 'restore'], restored))
  // Keys are kept elsewhere than backups.
  cpSync(join(world.data_dir, 'keys.json'), join(restored, 'keys.json'))
  await timed('first start', async () => {
    const running = await startProcess({ DATA_DIR: restored, LOG_LEVEL: 'error' })
    if ((await fetch(`${running.url}/readyz`)).status !== 200) throw new Error('It is not ready.')
    await running.stop()
  })
  // It finds that the copies have no entries in the ledger.
  await timed('doctor', () => runCommand(['doctor'], { DATA_DIR: restored }))
} finally {
  await world.close()
  for (const folder of [files, restored]) removeFolder(folder)
}
