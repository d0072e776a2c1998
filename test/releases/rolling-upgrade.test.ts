import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SharedRedis, startRedis } from '../machines/shared-redis.ts'
import {
  program,
  type Running,
  runCommand,
  startRelease,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { newReceiver, type Receiver } from '../support/receiver/receiver.ts'
import { newWorld, type World } from '../support/world.ts'
import { type LoadBalancer, startHaproxy } from './haproxy.ts'
import { type NextRelease, newRelease } from './next-release.ts'
import { startLoad } from './shop-load.ts'

// Two machines behind HAProxy, under load. Each is replaced by one of the next release, which migrates first; then
// all of it is undone. Clients notice nothing.
let world: World
let redis: SharedRedis
let receiver: Receiver
let proxy: LoadBalancer
let next: NextRelease
const folders: string[] = []
const started: Running[] = []

const steps = [
  `-- expand
alter table charges add column later text;
alter table transaction_tokens add column later integer not null default 0;
alter table events add column later text;
create table later (id uuid primary key);`,
  `-- expand, concurrently
create index concurrently charges_later on charges (merchant_id, later);`,
]

beforeAll(async () => {
  redis = await startRedis()
  world = await newWorld({ settings: { SHARED_STATE_URL: redis.url } })
  receiver = await newReceiver()
  proxy = await startHaproxy(4)
  next = newRelease('0.2.0', ...steps)
})
afterAll(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  await proxy.close()
  await receiver.close()
  await world.close()
  await redis.close()
  next.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function settings(place = 0): Record<string, string> {
  const { database_url, signing_keys, vault_keys, fingerprint_keys } = world.service.config
  const folder = temporaryFolder()
  folders.push(folder)
  return {
    PORT: String(proxy.ports[place]),
    DATA_DIR: folder,
    DATABASE_URL: database_url ?? '',
    SHARED_STATE_URL: redis.url,
    SHUTDOWN_DELAY_MS: '3000',
    SIGNING_KEYS: signing_keys ?? '',
    VAULT_KEYS: vault_keys ?? '',
    FINGERPRINT_KEYS: fingerprint_keys ?? '',
    LOG_LEVEL: 'warn',
  }
}

async function start(file: string, place: number): Promise<Running> {
  const running = await startRelease(file, settings(place))
  started.push(running)
  const isUp = async () => expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  await vi.waitFor(isUp, { timeout: 60_000, interval: 100 })
  return running
}

/** Replaces machines one by one: each new one serves before an old one stops. */
async function replace(old: readonly Running[], file: string, places: readonly number[]) {
  const created: Running[] = []
  for (const [at, place] of places.entries()) {
    created.push(await start(file, place))
    // The proxy looks every 200 ms.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await old[at]?.stop()).toBe(0)
  }
  return created
}

const min_payments = 20

test('an upgrade and its undoing under load: no error, nothing pending', async () => {
  const before = [await start(program, 0), await start(program, 1)]
  await vi.waitFor(
    async () => expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200),
    60_000,
  )
  const load = await startLoad(world, receiver, proxy.url, 4)
  const paid = async () => {
    const wanted = load.charges.length + min_payments
    await vi.waitFor(() => expect(load.charges.length).toBeGreaterThan(wanted), 120_000)
  }
  await paid()
  const migrated = await runCommand(['migrate'], settings(), next.file)
  expect(migrated.output).toMatch(/^Applied: .*later-1.sql, .*later-2.sql\n$/)
  await paid()
  const after = await replace(before, next.file, [2, 3])
  await paid()
  await replace(after, program, [0, 1])
  await paid()
  await load.stop()

  expect(load.errors).toEqual([])
  // The shops' events match the data: nothing was created twice, nothing is pending.
  const reported = [...load.charges, ...load.refunds].sort()
  const isSettled = async () => {
    const { rows } = await sql<{ id: string; status: string }>`
      select id::text, status from charges union all select id::text, status from refunds order by id`.execute(
      world.service.db,
    )
    expect(rows.filter(({ status }) => status !== 'successful')).toEqual([])
    expect(rows.map(({ id }) => id).sort()).toEqual(reported)
  }
  await vi.waitFor(isSettled, { timeout: 60_000, interval: 500 })
  const notified = () => [...new Set(receiver.received.map(({ body }) => body.data?.id))].sort()
  await vi.waitFor(() => expect(notified()).toEqual(reported), { timeout: 60_000, interval: 500 })
  const { rows } = await sql`select * from later`.execute(world.service.db)
  expect(rows).toEqual([])
}, 600_000)
