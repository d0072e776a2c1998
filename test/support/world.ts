import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { signAppToken } from '../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../src/accounts/app-tokens/create-app-token.ts'
import { createMerchant } from '../../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../../src/accounts/stores/create-store.ts'
import type { Route } from '../../src/api/routes/operation.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Mode } from '../../src/core/access/caller.ts'
import { newRequestCounts } from '../../src/core/limits/request-counts.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { buildApp } from '../../src/http/app.ts'
import { newLog } from '../../src/log.ts'
import { newService, openSharedState } from '../../src/open-service.ts'
import type { Service } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate/migrate.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { openSignals } from '../../src/store/signals.ts'
import { type Keys, newKeyText, readKeys } from '../../src/vault/key-ring.ts'
import { newPasswords } from '../../src/vault/password-hash.ts'
import { temporaryFolder } from './fleet/running-process.ts'
import { responseCheckOf } from './rules/response-check.ts'

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export const start_of_time = Date.parse('2026-01-15T00:00:00.000Z')

function newTestClock(): TestClock {
  let passed_ms = 0
  return {
    now: () => start_of_time + passed_ms,
    monotonic: () => 1_000_000 + passed_ms,
    advance: (ms) => {
      passed_ms += ms
    },
  }
}

export interface ApiResponse {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  text: string
}

export interface CallOptions {
  auth?: string | null
  body?: unknown
  headers?: Record<string, string>
  query?: Record<string, string>
}

export interface NewMerchant {
  name?: string
  email?: string
  mode?: Mode
  verified?: boolean
  domains?: string[]
}

/** A merchant with one store and the two kinds of credentials, ready for the header. */
export interface TestMerchant {
  id: string
  store_id: string
  as_merchant: string
  as_store: string
  jwt: string
  secret: string
  token_id: string
}

export interface World {
  service: Service
  store: Store
  clock: TestClock
  app: FastifyInstance
  log: string[]
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  merchant(options?: NewMerchant): Promise<TestMerchant>
  /** More tokens of a merchant, for many concurrent requests: each has its own rate limit. */
  merchantTokens(merchant: TestMerchant, count: number): Promise<string[]>
  /** Another process of the same service, on the same database; with other settings, another machine. */
  another(settings?: Record<string, string>): Promise<World>
  /** Starts listening on a free port and returns the address. */
  listen(): Promise<{ url: string; port: number }>
  close(): Promise<void>
}

export interface WorldOptions {
  settings?: Record<string, string>
  modules?: readonly (readonly Route[])[]
  /** Among how many machines limits are divided while the shared server is away. */
  machines?: number
  /** Passwords cost as much as in production. */
  has_slow_passwords?: boolean
  /** The test writes events with any data: their shape is not checked. */
  has_made_up_events?: boolean
}

const quick_passwords = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** A database of its own on the server of the tests: empty, or a copy of another one. */
export async function newDatabase(template = 'template1'): Promise<pg.ClientConfig> {
  const server = inject('postgres')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  await client.query(`create database ${database} template ${template}`)
  await client.end()
  return { ...server, database }
}

/** The copy is as the setting of the whole run wants it; a world may want more charges. */
async function layOut(connection: pg.ClientConfig, { expected_charges }: Config): Promise<void> {
  if (expected_charges === null) return
  const client = new pg.Client(connection)
  await client.connect()
  await migrate(client, { expected_charges })
  await client.end()
}

async function dropDatabase({ database }: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}

