import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  demoTokens,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'

// Backups of a service that continues meanwhile, and their restored data.
let folder: string
let running: Running
let tokens: string[]

const passphrase = 'nine words that nobody has used before'
const data_dir = () => join(folder, 'data')
const files = () => readdirSync(join(folder, 'files')).map((name) => join(folder, 'files', name))
const environment = (changed: Record<string, string> = {}) => ({
  DATA_DIR: data_dir(),
  BACKUP_DIR: join(folder, 'files'),
  ...changed,
})
const backup = (args: string[], changed?: Record<string, string>) =>
  runCommand(['backup', ...args], environment(changed))

beforeAll(async () => {
  folder = temporaryFolder()
  running = await startProcess(environment())
  tokens = await demoTokens(data_dir(), 8, 'store')
})
afterAll(async () => {
  await running.stop()
  for (const name of readdirSync(folder)) removeFolder(join(folder, name))
  removeFolder(folder)
})

async function post(path: string, body: object, authorization: string) {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(running.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string }
}

const card = {
  cardholder: 'TARO YAMADA',
  card_number: '4242424242424242',
  exp_month: '12',
  exp_year: '2030',
  cvv: '123',
}

async function charge(authorization: string): Promise<string> {
  const wanted = { payment_type: 'card', email: 'a@example.com', data: card }
  const { id } = await post('/tokens', wanted, authorization)
  const money = { amount: 100, currency: 'JPY' }
  return (await post('/charges', { transaction_token_id: id, ...money }, authorization)).id
}

/** Makes charges until it is stopped. */
function keepCharging() {
  const made: string[] = []
  let is_over = false
  const work = tokens.map(async (authorization) => {
    // Slower than the rate limit of a token.
    for (; !is_over; await sleep(300)) made.push(await charge(authorization))
  })
  const end = async () => {
    is_over = true
    await Promise.all(work)
  }
  return { made, end }
}

test('a backup under load has every charge from before it, and the doctor finds it right', async () => {
  const load = keepCharging()
  await vi.waitFor(() => expect(load.made.length).toBeGreaterThan(20), 30_000)
  const before = [...load.made]
  const created = await backup(['create', '--with-keys'], { BACKUP_PASSPHRASE: passphrase })
  expect(created.output).toMatch(/\.tar\.gz\.age: complete after [\d.]+ s, with the keys\.\n$/)
  await load.end()
  expect(load.made.length).toBeGreaterThan(before.length)
  const restored = { DATA_DIR: join(folder, 'restored'), BACKUP_PASSPHRASE: passphrase }
  expect(await backup(['restore'], restored)).toMatchObject({ code: 0 })
  const checked = await runCommand(['doctor'], environment(restored))
  expect(checked).toMatchObject({ code: 0, output: expect.not.stringContaining('WRONG') })
  const copy = await startProcess(environment(restored))
  try {
    const { store_id } = JSON.parse(readFileSync(join(data_dir(), 'credentials.json'), 'utf8'))
    for (const id of before) {
      const headers = { authorization: tokens[0] ?? '' }
      const found = await fetch(`${copy.url}/stores/${store_id}/charges/${id}`, { headers })
      expect(found.status).toBe(200)
    }
  } finally {
    await copy.stop()
  }
}, 180_000)

test('without a passphrase it is an ordinary archive, without keys', async () => {
  const { code, output } = await backup(['create'])
  expect({ code, output }).toMatchObject({ code: 0 })
  const path = files().find((name) => name.endsWith('.tar.gz')) ?? ''
  const names = execFileSync('tar', ['tzf', path]).toString().split('\n')
  expect(names).toContain('postgres/data/backup_label')
  expect(names).not.toContain('keys.json')
  expect(names.join()).not.toMatch(/cvv-keys|postmaster\.pid|credentials/)
  const listed = JSON.parse((await backup(['list', '--json'])).output)
  expect(listed[0].path).toBe(path)
  expect((await backup(['verify', path])).output).toMatch(/all \d+ files are unchanged/)
  expect((await backup(['verify', path, '--drill'])).output).toMatch(
    /restored in [\d.]+ s; started and checked in [\d.]+ s\.\n.*\nThe doctor found no faults/,
  )
  expect(readdirSync(folder).filter((name) => name.includes('drill'))).toEqual([])
}, 180_000)

test('a damaged or cut off file, and a wrong passphrase, are found; nothing is restored', async () => {
  const plain = files().find((name) => name.endsWith('.tar.gz')) ?? ''
  const sealed = files().find((name) => name.endsWith('.age')) ?? ''
  const bytes = readFileSync(plain)
  const cut = join(folder, 'cut.tar.gz')
  cpSync(plain, cut)
  truncateSync(cut, Math.floor(bytes.length / 2))
  const changed = join(folder, 'changed.tar.gz')
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  writeFileSync(changed, bytes)
  const nowhere = { DATA_DIR: join(folder, 'nowhere') }
  for (const path of [cut, changed]) {
    const { code, output } = await backup(['restore', path], nowhere)
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringMatching(/damaged|incomplete/),
    })
  }
  const wrong = { ...nowhere, BACKUP_PASSPHRASE: 'another passphrase of nine' }
  expect((await backup(['restore', sealed], wrong)).output).toContain(
    'does not decrypt this backup',
  )
  expect((await backup(['restore', sealed], nowhere)).output).toContain('set BACKUP_PASSPHRASE')
  expect(existsSync(join(folder, 'nowhere', 'postgres'))).toBe(false)
  expect(existsSync(join(folder, 'nowhere', 'keys.json'))).toBe(false)
}, 180_000)

test('an impossible operation is refused in a sentence', async () => {
  const said = async (args: string[], changed?: Record<string, string>) =>
    (await backup(args, changed)).output.trim()
  expect(await said(['create', '--with-keys'])).toMatch(/set BACKUP_PASSPHRASE\.$/)
  expect(await said(['restore'])).toMatch(/has a database already/)
  expect(await said(['verify', 'none.tar.gz'])).toMatch(/There is no backup none\.tar\.gz/)
  const external = { DATABASE_URL: 'postgresql://u@127.0.0.1:1/d' }
  expect(await said(['create'], external)).toMatch(/backs up the embedded database/)
  expect(await said(['create'], { BACKUP_PASSPHRASE: 'short' })).toMatch(/at least 16 characters/)
  expect(files().filter((name) => name.endsWith('unfinished'))).toEqual([])
})
