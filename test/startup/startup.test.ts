import { spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { canReach, postgresAccount } from '../../src/store/server/embedded/postgres-account.ts'
import { postgresBinaries } from '../../src/store/server/embedded/postgres-binaries.ts'
import { examineDatabase } from '../../src/store/server/examine-database.ts'
import {
  fetchWhenFree,
  isAlive,
  postmasterPid,
  program,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { usedFolder } from '../support/setup/used-folder.ts'
import { databaseUrl } from '../support/world.ts'

// Each test starts the real program in a separate process. A test that does not need a new data folder
// uses that of the first one, or a copy of one in which the service has run.
const used_folder = temporaryFolder()
const folders: [folder: string, data_dir: string][] = []
const started: Running[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop('SIGKILL')))
  for (const [folder, data_dir] of folders.splice(0)) removeFolder(folder, data_dir)
})

afterAll(() => removeFolder(used_folder))

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push([folder, folder])
  return folder
}

/** A folder in which the service has run, and was stopped. */
function oldFolder(): string {
  const folder = usedFolder()
  folders.push([folder, folder])
  return folder
}

async function start(environment: Record<string, string>, identity?: object): Promise<Running> {
  const running = await startProcess(environment, identity)
  started.push(running)
  return running
}

function credentialsOf(data_dir: string): Record<string, string> {
  return JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
}

async function getMe(running: Running, data_dir: string): Promise<Response> {
  const { secret, jwt } = credentialsOf(data_dir)
  return fetchWhenFree(`${running.url}/me`, {
    headers: { authorization: `Bearer ${secret}.${jwt}` },
  })
}

/** Runs the printed shell commands, and reads the resulting charge. */
async function paste(output: string): Promise<object> {
  const commands = output.slice(output.indexOf('field()')).split('\n\n')[0] ?? ''
  const shell = spawn('sh', ['-c', commands], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  shell.stdout.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => shell.once('close', resolve))
  return JSON.parse(text)
}

test('the first start creates a demo merchant, prints what to do, and stops cleanly', async () => {
  const data_dir = used_folder
  const running = await start({ DATA_DIR: data_dir })
  const credentials = credentialsOf(data_dir)
  expect(Object.keys(credentials).sort()).toEqual([
    'base_url',
    'jwt',
    'merchant_id',
    'secret',
    'store_id',
  ])
  expect(credentials.base_url).toBe(running.url)
  for (const name of ['credentials.json', 'keys.json']) {
    expect(statSync(join(data_dir, name)).mode & 0o777).toBe(0o600)
  }
  expect(running.output()).toContain(`${running.url}/docs`)
  expect(running.output()).toContain('credentials.json')
  expect(running.output()).toMatch(/curl -s http:\S+\/charges /)
  // The output is no terminal here: it may be stored.
  for (const hidden of [credentials.secret, credentials.jwt]) {
    expect(running.output().includes(hidden ?? '')).toBe(false)
  }
  expect(await paste(running.output())).toMatchObject({ status: 'pending', requested_amount: 1000 })
  expect((await getMe(running, data_dir)).status).toBe(200)
  const printed = await runCommand(['credentials'], { DATA_DIR: data_dir })
  expect(JSON.parse(printed.output)).toEqual(credentials)
  const postmaster = postmasterPid(data_dir)
  expect(isAlive(postmaster)).toBe(true)
  expect(await running.stop('SIGTERM')).toBe(0)
  expect(isAlive(postmaster)).toBe(false)
})

test('with LOG_FORMAT=json every line of the output is JSON, also when a start fails', async () => {
  const data_dir = used_folder
  const settings = { DATA_DIR: data_dir, LOG_FORMAT: 'json' }
  const isJson = (line: string) => line.startsWith('{') && JSON.parse(line).msg !== undefined
  const lines = (output: string) => output.split('\n').filter((line) => line !== '')
  const running = await start(settings)
  const refused = await runCommand(['serve'], { ...settings, PORT: new URL(running.url).port })
  expect(await running.stop()).toBe(0)
  for (const output of [running.output(), refused.output]) {
    expect(lines(output).length).toBeGreaterThan(0)
    expect(lines(output).filter((line) => !isJson(line))).toEqual([])
  }
  expect(refused.code).toBe(1)
})

