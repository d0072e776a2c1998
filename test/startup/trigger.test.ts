import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ApiResponse } from '../../src/commands/line/api-client.ts'
import { store_events } from '../../src/events/event-names.ts'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  startProcess,
} from '../support/fleet/running-process.ts'
import { runWords } from '../support/setup/command-line.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// `kaikei trigger` beside a running service: it causes its event, and changes nothing else of the shop.
let data_dir: string
let running: Running
let authorization: string

beforeAll(async () => {
  data_dir = usedFolder()
  running = await startProcess({ DATA_DIR: data_dir })
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  authorization = `Bearer ${secret}.${jwt}`
})
afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

async function call(method: string, path: string, body?: object): Promise<ApiResponse> {
  const response = await fetchWhenFree(`${running.url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (response.status === 429) {
    await sleep(200)
    return call(method, path, body)
  }
  return (await response.json()) as ApiResponse
}

const trigger = (...words: string[]) => runWords(['trigger', ...words], { DATA_DIR: data_dir })
const eventsNow = async () =>
  (await call('GET', '/events?limit=100')).items as { event: string; resource_id: string }[]

test.each([
  ['subscription_completed', 'completed'],
  ['checkout_expired', 'expired'],
])('%s moves no clock, and expires no other session of the shop', async (name, status) => {
  const other = await call('POST', '/checkout_sessions', { amount: 500, currency: 'JPY' })
  const { code, output, errors } = await trigger(name)
  expect([code, errors]).toEqual([0, ''])
  const created = JSON.parse(output)
  expect(created.status).toBe(status)
  await vi.waitFor(async () => {
    const found = (await eventsNow()).filter((one) => one.event === name)
    expect(found.map((one) => one.resource_id)).toContain(created.id)
  })
  expect(Math.abs((await call('GET', '/test/clock')).ahead_ms)).toBeLessThan(60_000)
  const store = `/stores/${other.store_id}`
  expect((await call('GET', `${store}/checkout_sessions/${other.id}`)).status).toBe('open')
})

test('--dry-run prints the requests of every event and sends none of them', async () => {
  const before = (await eventsNow()).length
  for (const name of store_events) {
    const { code, output, errors } = await trigger(name, '--dry-run')
    expect([code, errors], name).toEqual([0, ''])
    expect(output, name).toMatch(/^POST \/(tokens|checkout_sessions)\n/)
    expect(output, name).not.toContain('/test/clock')
    expect(output, name).not.toMatch(/\d{13}/)
  }
  expect((await eventsNow()).length).toBe(before)
})
