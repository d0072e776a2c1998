import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { viewConnectors } from '../../../src/accounts/connectors/connector-view.ts'
import { addConnector, testConnector } from '../../../src/accounts/connectors/connectors-store.ts'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import { capability_policy } from '../../../src/core/limits/retry-policies.ts'
import { explainCharge } from '../../../src/payments/charges/explain-charge.ts'
import { setRule } from '../../../src/payments/routing/routing-rules.ts'
import { any_payment, card_number as visa } from '../../support/acquirer/acquirer-world.ts'
import { payments } from '../../support/payments.ts'
import { runWords } from '../../support/setup/command-line.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'

// Two acquirers behind the `http` connector, which say what they take. Each account of an acquirer has a path of
// its own, such as `/main`, and an answer of its own.
const mastercard = '5425233430109903'
const everything = {
  instruments: ['card', 'wallet', 'online', 'qr', 'konbini', 'bank_transfer'],
  brands: null as string[] | null,
  currencies: ['JPY', 'USD'],
}
const only_visa = { instruments: ['card', 'online'], brands: ['visa'], currencies: ['JPY'] }

async function newAcquirer() {
  const says = new Map<string, Partial<typeof everything> | null>()
  const seen: string[] = []
  const server = createServer((request, response) => {
    const [, account = '', , operation = ''] = (request.url ?? '').split('/')
    seen.push(operation)
    request.resume()
    const said = says.get(account)
    if (operation !== 'capabilities') {
      response.end(JSON.stringify({ outcome: 'approved', provider_reference: 'taken' }))
    } else if (said) {
      const offered = { api_version: 1, name: 'Acquirer', ...everything, ...said }
      response.end(JSON.stringify(offered))
    } else response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  const settings = (account = 'main') => ({
    base_url: `${url}/${account}`,
    key_id: 'key-1',
    secret: 'a secret of at least 32 characters',
  })
  return { says, seen, settings, close }
}

const world = useWorld()
let shop: TestMerchant
let a: Awaited<ReturnType<typeof newAcquirer>>
let b: Awaited<ReturnType<typeof newAcquirer>>

const add = (name: string, at: typeof a, account?: string, store_id?: string | null) =>
  addConnector(world.service, {
    name,
    kind: 'http',
    owner: store_id === undefined ? null : { merchant_id: shop.id, store_id },
    settings: at.settings(account),
  })

beforeAll(async () => {
  a = await newAcquirer()
  b = await newAcquirer()
})
afterAll(async () => {
  await Promise.all([a.close(), b.close()])
})

beforeEach(async () => {
  world.clock.advance(60_000)
  a.says.set('main', only_visa)
  b.says.set('main', {})
  await add('a', a)
  await add('b', b)
  a.seen.length = 0
  b.seen.length = 0
  shop = await world.merchant({ mode: 'live', verified: true })
})

/** The payments of the shop go to this connector alone. */
const only = (connector: string) =>
  setRule(world.service, shop.id, { position: 1, connector, ...any_payment })

async function offered(at = world): Promise<string[]> {
  // The rate of questions is limited.
  world.clock.advance(500)
  const { body, text, status } = await at.call('GET', '/checkout_info', {
    auth: `Bearer ${shop.jwt}`,
  })
  expect(status, text).toBe(200)
  return body.supported_brands.map(
    (one: { payment_type: string; brand: string; supported_currencies: string[] }) =>
      `${one.payment_type} ${one.brand} ${one.supported_currencies}`,
  )
}

const waiting = { timeout: 60_000 }

/** Other processes hear of a change by a message. */
const follows = (wanted: string[], at = world) =>
  vi.waitFor(async () => expect(await offered(at)).toEqual(wanted), waiting)

const settled = (body: object = {}, card_number = visa) =>
  payments(world, shop).settled(body, { data: { card_number } })

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
async function stored(id: string): Promise<any> {
  return (await world.store.pool.query('select * from charges where id = $1', [id])).rows[0]
}

async function operations(id: string): Promise<string[]> {
  const explained = await explainCharge(world.service, shop.id, id)
  // Cards are authenticated first, by whichever takes the payment.
  const found = explained?.operations.filter(({ kind }) => kind === 'authorize') ?? []
  return found.map(({ provider, outcome }) => `${provider} ${outcome}`)
}

test("a method outside the acquirer's capabilities is not offered, and no page calls the acquirer", async () => {
  const pay = payments(world, shop)
  await pay.patch(`/stores/${shop.store_id}`, { convenience_configuration: { enabled: true } })
  expect((await offered()).filter((one) => one.startsWith('konbini'))).not.toEqual([])
  await only('a')
  await follows(['card visa JPY'])
  const refused = { amount: 1000, currency: 'JPY', payment_types: ['konbini'] }
  expect((await pay.post('/checkout_sessions', refused)).body.errors).toMatchObject([
    { field: 'payment_types' },
  ])
  const { body } = await pay.post('/checkout_sessions', { amount: 1000, currency: 'JPY' })
  const page = await world.call('GET', `${new URL(body.url).pathname}/state`)
  expect(page.body.methods).toMatchObject([{ payment_type: 'card', brands: ['visa'] }])
  expect([...a.seen, ...b.seen]).toEqual([])
})

test('a payment goes directly to the connector that takes it', async () => {
  expect(await stored((await settled()).id)).toMatchObject({ provider: 'a' })
  const other_brand = await settled({}, mastercard)
  const other_currency = await settled({ currency: 'USD' })
  for (const { id, status } of [other_brand, other_currency]) {
    expect(status).toBe('successful')
    expect(await operations(id)).toEqual(['b approved'])
    expect((await stored(id)).route.candidates).toMatchObject([{ connector: 'b' }])
  }
  expect((await stored(other_currency.id)).provider_currency).toBe('USD')
  await only('a')
  await follows(['card visa JPY'])
  const converted = await stored((await settled({ currency: 'USD' })).id)
  expect(converted).toMatchObject({ status: 'successful', provider_currency: 'JPY' })
  const nowhere = await settled({}, mastercard)
  expect(nowhere).toMatchObject({ status: 'error', error: { code: 504 } })
})

test('offers follow the answer of an acquirer, also in other processes; without one the last holds', async () => {
  await only('a')
  const other = await world.another()
  await follows(['card visa JPY'])
  await follows(['card visa JPY'], other)
  a.says.set('main', { ...only_visa, brands: ['visa', 'jcb'], currencies: ['JPY', 'USD'] })
  const pay = payments(world, shop)
  await pay.work()
  expect(a.seen).toEqual([])
  world.clock.advance(capability_policy.min_wait_ms)
  await pay.work()
  const heard = () => other.service.providers.connectors.get('a')?.takes?.currencies
  await vi.waitFor(() => expect(heard()).toEqual(['JPY', 'USD']), waiting)
  const more = ['card visa JPY,USD', 'card jcb JPY,USD']
  await follows(more)
  await follows(more, other)
  a.says.set('main', null)
  world.clock.advance(capability_policy.max_wait_ms)
  await pay.work()
  expect(a.seen.at(-1)).toBe('capabilities')
  expect(await offered()).toEqual(more)
})

test('an answer that stays the same is asked for less often', async () => {
  const asked = async (wait_ms: number) => {
    a.seen.length = 0
    world.clock.advance(wait_ms)
    await payments(world, shop).work()
    return a.seen.length
  }
  const { min_wait_ms, max_wait_ms } = capability_policy
  a.says.set('main', { ...only_visa, brands: ['jcb'] })
  await testConnector(world.service, 'a', null)
  expect(await asked(min_wait_ms)).toBe(1)
  expect(await asked(min_wait_ms)).toBe(1)
  expect(await asked(min_wait_ms)).toBe(0)
  expect(await asked(2 * max_wait_ms)).toBe(1)
  expect(await asked(max_wait_ms - 60_000)).toBe(0)
})

test('a payment that the account does not take any more makes the service ask', async () => {
  await only('a')
  a.says.set('fresh', only_visa)
  await add('a', a, 'fresh', null)
  await follows(['card visa JPY'])
  a.says.set('fresh', { ...only_visa, brands: ['jcb'] })
  world.clock.advance(capability_policy.min_pause_ms)
  const refused = await settled()
  expect(refused).toMatchObject({ status: 'error', error: { code: 504 } })
  expect(await operations(refused.id)).toEqual(['a not_taken'])
  await payments(world, shop).work()
  await follows(['card jcb JPY'])
  expect(await operations((await settled()).id)).toEqual([])
})

test('a process that has heard a narrower answer asks again before it refuses a payment', async () => {
  await only('a')
  await follows(['card visa JPY'])
  expect((await settled()).status).toBe('successful')
  a.says.set('main', { ...only_visa, brands: ['visa', 'mastercard'] })
  await testConnector(world.service, 'a', null)
  world.clock.advance(capability_policy.min_pause_ms)
  const { id, status } = await settled({}, mastercard)
  expect([status, await operations(id)]).toEqual(['successful', ['a approved']])
})

test('accounts of merchants and stores have capabilities of their own; a test call reads them immediately', async () => {
  await only('a')
  a.says.set('merchant', { ...only_visa, brands: ['jcb'] })
  a.says.set('store', { ...only_visa, brands: ['mastercard'] })
  await follows(['card visa JPY'])
  await add('a', a, 'merchant', null)
  await follows(['card jcb JPY'])
  await add('a', a, 'store', shop.store_id)
  await follows(['card mastercard JPY'])
  const neighbour = shop
  shop = await world.merchant({ mode: 'live', verified: true })
  await only('a')
  await follows(['card visa JPY'])
  shop = neighbour
  a.says.set('store', { ...only_visa, currencies: ['USD'] })
  const owner = { merchant_id: shop.id, store_id: shop.store_id }
  expect(await testConnector(world.service, 'a', owner)).toMatchObject({
    seen: 'Acquirer takes card (visa) in USD.',
  })
  await follows(['card visa USD'])
})

test('the command and the console show what the account of the installation takes', async () => {
  const { data_dir, database_url, vault_keys, signing_keys, fingerprint_keys } =
    world.service.config
  const environment = {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url ?? '',
    VAULT_KEYS: vault_keys ?? '',
    SIGNING_KEYS: signing_keys ?? '',
    FINGERPRINT_KEYS: fingerprint_keys ?? '',
  }
  const listed = await runWords(['connectors', 'list'], environment, { is_terminal: true })
  expect(listed.output).toContain('card (visa) in JPY')
  const shown = await viewConnectors(world.service)
  expect(shown.map(({ capabilities }) => capabilities)).toMatchObject([
    { payment_types: ['card'], brands: ['visa'], currencies: ['JPY'] },
    { brands: null, currencies: ['JPY', 'USD'] },
  ])
})

test('an account that was never asked takes everything, until a payment is refused', async () => {
  await only('a')
  a.says.set('older', only_visa)
  const owner = { merchant_id: shop.id, store_id: null }
  await setCredentials(world.service, 'a', owner, a.settings('older'))
  await vi.waitFor(async () => expect(String(await offered())).toContain('card jcb'), waiting)
  expect((await settled({}, mastercard)).status).toBe('error')
  await payments(world, shop).work()
  await follows(['card visa JPY'])
})

test('the worker asks existing accounts for their capabilities; providers without that call only once', async () => {
  await only('a')
  a.says.set('before', only_visa)
  const owner = { merchant_id: shop.id, store_id: null }
  await setCredentials(world.service, 'a', owner, a.settings('before'))
  await setCredentials(world.service, 'card_simulator', owner, { key: 'none' })
  const { pool } = world.store
  const at = new Date(world.clock.now())
  // As the migration does.
  await pool.query(
    `insert into account_capabilities (merchant_id, id, provider, changed_on, due_on)
      select merchant_id, id, provider, $1, $1 from provider_credentials where merchant_id = $2`,
    [at, shop.id],
  )
  await payments(world, shop).work()
  await follows(['card visa JPY'])
  const { rows } = await pool.query(
    'select provider, due_on is null as is_over from account_capabilities where merchant_id = $1',
    [shop.id],
  )
  expect(rows).toContainEqual({ provider: 'card_simulator', is_over: true })
  expect(rows).toContainEqual({ provider: 'a', is_over: false })
})
