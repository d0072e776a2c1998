import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBookAcquirer } from '../../../test/support/acquirer/book-acquirer.ts'
import { enrol, loginToken, newUser } from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { setOperator } from '../../accounts/users/manage-users.ts'
import { installation_id } from '../../core/ids.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { queue_tables } from '../../store/due/due-queues.ts'

const world = useWorld()
let shop: TestMerchant
let auth: string

beforeAll(async () => {
  const { id, email } = await newUser(world, await world.merchant())
  await world.store.pool.query('update users set is_operator = true where id = $1', [id])
  auth = (await enrol(world, email)).auth
  shop = await world.merchant({ name: 'Flower_shop', email: 'flowers@shop.example' })
})
beforeEach(() => world.clock.advance(minute_ms))

const get = async (path: string) => (await world.call('GET', path, { auth })).body
const change = (method: string, path: string, body: object = {}) =>
  world.call(method, path, { auth, body })

test('only operators with a second factor, whatever their role', async () => {
  const refused = { status: 403, body: { code: 'INVALID_PERMISSIONS' } }
  const owner = (await enrol(world, (await newUser(world, shop)).email)).auth
  const { id, email } = await newUser(world, shop)
  await world.store.pool.query('update users set is_operator = true where id = $1', [id])
  for (const other of [owner, await loginToken(world, email), shop.as_merchant]) {
    for (const [path, item] of Object.entries(world.app.describeRoutes().paths)) {
      if (!path.startsWith('/operator/')) continue
      const url = path.replace(/\{\w+_id\}/, shop.id)
      for (const method of Object.keys(item)) {
        world.clock.advance(1000)
        const options = { auth: other, ...(method === 'get' ? {} : { body: {} }) }
        const response = await world.call(method.toUpperCase(), url, options)
        expect(response, `${method} ${path}`).toMatchObject(refused)
      }
    }
  }
})

test('an existing user becomes an operator, and is none any more; each time the sessions end', async () => {
  const user = await newUser(world, shop)
  const path = { merchant_id: user.merchant_id, id: user.id }
  const app = await enrol(world, user.email)
  const health = (as: string) => world.call('GET', '/operator/health', { auth: as })
  await setOperator(world.service, path, true)
  expect((await health(app.auth)).status).toBe(401)
  world.clock.advance(minute_ms)
  const again = await loginToken(world, user.email, { totp: app.code() })
  expect((await health(again)).status).toBe(200)
  await setOperator(world.service, path, false)
  expect((await health(again)).status).toBe(401)
})

test('merchants are found by name, e-mail and id, read and verified', async () => {
  for (const search of ['flower_', 'FLOWERS@', shop.id]) {
    const { items } = await get(`/operator/merchants?search=${search}`)
    expect(items.map(({ id }: { id: string }) => id)).toEqual([shop.id])
  }
  expect((await get('/operator/merchants?search=%25')).items).toEqual([])
  expect((await get('/operator/merchants')).items.length).toBe(2)
  const path = `/operator/merchants/${shop.id}`
  expect(await get(path)).toMatchObject({ id: shop.id, verified: false })
  const verified = await change('PATCH', `${path}/verification`, { verified: true })
  expect(verified).toMatchObject({ status: 200, body: { id: shop.id, verified: true } })
  const not = await change('PATCH', `${path}/verification`, { verified: false })
  expect(not.status).toBe(400)
  expect(
    (await world.call('GET', `/operator/merchants/${crypto.randomUUID()}`, { auth })).status,
  ).toBe(404)
})

test('payouts are created and moved, step by step', async () => {
  await payments(world, shop).settled({ amount: 5000 })
  const created = await change('POST', '/operator/transfers', {
    merchant_id: shop.id,
    mode: 'test',
  })
  expect([created.status, created.body.transfers.length]).toEqual([201, 1])
  const [{ id }] = created.body.transfers
  expect((await get(`/operator/transfers?merchant_id=${shop.id}`)).items[0].id).toBe(id)
  const move = (action: string) => change('PATCH', `/operator/transfers/${id}`, { action })
  const too_soon = await move('pay')
  expect(too_soon).toMatchObject({ status: 400, body: { errors: [{ field: 'action' }] } })
  for (const [action, status] of [
    ['approve', 'approved'],
    ['process', 'processing'],
    ['pay', 'paid'],
  ] as const) {
    expect((await move(action)).body.status).toBe(status)
  }
  expect((await get('/operator/transfers?status=paid')).items[0].id).toBe(id)
  const nowhere = `/operator/transfers/${crypto.randomUUID()}`
  expect((await change('PATCH', nowhere, { action: 'pay' })).status).toBe(404)
  const due = await change('POST', '/operator/due_transfers')
  expect(due).toMatchObject({ status: 201, body: { transfers: [] } })
})

