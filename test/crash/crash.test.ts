import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  demoTokens,
  fetchWhenFree,
  freePort,
  postmasterPid,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// The real program, really killed. Stores represent whatever a POST creates.
let data_dir: string
let running: Running
let tokens: string[]

beforeEach(async () => {
  data_dir = usedFolder()
  // On a busy machine a probe every 10 ms can be late by more than the usual delay.
  running = await startProcess({ DATA_DIR: data_dir, SHUTDOWN_DELAY_MS: '4500' })
  tokens = await demoTokens(data_dir, 10)
})
afterEach(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

/** The server's process, if there is one now. */
function runningPostmaster(): number | null {
  try {
    return postmasterPid(data_dir)
  } catch {
    return null
  }
}

function createStore(index: number, send: typeof fetchWhenFree = fetch): Promise<Response> {
  return send(`${running.url}/stores`, {
    method: 'POST',
    headers: {
      authorization: tokens[index % 10] ?? '',
      'content-type': 'application/json',
      'idempotency-key': `store-${index}`,
    },
    body: JSON.stringify({ name: `Store ${index}` }),
  })
}

async function storeNames(): Promise<string[]> {
  const response = await fetchWhenFree(`${running.url}/stores?limit=100`, {
    headers: { authorization: tokens[0] ?? '' },
  })
  const { items } = (await response.json()) as { items: { name: string }[] }
  return items.map(({ name }) => name).filter((name) => name !== 'Demo store')
}

test('kill -9 during 50 concurrent creates with keys: after the retry exactly one object per key', async () => {
  const acknowledged = new Map<number, string>()
  const calls = Array.from({ length: 50 }, async (_, index) => {
    const response = await createStore(index)
    if (response.status === 201) acknowledged.set(index, await response.text())
    if (acknowledged.size === 10) running.child.kill('SIGKILL')
  })
  await Promise.allSettled(calls)
  expect(await running.stop('SIGKILL')).toBe('SIGKILL')
  expect(acknowledged.size).toBeGreaterThanOrEqual(10)
  expect(acknowledged.size).toBeLessThan(50)

  running = await startProcess({ DATA_DIR: data_dir })
  const responses = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const response = await createStore(index, fetchWhenFree)
      return { index, status: response.status, text: await response.text() }
    }),
  )
  for (const { index, status, text } of responses) {
    expect(status).toBe(201)
    // The retry gets exactly what was acknowledged before the kill, byte for byte.
    expect(text).toBe(acknowledged.get(index) ?? text)
  }
  const names = await storeNames()
  expect(names.sort()).toEqual(Array.from({ length: 50 }, (_, index) => `Store ${index}`).sort())
  const checked = await runCommand(['doctor'], { DATA_DIR: data_dir })
  expect(checked.output).not.toContain('WRONG')
  expect(checked.code).toBe(0)
})

test('the database is killed under load: nothing but 503, and work resumes by itself', async () => {
  const statuses: (number | string)[] = []
  const created = new Set<number>()
  let next = 0
  let stop = false
  const tryOnce = async (index: number) => {
    const status = await createStore(index).then(
      (response) => response.status,
      (error) => `no answer: ${error.cause?.code}`,
    )
    statuses.push(status)
    if (status === 201) created.add(index)
    return status === 201
  }
  const client = async () => {
    while (!stop && next < 90) {
      const index = next
      next += 1
      while (!stop && !(await tryOnce(index))) await sleep(300)
      await sleep(100)
    }
  }
  const clients = [client(), client(), client(), client()]
  try {
    while (created.size < 5) await sleep(20)
    const killed = postmasterPid(data_dir)
    process.kill(killed, 'SIGKILL')
    for (let pid: number | null = killed; pid === killed || pid === null; ) {
      await sleep(20)
      pid = runningPostmaster()
    }
    const before = created.size
    const deadline = performance.now() + 60_000
    while (created.size < before + 5 && performance.now() < deadline) await sleep(20)
    expect(created.size, running.output().slice(-2000)).toBeGreaterThanOrEqual(before + 5)
  } finally {
    stop = true
    await Promise.all(clients)
  }
  const others = statuses.filter((status) => status !== 201 && status !== 429)
  expect(new Set(others)).toEqual(new Set([503]))
  expect(running.child.exitCode).toBeNull()
  expect((await storeNames()).length).toBeGreaterThanOrEqual(created.size)
})

