import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { readMigrations } from '../../src/store/known-migrations.ts'
import {
  beginProcess,
  freePort,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'

// /readyz of the real program, with two processes behind the port: it is 200 exactly when a write would
// succeed. Each test really breaks the database, and repairs it.
const data_dir = temporaryFolder()
const folders = [data_dir]
const started: Running[] = []
let connection: pg.ClientConfig
let running: Running
let operator: pg.Client
/** Started first and checked last: they take as long as a start waits for its database. */
let unreachable: ReturnType<typeof runCommand>
let embedded_faults: ReturnType<typeof startWithFaults>

beforeAll(async () => {
  unreachable = runCommand(['serve'], {
    DATA_DIR: newFolder(),
    DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c',
  })
  embedded_faults = startWithFaults()
  connection = await newDatabase('kaikei')
  const environment = { DATA_DIR: data_dir, DATABASE_URL: databaseUrl(connection), PROCESSES: '2' }
  running = await startProcess(environment)
  started.push(running)
  operator = new pg.Client({ ...connection, database: 'postgres' })
  await operator.connect()
})
afterAll(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  await operator.end()
  for (const folder of folders) removeFolder(folder)
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

interface Probe {
  status: number
  message: string
  retry_after: string | undefined
}

/** Over a new connection each time: the first process distributes them to the others in turn. */
function probe(url: string): Promise<Probe> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/readyz`, { agent: new Agent() }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const { message = '' } = JSON.parse(text)
        const { statusCode: status = 0, headers } = response
        resolve({ status, message, retry_after: headers['retry-after'] })
      })
    })
    sent.on('error', reject).end()
  })
}

/** The response of every process, as soon as all agree. */
async function allSay(status: number, message: string | RegExp = ''): Promise<void> {
  await vi.waitFor(
    async () => {
      for (let asked = 0; asked < 6; asked += 1) {
        const said = await probe(running.url)
        expect(said.status, said.message).toBe(status)
        if (status === 200) continue
        expect(said.message).toMatch(message)
        expect(said.retry_after).toBe('1')
      }
    },
    { timeout: 60_000, interval: 200 },
  )
}

async function createToken(): Promise<number> {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
  const card = { card_number: '4242424242424242', exp_month: 12, exp_year: 2040, cvv: '123' }
  const response = await fetch(`${running.url}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}.${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      payment_type: 'card',
      email: 'a@b.example',
      data: { cardholder: 'A B', ...card },
    }),
  })
  if (response.status === 503) expect(response.headers.get('retry-after')).toBe('1')
  return response.status
}

/** Open sessions keep their old settings. */
async function endSessions(): Promise<void> {
  await operator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
    [connection.database],
  )
}

test('a database that allows reads only: not ready, until it allows writes again', async () => {
  await allSay(200)
  const { database } = connection
  await operator.query(`alter database ${database} set default_transaction_read_only = on`)
  await endSessions()
  await allSay(503, /^The database cannot be written to: it allows reads only\.$/)
  await operator.query(`alter database ${database} reset default_transaction_read_only`)
  await endSessions()
  await allSay(200)
})

test('a schema that no longer has what this program uses, or lacks it still: not ready', async () => {
  const known = readMigrations().length
  const client = new pg.Client(connection)
  await client.connect()
  const later = `insert into schema_migrations (version, name, checksum, min_program)
    values (9999, 'later', 'x', 9998)`
  await client.query(later)
  const needs = `The database needs a program that knows schema version 9998, this one knows ${known}: `
  await allSay(503, `${needs}start a newer version of the program.`)
  // A step that only adds.
  await client.query('update schema_migrations set min_program = 0 where version = 9999')
  await allSay(200)
  await client.query('delete from schema_migrations where version = 9999')
  const { rows } = await client.query(
    'delete from schema_migrations where version = $1 returning *',
    [known],
  )
  await allSay(503, `The database has schema version ${known - 1}, this program needs ${known}`)
  const { version, name, checksum, min_program } = rows[0]
  await client.query(
    `insert into schema_migrations (version, name, checksum, min_program) values ($1, $2, $3, $4)`,
    [version, name, checksum, min_program],
  )
  await allSay(200)
  await client.end()
})

test('a data folder that takes no files: not ready, and a payment that needs one is 503', async () => {
  const keys = join(data_dir, 'cvv-keys')
  rmSync(keys, { recursive: true, force: true })
  // No process can create a file there, not even root.
  symlinkSync('/proc', keys)
  await allSay(503, /^The data folder cannot be written to: /)
  // A key lasts for ten seconds: until then cards are sealed with the cached one.
  const refused = async () => expect(await createToken()).toBe(503)
  await vi.waitFor(refused, { timeout: 60_000, interval: 500 })
  rmSync(keys)
  await allSay(200)
  expect(await createToken()).toBe(201)
})

