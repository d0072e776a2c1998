import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  runCommand,
  startPackage,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { runWords } from '../support/setup/command-line.ts'

// The service runs as an installed package: a copy of what is built, in a folder without the sources.
// Commands work while it runs and without it. Most are run in the process of the test.
let folder: string
let data_dir: string
let running: Running

beforeAll(async () => {
  folder = temporaryFolder()
  data_dir = join(folder, 'data')
  running = await startPackage(folder)
})
afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(folder, data_dir)
})

const run = async (...args: string[]) => {
  const { code, output, errors } = await runWords(args, { DATA_DIR: data_dir })
  return { code, output: output + errors }
}

const onTerminal = (...args: string[]) =>
  runWords(args, { DATA_DIR: data_dir }, { is_terminal: true })

async function json(...args: string[]) {
  const { code, output } = await run(...args)
  expect(code, output).toBe(0)
  return JSON.parse(output)
}

test('a merchant is created, verified, configured and gets tokens that work and end', async () => {
  const created = await json('merchants', 'create', '--name', 'Shop', '--email', 'a@shop.example')
  expect(created).toMatchObject({ name: 'Shop', verified: false })
  expect((await json('merchants', 'verify', created.id)).verified).toBe(true)
  const configured = await json('merchants', 'configure', created.id, '{"percent_fee": 3.5}')
  expect(configured.percent_fee).toBe(3.5)
  const names = (await json('merchants', 'list')).map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Demo merchant', 'Shop'])

  const token = await json('app-tokens', 'create', created.id, '--days', '30')
  const headers = { authorization: `Bearer ${token.secret}.${token.jwt}` }
  const me = () => fetchWhenFree(`${running.url}/me`, { headers })
  expect((await me()).status).toBe(200)
  const [listed] = await json('app-tokens', 'list', created.id)
  expect(listed).toMatchObject({ jti: token.jti, expires_on: token.expires_on })
  expect(listed).not.toHaveProperty('secret')
  expect(await run('app-tokens', 'revoke', created.id, token.jti)).toMatchObject({ code: 0 })
  await vi.waitFor(async () => expect((await me()).status).toBe(401), {
    timeout: 60_000,
    interval: 200,
  })
})

test('listen refuses an invalid secret', async () => {
  for (const secret of ['', 'secret', 'whsec_', 'whsec_c2hvcnQ=']) {
    const { code, output } = await run('listen', '--secret', secret)
    expect([code, output]).toEqual([1, expect.stringContaining('--secret must be whsec_')])
  }
})

