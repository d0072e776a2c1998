import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { runWords } from '../support/setup/command-line.ts'
import { databaseUrl, newDatabase as newCopy } from '../support/world.ts'

// Keys are created with a new, empty database and never again: a process that finds them missing or
// replaced says so, and a running service continues with those it has.
vi.setConfig({ testTimeout: 180_000 })
afterAll(() => vi.resetConfig())
const folders: string[] = []
const started: Running[] = []
const databases: string[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop('SIGKILL')))
  for (const folder of folders.splice(0)) removeFolder(folder)
  for (const database of databases.splice(0)) {
    await onServer(`drop database if exists ${database} with (force)`)
  }
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

async function start(environment: Record<string, string>): Promise<Running> {
  const running = await startProcess(environment)
  started.push(running)
  return running
}

async function onServer(text: string, database = 'postgres'): Promise<pg.QueryResult['rows']> {
  const client = new pg.Client({ ...inject('postgres'), database })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/**
 * A database of the server that all tests share: several processes and folders can use it. It has its tables,
 * and nothing in them, unless it is to be empty.
 */
async function newDatabase(
  template = 'kaikei',
): Promise<{ url: string; query: (text: string) => Promise<object[]> }> {
  const connection = await newCopy(template)
  const database = connection.database ?? ''
  databases.push(database)
  return { url: databaseUrl(connection), query: (text) => onServer(text, database) }
}

const keyFile = (data_dir: string) => join(data_dir, 'keys.json')
const readKeyFile = (data_dir: string) => readFileSync(keyFile(data_dir), 'utf8')
const writeKeyFile = (data_dir: string, text: string) =>
  writeFileSync(keyFile(data_dir), text, { mode: 0o600 })

function foreignKeys(): string {
  const keys = { signing: newKeyText(), vault: newKeyText(), fingerprint: newKeyText() }
  return JSON.stringify(keys)
}

/** Repeated while the service is too busy to respond; the idempotency key makes that safe. */
async function call(running: Running, data_dir: string, path: string, body?: object) {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  const headers = {
    authorization: `Bearer ${secret}.${jwt}`,
    'content-type': 'application/json',
    ...(body ? { 'idempotency-key': crypto.randomUUID() } : {}),
  }
  const options = { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) }
  const { status, text } = await vi.waitFor(async () => {
    const response = await fetch(`${running.url}${path}`, options)
    expect([429, 503]).not.toContain(response.status)
    return { status: response.status, text: await response.text() }
  }, 60_000)
  expect([status < 300, text]).toEqual([true, text])
  return JSON.parse(text)
}

async function newCard(running: Running, data_dir: string, email = 'a@b.example'): Promise<string> {
  const card = { cardholder: 'A', card_number: '4242424242424242', exp_month: 12, exp_year: 2040 }
  const data = { ...card, cvv: '123' }
  const body = { payment_type: 'card', type: 'recurring', email, data }
  return (await call(running, data_dir, '/tokens', body)).id
}

/** Charges a stored card, which requires opening its number. */
async function pay(running: Running, data_dir: string, transaction_token_id: string) {
  const money = { transaction_token_id, amount: 100, currency: 'JPY' }
  const { id, store_id } = await call(running, data_dir, '/charges', money)
  const path = `/stores/${store_id}/charges/${id}`
  return vi.waitFor(async () => {
    const { status, error } = await call(running, data_dir, `${path}?polling=true`)
    expect(status).not.toBe('pending')
    return { status, error }
  }, 60_000)
}

const successful = { status: 'successful', error: null }

