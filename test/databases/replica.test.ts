import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { examine } from '../../src/commands/machine/doctor-command.ts'
import type { ApiDescription } from '../../src/http/description/api-description-parts.ts'
import { migrate } from '../../src/store/migrate/migrate.ts'
import { replicaOf } from '../../src/store/open-store.ts'
import type { DatabaseState } from '../../src/store/server/examine-database.ts'
import { examineReplica } from '../../src/store/server/examine-replica.ts'
import { type Payments, payments } from '../support/payments.ts'
import { plainSchemas } from '../support/rules/plain-schemas.ts'
import { databaseUrl, newWorld, type TestMerchant, type World } from '../support/world.ts'
import { type PostgresPair, startPair } from './postgres-pair.ts'

// A primary and its standby, and two machines that read lists from the standby.
let pair: PostgresPair
let one: World
let other: World
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  pair = await startPair()
  const client = new pg.Client(pair.primary.connection)
  await client.connect()
  await migrate(client)
  await client.end()
  const DATABASE_URL = databaseUrl(pair.primary.connection)
  const DATABASE_REPLICA_URL = databaseUrl(pair.standby.connection)
  one = await newWorld({ settings: { DATABASE_URL, DATABASE_REPLICA_URL } })
  other = await one.another()
  shop = await one.merchant()
  pay = payments(one, shop)
})
afterAll(async () => {
  await one.close()
  await pair.close()
})

const list = async ({ call, clock }: World, path = `/stores/${shop.store_id}/charges`) => {
  clock.advance(1000)
  return call('GET', path, { auth: shop.as_merchant })
}

async function newestOn(world: World): Promise<string> {
  const { status, body } = await list(world)
  expect(status).toBe(200)
  return body.items[0]?.id
}

/** Whether reads go to the standby; after a failure that is tried again a second later. */
async function isUsed({ service }: World): Promise<void> {
  const isReader = async () =>
    expect(await replicaOf(service.db)?.findReader()).not.toBe(service.db)
  await vi.waitFor(isReader, { timeout: 30_000, interval: 100 })
}

test('a list contains what its caller wrote before, on this and on another machine', async () => {
  await isUsed(one)
  await isUsed(other)
  for (let round = 0; round < 25; round += 1) {
    const { id } = (await pay.charge()).body
    expect([await newestOn(one), await newestOn(other)]).toEqual([id, id])
  }
  const isRead = async () => {
    const { rows } = await pair.standby.query(
      `select (seq_scan + idx_scan)::integer as scans from pg_stat_user_tables where relname = 'charges'`,
    )
    expect(rows[0].scans).toBeGreaterThan(0)
  }
  await vi.waitFor(isRead, { timeout: 30_000, interval: 500 })
})

test('a standby that is behind is not read', async () => {
  await isUsed(one)
  await pair.standby.query('select pg_wal_replay_pause()')
  const { id } = (await pay.charge()).body
  expect([await newestOn(one), await newestOn(other)]).toEqual([id, id])
  expect(one.log.join()).toContain('reads go to the primary: it is behind the primary')
  await pair.standby.query('select pg_wal_replay_resume()')
  await isUsed(one)
  expect(await newestOn(one)).toBe(id)
})

/** The doctor's findings about a replica at an address. */
async function examined(address: string): Promise<DatabaseState> {
  const client = new pg.Client(pair.primary.connection)
  await client.connect()
  return examineReplica(client, address).finally(() => client.end())
}

test('the doctor examines it: no copy, no standby, not there, behind, or in order', async () => {
  const { primary, standby } = pair
  await isUsed(one)
  const feedback = 'The replica may cancel reads; set hot_standby_feedback=on there.'
  expect(await examined(databaseUrl(standby.connection))).toEqual({
    faults: [],
    warnings: [feedback],
  })
  await standby.query('alter system set hot_standby_feedback = on')
  await standby.query('select pg_reload_conf()')
  const isInOrder = async () =>
    expect(await examined(databaseUrl(standby.connection))).toEqual({ faults: [], warnings: [] })
  await vi.waitFor(isInOrder, { timeout: 30_000, interval: 200 })
  await standby.query('select pg_wal_replay_pause()')
  await pay.charge()
  const { warnings } = await examined(databaseUrl(standby.connection))
  expect(warnings.join()).toMatch(/^The replica is \d+ bytes behind/)
  await standby.query('select pg_wal_replay_resume()')
  const faultOf = async (address: string) => (await examined(address)).faults.join()
  expect(await faultOf(databaseUrl(primary.connection))).toContain('no standby')
  expect(await faultOf(databaseUrl(inject('postgres')))).toContain('no copy')
  expect(await faultOf(databaseUrl({ ...standby.connection, port: 1 }))).toContain('ECONNREFUSED')
  const settings = { ...one.service.config, database_replica_url: databaseUrl(primary.connection) }
  const found = (await examine(settings)).find(({ check }) => check === 'replica')
  expect(found?.faults.join()).toContain('no standby')
})

test('every list and export can be read from the standby', async () => {
  await pay.settled()
  const file = fileURLToPath(new URL('../../openapi.json', import.meta.url))
  const api: ApiDescription = JSON.parse(readFileSync(file, 'utf8'))
  const { parametersOf } = plainSchemas(api)
  const lists = Object.entries(api.paths).flatMap(([path, { get }]) => {
    const is_list = get && parametersOf(get).some(({ name }) => name === 'cursor_direction')
    const named = path.replace('{store_id}', shop.store_id)
    // The log of requests changes with each of them.
    return is_list && !named.includes('{') && path !== '/requests' ? [named] : []
  })
  expect(lists.length).toBeGreaterThan(15)
  const direct = await one.another({ DATABASE_REPLICA_URL: '' })
  for (const path of lists) {
    await isUsed(one)
    const [found, wanted] = [await list(one, path), await list(direct, path)]
    // The last use of a token changes with each request.
    const [text, wanted_text] = [found, wanted].map(({ text }) =>
      text.replaceAll(/"last_used_on":[^,}]+/g, ''),
    )
    expect([path, found.status, text]).toEqual([path, wanted.status, wanted_text])
  }
})

test('a standby that dies fails no request', async () => {
  await isUsed(one)
  await pair.standby.kill()
  const { id } = (await pay.charge()).body
  for (let round = 0; round < 5; round += 1) expect(await newestOn(one)).toBe(id)
  // The port is answered by no server: a statement that was sent there is repeated on the primary.
  expect(await newestOn(other)).toBe(id)
  expect(replicaOf(one.service.db)?.whyAway()).toBe('it cannot be reached')
})
