import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BookAcquirer, newBookAcquirer } from '../../../test/support/acquirer/book-acquirer.ts'
import { payments } from '../../../test/support/payments.ts'
import { runWords } from '../../../test/support/setup/command-line.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Connectors and rules as an operator configures them, beside a service that runs.
const world = useWorld()
let acquirer: BookAcquirer
let environment: Record<string, string>

beforeAll(async () => {
  acquirer = await newBookAcquirer()
  const { data_dir, database_url, vault_keys, signing_keys, fingerprint_keys } =
    world.service.config
  environment = {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url ?? '',
    VAULT_KEYS: vault_keys ?? '',
    SIGNING_KEYS: signing_keys ?? '',
    FINGERPRINT_KEYS: fingerprint_keys ?? '',
  }
})
afterAll(async () => {
  await acquirer.die()
})

const run = (...words: string[]) => runWords(words, environment)

function settingsFile(settings: unknown): string {
  const file = join(environment.DATA_DIR ?? '', 'settings.json')
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings))
  return file
}

const add = (name: string, settings: unknown, ...more: string[]) =>
  run('connectors', 'add', name, '--kind', 'book', '--settings', settingsFile(settings), ...more)

test('a connector is added, tried, listed, disabled and enabled, and the running service follows', async () => {
  const { id } = await world.merchant()
  const good = { url: acquirer.url, account: 'main' }
  expect(await add('tokyo', good)).toMatchObject({
    code: 0,
    output: 'The connector tokyo is configured. The test call: The account main is open.\n',
  })
  expect((await add('tokyo', { ...good, account: 'own' }, '--merchant', id)).code).toBe(0)
  const known = () => world.service.providers.connectors.get('tokyo')
  await vi.waitFor(() => expect(known()).toMatchObject({ is_disabled: false }), { timeout: 60_000 })
  expect(await run('connectors', 'test', 'tokyo')).toMatchObject({
    output: 'The account main is open.\n',
  })
  expect(await run('connectors', 'test', 'tokyo', '--merchant', id)).toMatchObject({
    output: 'The account own is open.\n',
  })
  expect((await run('connectors', 'disable', 'tokyo')).code).toBe(0)
  await vi.waitFor(() => expect(known()?.is_disabled).toBe(true), { timeout: 60_000 })
  const listed = await run('connectors', 'list')
  expect(JSON.parse(listed.output)).toMatchObject([
    { name: 'tokyo', kind: 'book', has_settings: true, accounts: 1 },
  ])
  expect(listed.output).not.toContain(acquirer.url)
  expect((await run('connectors', 'enable', 'tokyo')).code).toBe(0)
})

test('wrong input is refused in words that name every fault, and never the settings', async () => {
  const good = { url: acquirer.url, account: 'main' }
  const refused = async (wanted: Promise<{ code: number | null; errors: string }>) => {
    const { code, errors } = await wanted
    expect(code).toBe(1)
    return errors
  }
  expect(await refused(add('Tokyo', good))).toContain('1 to 40 of a-z, 0-9 and -')
  expect(await refused(run('connectors', 'add', 'x', '--kind', 'other', '--no-settings'))).toMatch(
    /There is no kind "other"\. It is one of .*book/,
  )
  expect(await refused(add('osaka', { url: 'secret', account: 1, more: 'x' }))).toMatch(
    /url must match.*account must be string.*more is no setting/,
  )
  expect(await refused(add('osaka', '{"account": "secr'))).not.toContain('secr"')
  expect(await refused(add('osaka', { ...good, account: 'wrong' }))).toContain(
    'The test call failed',
  )
  expect(await refused(add('osaka', good, '--store', crypto.randomUUID()))).toContain('--merchant')
  expect(await refused(run('connectors', 'disable', 'osaka'))).toContain('no connector osaka')
  expect(JSON.parse((await run('connectors', 'list')).output)).toHaveLength(1)
})

