import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { newLog } from '../../src/log.ts'
import { openService } from '../../src/open-service.ts'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// The real program is killed after the customs call and before its result is stored.
let data_dir: string
let running: Running
let auth: string
let store_path: string

beforeEach(() => {
  data_dir = usedFolder()
})
afterEach(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

async function start(FAILPOINT?: string): Promise<void> {
  running = await startProcess({ DATA_DIR: data_dir, ...(FAILPOINT ? { FAILPOINT } : {}) })
  const text = readFileSync(join(data_dir, 'credentials.json'), 'utf8')
  const { secret, jwt, store_id } = JSON.parse(text)
  auth = `Bearer ${secret}.${jwt}`
  store_path = `/stores/${store_id}`
}

async function call(method: string, path: string, body?: object) {
  const headers = { authorization: auth, ...(body ? { 'content-type': 'application/json' } : {}) }
  const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetchWhenFree(`${running.url}${path}`, request)
  return JSON.parse(await response.text())
}

async function until(path: string, status: string): Promise<void> {
  for (let attempts = 0; attempts < 300; attempts += 1) {
    if ((await call('GET', `${path}?polling=true`)).status === status) return
    await sleep(300)
  }
  throw new Error(`${path} is not ${status}: ${running.output().slice(-1000)}`)
}

const gone = (): Promise<void> =>
  running.child.exitCode !== null || running.child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => running.child.once('exit', () => resolve()))

async function paidCharge(): Promise<string> {
  const data = { brand: 'we_chat_online', call_method: 'app' }
  const token = await call('POST', '/tokens', { payment_type: 'online', data })
  const money = { amount: 1000, currency: 'JPY' }
  const { id } = await call('POST', '/charges', { transaction_token_id: token.id, ...money })
  await until(`${store_path}/charges/${id}`, 'awaiting')
  await call('POST', `/test/charges/${id}/complete`, { outcome: 'successful' })
  await until(`${store_path}/charges/${id}`, 'successful')
  return `${store_path}/charges/${id}/customs`
}

/** The declarations that the simulator received, and how often each. */
async function reported(): Promise<number[]> {
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  try {
    const { rows } = await sql<{ received: number }>`
      select received from simulator_operations where kind = 'customs'`.execute(service.db)
    return rows.map(({ received }) => received)
  } finally {
    await close()
  }
}

test('killed between the call to customs and its result: after the restart it is done, once', async () => {
  await start('after provider declare_customs')
  const path = await paidCharge()
  const declaration = {
    customs: 'NINGBO',
    merchant_customs_no: '3302',
    certificate_id: '330821198809085211',
    certificate_name: 'Zhang San',
  }
  const { id } = await call('POST', path, { declaration })
  await gone()
  expect(running.child.signalCode).toBe('SIGKILL')
  await start()
  await until(`${path}/${id}`, 'successful')
  expect(await reported()).toEqual([1])
  expect((await call('GET', `${path}/${id}/attempts`)).items).toHaveLength(1)
  const checked = await runCommand(['doctor'], { DATA_DIR: data_dir })
  expect(checked).toMatchObject({ code: 0, output: expect.not.stringContaining('WRONG') })
})