// A load balancer polls /readyz and sends nothing more once it fails.
test('SIGTERM under load: readiness fails first, no request fails, exit 0', async () => {
  const failures: unknown[] = []
  let answered = 0
  let ready = true
  const isReady = async () => {
    try {
      const response = await fetch(`${running.url}/readyz`)
      await response.text()
      return response.status === 200
    } catch (error) {
      failures.push(error)
      return false
    }
  }
  const probe = async () => {
    while (ready) {
      ready = await isReady()
      await sleep(10)
    }
  }
  const client = async (index: number) => {
    const url = `${running.url}/stores?limit=${10 + index}`
    const headers = { authorization: tokens[index] ?? '' }
    while (ready) {
      try {
        const response = await fetch(url, { headers })
        await response.text()
        if (![200, 429].includes(response.status)) failures.push(response.status)
        answered += 1
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const clients = [probe(), ...Array.from({ length: 8 }, (_, index) => client(index))]
  while (answered < 100) await sleep(10)
  const code = await running.stop('SIGTERM')
  await Promise.all(clients)
  expect(code).toBe(0)
  expect(ready).toBe(false)
  expect(failures).toEqual([])
})

test('liveness does not depend on the database, readiness does', async () => {
  const probe = async (path: string) => (await fetch(`${running.url}${path}`)).status
  expect([await probe('/livez'), await probe('/readyz'), await probe('/heartbeat')]).toEqual([
    200, 200, 200,
  ])
  const server = serverProcesses(postmasterPid(data_dir))
  for (const pid of server) process.kill(pid, 'SIGSTOP')
  try {
    while ((await probe('/readyz')) === 200) await sleep(50)
    expect(await probe('/livez')).toBe(200)
  } finally {
    for (const pid of server) process.kill(pid, 'SIGCONT')
  }
  while ((await probe('/readyz')) !== 200) await sleep(50)
  const headers = { authorization: tokens[0] ?? '' }
  expect((await fetchWhenFree(`${running.url}/me`, { headers })).status).toBe(200)
})

/** The postmaster and its children, found by their parent. */
function serverProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    const stat = existsSync(`/proc/${name}/stat`) ? readFileSync(`/proc/${name}/stat`, 'utf8') : ''
    return stat.split(') ').at(-1)?.split(' ')[1] === String(postmaster)
  })
  return [postmaster, ...children.map(Number)]
}

test('the metrics have their own listener, and contain no personal data', async () => {
  const folder = usedFolder()
  const metrics_port = String(await freePort())
  const other = await startProcess({ DATA_DIR: folder, METRICS_PORT: metrics_port })
  try {
    const { jwt, secret } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
    await fetchWhenFree(`${other.url}/me`, {
      headers: { authorization: `Bearer ${secret}.${jwt}` },
    })
    // A request is counted a moment after its response.
    const text = await vi.waitFor(async () => {
      const found = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text()
      expect(found).toMatch(
        /kaikei_http_request_seconds_count\{method="GET",route="\/me",status="2xx"\} 1/,
      )
      return found
    })
    expect(text).toContain('kaikei_database_connections{state="idle"}')
    expect(text).not.toContain(secret)
    expect((await fetch(`${other.url}/metrics`)).status).toBe(404)
    expect(await other.stop()).toBe(0)
  } finally {
    await other.stop('SIGKILL')
    removeFolder(folder)
  }
})
