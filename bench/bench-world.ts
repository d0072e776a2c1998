import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { max_test_charges } from '../src/core/limits/limits.ts'
import { newLog } from '../src/log.ts'
import { openService } from '../src/open-service.ts'
import type { Service } from '../src/service.ts'
import { removeFolder } from '../test/support/fleet/running-process.ts'
import { type Load, startLoad } from './load/load-client.ts'
import type { Shop, StoredCharge } from './load/load-requests.ts'
import { type Server, startOurs } from './load/servers.ts'
import { makeShops } from './stored/shops.ts'

/** Seconds of one measurement. */
export const seconds = Number(process.env.BENCH_SECONDS ?? 5)
/** The service accepts requests, but nothing settles charges. */
export const without_worker = { WORKER: 'off' }

const fewest_shops = 60
const credentials_each = 8
const longest_drain_ms = 180_000
const longest_making_s = 150

/** The service under test with its own database, and the process that generates the load. */
export interface World {
  readonly data_dir: string
  readonly load: Load
  ours: Server
  /** The operations of the service, in this process, on the same database. */
  service: Service
  database: { pid: number; connection: pg.ClientConfig; client: pg.Client }
  restart(environment?: Record<string, string>): Promise<void>
  /** Stops the service; it can be started again. */
  pause(): Promise<void>
  close(): Promise<void>
}

async function openOurs(data_dir: string, environment: Record<string, string> = {}) {
  const ours = await startOurs({ DATA_DIR: data_dir, ...environment })
  const { DATABASE_URL } = environment
  const config = readConfig({ DATA_DIR: data_dir, DATABASE_URL })
  const { service, store, close } = await openService(config, { own: false, log: newLog('silent') })
  const client = new pg.Client(store.connection)
  await client.connect()
  const pid = await databasePid(client)
  const database = { pid, connection: store.connection, client }
  let stopped: Promise<void> | null = null
  const stopAll = async () => {
    await client.end()
    await close()
    await ours.stop()
  }
  const stop = () => {
    stopped ??= stopAll()
    return stopped
  }
  return { ours, service, database, stop }
}

/** The first process of the database server; 0: it runs elsewhere, and its processor time is not seen. */
async function databasePid(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query('show data_directory')
    const file = readFileSync(join(rows[0]?.data_directory, 'postmaster.pid'), 'utf8')
    return Number(file.split('\n')[0])
  } catch {
    return 0
  }
}

/** The environment of the figures: runtime, and how the database was compiled. */
export async function builds({ database }: World): Promise<{ node: string; database: string }> {
  const { rows } = await database.client.query('select version()')
  const flags = await database.client
    .query("select setting from pg_config where name = 'CFLAGS'")
    .then(
      ({ rows: [found] }) => ` with ${/-O\S*/.exec(found.setting)?.[0] ?? 'no optimization'}`,
      () => '',
    )
  return { node: process.version, database: `${rows[0]?.version}${flags}` }
}

export async function openWorld(environment?: Record<string, string>): Promise<World> {
  const data_dir = mkdtempSync(join(tmpdir(), 'kaikei-bench-'))
  chmodSync(data_dir, 0o711)
  let opened = await openOurs(data_dir, environment)
  const load = startLoad()
  const world: World = {
    data_dir,
    load,
    ours: opened.ours,
    service: opened.service,
    database: opened.database,
    pause: () => opened.stop(),
    restart: async (changed) => {
      await opened.stop()
      opened = await openOurs(data_dir, { ...environment, ...changed })
      const { ours, service, database } = opened
      Object.assign(world, { ours, service, database })
    },
    close: async () => {
      load.stop()
      await opened.stop()
      removeFolder(data_dir)
    },
  }
  return world
}

/** Charges that are not settled yet. */
export async function backlog({ database }: World): Promise<number> {
  const { rows } = await database.client.query('select count(*)::integer as count from charges_due')
  return rows[0]?.count
}

/** Waits until everything that was started is settled and all its events are delivered. */
export async function drain(world: World): Promise<void> {
  const begun_ms = performance.now()
  const left = async () => {
    const text = 'select count(*)::integer as count from event_queue'
    const { rows } = await world.database.client.query(text)
    return (await backlog(world)) + rows[0]?.count
  }
  while ((await left()) > 0) {
    if (performance.now() - begun_ms > longest_drain_ms) {
      process.stderr.write(`${await left()} things were still to be done after three minutes.\n`)
      return
    }
    await sleep(50)
  }
}

/** Presents every credential once, so that the service has it cached, as in production. */
async function introduce({ load, ours }: World): Promise<void> {
  const { credentials: count } = await load.state()
  await load.run({ kind: 'me', port: ours.port, connections: 16, seconds: 60, count })
}

/** Sets the shops that generate load and the charges that they read. */
export async function useShops(world: World, shops: Shop[], stored?: StoredCharge[]) {
  await world.load.use({ shops, ...(stored ? { stored } : {}) })
  await introduce(world)
}

/** Creates charges for a short time to warm up the code. */
export async function warmUp({ load, ours }: World): Promise<void> {
  const run = { port: ours.port, connections: 64, seconds: Math.min(seconds, 3) }
  await load.run({ ...run, kind: 'token' })
  await load.run({ ...run, kind: 'charge' })
}

/** Restarts the service and warms it up. */
export async function restartWarm(world: World, environment?: Record<string, string>) {
  await world.restart(environment)
  await introduce(world)
  await warmUp(world)
}

/** Replaces the shops of the load with new ones, enough for this number of charges. */
export async function useNewShops(world: World, charges: number, webhook_url?: string) {
  const count = Math.max(fewest_shops, Math.ceil(charges / max_test_charges))
  const shops = await makeShops(world.service, count, {
    credentials: credentials_each,
    ...(webhook_url ? { webhook_url } : {}),
  })
  await useShops(world, shops)
}

/** Creates tokens until this number is ready to be charged; adds shops when their quota is too small. */
export async function haveTokens(world: World, wanted: number): Promise<void> {
  let state = await world.load.state()
  if (state.charges_left + state.tokens < wanted) {
    await useNewShops(world, wanted * 1.2)
    state = await world.load.state()
  }
  const count = wanted - state.tokens
  if (count <= 0) return
  await makeTokens(world, count)
  await drain(world)
}

/** The load charges the newest tokens first. */
export async function makeTokens({ ours, load }: World, count: number): Promise<void> {
  const { port } = ours
  const run = { kind: 'token', port, connections: 64, seconds: longest_making_s, count } as const
  const { errors_by_status } = await load.run(run)
  for (const [status, errors] of Object.entries(errors_by_status)) {
    process.stderr.write(`${errors} tokens were not created: ${status}\n`)
  }
}
