import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import {
  beginProcess,
  demoTokens,
  fetchWhenFree,
  isAlive,
  postmasterPid,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { newReceiver } from '../support/receiver/receiver.ts'
import { usedFolder } from '../support/setup/used-folder.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'

// How the real program ends, and how it detects before its start that it could not serve.
const root = fileURLToPath(new URL('../..', import.meta.url))
const used_folder = usedFolder()
const folders = [used_folder]
const started: Running[] = []
const sockets: Socket[] = []
const max_stop_ms = 10_000
/** A busy machine adds to every measured time; without its bound a stop takes more than a minute. */
const slack_ms = 15_000

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(started.splice(0).map((running) => running.stop('SIGKILL')))
})
afterAll(() => {
  for (const folder of folders) removeFolder(folder)
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

async function start(environment: Record<string, string> = {}): Promise<Running> {
  const running = await startProcess({ DATA_DIR: used_folder, ...environment })
  started.push(running)
  return running
}

/** Stops with SIGTERM; a stop that takes too long is killed and fails the test. */
async function stopInTime(running: Running) {
  const late = sleep(max_stop_ms + slack_ms, 'still running', { ref: false })
  return Promise.race([running.stop('SIGTERM'), late])
}

interface NpmStart {
  child: ChildProcess
  url: string
  /** The process that serves. */
  pid: number
  ended: Promise<number | null>
}

/** npm and everything it starts form a separate process group, as in a terminal. */
async function startWithShell(command: string, args: string[], more = {}): Promise<NpmStart> {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: { PATH: process.env.PATH, HOME: used_folder, DATA_DIR: used_folder, PORT: '0', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  await vi.waitFor(() => expect(output).toMatch(/ready at/), 40_000)
  const url = /ready at (\S+)/.exec(output)?.[1] ?? ''
  const pid = Number(/"pid":(\d+)/.exec(output)?.[1])
  started.push({ url, child, output: () => output, stop: async () => killAll(pid) })
  return { child, url, pid, ended }
}

function killAll(pid: number): string {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  return 'SIGKILL'
}

async function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/livez`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

test.each([
  ['SIGTERM to npm alone', 'SIGTERM', 1],
  ['SIGTERM to its process group', 'SIGTERM', -1],
  ['Ctrl-C, which is SIGINT to its process group', 'SIGINT', -1],
] as const)('npm start: %s stops the service, and npm ends after it', async (_, signal, sign) => {
  const { child, url, pid, ended } = await startWithShell('npm', ['start'])
  const postmaster = postmasterPid(used_folder)
  expect(await isServing(url)).toBe(true)
  process.kill(sign * (child.pid ?? 0), signal)
  expect(await ended).toBe(0)
  expect([pid, postmaster].filter(isAlive)).toEqual([])
  expect(await isServing(url)).toBe(false)
})

test('a service that npm started ends when the processes between them are gone', async () => {
  // The second command prevents the shell from replacing itself with the program.
  const shell = ['-c', 'node scripts/run.mjs serve; exit 1']
  const { child, pid } = await startWithShell('sh', shell, { npm_lifecycle_event: 'start' })
  const postmaster = postmasterPid(used_folder)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect([pid, postmaster].filter(isAlive)).toEqual([]))
})

/** Sends bytes and keeps the connection open. */
async function hold({ url }: Running, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  socket.resume()
  await new Promise((resolve) => socket.once('connect', resolve))
  if (bytes !== '') socket.write(bytes)
  return socket
}

function get(url: string, authorization: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { headers: { authorization } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', (error) => resolve(error.message)).end()
  })
}

const slow_body =
  'POST /tokens HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n'

/** Requests that keep a connection busy, or open, for much longer than a stop may take. */
async function occupy(running: Running, auth: string): Promise<void> {
  const header = `Authorization: ${auth}\r\n\r\n`
  await hold(running, '')
  await hold(running, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  await hold(running, 'GET /livez HTTP/1.1\r\nHost')
  for (let count = 0; count < 4; count += 1) await hold(running, `${slow_body}${header}{`)
}

async function post({ url }: Running, path: string, authorization: string, body: object) {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetchWhenFree(url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(201)
}

function credentials(): Record<string, string> {
  return JSON.parse(readFileSync(join(used_folder, 'credentials.json'), 'utf8'))
}

const number = { card_number: '4242424242424242', exp_month: 12, exp_year: 2040, cvv: '123' }
const card = { cardholder: 'A B', ...number }

test('a stop takes ten seconds at most, whatever is open, and long polls are answered', async () => {
  const running = await start()
  const { store_id, jwt, secret } = credentials()
  const auth = `Bearer ${secret}.${jwt}`
  const receiver = await newReceiver()
  receiver.respond = () => new Promise(() => {})
  const hook = { url: receiver.url, triggers: ['token_created'] }
  await post(running, `/stores/${store_id}/webhooks`, auth, hook)
  await occupy(running, auth)
  await post(running, '/tokens', auth, { payment_type: 'card', email: 'a@b.example', data: card })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
  const polled = get(`${running.url}/events?polling=true&cursor_direction=asc`, auth)
  const code = await stopInTime(running)
  expect(code).toBe(0)
  expect(await polled).toBe(200)
  expect(() => postmasterPid(used_folder)).toThrow()
  await receiver.close()
})

test('several processes stop within ten seconds, too', async () => {
  const running = await start({ PROCESSES: '2' })
  const [auth = ''] = await demoTokens(used_folder, 1)
  await occupy(running, auth)
  const code = await stopInTime(running)
  expect(code).toBe(0)
  expect(() => postmasterPid(used_folder)).toThrow()
})

test('a request that ends after the stop has begun is answered, and the stop ends with it', async () => {
  const running = await start()
  const [auth = ''] = await demoTokens(used_folder, 1)
  const { hostname, port } = new URL(running.url)
  const body = JSON.stringify({ name: 'Slowly sent' })
  const sent = request({
    hostname,
    port,
    path: '/stores',
    method: 'POST',
    headers: {
      authorization: auth,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject)
  })
  sent.write(body.slice(0, 5))
  await sleep(100)
  const stopping = stopInTime(running)
  // Longer than requests are accepted after the signal; then the server refuses new connections.
  await vi.waitFor(async () => expect(await isServing(running.url)).toBe(false))
  sent.end(body.slice(5))
  expect(await answered).toBe(201)
  const code = await stopping
  expect(code).toBe(0)
})

test('a signal during the start aborts the start', async () => {
  const connection = await newDatabase()
  const holder = new pg.Client(connection)
  await holder.connect()
  // Another process seems to migrate the schema slowly.
  await holder.query('select pg_advisory_lock(7230110002)')
  const environment = { DATA_DIR: newFolder(), DATABASE_URL: databaseUrl(connection) }
  const { child, ended, output } = beginProcess(environment)
  const waits = () => expect(output()).toContain('Another program migrates the schema.')
  await vi.waitFor(waits)
  child.kill('SIGTERM')
  const late = sleep(max_stop_ms + slack_ms, 'still running', { ref: false })
  const code = await Promise.race([ended, late])
  child.kill('SIGKILL')
  await holder.end()
  expect(code, output()).toBe(0)
})

test.each([
  ['PORT', {}],
  ['PORT', { PROCESSES: '2' }],
  ['METRICS_PORT', {}],
  ['METRICS_PORT', { PROCESSES: '2' }],
])('a taken %s is noticed before anything is made: %o', async (setting, more) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, ...more, [setting]: String(port) }
  const { code, output } = await runCommand(['serve'], environment)
  taken.close()
  expect(code).toBe(1)
  expect(output).toBe(
    `kaikei: Port ${port} is taken by another program. Stop it, or choose another with ${setting}.\n`,
  )
  expect(readdirSync(data_dir)).toEqual([])
})

test('an address that this machine does not have is named, and nothing is created', async () => {
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, HOST: '192.0.2.1', PORT: '18207' }
  const { code, output } = await runCommand(['serve'], environment)
  expect(code).toBe(1)
  expect(output).toContain('kaikei: This machine has no address "192.0.2.1".')
  expect(readdirSync(data_dir)).toEqual([])
})