test('health names what is due, and how providers answer', async () => {
  const pay = payments(world, shop)
  await pay.settled()
  const before = await get('/operator/health')
  expect(before.queues.map(({ name }: { name: string }) => name)).toEqual(queue_tables)
  expect(before.queues[0].label).toEqual({ en: 'Payments', ja: '決済' })
  expect(before.providers[0].calls).toBeGreaterThan(0)
  const token = await pay.tokenId()
  await pay.post('/charges', { transaction_token_id: token, amount: 1, currency: 'JPY' })
  const { queues } = await get('/operator/health')
  const charges = queues.find(({ name }: { name: string }) => name === 'charges')
  expect(charges).toMatchObject({ due: 1, oldest_on: expect.stringMatching(/^2026-01-15T/) })
})

test('doctor runs after the response, and its findings are read later', async () => {
  expect(await get('/operator/doctor')).toMatchObject({ id: null, findings: [] })
  const started = await change('POST', '/operator/doctor')
  expect(started).toMatchObject({ status: 202, body: { status: 'running' } })
  await expect
    .poll(async () => {
      world.clock.advance(1000)
      return (await get('/operator/doctor')).status
    })
    .toBe('finished')
  const { findings } = await get('/operator/doctor')
  const audit = findings.find(({ check }: { check: string }) => check.startsWith('the audit log'))
  expect(audit).toEqual({ check: 'the audit log is complete and unchanged', faults: [] })
})

test('actions of an operator are in the audit log', async () => {
  await change('PATCH', `/operator/merchants/${shop.id}/verification`, { verified: true })
  const [ended, begun] = (await get('/audit_log')).items
  expect(begun).toMatchObject({ action: 'updateOperatorVerification', resource_id: shop.id })
  expect(begun.before.id).toBe(shop.id)
  expect(ended).toMatchObject({ status: 200, after: { id: shop.id } })
})