test('doctor and a start without keys.json write none and say what to do', async () => {
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: (await newDatabase()).url }
  const first = await start(environment)
  const card = await newCard(first, data_dir)
  expect(await first.stop()).toBe(0)
  const right = readKeyFile(data_dir)
  rmSync(keyFile(data_dir))

  const looked = await runCommand(['doctor'], environment)
  expect(looked.code).toBe(1)
  expect(looked.output).toContain(`WRONG  keys: ${keyFile(data_dir)} is missing`)
  expect(looked.output).toContain('Restore it from a backup')
  expect(looked.output).toContain('ok     migrations')
  expect(existsSync(keyFile(data_dir))).toBe(false)

  for (const command of [['serve'], ['vault', 'rotate']]) {
    const refused = await runCommand(command, environment)
    const said = refused.output.split('\n').filter((line) => line.startsWith('kaikei: '))
    expect([refused.code, said]).toEqual([
      1,
      [expect.stringContaining(`kaikei: ${keyFile(data_dir)} is missing`)],
    ])
    expect(existsSync(keyFile(data_dir))).toBe(false)
  }

  writeKeyFile(data_dir, foreignKeys())
  const foreign = readKeyFile(data_dir)
  for (const command of [['vault', 'rotate'], ['doctor']]) {
    const { code, output } = await runCommand(command, environment)
    expect([code, output]).toEqual([1, expect.stringContaining('is not given')])
    expect(readKeyFile(data_dir)).toBe(foreign)
  }

  writeKeyFile(data_dir, right)
  const again = await start(environment)
  expect(await pay(again, data_dir, card)).toEqual(successful)
  const { code, output } = await runWords(['doctor'], environment)
  expect([code, output]).toEqual([0, expect.not.stringContaining('WRONG')])
})

test('a running service keeps its keys while keys.json is gone or replaced', async () => {
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: (await newDatabase()).url }
  const running = await start(environment)
  const right = readKeyFile(data_dir)
  const cards = [await newCard(running, data_dir, 'right@b.example')]
  rmSync(keyFile(data_dir))
  await runWords(['doctor'], environment)
  expect(existsSync(keyFile(data_dir))).toBe(false)
  await vi.waitFor(() => expect(running.output()).toContain('keys.json is missing'), 60_000)
  cards.push(await newCard(running, data_dir, 'gone@b.example'))

  writeKeyFile(data_dir, foreignKeys())
  await vi.waitFor(
    () => expect(running.output()).toContain('keys.json does not hold the keys of this database'),
    60_000,
  )
  cards.push(await newCard(running, data_dir, 'replaced@b.example'))
  expect(await pay(running, data_dir, cards[0] ?? '')).toEqual(successful)

  writeKeyFile(data_dir, right)
  expect(await running.stop()).toBe(0)
  const again = await start(environment)
  for (const card of cards.slice(1)) expect(await pay(again, data_dir, card)).toEqual(successful)
  const { code, output } = await runWords(['doctor'], environment)
  expect([code, output]).toEqual([0, expect.not.stringContaining('WRONG')])
})

test('a rotation reaches every process; two at the same time lose no key', async () => {
  const { url, query } = await newDatabase()
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: url }
  const one = await start(environment)
  const other = await start(environment)
  const first = await newCard(one, data_dir, 'first@b.example')
  const before = JSON.parse(readKeyFile(data_dir)).vault
  const rotated = await Promise.all([1, 2].map(() => runCommand(['vault', 'rotate'], environment)))
  expect(rotated.map(({ code, output }) => [code, output])).toEqual([
    [0, expect.stringContaining('sealed with the key')],
    [0, expect.stringContaining('sealed with the key')],
  ])
  const keys: string[] = JSON.parse(readKeyFile(data_dir)).vault.split(',')
  expect(keys).toHaveLength(3)
  expect(keys[2]).toBe(before)
  const newest = keys[0]?.split(':')[0]
  const sealedWith = async (id: string) => {
    const rows = await query(`select encode(substring(card_number from 3 for 8), 'escape') as key
      from transaction_tokens where id = '${id}'`)
    return (rows[0] as { key: string }).key
  }
  for (const [index, running] of [one, other].entries()) {
    let attempts = 0
    await vi.waitFor(async () => {
      attempts += 1
      const card = await newCard(running, data_dir, `rotated-${index}-${attempts}@b.example`)
      expect(await sealedWith(card)).toBe(newest)
    }, 60_000)
  }
  expect(await pay(other, data_dir, first)).toEqual(successful)
  const noted = await query(`select key_id from key_checks where purpose = 'vault'`)
  expect(noted.map((row) => (row as { key_id: string }).key_id).sort()).toEqual(
    keys.map((key) => key.split(':')[0]).sort(),
  )
})

