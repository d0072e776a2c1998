import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addConnector } from '../../src/accounts/connectors/connectors-store.ts'
import { runAllDue } from '../../src/worker/worker.ts'
import { card_number } from '../support/acquirer/acquirer-world.ts'
import { type BookAcquirer, newBookAcquirer } from '../support/acquirer/book-acquirer.ts'
import { payments } from '../support/payments.ts'
import { bundleProgram } from '../support/rules/bundle-module.ts'
import { newWorld, type TestMerchant, type World } from '../support/world.ts'

// Acquirers keep their own record in this process. Killed workers are processes of their own, and die by
// kill -9; another one continues their work. No payment may be taken by two acquirers.
let world: World
let shop: TestMerchant
let a: BookAcquirer
let b: BookAcquirer
let environment: Record<string, string>
let worker_program: string

beforeAll(async () => {
  const keys = { SIGNING_KEYS: 's', VAULT_KEYS: 'v', FINGERPRINT_KEYS: 'f' }
  world = await newWorld()
  worker_program = await bundleProgram(
    'test/support/acquirer/connector-worker.ts',
    'connector-worker',
  )
  const { config } = world.service
  for (const name of Object.keys(keys) as (keyof typeof keys)[]) {
    keys[name] = config[name.toLowerCase() as 'vault_keys'] ?? ''
  }
  const { data_dir, database_url } = config
  environment = { ...keys, DATA_DIR: data_dir, DATABASE_URL: database_url ?? '' }
  a = await newBookAcquirer()
  b = await newBookAcquirer()
  for (const [name, at] of Object.entries({ a, b })) {
    const settings = { url: at.url, account: 'installation' }
    await addConnector(world.service, { name, kind: 'book', owner: null, settings })
  }
})
afterAll(async () => {
  await world.close()
  await Promise.all([a.die(), b.die()])
})
beforeEach(async () => {
  b.onAuthorization = () => {}
  world.clock.advance(60_000)
  shop = await world.merchant({ mode: 'live', verified: true })
})

function startWorker(settings: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...environment, ...settings }
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  return spawn(process.execPath, [worker_program], { env, stdio: [...stdio] })
}

const endOf = (child: ChildProcess) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))

const newCharge = async () =>
  (await payments(world, shop).charge({}, { data: { card_number } })).body.id as string

async function stored(id: string) {
  const query = 'select provider, status, claims from charges where id = $1'
  return (await world.store.pool.query(query, [id])).rows[0]
}

/** The lease of the process that died is over, and this process does the rest. */
async function recover(id: string): Promise<void> {
  const at = new Date(world.clock.now())
  await world.store.pool.query('update charges set due_on = $2 where id = $1', [id, at])
  world.clock.advance(1000)
  await runAllDue(world.service)
}

test.each([
  ['after provider authorize', 'a'],
  ['before fall-back', 'a'],
  ['after fall-back', 'b'],
] as const)('killed %s: the payment continues at %s, and is taken once', async (FAILPOINT, at) => {
  const id = await newCharge()
  await a.die()
  try {
    expect(await endOf(startWorker({ FAILPOINT }))).toBe('SIGKILL')
    expect(await stored(id)).toMatchObject({ provider: at, status: 'pending', claims: 1 })
    expect([a.taken(id), b.taken(id)]).toEqual([0, 0])
    await recover(id)
    // That the first did nothing is not known any more: nothing is sent elsewhere until it says so itself.
    if (at === 'a')
      expect([await stored(id), b.taken(id)]).toMatchObject([{ status: 'pending' }, 0])
  } finally {
    await a.comeBack()
  }
  await recover(id)
  expect(await stored(id)).toMatchObject({ provider: at, status: 'successful' })
  expect([a.taken(id), b.taken(id)]).toEqual(at === 'a' ? [1, 0] : [0, 1])
})

test('killed while the second connector takes the payment: it is found there, and is taken once', async () => {
  const id = await newCharge()
  await a.die()
  try {
    const worker = startWorker()
    const ended = endOf(worker)
    b.onAuthorization = () => {
      worker.kill('SIGKILL')
      return ended
    }
    expect(await ended).toBe('SIGKILL')
  } finally {
    await a.comeBack()
  }
  b.onAuthorization = () => {}
  await recover(id)
  expect(await stored(id)).toMatchObject({ provider: 'b', status: 'successful' })
  expect([a.taken(id), b.taken(id)]).toEqual([0, 1])
})

/** Creating many takes a while by the clock of the test: each begins when its turn comes. */
async function makeDue(next: string[], later: string[]): Promise<void> {
  const at = new Date(world.clock.now())
  const update = 'update charges set created_on = $2, due_on = $3 where id = any($1::uuid[])'
  await world.store.pool.query(update, [later, at, new Date(at.getTime() + 86_400_000)])
  await world.store.pool.query(update, [next, at, at])
}

test('an acquirer dies in the middle of many charges: none is taken twice, all others continue at the next', async () => {
  const total = Number(process.env.FALL_BACK_CHARGES ?? 60)
  const together = Math.max(12, Math.ceil(total / 20))
  const nodes = [world, await world.another(), await world.another()]
  const work = () => Promise.all(nodes.map(({ service }) => runAllDue(service)))
  let arrived = 0
  a.onAuthorization = () => {
    arrived += 1
    // Others are on their way then: some are taken, and all of their responses are lost.
    if (arrived === Math.ceil(total / 3)) void a.die()
  }
  const ids: string[] = []
  while (ids.length < total) ids.push(await newCharge())
  for (let first = 0; first < total; first += together) {
    await makeDue(ids.slice(first, first + together), ids.slice(first + together))
    await work()
  }
  const undecided = (await Promise.all(ids.map(stored))).filter(
    ({ status }) => status === 'pending',
  )
  expect(undecided.length).toBeGreaterThan(0)
  expect(undecided.every(({ provider }) => provider === 'a')).toBe(true)
  expect(ids.filter((id) => b.taken(id) > 0).length).toBeGreaterThan(total / 3)
  await a.comeBack()
  a.onAuthorization = () => {}
  for (let passed = 0; passed < 9; passed += 1) {
    world.clock.advance(60_000)
    await work()
  }
  const ended = await Promise.all(ids.map(stored))
  expect(ended.filter(({ status }) => status !== 'successful')).toEqual([])
  expect(ids.filter((id) => a.taken(id) + b.taken(id) !== 1)).toEqual([])
  const at = (name: string) => ended.filter(({ provider }) => provider === name).length
  expect(at('a') + at('b')).toBe(ids.length)
  if (process.env.FALL_BACK_CHARGES) {
    console.info(
      `${ids.length}: ${at('a')} at a, ${undecided.length} unknown at first, ${at('b')} at b`,
    )
  }
})