describe('connectors and routing', () => {
  const connectors = '/operator/connectors'
  const named = (name: string, settings: object | null, more: object = {}) =>
    change('POST', connectors, { name, kind: 'book', settings, ...more })
  let acquirer: Awaited<ReturnType<typeof newBookAcquirer>>
  let good: { url: string; account: string }

  beforeAll(async () => {
    acquirer = await newBookAcquirer()
    good = { url: acquirer.url, account: 'main' }
  })
  afterAll(() => acquirer.die())

  test('a connector is added after a test call; its settings are shown and logged nowhere', async () => {
    const { kinds } = await get(connectors)
    const http = kinds.find(({ kind }: { kind: string }) => kind === 'http')
    expect(http.settings).toContainEqual(
      expect.objectContaining({ name: 'secret', required: true, is_secret: true }),
    )
    const added = await named('tokyo', good)
    expect(added).toMatchObject({
      status: 201,
      body: {
        enabled: true,
        has_settings: true,
        last_test: { is_ok: true, text: 'The account main is open.' },
        capabilities: { payment_types: ['card'], currencies: ['JPY', 'USD'] },
      },
    })
    const own = await named('tokyo', { ...good, account: 'own' }, { merchant_id: shop.id })
    expect(own.body.accounts).toMatchObject([{ merchant_id: shop.id, store_id: null }])
    const { id } = added.body
    const tested = await change('POST', `${connectors}/${id}/test`, { merchant_id: shop.id })
    expect(tested).toMatchObject({ status: 200, body: { is_ok: true } })
    expect((await get(`${connectors}/${id}`)).last_test).toEqual(tested.body)
    const disabled = await change('PATCH', `${connectors}/${id}`, { enabled: false })
    expect(disabled).toMatchObject({ status: 200, body: { enabled: false } })
    await change('PATCH', `${connectors}/${id}`, { enabled: true })
    const { rows } = await world.store.pool.query('select details::text from audit_log')
    const logged = rows.map(({ details }) => details).join()
    expect(logged).toContain('"settings":"[hidden]"')
    expect(logged + (await world.call('GET', connectors, { auth })).text).not.toContain(
      acquirer.url,
    )
  })

  test('wrong input is refused with every wrong field, and what the provider refuses is not stored', async () => {
    const fields = (response: { status: number; body: { errors: { field: string }[] } }) => {
      expect(response.status).toBe(400)
      return response.body.errors.map(({ field }) => field)
    }
    expect(fields(await named('Osaka', good))).toEqual(['name'])
    const wrong = { url: 'secret text', other: 'x' }
    const refused = await named('osaka', wrong)
    expect(fields(refused).sort()).toEqual(['settings.account', 'settings.other', 'settings.url'])
    expect(refused.text).not.toContain('secret text')
    expect(fields(await named('osaka', good, { store_id: shop.store_id }))).toEqual(['merchant_id'])
    const unknown = crypto.randomUUID()
    expect(fields(await named('osaka', good, { merchant_id: unknown }))).toEqual(['merchant_id'])
    expect(fields(await change('POST', connectors, { name: 'osaka', kind: 'x' }))).toEqual(['kind'])
    expect(await named('osaka', { ...good, account: 'wrong' })).toMatchObject({
      status: 400,
      body: { code: 'CONNECTOR_TEST_FAILED' },
    })
    const { connectors: stored } = await get(connectors)
    expect(stored.map(({ name }: { name: string }) => name)).toEqual(['tokyo'])
    const nowhere = `${connectors}/${unknown}`
    expect((await change('PATCH', nowhere, { enabled: true })).status).toBe(404)
  })

  test('rules are written as one list, unless somebody else was faster; a payment is checked by them', async () => {
    await named('world', good)
    await named('spare', null)
    const path = `/operator/routing/${installation_id}`
    const rule = (connector: string, conditions: object = {}) => ({
      ...{ connector, payment_type: null, brand: null, currency: null, country: null },
      ...{ min_amount: null, max_amount: null, ...conditions },
    })
    const { version, used } = await get(path)
    expect(used).toBe('order')
    const rules = [rule('world', { currency: 'USD' }), rule('spare'), rule('tokyo'), rule('world')]
    const written = await change('PATCH', path, { version, rules })
    expect(written).toMatchObject({ status: 200, body: { rules, used: 'installation' } })
    const again = await change('PATCH', path, { version, rules: [] })
    expect(again).toMatchObject({ status: 400, body: { errors: [{ field: 'version' }] } })
    const amounts = { brand: 'x', min_amount: 5, max_amount: 4, country: 'XX' }
    const faulty = {
      version: written.body.version,
      rules: [rule('nobody'), rule('tokyo', amounts)],
    }
    const { body } = await change('PATCH', path, faulty)
    expect(new Set(body.errors.map(({ field }: { field: string }) => field))).toEqual(
      new Set(
        ['connector', 'brand', 'country', 'currency', 'max_amount'].map(
          (name) => `rules.${name === 'connector' ? 0 : 1}.${name}`,
        ),
      ),
    )
    const outcomes = async (at: string) =>
      (await get(at)).check.map((one: Record<string, unknown>) => [one.connector, one.outcome])
    const question = 'payment_type=card&brand=visa&amount=1000&currency=jpy'
    expect(await outcomes(`${path}?${question}`)).toEqual([
      ['tokyo', 'takes'],
      ['world', 'falls_back'],
      ['world', 'no_match'],
      ['spare', 'no_settings'],
    ])
    expect(await outcomes(`${path}?payment_type=konbini`)).toContainEqual(['tokyo', 'not_taken'])
    const nobody = await change('PATCH', `/operator/routing/${crypto.randomUUID()}`, faulty)
    expect(nobody.status).toBe(404)
  })

  test('a merchant sees where its payments go, its own rules, and not those of the installation', async () => {
    const ask = (query: string) =>
      world.call('GET', `/routing?${query}`, { auth: shop.as_merchant }).then(({ body }) => body)
    const question = 'payment_type=card&brand=visa&currency=JPY'
    expect(await ask(question)).toMatchObject({
      used: 'installation',
      used_rules: [],
      check: [{ connector: 'tokyo' }, { connector: 'world' }],
    })
    const path = `/operator/routing/${shop.id}`
    const { version } = await get(path)
    const any = { payment_type: null, brand: null, currency: null, country: null }
    const rules = [{ connector: 'world', ...any, min_amount: null, max_amount: null }]
    expect((await change('PATCH', path, { version, rules })).status).toBe(200)
    expect(await ask(question)).toMatchObject({ used: 'merchant', used_rules: rules })
    const foreign = `store_id=${(await world.merchant()).store_id}`
    expect((await ask(foreign)).code).toBe('NOT_FOUND')
  })
})