test('probes share writes: a hundred concurrent ones are at most two writes for each process', async () => {
  const client = new pg.Client(connection)
  await client.connect()
  const writes = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(
      `select n_tup_upd::integer as count from pg_stat_user_tables where relname = 'schema_migrations'`,
    )
    return rows[0].count as number
  }
  const settled = async () => {
    let last = -1
    await vi.waitFor(
      async () => {
        const now = await writes()
        const same = now === last
        last = now
        expect(same).toBe(true)
      },
      { timeout: 60_000, interval: 1500 },
    )
    return last
  }
  const before = await settled()
  const began_ms = performance.now()
  await Promise.all(Array.from({ length: 100 }, () => probe(running.url)))
  const seconds = Math.ceil((performance.now() - began_ms) / 1000)
  // Sessions report their writes up to ten seconds later.
  await vi.waitFor(async () => expect(await writes()).toBeGreaterThan(before))
  const created = (await settled()) - before
  expect(created).toBeLessThanOrEqual(2 * (seconds + 1))
  await client.end()
})

test('while the first start creates the demo credentials the service is not ready', async () => {
  const database = await newDatabase()
  const holder = new pg.Client(database)
  await holder.connect()
  // Another process seems to create the demo merchant.
  await holder.query('select pg_advisory_lock(7230110003)')
  const port = await freePort()
  const folder = newFolder()
  const { child, output } = beginProcess({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl(database),
    PORT: String(port),
  })
  try {
    const url = `http://127.0.0.1:${port}`
    const said = await vi.waitFor(() => probe(url), { timeout: 60_000, interval: 50 })
    expect(said).toMatchObject({ status: 503, message: 'The service is starting.' })
    expect(existsSync(join(folder, 'credentials.json'))).toBe(false)
    // The database ends the sessions of the start, which continues nevertheless.
    await holder.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await vi.waitFor(() => expect(output()).toContain('cannot be used yet; retrying'))
    expect((await probe(url)).status).toBe(503)
    await holder.query('select pg_advisory_unlock(7230110003)')
    await vi.waitFor(async () => expect((await probe(url)).status).toBe(200))
    expect(existsSync(join(folder, 'credentials.json')), output()).toBe(true)
  } finally {
    child.kill('SIGKILL')
    await holder.end()
  }
})

/** Accepts connections to the shared server from the moment it listens. */
function newProxy(): Server {
  const { host, port } = inject('postgres')
  return createServer((near) => {
    const far = connect(`${host}/.s.PGSQL.${port}`)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
}

test('a database that comes up after the service is waited for', async () => {
  const { user, password, database } = await newDatabase()
  const port = await freePort()
  const url = `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`
  const { child, output } = beginProcess({ DATA_DIR: newFolder(), DATABASE_URL: url })
  const proxy = newProxy()
  try {
    await vi.waitFor(() => expect(output()).toContain('cannot be used yet; retrying'))
    proxy.listen(port, '127.0.0.1')
    await vi.waitFor(() => expect(output()).toContain('ready at'))
  } finally {
    child.kill('SIGKILL')
    proxy.close()
  }
})

test('a database that never comes up ends the start with one sentence', async () => {
  const { code, output } = await unreachable
  expect(code).toBe(1)
  expect(output).toContain('kaikei: The database of DATABASE_URL cannot be used: ')
  expect(output).not.toMatch(/\n\s+at /)
  const waits = [...output.matchAll(/"wait_ms":(\d+)/g)].map(([, ms]) => Number(ms))
  expect(waits.length).toBeGreaterThan(4)
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
})

test('no message about the embedded database names DATABASE_URL', async () => {
  const { refused, read_only } = await embedded_faults
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(
    /^kaikei: The embedded database refuses the password in \S+\. .*\n$/,
  )
  expect(read_only.code).toBe(1)
  expect(read_only.output).toMatch(/^kaikei: The database allows reads only; .*\n$/)
  for (const { output } of [refused, read_only]) {
    expect(output).not.toContain('DATABASE_URL')
    expect(output.trim().split('\n').at(-1)).not.toMatch(/^\s+at /)
  }
})

/** Starts on an embedded database whose password was changed, and on a read-only one. */
async function startWithFaults() {
  const environment = { DATA_DIR: newFolder() }
  const first = await startProcess(environment)
  const { output: url } = await runCommand(['database-url'], environment)
  const client = new pg.Client(url.trim())
  await client.connect()
  await client.query('alter database kaikei set default_transaction_read_only = on')
  await client.end()
  await first.stop()
  const password_file = join(environment.DATA_DIR, 'postgres/password')
  const password = readFileSync(password_file, 'utf8')
  writeFileSync(password_file, 'another')
  const refused = await runCommand(['serve'], environment)
  writeFileSync(password_file, password)
  return { refused, read_only: await runCommand(['serve'], environment) }
}
