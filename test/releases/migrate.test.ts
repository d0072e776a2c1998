import { hostname } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { migrate } from '../../src/store/migrate/migrate.ts'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  beginCommand,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  startRelease,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { databaseUrl, newDatabase } from '../support/world.ts'
import { contract_since_now, known_version, type NextRelease, newRelease } from './next-release.ts'

// A later release is this program with more migrations. `before` is the release that serves.
const folders: string[] = []
const releases: NextRelease[] = []
let started: Running[] = []
let client: pg.Client
let environment: Record<string, string>

beforeEach(async () => {
  const connection = await newDatabase('kaikei')
  client = new pg.Client(connection)
  await client.connect()
  environment = {
    DATABASE_URL: databaseUrl(connection),
    DATA_DIR: newFolder(),
    SHARED_STATE: 'per_machine',
    SIGNING_KEYS: newKeyText(),
    VAULT_KEYS: newKeyText(),
    FINGERPRINT_KEYS: newKeyText(),
  }
})
afterEach(async () => {
  await Promise.all(started.map((one) => one.stop('SIGKILL')))
  started = []
  await client.end()
})
afterAll(() => {
  for (const folder of folders) removeFolder(folder)
  for (const release of releases) release.remove()
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

function release(version: string, ...steps: string[]): NextRelease {
  const created = newRelease(version, ...steps)
  releases.push(created)
  return created
}

async function serve(file?: string): Promise<Running> {
  const running = await (file ? startRelease(file, environment) : startProcess(environment))
  started.push(running)
  return running
}

const migrateWith = ({ file }: NextRelease, ...options: string[]) =>
  runCommand(['migrate', ...options], environment, file)

const readyz = async ({ url }: Running) => (await fetch(`${url}/readyz`)).status

async function versions(): Promise<number> {
  const { rows } = await client.query('select max(version) as version from schema_migrations')
  return rows[0].version
}

test('a step that adds: the release before stays ready, and can be started again', async () => {
  const running = await serve()
  const next = release('0.2.0', '-- expand\nalter table stores add column later text;')
  expect((await migrateWith(next)).output).toContain('-later-1.sql')
  expect(await versions()).toBe(known_version + 1)
  // The state of readiness is cached for a second.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(await readyz(running)).toBe(200)
  expect(await running.stop()).toBe(0)
  expect(await readyz(await serve())).toBe(200)
  expect((await runCommand(['migrate'], environment)).output).toContain('The schema is up to date.')
  expect((await runCommand(['doctor'], environment)).output).toContain('ok     migrations')
})

test('a step that removes is refused while a machine serves that needs it, and waits with --wait', async () => {
  const last = String(known_version + 1).padStart(4, '0')
  const next = release(
    '0.2.0',
    '-- expand\nalter table stores add column later text;',
    `-- contract, since ${last}\nalter table stores drop column later;`,
  )
  const running = await serve()
  const refused = await migrateWith(next)
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/^kaikei: Migration \d+-later-2\.sql removes what these machines/)
  expect(refused.output).toContain(`still use: ${hostname()} (version 0.1.0). Replace or stop`)
  expect(await versions()).toBe(known_version + 1)
  const start = await runCommand(['serve'], environment, next.file)
  expect(start.output).toContain('removes what these machines still use')
  const waiting = beginCommand(['migrate', '--wait'], environment, next.file)
  const ended = new Promise((resolve) => waiting.once('exit', resolve))
  // Meanwhile machines of the release before can be replaced.
  environment.DATA_DIR = newFolder()
  const another = await serve()
  await running.stop()
  expect(waiting.exitCode).toBe(null)
  await another.stop()
  expect(await ended).toBe(0)
  expect(await versions()).toBe(known_version + 2)
  const { output } = await runCommand(['serve'], environment)
  expect(output).toContain(`needs a program that knows schema version ${known_version + 1}`)
})

test('a machine that died is waited for, and machines that know the step are not in its way', async () => {
  const running = await serve()
  const next = release('0.2.0', `${contract_since_now}\ndrop table saved_views;`)
  await running.stop('SIGKILL')
  await client.query(
    `update nodes set schema_version = schema_version - 1, seen_on = now() - interval '12 s'`,
  )
  expect((await migrateWith(next)).code).toBe(0)
  expect(await versions()).toBe(known_version + 1)
  await serve(next.file)
  const after = release(
    '0.3.0',
    `${contract_since_now}\ndrop table saved_views;`,
    '-- expand\nselect 1;',
  )
  expect((await migrateWith(after)).code).toBe(0)
})

test('a schema without the table of machines is not changed beside sessions of an older program', async () => {
  const connection = await newDatabase('kaikei')
  const old_client = new pg.Client(connection)
  await old_client.connect()
  await old_client.query('drop schema public cascade; create schema public')
  await migrate(old_client, { last: 22 })
  const serving = new pg.Client({ ...connection, application_name: 'kaikei' })
  await serving.connect()
  environment.DATABASE_URL = databaseUrl(connection)
  const refused = await runCommand(['migrate'], environment)
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/removes what these machines still use: .+ \(an older version\)/)
  const stored = 'select max(version) as version from schema_migrations'
  expect((await old_client.query(stored)).rows).toEqual([{ version: 22 }])
  const waiting = beginCommand(['migrate', '--wait'], environment)
  const ended = new Promise((resolve) => waiting.once('exit', resolve))
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(waiting.exitCode).toBe(null)
  await serving.end()
  expect(await ended).toBe(0)
  expect((await old_client.query(stored)).rows).toEqual([{ version: known_version }])
  await old_client.end()
})