test('a user is created, chooses a password with the link, logs in and is disabled', async () => {
  const [{ id }] = await json('merchants', 'list')
  const flags = ['--email', 'hanako@shop.example', '--name', '花子', '--role', 'staff']
  const user = await json('users', 'create', id, ...flags)
  expect(user).toMatchObject({ email: 'hanako@shop.example', role: 'staff', lang: 'ja' })
  const post = (path: string, body: object, more: object = {}) =>
    fetchWhenFree(running.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const password = 'tulip-47-garden'
  const choose = (link: string) => post(`/password_resets/${link.split('/').at(-1)}`, { password })
  expect((await choose(user.password_link)).status).toBe(204)
  const logIn = () => post('/authenticate', { email: user.email, password })
  const { jwt } = (await (await logIn()).json()) as { jwt: string }
  const me = () =>
    fetchWhenFree(`${running.url}/me/user`, { headers: { authorization: `Bearer ${jwt}` } })
  expect((await me()).status).toBe(200)
  const again = await json('users', 'reset', id, user.id, '--totp')
  expect((await choose(again.password_link)).status).toBe(204)
  expect(await json('users', 'list', id)).toMatchObject([
    { email: 'demo@example.com', has_password: false },
    { id: user.id, has_password: true, disabled_on: null },
  ])
  expect(await run('users', 'disable', id, user.id)).toMatchObject({ code: 0 })
  expect((await me()).status).toBe(401)
  expect((await logIn()).status).toBe(401)
})

const nobody = '00000000-0000-4000-8000-000000000000'

test('a merchant is paid what it is owed, step by step', async () => {
  const { jwt, secret, merchant_id } = await json('credentials')
  const headers = { authorization: `Bearer ${secret}.${jwt}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetchWhenFree(`${running.url}${path}`, options)
    return (await response.json()) as { id: string }
  }
  const card = { cardholder: 'A', card_number: '4242424242424242', exp_month: 12, exp_year: 2040 }
  const data = { ...card, cvv: '123' }
  const token = await post('/tokens', { payment_type: 'card', email: 'a@b.example', data })
  await post('/charges', { transaction_token_id: token.id, amount: 700, currency: 'JPY' })
  const create = () => json('transfers', 'create', merchant_id, '--mode', 'test')
  let created = await create()
  while (created.length === 0) created = await create()
  const { id } = created[0]
  expect(created).toMatchObject([{ status: 'created', started_by: 'operator' }])
  await json('transfers', 'approve', id)
  await json('transfers', 'process', id)
  expect(await json('transfers', 'pay', id)).toMatchObject({ status: 'paid' })
  expect(await json('transfers', 'list', merchant_id)).toMatchObject([{ id, status: 'paid' }])
  expect(await json('transfers', 'due')).toEqual([])
  expect(await run('transfers', 'cancel', id)).toEqual({
    code: 1,
    output: 'kaikei: The transfer is paid, so the action "cancel" is not possible.\n',
  })
})

test.each([
  [1, ['transfers', 'pay', nobody], 'There is no such transfer'],
  [1, ['transfers', 'create', nobody], 'There is no such merchant'],
  [2, ['transfers', 'create', 'demo', '--to', 'yesterday'], '--to must be a date'],
  [2, ['merchants', 'list', '--jsno'], 'There is no option --jsno. Did you mean "--json"?'],
  [2, ['nonsense'], 'There is no command "nonsense".'],
  [1, ['merchants', 'create', '--name', 'X', '--email', 'X'], '--name must not be empty'],
  [1, ['merchants', 'configure', 'demo', '{'], 'The configuration must be JSON'],
  [
    1,
    ['merchants', 'configure', 'demo', '{"percent_fee": "x"}'],
    'The configuration is not valid: data/percent_fee',
  ],
  [
    1,
    ['merchants', 'create', '--name', 'Card 4242 4242 4242 4242', '--email', 'a@b.example'],
    'An argument contains a card number',
  ],
  [
    1,
    ['transfers', 'fail', nobody, '--reason', '4242424242424242'],
    'An argument contains a card number',
  ],
  [1, ['app-tokens', 'create', 'demo', '--days', '10000'], '--days must be between 1 and 9999.'],
  [1, ['charges', 'show', 'demo', nobody], `The merchant has no charge ${nobody}.`],
  [1, ['charges', 'explain', 'demo', nobody], `The merchant has no charge ${nobody}.`],
  [1, ['charges', 'list', 'demo', '--limit', '1001'], '--limit must be between 1 and 1000.'],
  [1, ['vault', 'retire', 'nobody'], 'There is no vault key "nobody".'],
  [1, ['pages', 'check', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer'],
])(
  'exit code %i: %j is answered with a sentence, not with a stack',
  async (exit, args, sentence) => {
    const { code, output } = await run(...args)
    expect(output).toContain(sentence)
    expect(output).not.toMatch(/\n\s+at /)
    expect(code).toBe(exit)
  },
)

test('the program itself prints its version and its help, and exits with 2 when misused', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await runCommand(['--version'], {})).toEqual({ code: 0, output: `kaikei ${version}\n` })
  // A wrong setting does not stand in the way of the help.
  const help = await runCommand(['help'], { PORT: 'eighty' })
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining('charges explain') })
  const misused = await runCommand(['merchants', 'lsit'], {})
  expect(misused).toMatchObject({ code: 2, output: expect.stringContaining('Did you mean') })
})

test.each([
  [['help', 'charges'], 'charges list MERCHANT'],
  [['help', 'charges', 'list'], '--status STATUS'],
  [['charges', 'list', '--help'], '--status STATUS'],
  [['charges', '-h'], 'charges list MERCHANT'],
  [['doctor', '--help'], 'The doctor changes nothing.'],
  [['--help'], 'Usage: kaikei [COMMAND]'],
  [['completion', 'zsh'], 'compdef _kaikei kaikei'],
  [['complete', 'charges', ''], 'list\tList charges of a merchant'],
])('%j explains', async (words, text) => {
  expect(await run(...words)).toMatchObject({ code: 0, output: expect.stringContaining(text) })
})

test('migrate, database-url and new-key print what they are asked for', async () => {
  expect((await run('migrate')).output).toBe('The schema is up to date.\n')
  expect((await run('database-url')).output).toMatch(/^postgresql:\/\/kaikei:\w+@\/kaikei\?host=/)
  expect((await run('new-key')).output).toMatch(/^[0-9a-f]{8}:[\w+/]{43}=\n$/)
})

test('sizes shows what grows, as estimated by the database', async () => {
  const sizes = JSON.parse((await run('sizes')).output)
  const migrations = sizes.find(({ table }: { table: string }) => table === 'schema_migrations')
  expect(migrations.rows).toBeGreaterThan(20)
  expect(migrations.bytes).toBeGreaterThan(migrations.index_bytes)
  expect(migrations.bytes_a_day / migrations.rows_a_day).toBeCloseTo(
    migrations.bytes / migrations.rows,
    -2,
  )
})

test('pages check compares what is served with this release', async () => {
  const good = await run('pages', 'check', running.url)
  expect(good).toEqual({
    code: 0,
    output: `The pages of ${running.url} match this release.\n`,
  })
  const changed = createServer(async ({ url, headers }, reply) => {
    const { 'accept-language': language = '' } = headers
    const page = await fetchWhenFree(`${running.url}${url}`, {
      headers: { 'accept-language': language },
    })
    const text = (await page.text()).replace('</main>', '</main>\n<script src="//x"></script>')
    const { 'x-frame-options': _, 'content-length': __, ...kept } = Object.fromEntries(page.headers)
    reply.writeHead(404, { ...kept, 'set-cookie': 'a=b' }).end(text)
  })
  await new Promise<void>((listening) => changed.listen(0, '127.0.0.1', listening))
  const { port } = changed.address() as AddressInfo
  const { code, output } = await run('pages', 'check', `http://127.0.0.1:${port}`)
  changed.close()
  expect([code, output.split('\n')]).toEqual([
    1,
    [
      'DIFFERS  header x-frame-options: nothing instead of "DENY"',
      'DIFFERS  header set-cookie: "a=b" instead of nothing',
      'DIFFERS  page: "<script src=\\"//x\\"></script>" is not of this release',
      '',
    ],
  ])
})

const card = {
  cardholder: '山田 太郎',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2040,
  cvv: '123',
}

async function newCharge(amount: number, data: object = {}): Promise<string> {
  const { jwt, secret } = await json('credentials')
  const headers = { authorization: `Bearer ${secret}.${jwt}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetchWhenFree(`${running.url}${path}`, options)).json()) as { id: string }
  }
  const wanted = { payment_type: 'card', email: 'a@b.example', data: { ...card, ...data } }
  const { id: transaction_token_id } = await post('/tokens', wanted)
  const { id } = await post('/charges', { transaction_token_id, amount, currency: 'JPY' })
  while ((await json('charges', 'show', 'demo', id)).status === 'pending');
  return id
}

test('charges are listed, shown and explained, as tables and as JSON', async () => {
  const declined = await newCharge(1300, { card_number: '4000000000000002' })
  const paid = await newCharge(12_300)
  const listed = await onTerminal('charges', 'list', 'demo', '--limit', '2')
  expect(listed.output.split('\n')).toEqual([
    expect.stringMatching(/^ID {36}CREATED {19}AMOUNT {2}STATUS {6}METHOD /),
    expect.stringMatching(`^${paid}  \\S+Z  12,300 JPY  successful  card visa\\s+山田 太郎$`),
    expect.stringMatching(
      `^${declined}  \\S+Z   1,300 JPY  failed      card visa  山田 太郎  306 `,
    ),
    '',
  ])
  const failed = await json('charges', 'list', 'demo', '--status', 'failed', '--mode', 'test')
  expect(failed).toMatchObject([{ id: declined, status: 'failed', store_name: 'Demo store' }])
  const [{ store_id, created_on }] = failed
  const at = new Date(created_on).toISOString()
  const since = await json('charges', 'list', 'demo', '--from', at, '--store', store_id)
  expect(since.map(({ id }: { id: string }) => id)).toEqual([paid, declined])
  expect(await json('charges', 'list', 'demo', '--to', at, '--status', 'failed')).toEqual([])

  const shown = await onTerminal('charges', 'show', 'demo', declined)
  expect(shown.output).toMatch(/\nStatus +failed\nError +306 .*\nRequested +1,300 JPY\n/)
  expect(shown.output).not.toContain('Subscription')
  const asked = await onTerminal('charges', 'show', 'demo', declined, '--json')
  expect(JSON.parse(asked.output)).toMatchObject({ id: declined, error: { code: 306 } })
  const explained = await onTerminal('charges', 'explain', 'demo', declined)
  expect(explained.output).toMatch(/\nProvider +card_simulator\n/)
  expect(explained.output).toMatch(/\nSTARTED +PROVIDER +CALL .*\n\S+Z +\w+ +\w+ +1 +refused +306/)
  expect((await json('charges', 'explain', 'demo', declined)).operations).toHaveLength(1)
})

test('lists are tables on a terminal', async () => {
  const tables = [
    'merchants list',
    'app-tokens list demo',
    'transfers list demo',
    'users list demo',
  ]
  for (const words of tables) {
    const { output, code } = await onTerminal(...words.split(' '))
    expect([code, output], words).toEqual([0, expect.stringMatching(/^(ID|TOKEN) +[A-Z]/)])
  }
})

test('events tail prints the last events and follows; a program gets lines of JSON', async () => {
  const id = await newCharge(1400)
  const words = ['events', 'tail', '--last', '1', '--events', 'charge_finished']
  const last = await onTerminal(...words, '--no-follow')
  expect(last.output).toMatch(
    new RegExp(`^\\S+Z  charge_finished +${id}  successful  1,400 JPY\n$`),
  )
  const stopping = new AbortController()
  const seen: string[] = []
  const onOutput = (output: string) => {
    seen.push(output)
    if (seen.length === 1) void newCharge(1500)
    else stopping.abort()
  }
  const options = { onOutput, stopped: stopping.signal }
  const { code, output } = await runWords(words, { DATA_DIR: data_dir }, options)
  const events = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, events]).toMatchObject([
    0,
    [
      { data: { requested_amount: 1400 } },
      { event: 'charge_finished', data: { requested_amount: 1500 } },
    ],
  ])
})

test('logs tail prints what the service logged, and follows it', async () => {
  const get = (path: string) => fetchWhenFree(`${running.url}${path}`)
  const log_file = join(data_dir, 'service.log')
  await get('/first-missing')
  while (!readFileSync(log_file, 'utf8').includes('/first-missing'));
  expect(statSync(log_file).mode & 0o777).toBe(0o600)
  const last = await onTerminal('logs', 'tail', '--lines', '1', '--no-follow')
  expect(last.output).toMatch(/^\S+ GET {4}404 +\d+\.\d ms {2}\/first-missing {2}\w{8}\n$/)
  const stopping = new AbortController()
  const onOutput = (output: string) => {
    if (output.includes('/third-missing')) return stopping.abort()
    const is_second = output.includes('/second-missing')
    // As when the file is full: the service continues with a new one.
    if (is_second) renameSync(log_file, `${log_file}.1`)
    void get(is_second ? '/third-missing' : '/second-missing')
  }
  const words = ['logs', 'tail', '--lines', '1']
  const options = { onOutput, stopped: stopping.signal }
  const { output } = await runWords(words, { DATA_DIR: data_dir }, options)
  expect(
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { path: '/first-missing', status: 404 },
    { path: '/second-missing', status: 404 },
    { path: '/third-missing', status: 404 },
  ])
  const both = await onTerminal('logs', 'tail', '--lines', '2', '--no-follow', '--json')
  expect(both.output).toMatch(/second-missing.*\n.*third-missing/)
  const elsewhere = { DATA_DIR: data_dir, DATABASE_URL: 'postgresql://a@b/c' }
  expect((await runWords(words, elsewhere)).errors).toContain('Its standard output has the log')
})

test('open prints the address of the running service', async () => {
  expect(await run('open')).toEqual({ code: 0, output: `${running.url}/\n` })
  expect(await onTerminal('open', 'docs')).toMatchObject({ output: `${running.url}/docs\n` })
  const link = (await run('open', 'console')).output.trim()
  expect(link.startsWith(`${running.url}/console/enter/`)).toBe(true)
  const entered = await fetch(link, { redirect: 'manual' })
  expect(entered.headers.get('set-cookie')).toMatch(/^kaikei_console=.*HttpOnly; SameSite=Strict$/)
  const nowhere = await runWords(['open'], { DATA_DIR: join(folder, 'none'), PORT: '1' })
  expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining('does not answer') })
})

test('long work shows how far it is, on a terminal only', async () => {
  const doctor = await onTerminal('doctor', '--json')
  expect(doctor.errors).toMatch(/Checked \d+ of \d+ rules of the data/)
  expect(JSON.parse(doctor.output)).toContainEqual({ check: 'database', faults: [], warnings: [] })
  const rotated = await onTerminal('vault', 'rotate')
  expect(rotated.errors).toMatch(/Resealing: \d+ values, now in \w+/)
  expect(rotated.output).toMatch(/^\d+ values are now sealed with the key "\w+"\.\n/)
  const quiet = await runWords(['vault', 'rotate'], { DATA_DIR: data_dir })
  expect(quiet).toMatchObject({ code: 0, errors: '' })
})

test('commands work when the service does not run, and leave no database running', async () => {
  expect(existsSync(join(folder, 'node_modules/kaikei/src'))).toBe(false)
  expect(running.output()).toContain('npx kaikei help')
  const postmaster = join(data_dir, 'postgres/data/postmaster.pid')
  // A signal for npx ends the shell that npx started the program with.
  expect(await running.stop()).toBe('SIGTERM')
  await vi.waitFor(() => expect(running.output()).toContain('service stopped'))
  await vi.waitFor(() => expect(existsSync(postmaster)).toBe(false))
  expect(await json('merchants', 'list')).toHaveLength(2)
  expect((await run('doctor')).code).toBe(0)
  const { code, output } = await run('database-url')
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining('is not running'),
  })
})