test('of two folders on one empty database, one creates the keys and the other is refused', async () => {
  const { url, query } = await newDatabase('template1')
  const data_dirs = [newFolder(), newFolder()]
  const results = await Promise.allSettled(
    data_dirs.map((data_dir) => start({ DATA_DIR: data_dir, DATABASE_URL: url })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = results.find((result) => result.status === 'rejected')
  expect(String(refused?.reason)).toContain('keys.json is missing')
  expect(data_dirs.filter((data_dir) => existsSync(keyFile(data_dir)))).toHaveLength(1)
  expect(await query('select 1 from key_checks')).toHaveLength(3)
  // Also when the one that has them is gone.
  expect(await started[0]?.stop()).toBe(0)
  const DATA_DIR = data_dirs.find((data_dir) => !existsSync(keyFile(data_dir))) ?? ''
  const { code, output } = await runCommand(['serve'], { DATA_DIR, DATABASE_URL: url })
  expect(code).toBe(1)
  expect(output).toContain('keys.json is missing, which holds the keys of this database')
})

test('keys given as settings follow the same rules, and no file is written', async () => {
  const { url } = await newDatabase()
  const data_dir = newFolder()
  const [vault, fingerprint] = [newKeyText(), newKeyText()]
  const environment = {
    DATA_DIR: data_dir,
    DATABASE_URL: url,
    SIGNING_KEYS: newKeyText(),
    VAULT_KEYS: vault,
    FINGERPRINT_KEYS: fingerprint,
  }
  const first = await start(environment)
  const card = await newCard(first, data_dir)
  expect(await first.stop()).toBe(0)
  expect(existsSync(keyFile(data_dir))).toBe(false)

  const wrong: [setting: string, value: string, sentence: string][] = [
    ['VAULT_KEYS', newKeyText(), 'is not given'],
    ['VAULT_KEYS', `${vault.split(':')[0]}:${newKeyText().split(':')[1]}`, 'is not the one'],
    ['FINGERPRINT_KEYS', `${newKeyText()},${fingerprint}`, 'never changes'],
    ['SIGNING_KEYS', '', 'keys.json is missing'],
  ]
  for (const [setting, value, sentence] of wrong) {
    const given = { ...environment, [setting]: value }
    const { code, output } = await runCommand(['serve'], given)
    expect([setting, code, output]).toEqual([setting, 1, expect.stringContaining(sentence)])
    const looked = await runWords(['doctor'], given)
    expect([setting, looked.code, looked.output]).toEqual([
      setting,
      1,
      expect.stringContaining(sentence),
    ])
  }
  expect(existsSync(keyFile(data_dir))).toBe(false)

  const added = { ...environment, VAULT_KEYS: `${newKeyText()},${vault}` }
  const second = await start(added)
  expect(await pay(second, data_dir, card)).toEqual(successful)
  expect(await second.stop()).toBe(0)
  const without = await runCommand(['serve'], environment)
  expect([without.code, without.output]).toEqual([1, expect.stringContaining('is not given')])
})

test('a database without recorded keys is adopted by those that open it', async () => {
  const { url, query } = await newDatabase()
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: url }
  const first = await start(environment)
  const card = await newCard(first, data_dir)
  expect(await first.stop()).toBe(0)
  const right = readKeyFile(data_dir)
  await query('delete from key_checks')

  rmSync(keyFile(data_dir))
  const missing = await runCommand(['serve'], environment)
  expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('is missing')])
  expect(existsSync(keyFile(data_dir))).toBe(false)
  writeKeyFile(data_dir, foreignKeys())
  const foreign = await runCommand(['serve'], environment)
  expect([foreign.code, foreign.output]).toEqual([
    1,
    expect.stringContaining('do not belong to this database'),
  ])
  expect(await query('select 1 from key_checks')).toEqual([])

  writeKeyFile(data_dir, right)
  const again = await start(environment)
  expect(await query('select 1 from key_checks')).toHaveLength(3)
  expect(await pay(again, data_dir, card)).toEqual(successful)
})

test('migrate creates no keys; the first start on its empty schema does', async () => {
  const { url } = await newDatabase('template1')
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: url }
  expect((await runCommand(['migrate'], environment)).code).toBe(0)
  expect((await runWords(['doctor'], environment)).output).toContain('ok     keys')
  expect(existsSync(keyFile(data_dir))).toBe(false)
  const running = await start(environment)
  expect(await pay(running, data_dir, await newCard(running, data_dir))).toEqual(successful)
  expect(existsSync(keyFile(data_dir))).toBe(true)
})
