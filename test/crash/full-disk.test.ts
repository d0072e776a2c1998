import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  beginProcess,
  breakServer,
  demoTokens,
  freePort,
  mendServer,
  postmasterPid,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { mountSmallDisk, type SmallDisk } from '../support/setup/small-disk.ts'
import { newWorld } from '../support/world.ts'

// The real program on a disk that is really full. Where a small disk cannot be mounted, the errors of a
// full disk come from the database itself, which is set up to fail every write with them.
const data_dir = temporaryFolder()
const disk = mountSmallDisk(data_dir, 300)
let running: Running
let tokens: string[]

beforeAll(async () => {
  running = await startProcess({ DATA_DIR: data_dir })
  tokens = await demoTokens(data_dir, 10)
})
afterAll(async () => {
  await running.stop('SIGKILL')
  disk?.makeRoom()
  removeFolder(join(data_dir, 'nothing'), data_dir)
  disk?.remove()
  removeFolder(data_dir)
})

async function send(path: string, authorization: string, body: object) {
  const response = await fetch(running.url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code } = (await response.json()) as { code?: string }
  return { status: response.status, code, retry_after: response.headers.get('retry-after') }
}

function createToken() {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  const card = { card_number: '4242424242424242', exp_month: 12, exp_year: 2040, cvv: '123' }
  const body = { payment_type: 'card', email: 'a@b.example', data: { cardholder: 'A B', ...card } }
  return send('/tokens', `Bearer ${secret}.${jwt}`, body)
}

let stores = 0

function createStore() {
  stores += 1
  return send('/stores', tokens[stores % 10] ?? '', { name: `Store ${stores}` })
}

async function readiness() {
  const response = await fetch(`${running.url}/readyz`)
  const { message = 'ready' } = (await response.json()) as { message?: string }
  return { status: response.status, message }
}

/** Writes until one is refused for lack of space; every refusal on the way is 503 with Retry-After. */
async function writeUntilRefused(write: typeof createToken): Promise<void> {
  for (;;) {
    const response = await write()
    if (response.status === 201 || response.status === 429) await sleep(100)
    else {
      expect(response).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE', retry_after: '1' })
      return
    }
  }
}

async function readyAgain(): Promise<void> {
  const isReady = async () => expect(await readiness()).toEqual({ status: 200, message: 'ready' })
  await vi.waitFor(isReady, { timeout: 60_000, interval: 200 })
  const writes = async () => {
    expect((await createToken()).status).toBe(201)
    expect((await createStore()).status).toBe(201)
  }
  await vi.waitFor(writes, { timeout: 60_000, interval: 200 })
}

async function onFullDisk({ fill, makeRoom }: SmallDisk): Promise<void> {
  fill()
  const isFull = async () => {
    const { status, message } = await readiness()
    expect(status).toBe(503)
    expect(message).toMatch(
      /^The database cannot be written to: its disk is full; the data folder /,
    )
  }
  await vi.waitFor(isFull, { timeout: 60_000, interval: 200 })
  // The key for security codes is a new file every ten seconds.
  await writeUntilRefused(createToken)
  makeRoom()
  await readyAgain()
}

test('a full disk is 503 with Retry-After and never 500, readiness says why, and the service recovers', async () => {
  await readyAgain()
  if (disk) await onFullDisk(disk)
  else await withRefusals()
})

/** Every write of a store fails as in a database on a full disk. */
async function withRefusals(): Promise<void> {
  const { output } = await runCommand(['database-url'], { DATA_DIR: data_dir })
  const client = new pg.Client(output.trim())
  await client.connect()
  await client.query(`
    create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger no_room before insert on stores execute function no_room();
    create trigger no_room before update on schema_migrations execute function no_room()`)
  await writeUntilRefused(createStore)
  await vi.waitFor(async () => {
    expect((await readiness()).message).toBe('The database cannot be written to: its disk is full.')
  })
  await client.query('drop function no_room cascade')
  await client.end()
  await readyAgain()
}

test('a database that dies for lack of disk space restarts when there is some', async () => {
  if (disk) {
    disk.fill()
    await endDatabase()
  } else {
    breakServer(data_dir)
    process.kill(postmasterPid(data_dir), 'SIGKILL')
  }
  const tried = () => expect(running.output()).toContain('The next attempt is in')
  await vi.waitFor(tried, { timeout: 60_000, interval: 50 })
  const isAway = async () => expect((await readiness()).status).toBe(503)
  await vi.waitFor(isAway, { timeout: 60_000, interval: 200 })
  for (let count = 0; count < 20; count += 1) {
    expect([503, 429]).toContain((await createStore()).status)
    await sleep(20)
  }
  expect((await fetch(`${running.url}/livez`)).status).toBe(200)
  if (disk) disk.makeRoom()
  else mendServer(data_dir)
  await readyAgain()
})

/** The next WAL segment finds no space, which the server does not survive. */
async function endDatabase(): Promise<void> {
  const { output } = await runCommand(['database-url'], { DATA_DIR: data_dir })
  const client = new pg.Client(output.trim())
  client.on('error', () => {})
  await client.connect()
  for (let count = 0; count < 40; count += 1) {
    const ended = await client
      .query('select pg_logical_emit_message(true, $1, repeat($1, 4000000)), pg_switch_wal()', [
        'x',
      ])
      .then(
        () => false,
        () => true,
      )
    if (ended) break
  }
  await client.end().catch(() => {})
}

test('a log on a full disk neither stops the service nor prevents its end', async () => {
  const full = openSync('/dev/full', 'w')
  const folder = temporaryFolder()
  const port = await freePort()
  const environment = { DATA_DIR: folder, PORT: String(port) }
  const { child, ended } = beginProcess(environment, { stdio: ['ignore', full, full] })
  closeSync(full)
  try {
    const isLive = async () => expect((await fetch(`${url}/livez`)).status).toBe(200)
    const url = `http://127.0.0.1:${port}`
    await vi.waitFor(isLive, { timeout: 60_000, interval: 100 })
    // Each is a line of the log.
    for (let count = 0; count < 20; count += 1) await isLive()
    child.kill('SIGTERM')
    const late = sleep(30_000, 'still running', { ref: false })
    expect(await Promise.race([ended, late])).toBe(0)
  } finally {
    child.kill('SIGKILL')
    removeFolder(folder)
  }
})

// Through HTTP: the error of the database decides, whatever its cause.
const refusing = [
  ...['53100', '53200', '53300', '53400', '25006', '57P01', '57P03', '58030', '58P01', '08006'],
  ...['40001', '40P01', '55P03', '57014', '28000'],
]

test('every SQLSTATE that means "not now" is 503 with Retry-After, and others stay 500', async () => {
  const world = await newWorld()
  const shop = await world.merchant()
  await world.store.pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = new.name; end $$;
    create trigger refuse before insert on stores for each row execute function refuse()`)
  const responses: Record<string, unknown> = {}
  for (const name of [...refusing, '22012']) {
    world.clock.advance(60_000)
    const response = await world.call('POST', '/stores', { auth: shop.as_merchant, body: { name } })
    responses[name] = [response.status, response.headers['retry-after']]
  }
  const expected = refusing.map((state) => [state, [503, '1']])
  expect(responses).toEqual({ ...Object.fromEntries(expected), '22012': [500, undefined] })
  await world.close()
})
