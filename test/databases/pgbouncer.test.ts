import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findProxy, proxies_advice } from '../../scripts/programs/proxies.mjs'
import { postgresAccount } from '../../src/store/server/embedded/postgres-account.ts'
import { freePort, runCommand, temporaryFolder } from '../support/fleet/running-process.ts'
import { payments } from '../support/payments.ts'
import { useWorld } from '../support/use-world.ts'

// A real PgBouncer between the service and the database.
const world = useWorld()
let bouncer: ChildProcess | null = null
const folder = temporaryFolder()

afterEach(async () => {
  const ended = new Promise((resolve) => bouncer?.once('exit', resolve))
  bouncer?.kill('SIGKILL')
  await ended
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

/** Starts it with a few settings beside its usual ones; returns the address through it. */
async function startBouncer(...settings: string[]): Promise<string> {
  const program = findProxy('pgbouncer')
  if (program === null) throw new Error(proxies_advice)
  const port = await freePort()
  const { user, password, host, port: server_port } = new pg.Client(world.store.connection)
  const file = join(folder, 'pgbouncer.ini')
  const server = `host=${host} port=${server_port} user=${user} password=${password}`
  writeFileSync(
    file,
    `[databases]\n* = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = any\n${settings.join('\n')}\n`,
  )
  chmodSync(file, 0o644)
  bouncer = spawn(program, [file], { stdio: 'ignore', ...(postgresAccount() ?? {}) })
  const { database } = new pg.Client(world.store.connection)
  const url = `postgresql://${user}:x@127.0.0.1:${port}/${database}`
  await vi.waitFor(async () => {
    const client = new pg.Client(url)
    await client.connect()
    await client.end()
  }, 30_000)
  return url
}

test('session pooling: a payment runs through it, with the settings of its sessions', async () => {
  const url = await startBouncer('pool_mode = session', 'default_pool_size = 40')
  const through = await world.another({ DATABASE_URL: url })
  const shop = await through.merchant()
  const pay = payments(through, shop)
  expect(await pay.settled()).toMatchObject({ status: 'successful' })
  const { rows } = await through.store.pool.query(
    `select current_setting('statement_timeout') as statement_timeout, current_setting('jit') as jit`,
  )
  expect(rows[0]).toEqual({ statement_timeout: '15s', jit: 'off' })
  const heard = new Promise((resolve) => through.service.signals.on('work', resolve))
  await vi.waitFor(() => expect(through.service.signals.heardUntil()).toBeGreaterThan(0), 30_000)
  world.service.signals.broadcast('work', 'a message')
  expect(await heard).toBe('a message')
  const { code, output } = await runCommand(['migrate'], { DATABASE_URL: url, DATA_DIR: folder })
  expect([code, output]).toEqual([0, 'The schema is up to date.\n'])
  await through.close()
})

test.each([
  [['pool_mode = transaction']],
  [['pool_mode = transaction', 'default_pool_size = 1']],
  [['pool_mode = transaction', 'server_round_robin = 1', 'min_pool_size = 5']],
  [['pool_mode = statement']],
])('pooling of transactions or statements is refused with one sentence: %o', async (settings) => {
  const DATABASE_URL = await startBouncer(...settings)
  const { code, output } = await runCommand(['serve'], { DATABASE_URL, DATA_DIR: folder })
  expect(output).toBe(
    'kaikei: DATABASE_URL leads through a pooler that shares connections between transactions, which ' +
      'breaks locks, prepared statements and LISTEN; use session pooling (pgbouncer: pool_mode = ' +
      'session), or no pooler.\n',
  )
  expect(code).toBe(1)
})
