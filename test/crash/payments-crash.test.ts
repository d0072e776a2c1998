import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signAppToken } from '../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../src/accounts/app-tokens/create-app-token.ts'
import { createMerchant } from '../../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../../src/accounts/stores/create-store.ts'
import { readConfig } from '../../src/config.ts'
import { newLog } from '../../src/log.ts'
import { openService } from '../../src/open-service.ts'
import {
  type Running,
  removeFolder,
  runCommand,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// The real program, really killed; afterwards the provider's operations log must equal the ledger. The
// tests share one database: each finds it as the previous kill left it.
let data_dir: string
let running: Running

afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

interface Credential {
  auth: string
  store_id: string
}

function demo(): Credential {
  const { secret, jwt, store_id } = JSON.parse(
    readFileSync(join(data_dir, 'credentials.json'), 'utf8'),
  )
  return { auth: `Bearer ${secret}.${jwt}`, store_id }
}

async function call(method: string, path: string, auth: string, body?: object, key?: string) {
  const response = await fetch(`${running.url}${path}`, {
    method,
    headers: {
      authorization: auth,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}

function newToken(auth: string, email = 'crash@example.com') {
  return call('POST', '/tokens', auth, {
    payment_type: 'card',
    email,
    data: {
      cardholder: 'A B',
      card_number: '4242424242424242',
      exp_month: 12,
      exp_year: 2040,
      cvv: '123',
    },
  })
}

async function newCharge(auth: string, body: object = {}, email?: string): Promise<string> {
  const token = await newToken(auth, email)
  const charge = await call('POST', '/charges', auth, {
    transaction_token_id: token.body.id,
    amount: 1000,
    currency: 'JPY',
    ...body,
  })
  expect(charge.status).toBe(201)
  return charge.body.id
}

async function until(path: string, auth: string, wanted: (body: { status: string }) => boolean) {
  for (let attempts = 0; attempts < 200; attempts += 1) {
    const { status, body } = await call('GET', `${path}?polling=true`, auth)
    if (status === 200 && wanted(body)) return body
    await sleep(status === 429 ? 1000 : 100)
  }
  throw new Error(`${path} did not get there: ${running.output().slice(-1000)}`)
}

const gone = (): Promise<void> =>
  running.child.exitCode !== null || running.child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => running.child.once('exit', () => resolve()))

async function checkLedger(): Promise<void> {
  const checked = await runCommand(['doctor'], { DATA_DIR: data_dir })
  expect(checked.output).not.toContain('WRONG')
  expect(checked.code).toBe(0)
}

type Flow = 'capture' | 'lost answer' | 'authorize' | 'refund' | 'cancel'

/**
 * Each process completes the work of the previous one, so neighbours die at different operations.
 */
const killed_at: [failpoint: string, Flow][] = [
  ['before provider refund', 'refund'],
  ['before provider authorize', 'capture'],
  ['after provider refund', 'refund'],
  ['after provider authorize', 'capture'],
  ['before provider void', 'cancel'],
  ['after provider authorize', 'lost answer'],
  ['after provider void', 'cancel'],
  ['after provider authorize', 'authorize'],
]

const chargePath = (id: string) => `/stores/${demo().store_id}/charges/${id}`
const isDone = ({ status }: { status: string }) => status !== 'pending'

/** Charges that refunds and cancels need, created by the first process, which dies at a refund only. */
const ready: { flow: Flow; id: string }[] = []

beforeAll(async () => {
  data_dir = usedFolder()
  await startDying(0)
  const { auth } = demo()
  for (const [, flow] of killed_at) {
    if (flow !== 'refund' && flow !== 'cancel') continue
    const id = await newCharge(auth, { capture: flow === 'refund' })
    await until(chargePath(id), auth, isDone)
    ready.push({ flow, id })
  }
})

/** Starts the process that dies in the given case; after the last one, a process that does not. */
async function startDying(index: number): Promise<void> {
  const [FAILPOINT] = killed_at[index] ?? []
  running = await startProcess({ DATA_DIR: data_dir, ...(FAILPOINT ? { FAILPOINT } : {}) })
}

/** Starts the operation that kills the process; returns where its result will be. */
async function begin(flow: Flow): Promise<string> {
  const { auth } = demo()
  if (flow === 'capture') return chargePath(await newCharge(auth))
  // The simulator decides a plain charge when it is settled; this one it has taken when the process dies.
  if (flow === 'lost answer')
    return chargePath(await newCharge(auth, {}, 'crash+timeout@example.com'))
  if (flow === 'authorize') return chargePath(await newCharge(auth, { capture: false }))
  const index = ready.findIndex((one) => one.flow === flow)
  const path = chargePath(ready.splice(index, 1)[0]?.id ?? '')
  const body = flow === 'refund' ? { amount: 400, currency: 'JPY' } : {}
  const made = await call('POST', `${path}/${flow}s`, auth, body)
  return `${path}/${flow}s/${made.body.id}`
}

test.each(killed_at)(
  'killed %s (%s): after the restart it is done, once',
  async (failpoint, flow) => {
    const next = killed_at.findIndex(([at, by]) => at === failpoint && by === flow) + 1
    const target = await begin(flow)
    await gone()
    expect(running.child.signalCode).toBe('SIGKILL')
    await startDying(next)
    const ended = await until(target, demo().auth, isDone)
    expect(ended.status).toBe(flow === 'authorize' ? 'authorized' : 'successful')
    // The ledger holds what all of them did: it is checked after the last.
    if (next === killed_at.length) await checkLedger()
  },
)

async function manyStores(count: number): Promise<string[]> {
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  const credentials: string[] = []
  for (let made = 0; made < count; made += 1) {
    const { id } = await createMerchant(service, { name: `M${made}`, email: 'm@example.com' })
    const store = await createStore(service, id, { name: 'S' })
    const { token, secret } = await createAppToken(service, {
      merchant_id: id,
      creator_id: id,
      store: { id: store.id, mode: 'test', domains: [] },
    })
    credentials.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
  }
  await close()
  return credentials
}

test('64 connections create charges while the process is killed twice: each acknowledged one ends, once', async () => {
  const total = Number(process.env.CRASH_CHARGES ?? 150)
  const credentials = await manyStores(64)
  const acknowledged: string[] = []
  let started = 0
  const client = async (auth: string) => {
    while (started < total) {
      started += 1
      const key = `charge-${started}`
      const token = await created(() => newToken(auth))
      const body = { transaction_token_id: token, amount: 100, currency: 'JPY' }
      acknowledged.push(await created(() => call('POST', '/charges', auth, body, key)))
    }
  }
  /** Sends the same request again, as a shop does that got no response, until it has created. */
  const created = async (send: () => ReturnType<typeof newToken>): Promise<string> => {
    for (;;) {
      const response = await send().catch(() => undefined)
      if (response?.status === 201) return response.body.id
      await sleep(200)
    }
  }
  const clients = credentials.map(client)
  for (const part of [0.3, 0.6]) {
    while (acknowledged.length < total * part) await sleep(10)
    running.child.kill('SIGKILL')
    await gone()
    running = await startProcess({
      DATA_DIR: data_dir,
      LOG_LEVEL: 'error',
      PORT: new URL(running.url).port,
    })
  }
  await Promise.all(clients)
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  try {
    for (let attempts = 0; attempts < 400; attempts += 1) {
      const pending = await service.db
        .selectFrom('charges')
        .select('id')
        .where('status', '=', 'pending')
        .limit(1)
        .execute()
      if (pending.length === 0) break
      await sleep(300)
    }
    const found = await service.db.selectFrom('charges').select(['id', 'status']).execute()
    const ended = new Map(found.map(({ id, status }) => [id, status]))
    expect(acknowledged.filter((id) => ended.get(id) !== 'successful')).toEqual([])
    // One charge a key, also for those whose first response was lost.
    expect(new Set(acknowledged).size).toBe(total)
  } finally {
    await close()
  }
  await checkLedger()
})

test('the vault key is rotated under load and the old one retired: no request fails', async () => {
  const credentials = await manyStores(4)
  const failures: unknown[] = []
  let stop = false
  let made = 0
  const clients = credentials.map(async (auth) => {
    while (!stop) {
      const token = await newToken(auth)
      const body = { transaction_token_id: token.body?.id, amount: 100, currency: 'JPY' }
      const charge = token.status === 201 ? await call('POST', '/charges', auth, body) : token
      if (charge.status === 201) made += 1
      else if (charge.status !== 429) failures.push(charge)
      await sleep(60)
    }
  })
  while (made < 20) await sleep(10)
  const rotated = await runCommand(['vault', 'rotate'], { DATA_DIR: data_dir })
  expect(rotated.output).toMatch(/values are now sealed with the key/)
  await sleep(1500)
  // A key can be retired when the service has noticed the next one.
  const old = await vi.waitFor(
    async () => {
      const again = await runCommand(['vault', 'rotate'], { DATA_DIR: data_dir })
      const found = /The key "(\w+)" can be retired/.exec(again.output)?.[1]
      expect(found, again.output).toBeDefined()
      return found ?? ''
    },
    { timeout: 60_000, interval: 1500 },
  )
  const before = made
  while (made < before + 20) await sleep(10)
  stop = true
  await Promise.all(clients)
  expect(failures).toEqual([])
  const retired = await runCommand(['vault', 'retire', old], { DATA_DIR: data_dir })
  expect(retired).toMatchObject({ code: 0, output: expect.stringContaining('is retired') })
  expect(readFileSync(join(data_dir, 'keys.json'), 'utf8')).not.toContain(`${old}:`)
  expect(await running.stop()).toBe(0)
  running = await startProcess({ DATA_DIR: data_dir })
  const id = await newCharge(credentials[0] ?? '')
  expect(id).toBeTruthy()
  await checkLedger()
})