test('rules are set, replaced, listed and removed, for the installation or a merchant', async () => {
  const { id } = await world.merchant()
  const conditions = ['--payment-type', 'card', '--brand', 'visa', '--country', 'jp']
  const amounts = ['--currency', 'jpy', '--min-amount', '1000', '--max-amount', '5000']
  expect((await run('routes', 'set', '2', 'tokyo', ...conditions, ...amounts)).code).toBe(0)
  expect((await run('routes', 'set', '1', 'tokyo', '--brand', 'jcb')).code).toBe(0)
  expect((await run('routes', 'set', '1', 'tokyo', '--currency', 'USD')).code).toBe(0)
  expect((await run('routes', 'set', '7', 'tokyo', '--merchant', id)).code).toBe(0)
  expect(JSON.parse((await run('routes', 'list')).output)).toMatchObject([
    { position: 1, brand: null, currency: 'USD' },
    { position: 2, brand: 'visa', country: 'JP', min_amount: 1000, max_amount: 5000 },
  ])
  const shown = await runWords(['routes', 'list'], environment, { is_terminal: true })
  expect(shown.output).toContain('1000 to 5000')
  expect(JSON.parse((await run('routes', 'list', '--merchant', id)).output)).toHaveLength(1)
  expect((await run('routes', 'remove', '1')).code).toBe(0)
  expect((await run('routes', 'remove', '1')).errors).toContain('There is no rule 1')
  expect((await run('routes', 'set', '1', 'kyoto')).errors).toContain('no connector kyoto')
  const wrong = ['--brand', 'x', '--country', 'XX', '--min-amount', '2', '--max-amount', '1']
  const { errors } = await run('routes', 'set', '2000', 'tokyo', ...wrong)
  for (const part of [
    'position is',
    'brand is one of',
    'country is',
    'needs its currency',
    'larger',
  ]) {
    expect(errors).toContain(part)
  }
})

test('doctor --live names what is missing before real money, and is content when nothing is', async () => {
  const doctor = async (settings: Record<string, string> = {}) => {
    const { code, output } = await runWords(['doctor', '--live'], { ...environment, ...settings })
    const lines = output.split('\n')
    return { code, missing: lines.filter((line) => line.startsWith('MISSING ')), lines }
  }
  const first = await doctor()
  expect(first.code).toBe(1)
  expect(first.missing).toEqual([
    expect.stringContaining('by https: BASE_URL is no https address'),
    expect.stringContaining('Set WEBHOOK_TARGETS=public'),
    expect.stringContaining('merchants are verified: None is'),
  ])
  expect(first.lines).toContain('ok      connectors answer a test call')
  const settings = { BASE_URL: 'https://pay.example', WEBHOOK_TARGETS: 'public' }
  const shop = await world.merchant({ mode: 'live', verified: true })
  const { id, as_merchant: auth } = shop
  const hook = { url: `${acquirer.url}/hook`, triggers: ['charge_finished'] }
  const { body } = await world.call('POST', '/webhooks', { auth, body: hook })
  await world.store.pool.query(`update app_tokens set deleted_on = now() where merchant_id = '${id}'
    and mode = 'live'`)
  await acquirer.die()
  const second = await doctor(settings)
  await acquirer.comeBack()
  expect(second.missing).toEqual([
    expect.stringMatching(/test call: tokyo: .*ECONNREFUSED/),
    expect.stringMatching(/test call: tokyo for [-0-9a-f]{36}: .*ECONNREFUSED/),
    expect.stringContaining('has none: "kaikei app-tokens create --mode live"'),
    expect.stringContaining(`sends events in the clear to ${hook.url}`),
    expect.stringContaining('has none: a live transfer needs one'),
  ])
  await world.store.pool.query(
    `update app_tokens set deleted_on = null where merchant_id = '${id}'`,
  )
  await world.store.pool.query(`update webhooks set url = 'https://shop.example' where id = $1`, [
    body.id,
  ])
  const bank = { holder_name: 'HANAKO', bank_name: 'Mizuho', account_number: '1234567' }
  const more = { country: 'JP', currency: 'JPY', primary: true, account_type: 'checking' }
  const created = await world.call('POST', '/bank_accounts', { auth, body: { ...bank, ...more } })
  expect(created.status, created.text).toBe(201)
  await payments(world, shop).work()
  const last = await doctor(settings)
  expect(last.lines.filter((line) => line.startsWith('WRONG'))).toEqual([])
  expect(last).toMatchObject({ code: 0, missing: [] })
  expect(last.lines).toContainEqual(
    expect.stringMatching(/^WARN {4}every payment method.*no connector takes .*konbini/),
  )
  await run('connectors', 'disable', 'tokyo')
  const nothing = await doctor(settings)
  expect(nothing.missing).toContainEqual(expect.stringContaining('None takes payments'))
  expect(nothing.missing).toContainEqual(expect.stringContaining('no connector takes any payment'))
})
