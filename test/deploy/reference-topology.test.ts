import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProxy, proxies_advice } from '../../scripts/programs/proxies.mjs'
import { findRedis, redis_advice } from '../../scripts/programs/redis.mjs'
import { signAppToken } from '../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../src/accounts/app-tokens/create-app-token.ts'
import { readConfig } from '../../src/config.ts'
import { newLog } from '../../src/log.ts'
import { openService } from '../../src/open-service.ts'
import {
  freePort,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'
import { makeSecrets, readCompose, readDeployed } from './compose-file.ts'

// The processes of compose.yaml without containers: its settings, its secrets, its configuration of HAProxy
// and of Valkey. Only addresses, ports and paths are those of the test.
const secrets = makeSecrets()
const folders: string[] = []
const children: ChildProcess[] = []
const nodes: Running[] = []
const metrics_ports: string[] = []
let settings: Record<string, string>
let proxy_url: string
const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: 40 })

function atTestPaths(text: string): string {
  return text.replaceAll('/run/secrets', secrets.folder)
}

function start(program: string | null, advice: string, args: string[]): void {
  if (program === null) throw new Error(advice)
  children.push(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }))
}

function writeConfiguration(name: string, text: string): string {
  const path = join(secrets.folder, name)
  writeFileSync(path, text)
  return path
}

/** Starts a node, and returns where it listens. */
async function startNode(): Promise<string> {
  const DATA_DIR = temporaryFolder()
  folders.push(DATA_DIR)
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
  metrics_ports.push(METRICS_PORT)
  nodes.push(await startProcess({ ...settings, DATA_DIR, PORT, METRICS_PORT }))
  return `127.0.0.1:${PORT}`
}

async function startProxy(first: string, second: string): Promise<void> {
  const [plain, tls, metrics] = [await freePort(), await freePort(), await freePort()]
  const text = atTestPaths(readDeployed('haproxy/haproxy.cfg'))
    .replace('bind :8080', `bind 127.0.0.1:${plain}`)
    .replace('bind :8443', `bind 127.0.0.1:${tls}`)
    .replace('bind :8405', `bind 127.0.0.1:${metrics}`)
    .replace('node-1:8080', first)
    .replace('node-2:8080', second)
  start(findProxy('haproxy'), proxies_advice, [
    '-db',
    '-f',
    writeConfiguration('haproxy.cfg', text),
  ])
  proxy_url = `https://127.0.0.1:${tls}`
  while (!(await isServed())) await sleep(50)
}

async function isServed(): Promise<boolean> {
  const response = await request(`${proxy_url}/readyz`, { dispatcher: agent }).catch(() => null)
  await response?.body.dump()
  return response?.statusCode === 200
}

beforeAll(async () => {
  const port = await freePort()
  const valkey = atTestPaths(readDeployed('valkey/valkey.conf'))
  const args = [writeConfiguration('valkey.conf', valkey), '--port', String(port)]
  start(findRedis(), redis_advice, [...args, '--bind', '127.0.0.1', '--loglevel', 'warning'])
  const shared = secrets.read('shared_state_url').replace('valkey:6379', `127.0.0.1:${port}`)
  const [database_url, shared_state_url] = ['test_database_url', 'test_shared_state_url']
  const given = readCompose().services['node-1']?.environment ?? {}
  settings = {
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, atTestPaths(String(value))]),
    ),
    BASE_URL: 'https://localhost:8443',
    TRUSTED_PROXIES: '127.0.0.1',
    PROCESSES: '1',
    DATABASE_URL_FILE: writeConfiguration(database_url, `${databaseUrl(await newDatabase())}\n`),
    SHARED_STATE_URL_FILE: writeConfiguration(shared_state_url, `${shared}\n`),
    WEBHOOK_TARGETS: 'any',
  }
  const { code, output } = await runCommand(['migrate'], settings)
  expect(output).toContain('Applied: 0001')
  expect(code).toBe(0)
  await startProxy(await startNode(), await startNode())
})
afterAll(async () => {
  await agent.destroy()
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) removeFolder(folder)
  secrets.remove()
})

/** Application tokens of the demo store, so that no request meets a rate limit. */
async function storeTokens(count: number): Promise<string[]> {
  const config = readConfig({ ...settings, DATA_DIR: folders[0] })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  const path = join(folders[0] ?? '', 'credentials.json')
  const { merchant_id, store_id } = JSON.parse(readFileSync(path, 'utf8'))
  const mode = 'test' as const
  const tokens: string[] = []
  for (let made = 0; made < count; made += 1) {
    const wanted = {
      merchant_id,
      creator_id: merchant_id,
      store: { id: store_id, mode, domains: [] },
    }
    const created = await createAppToken(service, wanted)
    tokens.push(`Bearer ${created.secret}.${await signAppToken(service, created.token)}`)
  }
  await close()
  return tokens
}

test('alerts and the dashboard use metrics that a node has', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metrics_ports[0]}/metrics`)).text()
  const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : name,
  )
  const used = ['prometheus/alerts.yaml', 'prometheus/alerts.test.yaml', 'grafana/kaikei.json']
    .map(readDeployed)
    .flatMap((file) => file.match(/\b(kaikei|nodejs|process)_[a-z0-9_]+\b/g) ?? [])
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((name) => !exposed.includes(name))).toEqual([])
})

/** Pauses between payments of a client: the result must not depend on the speed of the machine. */
const pause_ms = 100
const card = { card_number: '4242424242424242', exp_month: 12, exp_year: 2030, cvv: '123' }
const new_token = {
  payment_type: 'card',
  email: 'taro@example.com',
  data: { cardholder: 'Taro Yamada', ...card },
}

test('payments while one of two nodes stops: no error', async () => {
  const tokens = await storeTokens(10)
  const faults: string[] = []
  let answered = 0
  const post = async (path: string, authorization: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const text = JSON.stringify(body)
    const options = { method: 'POST', headers, body: text, dispatcher: agent } as const
    const response = await request(`${proxy_url}${path}`, options)
    const said = await response.body.text()
    if (response.statusCode !== 201) throw new Error(`${path} ${response.statusCode} ${said}`)
    answered += 1
    return JSON.parse(said) as { id: string }
  }
  const pay = async (authorization: string) => {
    try {
      const { id: transaction_token_id } = await post('/tokens', authorization, new_token)
      const charge = { transaction_token_id, amount: 1000, currency: 'JPY' }
      await post('/charges', authorization, charge)
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  let paying = true
  const client = async (authorization: string) => {
    for (; paying; await sleep(pause_ms)) await pay(authorization)
  }
  const clients = Promise.all(tokens.map(client))
  const untilMore = async (count: number) => {
    for (const wanted = answered + count; answered < wanted && faults.length === 0; )
      await sleep(20)
  }
  await untilMore(200)
  const began_ms = performance.now()
  expect(await nodes[0]?.stop('SIGTERM')).toBe(0)
  const stop_ms = performance.now() - began_ms
  await untilMore(200)
  paying = false
  await clients
  expect(faults).toEqual([])
  expect(stop_ms).toBeLessThan(10_000)
})
