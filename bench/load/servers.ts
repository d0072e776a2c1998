import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'

export interface Server {
  port: number
  pid: number
  stop(): Promise<void>
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const program = process.env.BENCH_PROGRAM ?? path('../../dist/cli.js')

type Environment = Record<string, string>

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a program and waits until it prints the port on which it is ready. */
function start(
  args: string[],
  environment: Environment = {},
  ready = /ready at http:\/\/127\.0\.0\.1:(\d+)/,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')}: exit ${code}`)))
    child.stdout?.on('data', (text) => {
      const port = ready.exec(String(text))?.[1]
      if (port) resolve({ port: Number(port), pid: child.pid ?? 0, stop: () => stop(child) })
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** The Node.js options of `npm start`. */
const { scripts } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'))
const node_options = scripts.start.split(' ').filter((word: string) => word.startsWith('--'))

export const startOurs = (environment: Environment) =>
  start([...node_options, program, 'serve'], environment)

const startOwn = (name: string, environment?: Environment) =>
  start(['--import', 'tsx', path(name)], environment)

/** The ceiling of everything: a route that validates and echoes. */
export const startEcho = () => startOwn('./bare-server.ts')

export const startSink = () => startOwn('./webhook-sink.ts')

/** The ceiling for durable writes: a route that validates and inserts into the same database. */
export const startInsert = (connection: ClientConfig, shared: boolean) =>
  startOwn('./insert-server.ts', {
    BENCH_CONNECTION: JSON.stringify(connection),
    BENCH_SHARED: shared ? 'yes' : '',
  })

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The peer stores everything in memory. Null: it cannot be installed here. */
export async function startPeer(): Promise<Server | null> {
  const file = path('../peers/node_modules/stripe-stateful-mock/dist/cli.js')
  if (!existsSync(file)) {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
    const options = { cwd: path('../peers'), stdio: ['ignore', 2, 2] as const }
    const shell = process.platform === 'win32'
    spawnSync('npm', args, { ...options, stdio: [...options.stdio], shell })
  }
  if (!existsSync(file)) return null
  const port = await freePort()
  const environment = { PORT: String(port), LOG_LEVEL: 'info' }
  return start([file], environment, /started on port (\d+)/)
}
