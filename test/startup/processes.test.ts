import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { login_rates } from '../../src/core/access/users.ts'
import { rate_limits } from '../../src/core/limits/limits.ts'
import {
  fetchWhenFree,
  freePort,
  isAlive,
  postmasterPid,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'

// The real program with two processes behind one port. Their log shows what they did.
const data_dir = usedFolder()
const metrics_port = String(await freePort())
const started: Running[] = []
let running: Running

async function start(environment: Record<string, string> = {}): Promise<Running> {
  const created = await startProcess({ DATA_DIR: data_dir, PROCESSES: '2', ...environment })
  started.push(created)
  const { PROCESSES = '2' } = environment
  if (PROCESSES !== '1') {
    await vi.waitFor(() => expect(members(created)).toHaveLength(Number(PROCESSES)))
  }
  return created
}

beforeAll(async () => {
  running = await start({ METRICS_PORT: metrics_port })
})
afterAll(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  removeFolder(data_dir)
})

interface Line {
  msg: string
  process?: number
  pid?: number
  route?: string
  delay_ms?: number
}

function log({ output }: Running): Line[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** Every process that ever served, in the order they came up. */
function members(of: Running): { process: number; pid: number }[] {
  return log(of).flatMap(({ msg, process, pid }) =>
    msg === 'service started' && process && pid ? [{ process, pid }] : [],
  )
}

async function gone(...pids: number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]))
}

function credential(): string {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  return `Bearer ${secret}.${jwt}`
}

/** Resolves to the status, or to the error. */
function send(method: string, path: string, agent: Agent): Promise<number | string> {
  const { hostname, port } = new URL(running.url)
  const headers = { authorization: credential(), 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path, method, headers, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', (error) => resolve(error.message))
    sent.end(method === 'POST' ? '{}' : undefined)
  })
}

/** Many concurrent requests over many connections; how many passed, and in what time. */
async function burst(count: number, method: string, path: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 30 })
  const begun_ms = performance.now()
  const sendUntilFree = async () => {
    for (;;) {
      const status = await send(method, path, agent)
      if (status !== 503) return status
      // Too much to do at the moment, which a busy machine causes.
      await sleep(100)
    }
  }
  const statuses = await Promise.all(Array.from({ length: count }, sendUntilFree))
  const passed_ms = performance.now() - begun_ms
  agent.destroy()
  const passed = statuses.filter((status) => status !== 429)
  return { passed: passed.length, statuses: new Set(statuses), passed_ms }
}

/**
 * Each process writes its lines a moment after the response. On a busy machine one of them may accept all
 * connections that are opened together: then more are opened.
 */
async function expectServedByBoth(method: string, route: string): Promise<void> {
  const served = () => log(running).flatMap((line) => (line.route === route ? line.process : []))
  await vi.waitFor(async () => {
    if (new Set(served()).size < 2) await send(method, route, new Agent())
    expect(new Set(served())).toEqual(new Set([1, 2]))
  })
}

/** The serving processes: of each number the last that came up. */
function serving(): Map<number, number> {
  return new Map(members(running).map(({ process, pid }) => [process, pid]))
}

/** Sends requests over new connections, until another process has come up: every response is good. */
async function askUntilReplaced(was: number): Promise<void> {
  while (members(running).length === was) {
    expect(await send('GET', '/livez', new Agent())).toBe(200)
    await sleep(20)
  }
}

test('both processes answer on one port, and limits are exact across them', async () => {
  expect(new Set(serving().keys())).toEqual(new Set([1, 2]))
  expect([...serving().values()]).not.toContain(running.child.pid)
  expect(running.output().match(/ready at/g)).toHaveLength(1)
  for (const [limit, route, method, status] of [
    [rate_limits.charge, '/charges', 'POST', 400],
    [rate_limits.exact, '/me', 'GET', 200],
  ] as const) {
    const { passed, statuses, passed_ms } = await burst(300, method, route)
    const refilled = Math.floor((passed_ms * limit.per_minute) / 60_000)
    // A slow machine may send fewer charges than the fifty a second that are allowed.
    const is_limited = limit.burst + refilled < 300
    if (is_limited) expect(statuses).toContain(429)
    expect(new Set([...statuses, 429])).toEqual(new Set([status, 429]))
    expect(passed).toBeGreaterThanOrEqual(limit.burst)
    expect(passed).toBeLessThanOrEqual(limit.burst + refilled)
    await expectServedByBoth(method, route)
  }
  await vi.waitFor(() => {
    const lines = readFileSync(join(data_dir, 'service.log'), 'utf8').trimEnd().split('\n')
    const kept: Line[] = lines.map((line) => JSON.parse(line))
    expect(new Set(kept.map(({ process }) => process))).toEqual(new Set([undefined, 1, 2]))
  })
})

test('login attempts are counted by all processes together', async () => {
  const body = JSON.stringify({ email: 'nobody@console.example', password: 'wrong-47-garden' })
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const attempts = async (count: number) => {
    const sent = Array.from({ length: count }, () =>
      fetch(`${running.url}/authenticate`, { method: 'POST', headers, body }),
    )
    return (await Promise.all(sent)).map(({ status }) => status)
  }
  const { burst, per_minute } = login_rates.account
  const began_ms = performance.now()
  const statuses = await attempts(burst)
  // The rate of the route is refilled by then, that of the e-mail is not.
  await sleep(3000)
  statuses.push(...(await attempts(6)))
  const refilled = Math.floor(((performance.now() - began_ms) * per_minute) / 60_000)
  expect(statuses.slice(0, burst)).toContain(401)
  expect(statuses.slice(0, burst)).not.toContain(429)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(burst + refilled)
  await expectServedByBoth('POST', '/authenticate')
})

