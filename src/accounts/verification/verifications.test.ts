import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// A merchant's declaration about itself: sent once, then changed key by key.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

const contact = {
  name: 'Taro Yamada',
  company_name: 'Yamada KK',
  phone_number: { country_code: 81, local_number: '312345678' },
  line1: '1-2-3',
  city: 'Minato',
  state: 'Tokyo',
  country: 'JP',
  zip: '1050001',
}
const told = {
  homepage_url: 'https://yamada.example',
  company_description: 'Sells tea.',
  company_contact_info: contact,
  business_type: 'food',
}

const call = (method: string, body?: object, auth = shop.as_merchant) => {
  world.clock.advance(1000)
  return world.call(method, '/verification', { auth, ...(body ? { body } : {}) })
}

test('it is created once, read, changed key by key, and named in /me', async () => {
  expect((await call('GET')).status).toBe(404)
  expect((await call('PATCH', { business_type: 'tea' })).status).toBe(404)
  const extra = { verified: true, id: shop.store_id, customer_contact_email: 'help@yamada.example' }
  const created = await call('POST', { ...told, ...extra })
  expect(created.status).toBe(201)
  const { id } = created.body
  expect(created.body).toEqual({
    ...told,
    id: expect.not.stringContaining(shop.store_id),
    company_contact_info: { ...contact, line2: null },
    system_manager_name: null,
    system_manager_number: null,
    system_manager_email: null,
    customer_contact_email: 'help@yamada.example',
    customer_contact_number: null,
    recurring_token_request: null,
    recurring_token_request_reason: null,
    allow_empty_cvv: null,
    created_on: expect.stringMatching(/Z$/),
    updated_on: created.body.created_on,
  })
  const me = await world.call('GET', '/me', { auth: shop.as_merchant })
  expect(me.body).toMatchObject({ verification_data_id: id, verified: false })

  const change = { company_contact_info: { city: 'Chuo' }, customer_contact_email: null }
  const changed = await call('PATCH', change)
  expect(changed).toMatchObject({
    status: 200,
    body: {
      ...told,
      company_contact_info: { ...contact, city: 'Chuo' },
      customer_contact_email: null,
    },
  })
  expect((await call('GET')).body).toEqual(changed.body)
  expect(await call('POST', told)).toMatchObject({
    status: 409,
    body: { code: 'VERIFICATION_EXISTS' },
  })
})

test('people and their numbers are sealed, and no event contains them', async () => {
  const { rows } = await world.store.pool.query('select data from verifications')
  expect(rows[0].data.toString('latin1')).not.toMatch(/Yamada|312345678/)
  const events = await world.store.pool.query("select 1 from events where data::text ~ '312345678'")
  expect(events.rows).toEqual([])
})

test.each([
  [{ homepage_url: 'ftp://x' }, 'homepage_url'],
  [{ company_contact_info: { ...contact, country: 'XX' } }, 'company_contact_info.country'],
  [{ business_type: undefined }, 'business_type'],
  [
    { system_manager_number: { country_code: '81', local_number: 'x' } },
    'system_manager_number.local_number',
  ],
  [{ recurring_token_request: 'always' }, 'recurring_token_request'],
])('%j is refused', async (part, field) => {
  const { as_merchant } = await world.merchant()
  const response = await call('POST', { ...told, ...part }, as_merchant)
  expect(response).toMatchObject({ status: 400, body: { errors: [{ field }] } })
})

test("it is the merchant's: a store's token does not see it, another merchant has its own", async () => {
  for (const method of ['GET', 'POST', 'PATCH']) {
    const body = method === 'GET' ? undefined : told
    expect((await call(method, body, shop.as_store)).status).toBe(403)
  }
  const other = await world.merchant()
  expect((await call('GET', undefined, other.as_merchant)).status).toBe(404)
})

test('the platform shows what it offers to every caller, without a credential', async () => {
  const { status, body } = await world.call('GET', '/platform')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    name: 'Kaikei',
    domain: '127.0.0.1:8080',
    supported_payment_types: expect.arrayContaining(['card', 'konbini', 'bank_transfer']),
    supported_card_brands: expect.arrayContaining(['visa', 'jcb']),
    configuration: { country: 'JP', payment_defaults: { cards_enabled: true } },
  })
})
