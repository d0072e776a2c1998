import { rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createStore } from '../../src/accounts/stores/create-store.ts'
import { NotStored } from '../../src/api/idempotency/stored-response.ts'
import { createCharge } from '../../src/payments/charges/create/create-charge.ts'
import type { Service } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate/migrate.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { startEmbeddedPostgres } from '../../src/store/server/embedded/embedded-postgres.ts'
import { UnconfirmedCommit } from '../../src/store/sql/connections/session.ts'
import { isUnavailable } from '../../src/store/sql/statements/database-errors.ts'
import { temporaryFolder } from '../support/fleet/running-process.ts'
import { payments } from '../support/payments.ts'
import { useWorld } from '../support/use-world.ts'
import { databaseUrl, type TestMerchant } from '../support/world.ts'

// A proxy between the service and its database that loses exactly the selected responses.
const world = useWorld()
let shop: TestMerchant
let store: Store
let service: Service
let lose: `answer to ${'commit' | 'charge'}` | `${'commit' | 'charge'} itself` | null = null
let lost = 0

const proxy = createServer((client: Socket) => {
  const { host, port } = inject('postgres')
  const server = connect(join(String(host), `.s.PGSQL.${port}`))
  let cut = false
  client.on('data', (bytes) => {
    // Charges that share a statement are committed by it; its lock timeout is among its parameters.
    const sign = lose?.includes('charge') ? '200ms' : 'commit\0'
    if (lose && bytes.includes(sign)) {
      lost += 1
      cut = true
      if (lose.endsWith('itself')) return client.destroy()
    }
    server.write(bytes)
  })
  server.on('data', (bytes) => {
    if (cut) client.destroy()
    else client.write(bytes)
  })
  client.on('close', () => server.destroy()).on('error', () => server.destroy())
  server.on('close', () => client.destroy()).on('error', () => client.destroy())
})