test('a step that meets a lock lets requests pass, and is tried again', async () => {
  await serve()
  const holder = new pg.Client({ ...inject('postgres'), database: client.database ?? '' })
  await holder.connect()
  await holder.query('begin; select * from stores')
  const next = release('0.2.0', '-- expand\nalter table stores add column later text;')
  const migrating = migrateWith(next)
  const waits = `select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`
  const isWaiting = async (rows: number) => expect((await client.query(waits)).rowCount).toBe(rows)
  await vi.waitFor(() => isWaiting(1), { timeout: 30_000, interval: 20 })
  await vi.waitFor(() => isWaiting(0), { timeout: 30_000, interval: 20 })
  await client.query(`set lock_timeout = '1s'; select count(*) from stores`)
  await holder.query('commit')
  await holder.end()
  expect((await migrating).code).toBe(0)
})

test('a step that would block machines for long is rolled back; alone it has all the time', async () => {
  const running = await serve()
  const next = release(
    '0.2.0',
    '-- expand\nalter table stores add column later text; select pg_sleep(4.5);',
  )
  const refused = await migrateWith(next)
  expect(refused.output).toContain('takes more than 4s and would block the machines that serve')
  expect(await versions()).toBe(known_version)
  await running.stop()
  expect((await migrateWith(next)).code).toBe(0)
})

const fill = `-- expand, in batches
with batch as (
  select id from big where id > coalesce($1::bigint, 0) order by id limit 100
), filled as (
  update big set filled = filled + 1 from batch where big.id = batch.id
)
select (select max(id)::text from batch) as cursor, (select count(*)::integer from batch) as rows,
  pg_sleep(0.01)`

test('a long step killed in the middle continues where it was: every row once', async () => {
  await client.query('create table big (id bigint primary key, filled integer not null default 0)')
  await client.query('insert into big select generate_series(1, 20000)')
  const next = release('0.2.0', fill)
  const progress = async () => {
    const { rows } = await client.query('select row_count::integer from migration_progress')
    return rows[0]?.row_count ?? 0
  }
  let before = 0
  for (let round = 0; round < 3; round += 1) {
    const child = beginCommand(['migrate'], environment, next.file)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const went = before
    const isFurther = async () => expect(await progress()).toBeGreaterThan(went + 500)
    await vi.waitFor(isFurther, { timeout: 60_000, interval: 20 })
    child.kill('SIGKILL')
    expect(await ended).toBe(null)
    before = await progress()
    expect(before).toBeLessThan(20_000)
  }
  expect((await migrateWith(next)).code).toBe(0)
  const { rows } = await client.query('select filled, count(*)::integer from big group by 1')
  expect(rows).toEqual([{ filled: 1, count: 20_000 }])
  expect(await progress()).toBe(0)
  expect(await versions()).toBe(known_version + 1)
})

test('an index that an interruption left invalid is built again', async () => {
  await client.query('create table big (id bigint, twice bigint)')
  await client.query('insert into big select 1, 1 from generate_series(1, 2)')
  const next = release(
    '0.2.0',
    `-- expand, concurrently
create unique index concurrently big_id on big (id);
create index concurrently big_twice on big (twice);
`,
  )
  expect((await migrateWith(next)).code).toBe(1)
  const invalid = `select indexrelid::regclass::text as name from pg_index where not indisvalid`
  expect((await client.query(invalid)).rows).toEqual([{ name: 'big_id' }])
  await client.query('update big set id = 2 where ctid = (select min(ctid) from big)')
  expect((await migrateWith(next)).code).toBe(0)
  expect((await client.query(invalid)).rows).toEqual([])
  const names = `select count(*)::integer from pg_indexes where tablename = 'big'`
  expect((await client.query(names)).rows[0].count).toBe(2)
})