test('started again it is the same service, also after SIGINT and kill -9; a second one is refused', async () => {
  const data_dir = used_folder
  const first = await start({ DATA_DIR: data_dir })
  const before = credentialsOf(data_dir)
  expect(await first.stop('SIGINT')).toBe(0)
  expect(first.output()).toContain('"msg":"service started"')
  const second = await start({ DATA_DIR: data_dir, LOG_FORMAT: 'pretty' })
  expect(credentialsOf(data_dir)).toEqual({ ...before, base_url: second.url })
  expect((await getMe(second, data_dir)).status).toBe(200)
  await vi.waitFor(() => expect(second.output()).toMatch(/^\S+ GET {4}200 .* ms {2}\/me /m))

  // The database that was left running is found, and replaced.
  const postmaster = postmasterPid(data_dir)
  await second.stop('SIGKILL')
  expect(isAlive(postmaster)).toBe(true)
  const third = await start({ DATA_DIR: data_dir })
  expect(postmasterPid(data_dir)).not.toBe(postmaster)
  await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false))
  expect((await getMe(third, data_dir)).status).toBe(200)
  const next = postmasterPid(data_dir)
  await third.stop('SIGKILL')
  process.kill(next, 'SIGKILL')
  const fourth = await start({ DATA_DIR: data_dir })
  expect((await getMe(fourth, data_dir)).status).toBe(200)

  const { code, output } = await runCommand(['serve'], { DATA_DIR: data_dir })
  expect(code).toBe(1)
  expect(output).toContain('Another instance of the service uses the data folder')
  expect((await getMe(fourth, data_dir)).status).toBe(200)
})

test('a database server that ends while it is waited for is not waited for any longer', async () => {
  const data_dir = oldFolder()
  // Its parent does not wait for it, so that it stays listed after its end.
  const folder = realpathSync(join(data_dir, 'postgres'))
  const script = `sh -c 'echo $$; sleep 3' '${folder}' & exec sleep 300`
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const pid = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (text) => resolve(`${text}`)),
    )
    const lines = [pid.trim(), join(folder, 'data'), '0', '5432', folder, '', '', 'ready']
    writeFileSync(join(folder, 'data', 'postmaster.pid'), lines.join('\n'))
    const running = await start({ DATA_DIR: data_dir })
    expect((await getMe(running, data_dir)).status).toBe(200)
  } finally {
    parent.kill('SIGKILL')
  }
})

test('a taken port is named in one sentence', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const { code, output } = await runCommand(['serve'], {
    DATA_DIR: oldFolder(),
    PORT: String(port),
  })
  taken.close()
  expect(code).toBe(1)
  expect(output).toContain(`kaikei: Port ${port} is taken by another program.`)
  expect(output).not.toMatch(/\n\s+at /)
})

test('of three instances that start at once on a new folder, one comes up', async () => {
  const data_dir = newFolder()
  const attempts = [1, 2, 3].map(() => start({ DATA_DIR: data_dir }))
  const results = await Promise.allSettled(attempts)
  const up = results.filter(({ status }) => status === 'fulfilled')
  expect(up).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason.message).toContain('Another instance')
  }
  expect((await getMe(started[0] as Running, data_dir)).status).toBe(200)
})

async function newDatabase(): Promise<pg.ClientConfig> {
  const server = inject('postgres')
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  const database = `start_${crypto.randomUUID().replaceAll('-', '')}`
  await client.query(`create database ${database}`)
  await client.end()
  return { ...server, database }
}

test('with DATABASE_URL several processes start at once on an empty database', async () => {
  const connection = await newDatabase()
  const data_dir = newFolder()
  const environment = { DATA_DIR: data_dir, DATABASE_URL: databaseUrl(connection) }
  const [one, two] = await Promise.all([start(environment), start(environment)])
  expect((await getMe(one, data_dir)).status).toBe(200)
  expect((await getMe(two, data_dir)).status).toBe(200)
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query('select count(*)::integer as count from merchants')
  expect(rows[0].count).toBe(1)
  await client.query(
    `insert into schema_migrations (version, name, checksum, min_program)
     values (9999, 'later', 'x', 9998)`,
  )
  await client.end()
  const { code, output } = await runCommand(['serve'], environment)
  expect(code).toBe(1)
  expect(output).toMatch(
    /kaikei: The database needs a program that knows schema version 9998, this one knows \d+: start/,
  )
})

test.each([
  ['PORT', 'eighty', 'The setting PORT must be a whole number from 0 to 65535.'],
  ['COMPATIBILITY', 'yes', 'The setting COMPATIBILITY must be one of spec, clients.'],
  ['BASE_URL', 'shop', 'The setting BASE_URL must be an http or https address without query.'],
  ['DATABASE_URL', 'mysql://x/y', 'The setting DATABASE_URL must look like postgresql://'],
])('a wrong %s stops the start with one clear sentence', async (name, value, sentence) => {
  const { code, output } = await runCommand(['serve'], { [name]: value })
  expect(code).toBe(1)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output).toContain(sentence)
})