beforeAll(async () => {
  shop = await world.merchant()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const { user, password } = inject('postgres')
  const { database } = (await world.store.pool.query('select current_database() as database'))
    .rows[0]
  const database_url = `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
  store = await openStore(
    { ...world.service.config, database_url },
    { own: false, onTrouble: () => {} },
  )
  service = { ...world.service, db: store.db }
})
afterAll(async () => {
  await store.close()
  proxy.close()
})

async function stores(): Promise<number> {
  const { rows } = await world.store.pool.query('select count(*)::integer as count from stores')
  return rows[0].count
}

test('the response to COMMIT is lost: the change is found, and is made once', async () => {
  const before = await stores()
  for (let round = 0; round < 20; round += 1) {
    lose = 'answer to commit'
    const wanted = createStore(service, shop.id, { name: `Answer lost ${round}` })
    const made = await wanted.finally(() => {
      lose = null
    })
    expect(made.name).toBe(`Answer lost ${round}`)
  }
  expect(lost).toBeGreaterThanOrEqual(20)
  expect(await stores()).toBe(before + 20)
})

test('COMMIT itself is lost: an error, and nothing was changed', async () => {
  const before = await stores()
  lose = 'commit itself'
  const wanted = createStore(service, shop.id, { name: 'Never' })
  await expect(wanted).rejects.toThrow()
  lose = null
  expect(await stores()).toBe(before)
  expect((await createStore(service, shop.id, { name: 'Never' })).name).toBe('Never')
})

async function charge(...tokens: string[]): Promise<string[]> {
  const { id: merchant_id, store_id } = shop
  const caller = { merchant_id, store_id, mode: 'test', with_secret: true } as never
  const money = { amount: 1000, currency: 'JPY' }
  const outcomes = tokens.map((transaction_token_id) =>
    createCharge(service, caller, { transaction_token_id, ...money }).then(
      () => 'made',
      (error) => (isUnavailable(error) ? 'unavailable' : error.code),
    ),
  )
  return Promise.all(outcomes)
}

test('the result of a charges statement is lost: they are found, and created once', async () => {
  const pay = payments(world, shop)
  // The first test charge of a merchant counts those that are left; these are in the statement itself.
  await pay.charge()
  const tokens = [await pay.tokenId(), await pay.tokenId(), await pay.tokenId()]
  lose = 'answer to charge'
  const used = 'TRANSACTION_ALREADY_PROCESSED'
  const outcomes = await charge(...tokens, tokens[0] ?? '')
  lose = null
  // The same token again is in a separate statement, which creates nothing: that cannot be known.
  expect(outcomes).toEqual(['made', 'made', 'made', 'unavailable'])
  expect(await charge(...tokens)).toEqual([used, used, used])
  const { rows } = await world.store.pool.query('select uses from transaction_tokens')
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ uses: 1 })))
})

test('a key with a stored response is looked up when the result of its statement is lost', async () => {
  const { id: merchant_id, store_id } = shop
  const caller = { merchant_id, store_id, mode: 'test', with_secret: true } as never
  const chargeFor = async (key: string) => {
    const stored_under = { merchant_id, mode: 'test', key, fingerprints: [Buffer.alloc(32)] }
    const writer = { key: stored_under, responseOf: () => ({ status: 201, body: '{}' }) }
    const transaction_token_id = await payments(world, shop).tokenId()
    const wanted = { transaction_token_id, amount: 1000, currency: 'JPY' }
    return () => createCharge(service, caller, wanted, writer).then(({ status }) => status)
  }
  expect(await (await chargeFor('known'))()).toBe('pending')
  const both = [await chargeFor('new'), await chargeFor('known')]
  lose = 'answer to charge'
  const [made, known] = await Promise.allSettled(both.map((begin) => begin()))
  lose = null
  expect(made).toEqual({ status: 'fulfilled', value: 'pending' })
  expect(known).toEqual({ status: 'rejected', reason: expect.any(NotStored) })
})

test('a charges statement itself is lost: an error, and nothing was created', async () => {
  const token = await payments(world, shop).tokenId()
  lose = 'charge itself'
  expect(await charge(token)).toEqual(['unavailable'])
  lose = null
  expect(await charge(token)).toEqual(['made'])
})

async function standbys({ pool }: Store): Promise<string> {
  return (await pool.query('show synchronous_standby_names')).rows[0].synchronous_standby_names
}

test('a commit whose wait for the standby was cut short is not acknowledged', async () => {
  const folder = temporaryFolder()
  const server = await startEmbeddedPostgres(folder, true, () => {})
  const admin = new pg.Client(server.connection)
  await admin.connect()
  await migrate(admin)
  const database_url = databaseUrl(server.connection)
  const other = await openStore(
    { ...world.service.config, database_url },
    { own: false, onTrouble: () => {} },
  )
  try {
    await admin.query(
      `insert into merchants select * from json_populate_record(null::merchants, $1)`,
      [
        JSON.stringify({
          id: shop.id,
          name: 'M',
          email: 'm@example.com',
          verified: false,
          demo: false,
          configuration: {},
          created_on: new Date(),
          updated_on: new Date(),
        }),
      ],
    )
    await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
    await admin.query('select pg_reload_conf()')
    const unconfirmed = async (wanted: Promise<unknown>) => {
      const outcome = wanted.then(
        () => 'acknowledged',
        (error) => error,
      )
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await admin.query(
          `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        waiting = rows.length
      }
      expect(await outcome).toBeInstanceOf(UnconfirmedCommit)
    }
    const at_other = { ...service, db: other.db }
    await unconfirmed(createStore(at_other, shop.id, { name: 'Unconfirmed' }))
    // A statement that is its own transaction, as new charges are.
    await unconfirmed(sql`update merchants set verified = true`.execute(other.db))
    await admin.query('alter system reset synchronous_standby_names')
    await admin.query('select pg_reload_conf()')
    await expect.poll(() => standbys(other)).toBe('')
    const confirmed = await createStore(at_other, shop.id, { name: 'Confirmed' })
    expect(confirmed.name).toBe('Confirmed')
  } finally {
    await admin.query('alter system reset synchronous_standby_names')
    await admin.query('select pg_reload_conf()')
    await other.close()
    await admin.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('another node shows an acknowledged change immediately', async () => {
  const other = await world.another()
  for (let round = 0; round < 10; round += 1) {
    world.clock.advance(5000)
    const body = { name: `Read ${round}` }
    const made = await world.call('POST', '/stores', { auth: shop.as_merchant, body })
    const read = await other.call('GET', `/stores/${made.body.id}`, { auth: shop.as_merchant })
    expect(read.body).toEqual(made.body)
  }
})

test('a sealed value whose key is gone is 503, everything else continues', async () => {
  const body = { url: 'https://a.example/x', triggers: ['charge_finished'], auth_token: 'abc' }
  const path = `/stores/${shop.store_id}/webhooks`
  const { id } = (await world.call('POST', path, { auth: shop.as_store, body })).body
  await world.store.pool.query(
    `update webhooks set auth_token = overlay(auth_token placing 'zzzz'::bytea from 3) where id = $1`,
    [id],
  )
  const broken = await world.call('GET', `${path}/${id}`, { auth: shop.as_store })
  expect(broken).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  expect((await world.call('GET', '/me', { auth: shop.as_store })).status).toBe(200)
})