test('metrics of all are at one address, each process separately', async () => {
  for (let asked = 0; asked < 6; asked += 1) await send('GET', '/heartbeat', new Agent())
  // A request is counted a moment after its response.
  const text = await vi.waitFor(async () => {
    const found = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text()
    const counts = found.matchAll(
      /request_seconds_count\{.*"\/heartbeat".*process="([12])"\} (\d+)\n/g,
    )
    const [one, two] = [...counts].map(([, , count]) => Number(count))
    expect((one ?? 0) + (two ?? 0)).toBe(6)
    expect(two).toBeGreaterThan(0)
    return found
  })
  for (const name of ['resident_memory_bytes', 'kaikei_database_connections']) {
    for (const process of ['0', '1', '2']) {
      expect(text).toMatch(new RegExp(`${name}\\{.*process="${process}"\\}`))
    }
  }
  expect(text.match(/# HELP kaikei_ledger_open_positions/g)).toHaveLength(1)
})

test('a killed process is replaced, later when it dies again, and the other serves meanwhile', async () => {
  const other = serving().get(2) ?? 0
  const delays = () => log(running).flatMap(({ delay_ms }) => delay_ms ?? [])
  for (let kills = 0; kills < 3; kills += 1) {
    const was = members(running).length
    const ends = delays().length
    const killed = serving().get(1) ?? 0
    process.kill(killed, 'SIGKILL')
    // From then on the first process gives it no connection.
    await vi.waitFor(() => expect(delays()).toHaveLength(ends + 1))
    await askUntilReplaced(was)
    expect(serving().get(1)).not.toBe(killed)
  }
  expect(serving().get(2)).toBe(other)
  const [one = 0, next] = delays().slice(-2)
  expect(next).toBe(2 * one)
  await sleep(100)
  const asked = Array.from({ length: 20 }, () => send('GET', '/livez', new Agent()))
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
})

test('a process that is stopped alone finishes its work, and is replaced', async () => {
  const was = members(running).length
  const stopped = serving().get(2) ?? 0
  process.kill(stopped, 'SIGTERM')
  await askUntilReplaced(was)
  expect(isAlive(stopped)).toBe(false)
})

test('all end when the first is killed, and the next start finds everything', async () => {
  const pids = [...serving().values()]
  await running.stop('SIGKILL')
  running = await start({ PORT: new URL(running.url).port })
  await gone(...pids)
  expect((await burst(4, 'GET', '/me')).statuses).toEqual(new Set([200]))
})

test('all stop on SIGTERM, waiting requests are answered, and the database stops too', async () => {
  const pids = [...serving().values(), postmasterPid(data_dir)]
  const held = send('GET', '/events?polling=true&cursor_direction=asc', new Agent())
  await sleep(300)
  expect(await running.stop('SIGTERM')).toBe(0)
  expect(await held).toBe(200)
  expect(pids.filter(isAlive)).toEqual([])
})

test('a start that cannot succeed ends with one sentence and leaves nothing behind', async () => {
  const serve = (environment: Record<string, string>) =>
    runCommand(['serve'], { DATA_DIR: data_dir, PROCESSES: '2', ...environment })
  const broken = `--import=data:text/javascript,if(process.argv.includes('--process'))process.exit(7)`
  const died = await serve({ NODE_OPTIONS: broken })
  expect(died).toMatchObject({
    code: 1,
    output: expect.stringContaining('kaikei: A process did not start: It ended with exit code 7.'),
  })
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const no_port = await serve({ PORT: String(port) })
  taken.close()
  expect(no_port.output).toContain(`kaikei: Port ${port} is taken by another program.`)
  const many = await serve({ PROCESSES: '60' })
  expect(many.output).toContain('The database allows 200 connections, too few for PROCESSES=60')
  const wrong = await serve({ PROCESSES: 'all' })
  expect(wrong.output).toContain('PROCESSES must be auto or a whole number from 1 to 64.')
  expect([died, no_port, many, wrong].map(({ code }) => code)).toEqual([1, 1, 1, 1])
  expect(() => postmasterPid(data_dir)).toThrow()
})

test('with WORKER=off requests are answered, and the work is done elsewhere', async () => {
  const DATABASE_URL = databaseUrl(await newDatabase('kaikei'))
  running = await start({ DATABASE_URL, PROCESSES: '1', WORKER: 'off' })
  const headers = { authorization: credential(), 'content-type': 'application/json' }
  const call = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetchWhenFree(`${running.url}${path}`, { headers, ...sent })
    return (await response.json()) as { id: string; store_id: string; status: string }
  }
  const card = { cardholder: 'A', card_number: '4242424242424242', exp_month: 12, exp_year: 2040 }
  const data = { ...card, cvv: '123' }
  const token = await call('/tokens', { payment_type: 'card', email: 'a@b.example', data })
  const money = { amount: 700, currency: 'JPY' }
  const charge = await call('/charges', { transaction_token_id: token.id, ...money })
  const path = `/stores/${charge.store_id}/charges/${charge.id}`
  await sleep(2000)
  expect((await call(path)).status).toBe('pending')
  const worker = await start({ DATABASE_URL, PROCESSES: '1' })
  await vi.waitFor(async () => expect((await call(path)).status).toBe('successful'))
  expect(await worker.stop()).toBe(0)
})