export function databaseUrl({ user, password, host, port, database }: pg.ClientConfig): string {
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`
}

/** The service as a test sees it: real database, real HTTP, a clock that the test moves. */
export async function newWorld(options: WorldOptions = {}): Promise<World> {
  const connection = await newDatabase('kaikei')
  const data_dir = temporaryFolder()
  const environment = {
    DATA_DIR: data_dir,
    DATABASE_URL: databaseUrl(connection),
    SIGNING_KEYS: newKeyText(),
    VAULT_KEYS: newKeyText(),
    FINGERPRINT_KEYS: newKeyText(),
    BASE_URL: 'http://127.0.0.1:8080',
    ...options.settings,
  }
  await layOut(connection, readConfig(environment))
  const clock = newTestClock()
  const keys = readKeys(readConfig(environment))
  const worlds: World[] = []
  const make = async (settings: Record<string, string> = {}) => {
    const config = readConfig({ ...environment, ...settings })
    const world = await buildWorld(config, clock, keys, options, make)
    worlds.push(world)
    return world
  }
  const first = await make()
  const closeOne = worlds.map((world) => world.close)
  first.close = async () => {
    await closeOne[0]?.()
    for (const world of worlds.slice(1)) await world.close()
    await dropDatabase(connection)
    rmSync(data_dir, { recursive: true, force: true })
  }
  return first
}

async function buildWorld(
  config: Config,
  clock: TestClock,
  keys: Keys,
  options: WorldOptions,
  another: World['another'],
): Promise<World> {
  const log_lines: string[] = []
  const log = newLog('trace', { write: (line: string) => void log_lines.push(line) })
  const store = await openStore(config, { own: false, onTrouble: (text) => log.warn(text) })
  const signals = openSignals(store.connection, clock)
  const parts = { config, clock, db: store.db, signals, keys, log }
  const own = newRequestCounts(clock.monotonic, () => options.machines ?? 1)
  const state = await openSharedState(parts, own)
  const service = newService(parts, state)
  if (!options.has_slow_passwords) {
    Object.assign(service, { passwords: newPasswords(keys.fingerprint, quick_passwords) })
  }
  await Promise.all([service.clocks.reload(), service.providers.refresh()])
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(service, {
    health,
    ...(options.modules ? { modules: options.modules } : {}),
  })
  await app.ready()
  const check = options.has_made_up_events
    ? () => {}
    : responseCheckOf(app, options.modules !== undefined)

  async function call(method: string, path: string, given: CallOptions = {}): Promise<ApiResponse> {
    const { auth, body, headers = {}, query } = given
    const raw = typeof body === 'string' || Buffer.isBuffer(body)
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      ...(query ? { query } : {}),
      headers: {
        ...(auth ? { authorization: auth } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
    })
    check(method, path, response)
    expect(Object.keys(Object.prototype)).toEqual([])
    const is_json = /json/.test(String(response.headers['content-type'] ?? ''))
    return {
      status: response.statusCode,
      headers: response.headers as ApiResponse['headers'],
      text: response.payload,
      body: is_json && response.payload !== '' ? response.json() : null,
    }
  }

  return {
    service,
    store,
    clock,
    app,
    log: log_lines,
    call,
    another,
    merchant: (wanted) => newMerchant(service, wanted),
    merchantTokens: ({ id }, count) =>
      Promise.all(Array.from({ length: count }, () => merchantToken(service, id))),
    listen: async () => {
      await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      return { url: `http://127.0.0.1:${port}`, port }
    },
    close: async () => {
      await app.close()
      await service.outbound.close()
      state.close()
      await signals.close()
      await store.close()
    },
  }
}

let made = 0

async function newMerchant(
  service: Service,
  { mode = 'test', verified = false, domains = [], ...given }: NewMerchant = {},
): Promise<TestMerchant> {
  made += 1
  const { name = `Merchant ${made}`, email = `m${made}@example.com` } = given
  const { id } = await createMerchant(service, { name, email, verified })
  const store = await createStore(service, id, { name: 'Shop' })
  const of_store = await createAppToken(service, {
    merchant_id: id,
    creator_id: id,
    store: { id: store.id, mode, domains },
  })
  const jwt = await signAppToken(service, of_store.token)
  return {
    id,
    store_id: store.id,
    jwt,
    secret: of_store.secret,
    token_id: of_store.token.id,
    as_store: `Bearer ${of_store.secret}.${jwt}`,
    as_merchant: await merchantToken(service, id),
  }
}

async function merchantToken(service: Service, merchant_id: string): Promise<string> {
  const { token, secret } = await createAppToken(service, { merchant_id, creator_id: merchant_id })
  return `Bearer ${secret}.${await signAppToken(service, token)}`
}
