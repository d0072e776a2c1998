import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'
import { type SharedRedis, startRedis } from './shared-redis.ts'

// Two machines on one database, which share the keys of security codes. One is killed while it processes a
// charge.
const folders = [temporaryFolder(), temporaryFolder()]
const started: Running[] = []
let client: pg.Client
let redis: SharedRedis
let settings: Record<string, string>

beforeAll(async () => {
  redis = await startRedis()
  const connection = await newDatabase('kaikei')
  client = new pg.Client(connection)
  await client.connect()
  settings = {
    DATABASE_URL: databaseUrl(connection),
    SHARED_STATE_URL: redis.url,
    SIGNING_KEYS: newKeyText(),
    VAULT_KEYS: newKeyText(),
    FINGERPRINT_KEYS: newKeyText(),
  }
})
afterAll(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  await client.end()
  await redis.close()
  for (const folder of folders) removeFolder(folder)
})

async function start(number: number, more: Record<string, string> = {}): Promise<Running> {
  const running = await startProcess({ ...settings, DATA_DIR: folders[number] ?? '', ...more })
  started.push(running)
  return running
}

/** The promise of docs/operating.md: the lease of a claim, and some seconds to find it. */
const settles_within_ms = 35_000

test('a charge of a killed machine is settled by another one within 35 seconds', async () => {
  const dying = await start(0, { FAILPOINT: 'before provider authorize' })
  const { readFileSync } = await import('node:fs')
  const { secret, jwt } = JSON.parse(readFileSync(`${folders[0]}/credentials.json`, 'utf8'))
  await start(1)
  const headers = { authorization: `Bearer ${secret}.${jwt}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(dying.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const data = {
    cardholder: 'Taro',
    card_number: '4242424242424242',
    exp_month: 12,
    exp_year: 2030,
  }
  const email = 'taro@example.com'
  const token = await post('/tokens', {
    payment_type: 'card',
    email,
    data: { ...data, cvv: '123' },
  })
  const { id: transaction_token_id } = (await token.json()) as { id: string }
  // The machine dies with its response, or right after it.
  await post('/charges', { transaction_token_id, amount: 1000, currency: 'JPY' }).catch(() => null)
  const found = async () => {
    const { rows } = await client.query(
      `select status, (extract(epoch from updated_on - created_on) * 1000)::float8 as took_ms
       from charges`,
    )
    return rows[0]
  }
  await expect.poll(async () => (await found())?.status).toBe('successful')
  expect(dying.child.signalCode).toBe('SIGKILL')
  expect((await found()).took_ms).toBeLessThan(settles_within_ms)
})
