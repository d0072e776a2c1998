import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readDatabaseUrl } from '../../src/store/server/client/database-hosts.ts'
import { PrimaryClient } from '../../src/store/server/client/primary-client.ts'
import {
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { type PostgresPair, startPair } from './postgres-pair.ts'

// Two real servers, and the real program with the addresses of both. The standby is the first one.
let pair: PostgresPair
let environment: Record<string, string>
let running: Running | null = null
const data_dir = temporaryFolder()

beforeAll(async () => {
  pair = await startPair()
  environment = { DATABASE_URL: pair.url, DATA_DIR: data_dir, LOG_FORMAT: 'json' }
})
afterEach(async () => {
  await running?.stop('SIGKILL')
})
afterAll(async () => {
  await pair.close()
  removeFolder(data_dir)
})

const late = { timeout: 50_000, interval: 200 }

async function call(path: string, body?: object): Promise<Response> {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  return fetch(`${running?.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}.${jwt}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

async function charge(): Promise<string> {
  const card = { card_number: '4242424242424242', exp_month: 12, exp_year: 2040, cvv: '123' }
  const data = { cardholder: 'A B', ...card }
  const token = await call('/tokens', { payment_type: 'card', email: 'a@b.example', data })
  expect(token.status).toBe(201)
  const { id: transaction_token_id, store_id } = (await token.json()) as Record<string, string>
  const charged = await call('/charges', { transaction_token_id, amount: 100, currency: 'JPY' })
  expect(charged.status).toBe(201)
  const { id } = (await charged.json()) as { id: string }
  return `/stores/${store_id}/charges/${id}`
}

async function succeeds(path: string): Promise<void> {
  const check = async () =>
    expect(await (await call(path)).json()).toMatchObject({ status: 'successful' })
  await vi.waitFor(check, late)
}

test('addresses of one and of several hosts', () => {
  expect(readDatabaseUrl('postgresql://u:p@h:1/d?sslmode=require')).toEqual({
    connectionString: 'postgresql://u:p@h:1/d?sslmode=require',
  })
  expect(
    readDatabaseUrl(
      'postgresql://u:p@h1,[::1]:7,h3:8/d?target_session_attrs=primary&sslmode=require',
    ),
  ).toEqual({
    connectionString: 'postgresql://u:p@h1:5432/d?sslmode=require',
    hosts: [
      { host: 'h1', port: 5432 },
      { host: '::1', port: 7 },
      { host: 'h3', port: 8 },
    ],
  })
  expect(readDatabaseUrl('postgresql://u@/d?host=/tmp/a,h2&port=6')).toEqual({
    connectionString: 'postgresql://u@/d?host=%2Ftmp%2Fa',
    hosts: [
      { host: '/tmp/a', port: 6 },
      { host: 'h2', port: 6 },
    ],
  })
})

test('a standby that is asynchronous is a warning, or a refusal', async () => {
  const sentence = 'No standby is synchronous, so a failover can lose acknowledged payments'
  running = await startProcess(environment)
  expect(running.output()).toContain(sentence)
  const doctor = await runCommand(['doctor'], environment)
  expect(doctor.output).toContain(`WARN   database: ${sentence}`)
  expect(doctor.code).toBe(0)
  const strict = { ...environment, REQUIRE_SYNC_STANDBY: '1' }
  const refused = await runCommand(['serve'], strict)
  expect(JSON.parse(refused.output)).toMatchObject({
    level: 'fatal',
    msg: `REQUIRE_SYNC_STANDBY is set: ${sentence}; set synchronous_standby_names.`,
  })
  expect(refused.code).toBe(1)
  await pair.primary.query(`alter system set synchronous_standby_names = 'other'`)
  await pair.primary.query(`alter role current_user set synchronous_commit = 'local'`)
  await pair.primary.query('select pg_reload_conf()')
  const local = await runCommand(['serve'], strict)
  expect(local.output).toContain('REQUIRE_SYNC_STANDBY is set: synchronous_commit=local does not')
  await pair.primary.query('alter role current_user reset synchronous_commit')
  await pair.primary.query(
    `alter role current_user set default_transaction_isolation = 'serializable'`,
  )
  const isolated = await runCommand(['doctor'], strict)
  expect(isolated.output).toContain(
    'WARN   database: default_transaction_isolation is serializable',
  )
  await pair.primary.query('alter role current_user reset default_transaction_isolation')
})

test('the primary dies and the standby is promoted: the service goes on, nothing is lost', async () => {
  const { port } = pair.standby.connection
  const alone = `${pair.url.split('@')[0]}@127.0.0.1:${port}/postgres`
  const refused = await runCommand(['serve'], { ...environment, DATABASE_URL: alone })
  expect(refused.output).toContain('This PostgreSQL is a standby; the service must be given')
  running = await startProcess({ ...environment, REQUIRE_SYNC_STANDBY: '1' })
  const before = [await charge(), await charge()]
  const pending = await charge()
  await pair.primary.kill()
  expect((await call('/charges', { amount: 1 })).status).toBeOneOf([400, 503])
  await pair.standby.query('select pg_promote()')
  await vi.waitFor(async () => expect((await call('/readyz')).status).toBe(200), late)
  for (const path of [...before, pending]) await succeeds(path)
  await succeeds(await charge())
  const listening = `select 1 from pg_stat_activity where query in ('select 1') or query like 'listen %'`
  const listens = async () =>
    expect((await pair.standby.query(listening)).rowCount).toBeGreaterThan(0)
  await vi.waitFor(listens, late)
  expect((await runCommand(['doctor'], environment)).code).toBe(0)
})

test('a primary that comes back after another took over is used no longer', async () => {
  const before_takeover = await startPair()
  const { primary, standby } = before_takeover
  try {
    const connection = readDatabaseUrl(before_takeover.url)
    const portOf = async (client: pg.Client) => {
      await client.connect()
      return client.port
    }
    const first = new PrimaryClient(connection)
    const lost = new Promise<void>((resolve) => first.once('end', resolve))
    first.on('error', () => {})
    expect(await portOf(first)).toBe(primary.connection.port)
    // The primary goes on as if nothing had happened, like one that was frozen meanwhile.
    await standby.query('select pg_promote()')
    const later: pg.Client[] = []
    const searches = async () => {
      const client = new PrimaryClient(connection)
      client.on('error', () => {})
      later.push(client)
      expect(await portOf(client)).toBe(standby.connection.port)
    }
    await vi.waitFor(searches, late)
    await lost
    for (let times = 0; times < 20; times += 1) await searches()
    await Promise.all(later.map((client) => client.end()))
  } finally {
    await before_takeover.close()
  }
})
