import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../running-process.ts'

// Commands work while the service runs and without it; each is a separate process.
let data_dir: string
let running: Running

beforeAll(async () => {
  data_dir = temporaryFolder()
  running = await startProcess({ DATA_DIR: data_dir })
})
afterAll(async () => {
  await running.stop('SIGKILL')
  removeFolder(data_dir)
})

const run = (...args: string[]) => runCommand(args, { DATA_DIR: data_dir })

async function json(...args: string[]) {
  const { code, output } = await run(...args)
  expect(code, output).toBe(0)
  return JSON.parse(output)
}

test('a merchant is created, verified, configured and gets tokens that work and end', async () => {
  const made = await json('merchants', 'create', '--name', 'Shop', '--email', 'a@shop.example')
  expect(made).toMatchObject({ name: 'Shop', verified: false })
  expect((await json('merchants', 'verify', made.id)).verified).toBe(true)
  const configured = await json('merchants', 'configure', made.id, '{"percent_fee": 3.5}')
  expect(configured.percent_fee).toBe(3.5)
  const names = (await json('merchants', 'list')).map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Demo merchant', 'Shop'])

  const token = await json('app-tokens', 'create', made.id, '--days', '30')
  const headers = { authorization: `Bearer ${token.secret}.${token.jwt}` }
  const me = () => fetch(`${running.url}/me`, { headers })
  expect((await me()).status).toBe(200)
  const [listed] = await json('app-tokens', 'list', made.id)
  expect(listed).toMatchObject({ jti: token.jti, expires_on: token.expires_on })
  expect(listed).not.toHaveProperty('secret')
  expect(await run('app-tokens', 'revoke', made.id, token.jti)).toMatchObject({ code: 0 })
  while ((await me()).status === 200) await new Promise((next) => setTimeout(next, 20))
  expect((await me()).status).toBe(401)
})

test('listen refuses an invalid secret', async () => {
  for (const secret of ['', 'secret', 'whsec_', 'whsec_c2hvcnQ=']) {
    const { code, output } = await run('listen', '--secret', secret)
    expect([code, output]).toEqual([1, expect.stringContaining('--secret must be whsec_')])
  }
})

test('the README names every command', async () => {
  const { output } = await run('help')
  const names = [...output.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? '')
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(names.length).toBeGreaterThan(10)
  for (const name of names.filter((one) => one !== 'serve')) expect(readme).toContain(`| \`${name}`)
})

test('a user is created, chooses a password with the link, logs in and is disabled', async () => {
  const [{ id }] = await json('merchants', 'list')
  const flags = ['--email', 'hanako@shop.example', '--name', '花子', '--role', 'staff']
  const user = await json('users', 'create', id, ...flags)
  expect(user).toMatchObject({ email: 'hanako@shop.example', role: 'staff', lang: 'ja' })
  const post = (path: string, body: object, more: object = {}) =>
    fetch(running.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const password = 'tulip-47-garden'
  const choose = (link: string) => post(`/password_resets/${link.split('/').at(-1)}`, { password })
  expect((await choose(user.password_link)).status).toBe(204)
  const logIn = () => post('/authenticate', { email: user.email, password })
  const { jwt } = (await (await logIn()).json()) as { jwt: string }
  const me = () => fetch(`${running.url}/me/user`, { headers: { authorization: `Bearer ${jwt}` } })
  expect((await me()).status).toBe(200)
  const again = await json('users', 'reset', id, user.id, '--totp')
  expect((await choose(again.password_link)).status).toBe(204)
  expect(await json('users', 'list', id)).toMatchObject([
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
    const answer = await fetch(`${running.url}${path}`, options)
    return (await answer.json()) as { id: string }
  }
  const card = { cardholder: 'A', card_number: '4242424242424242', exp_month: 12, exp_year: 2040 }
  const data = { ...card, cvv: '123' }
  const token = await post('/tokens', { payment_type: 'card', email: 'a@b.example', data })
  await post('/charges', { transaction_token_id: token.id, amount: 700, currency: 'JPY' })
  const create = () => json('transfers', 'create', merchant_id, '--mode', 'test')
  let made = await create()
  while (made.length === 0) made = await create()
  const { id } = made[0]
  expect(made).toMatchObject([{ status: 'created', started_by: 'operator' }])
  await json('transfers', 'approve', id)
  await json('transfers', 'process', id)
  expect(await json('transfers', 'pay', id)).toMatchObject({ status: 'paid' })
  expect(await json('transfers', 'list', merchant_id)).toMatchObject([{ id, status: 'paid' }])
  expect(await json('transfers', 'due')).toEqual([])
  expect(await run('transfers', 'cancel', id)).toEqual({
    code: 1,
    output: 'kaikei: The transfer is paid: it cannot cancel.\n',
  })
})

test.each([
  [['transfers'], 'Say "transfers due"'],
  [['transfers', 'pay', 'nobody'], 'Ids are UUIDs'],
  [['transfers', 'pay', nobody], 'There is no such transfer'],
  [['transfers', 'create', nobody], 'There is no such merchant'],
  [['transfers', 'create', nobody, '--to', 'yesterday'], 'Give --to as a day'],
  [['transfers', 'create', nobody, '--mode', 'both'], 'The --mode is test or live.'],
  [['users', 'create', 'nobody'], 'Ids are UUIDs'],
  [['merchants', 'create', '--name', 'X'], 'Give the merchant a --name and a valid --email.'],
  [['merchants', 'configure', 'nobody', '{}'], 'Ids are UUIDs'],
  [
    ['merchants', 'create', '--name', 'Card 4242 4242 4242 4242', '--email', 'a@b.example'],
    'An argument holds a card number',
  ],
  [
    ['transfers', 'fail', nobody, '--reason', '4242424242424242'],
    'An argument holds a card number',
  ],
  [['merchants'], 'Say "merchants list"'],
  [['app-tokens', 'create', 'nobody'], 'Ids are UUIDs'],
  [['merchants', 'list', '--unknown'], 'See "kaikei help".'],
  [['vault', 'retire', 'nobody'], 'There is no vault key "nobody".'],
  [['pages', 'check', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 cannot be asked'],
  [['pages', 'compare'], 'Say "pages check [ADDRESS]".'],
  [['nonsense'], 'There is no command "nonsense".'],
])('%j is answered with a sentence, not with a stack', async (args, sentence) => {
  const { output } = await run(...args)
  expect(output).toContain(sentence)
  expect(output).not.toMatch(/\n\s+at /)
})

test('migrate, database-url and new-key print what they are asked for', async () => {
  expect((await run('migrate')).output).toBe('The schema is up to date.\n')
  expect((await run('database-url')).output).toMatch(/^postgresql:\/\/kaikei:\w+@\/kaikei\?host=/)
  expect((await run('new-key')).output).toMatch(/^[0-9a-f]{8}:[\w+/]{43}=\n$/)
  expect((await run('help')).output).toContain('doctor')
})

test('pages check compares what is served with this release', async () => {
  const good = await run('pages', 'check', running.url)
  expect(good).toEqual({
    code: 0,
    output: `The pages of ${running.url} are those of this release.\n`,
  })
  const changed = createServer(async ({ url, headers }, reply) => {
    const { 'accept-language': language = '' } = headers
    const page = await fetch(`${running.url}${url}`, { headers: { 'accept-language': language } })
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

test('commands work when the service does not run, and leave no database running', async () => {
  expect(await running.stop()).toBe(0)
  expect(await json('merchants', 'list')).toHaveLength(2)
  expect((await run('doctor')).code).toBe(0)
  const { code, output } = await run('database-url')
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not run'),
  })
})
