import { cpSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { rate_limits } from '../../src/core/limits/limits.ts'
import {
  fetchWhenFree,
  freePort,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'
import { type SharedRedis, startRedis } from './shared-redis.ts'

// The real program, several times on one database. A data folder of its own makes it another machine.
let redis: SharedRedis
const folders: string[] = []
let started: Running[] = []

beforeAll(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  started = []
})
afterAll(async () => {
  await redis.close()
  for (const folder of folders) removeFolder(folder)
})

/** A folder with the keys of another one. */
function newFolder(like?: string): string {
  const folder = temporaryFolder()
  folders.push(folder)
  for (const name of like ? ['keys.json', 'credentials.json'] : []) {
    cpSync(join(like ?? '', name), join(folder, name))
  }
  return folder
}

type Settings = Record<string, string>

async function start(settings: Settings): Promise<Running> {
  const running = await startProcess(settings)
  started.push(running)
  return running
}

test('without shared state a second machine is refused; the first one can be restarted', async () => {
  const DATABASE_URL = databaseUrl(await newDatabase('kaikei'))
  const first = { DATABASE_URL, DATA_DIR: newFolder() }
  const running = await start(first)
  const second = { DATABASE_URL, DATA_DIR: newFolder(first.DATA_DIR) }
  const { code, output } = await runCommand(['serve'], second)
  expect(code).toBe(1)
  expect(output).toContain(
    `kaikei: The machine ${hostname()} serves on this database. Set SHARED_STATE_URL on every ` +
      'machine to a Redis-compatible server that they share, or SHARED_STATE=per_machine if ' +
      'limits may multiply by the number of machines.\n',
  )
  // Another program in the same folder is no other machine; neither is one after a crash.
  await start(first)
  await running.stop('SIGKILL')
  await start(first)
  const shared = await runCommand(['serve'], { ...second, SHARED_STATE_URL: redis.url })
  expect(shared.output).toContain(`The machine ${hostname()} serves on this database without`)
  const refused = await runCommand(['serve'], { ...second, SHARED_STATE: 'per_machine' })
  expect(refused.code).toBe(1)
})

test('a machine that stopped, or died a while ago, keeps no other one from starting', async () => {
  const DATABASE_URL = databaseUrl(await newDatabase('kaikei'))
  const first = { DATABASE_URL, DATA_DIR: newFolder() }
  expect(await (await start(first)).stop()).toBe(0)
  const second = await start({ DATABASE_URL, DATA_DIR: newFolder(first.DATA_DIR) })
  await second.stop('SIGKILL')
  expect((await fetchWhenFree(`${(await start(first)).url}/readyz`)).status).toBe(200)
})

test('with SHARED_STATE=per_machine a second machine serves', async () => {
  const DATABASE_URL = databaseUrl(await newDatabase('kaikei'))
  const shared = { DATABASE_URL, SHARED_STATE: 'per_machine' }
  const first = { ...shared, DATA_DIR: newFolder() }
  await start(first)
  const second = await start({ ...shared, DATA_DIR: newFolder(first.DATA_DIR) })
  expect((await fetchWhenFree(`${second.url}/readyz`)).status).toBe(200)
})

/** How many of some requests without a credential, from one address and to all machines, are not refused. */
async function passedOf(
  machines: readonly Running[],
  count: number,
  path: string,
): Promise<number> {
  const responses = Array.from({ length: count }, async (_, index) => {
    const { url } = machines[index % machines.length] as Running
    return (await fetch(`${url}${path}`)).status
  })
  return (await Promise.all(responses)).filter((status) => status !== 429).length
}

test('two machines with two processes each: counted in Redis, and when it is away by each its half', async () => {
  const DATABASE_URL = databaseUrl(await newDatabase('kaikei'))
  const [port, second_port] = [await freePort(), await freePort()]
  const shared = { DATABASE_URL, SHARED_STATE_URL: redis.url, PROCESSES: '2' }
  const first = { ...shared, DATA_DIR: newFolder(), METRICS_PORT: String(port) }
  const machines = [await start(first)]
  const folder = newFolder(first.DATA_DIR)
  machines.push(await start({ ...shared, DATA_DIR: folder, METRICS_PORT: String(second_port) }))
  const { burst, per_minute } = rate_limits.exact
  const began_ms = performance.now()
  const passed = await passedOf(machines, 60, '/heartbeat')
  const refilled = Math.ceil(((performance.now() - began_ms) * per_minute) / 60_000)
  expect(passed).toBeGreaterThanOrEqual(burst)
  expect(passed).toBeLessThanOrEqual(burst + refilled)
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await metrics()).toMatch(/kaikei_shared_state_up{process="1"} 1/)
  expect((await runCommand(['doctor'], first)).output).toContain('ok     shared state')

  const ready = async () => {
    const response = await fetch(`${machines[0]?.url}/readyz`)
    return (await response.json()) as { status: string; warnings: string[] }
  }
  expect(await ready()).toEqual({ status: 'ok', warnings: [] })
  await redis.kill()
  await vi.waitFor(async () => expect((await ready()).warnings).toHaveLength(1), 20_000)
  expect((await ready()).warnings[0]).toContain('The shared state server is away')
  expect((await runCommand(['doctor'], first)).output).toMatch(
    /WRONG {2}shared state: .*ECONNREFUSED/,
  )
  // A bucket of another path: each machine has half of it. Both know of each other by now.
  const halves_from_ms = performance.now()
  const halves = await passedOf(machines, 60, '/heartbeat?half=1')
  const more = Math.ceil(((performance.now() - halves_from_ms) * per_minute) / 60_000)
  expect(halves).toBeLessThanOrEqual(burst + more)
  expect(halves).toBeGreaterThanOrEqual(burst / 2)
  expect(await metrics()).toMatch(/kaikei_shared_state_up{process="1"} 0/)
  expect(await metrics()).toMatch(/kaikei_shared_state_fallbacks_total{process="\d"} [1-9]/)
  await redis.restart()
  await vi.waitFor(async () => expect((await ready()).warnings).toEqual([]), 20_000)
  const { output } = machines[0] as Running
  expect(output()).toContain('the shared state server does not answer')
  expect(output()).toContain('the shared state server answers again')
})