test('keys that others can read, that are short or not random stop the start', async () => {
  const data_dir = newFolder()
  const serve = (more: Record<string, string>) =>
    runCommand(['serve'], { DATA_DIR: data_dir, ...more })
  const short = await serve({ VAULT_KEYS: 'a:c2hvcnQ=' })
  expect(short).toMatchObject({ code: 1, output: expect.stringContaining('must have 32 bytes') })
  const zeros = await serve({ VAULT_KEYS: `a:${Buffer.alloc(32).toString('base64')}` })
  expect(zeros.output).toContain('is not random')
  writeFileSync(join(data_dir, 'keys.json'), '{}')
  chmodSync(join(data_dir, 'keys.json'), 0o644)
  expect((await serve({})).output).toContain('chmod 600')
})

test('in a folder that only its owner can enter, the database still runs', async () => {
  const home = temporaryFolder()
  chmodSync(home, 0o700)
  const data_dir = join(home, 'deep', 'data')
  folders.push([home, data_dir])
  const first = await start({ DATA_DIR: data_dir })
  expect((await getMe(first, data_dir)).status).toBe(200)
  const linked = lstatSync(join(data_dir, 'postgres')).isSymbolicLink()
  expect(linked).toBe(process.getuid?.() === 0)
  expect(await first.stop()).toBe(0)
  const again = await start({ DATA_DIR: data_dir })
  expect((await getMe(again, data_dir)).status).toBe(200)
})

test('a very deep folder does not exceed the length of a socket path', async () => {
  const folder = newFolder()
  const data_dir = join(folder, 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(data_dir, { recursive: true })
  chmodSync(folder, 0o755)
  folders[folders.length - 1] = [folder, data_dir]
  const running = await start({ DATA_DIR: data_dir })
  expect((await getMe(running, data_dir)).status).toBe(200)
  expect(await running.stop()).toBe(0)
})

test('root and an ordinary user can both run it', async (context) => {
  const nobody = { uid: 65534, gid: 65534 }
  if (process.getuid?.() !== 0) return
  const reachable = [dirname(program), dirname(process.execPath)].every((path) =>
    canReach(nobody, path),
  )
  if (!reachable) {
    context.skip('this checkout is closed to other users, so none can be tried here')
    return
  }
  const folder = newFolder()
  chmodSync(folder, 0o777)
  const data_dir = join(folder, 'data')
  folders[folders.length - 1] = [folder, data_dir]
  const running = await start({ DATA_DIR: data_dir }, nobody)
  expect((await getMe(running, data_dir)).status).toBe(200)
  expect(statSync(join(data_dir, 'postgres')).uid).toBe(65534)
  expect(statSync(data_dir).mode & 0o077).toBe(0)
  expect(await running.stop()).toBe(0)
})

test('a PostgreSQL with fsync=off, or older than 15, is refused', async () => {
  const fake = (row: object) => ({ query: async () => ({ rows: [row] }) }) as unknown as pg.Client
  const old = { version: 149_999, version_name: '14.9', encoding: 'UTF8' }
  const { faults } = await examineDatabase(fake(old), false)
  expect(faults.join()).toContain('14.9 is too old')

  const data_dir = oldFolder()
  const account = postgresAccount()
  const cluster = realpathSync(join(data_dir, 'postgres'))
  const server = spawn(
    join(postgresBinaries(account), 'postgres'),
    ['-D', join(cluster, 'data'), '-c', 'fsync=off', '-c', 'listen_addresses=', '-k', cluster],
    { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], ...(account ?? {}) },
  )
  await new Promise<void>((resolve) => {
    server.stderr?.on('data', (text) => String(text).includes('ready to accept') && resolve())
  })
  const password = readFileSync(join(cluster, 'password'), 'utf8')
  const url = databaseUrl({
    host: cluster,
    port: 5432,
    user: 'kaikei',
    password,
    database: 'kaikei',
  })
  const { code, output } = await runCommand(['serve'], { DATA_DIR: newFolder(), DATABASE_URL: url })
  server.kill('SIGINT')
  await new Promise((resolve) => server.once('exit', resolve))
  expect(code).toBe(1)
  expect(output).toContain('PostgreSQL runs with fsync=off and can lose payments; set fsync=on.')
})
