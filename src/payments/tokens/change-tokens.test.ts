import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Listing, changing and deleting tokens, and the events that tell about it.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
const remove = (id: string) => world.call('DELETE', tokenPath(id), { auth: shop.as_store })

async function row(id: string) {
  const { rows } = await world.store.pool.query('select * from transaction_tokens where id = $1', [
    id,
  ])
  return rows[0]
}

async function events(id: string): Promise<{ name: string; data: unknown }[]> {
  const { rows } = await world.store.pool.query(
    'select name, data from events where resource_id = $1 order by sequence',
    [id],
  )
  return rows
}

async function ids(query = '', path = '/tokens'): Promise<string[]> {
  const { status, body, text } = await pay.get(`${path}?${query}`)
  expect(status, text).toBe(200)
  return body.items.map(({ id }: { id: string }) => id)
}

test('list items carry user_data {cardholder_name, email, brand}, and no data', async () => {
  const { body: made } = await pay.token({ type: 'recurring' })
  const { data, ...fields } = made
  const { body } = await pay.get('/tokens')
  expect(body).toEqual({
    items: [
      {
        ...fields,
        created_on: new Date(made.created_on).toISOString(),
        merchant_name: expect.stringMatching(/^Merchant \d+$/),
        store_name: 'Shop',
        user_data: {
          cardholder_name: 'TARO YAMADA',
          email: 'customer@example.com',
          brand: 'visa',
        },
      },
    ],
    has_more: false,
  })
})

test('every filter narrows the list; one-time tokens are never listed', async () => {
  const customer_id = '0190a000-0000-7000-8000-000000000001'
  const one_time = await pay.tokenId()
  const weekly = await pay.tokenId({ type: 'recurring', metadata: { order: 'Blue_7%' } })
  const subscription = await pay.tokenId({
    type: 'subscription',
    email: 'Hanako@Example.com',
    metadata: { 'svc-customer-id': customer_id },
  })
  const other_card = { card_number: '5555555555554444', cardholder: 'Jiro Sato' }
  const gone = await pay.tokenId({ type: 'recurring' }, other_card)
  await remove(gone)
  const wallet = { applepay_token: 'x', cardholder: 'Taro' }
  const apple = await pay.tokenId({ payment_type: 'apple_pay', type: 'recurring' }, wallet)

  expect(await ids()).toEqual([apple, subscription, weekly])
  expect(await ids('', `/stores/${shop.store_id}/tokens`)).toEqual([apple, subscription, weekly])
  expect(await ids('cursor_direction=asc')).toEqual([weekly, subscription, apple])
  expect(await ids('active=active')).toEqual([apple, subscription, weekly])
  expect(await ids('active=inactive')).toEqual([gone])
  expect(await ids('active=all')).toEqual([apple, gone, subscription, weekly])
  expect(await ids('all=true')).toEqual([apple, gone, subscription, weekly])
  expect(await ids('type=subscription')).toEqual([subscription])
  expect(await ids('type=recurring')).toEqual([apple, weekly])
  expect(await ids('payment_type=apple_pay')).toEqual([apple])
  expect(await ids(`customer_id=${customer_id}`)).toEqual([subscription])
  expect(await ids(`customer_id=${customer_id.toUpperCase()}`)).toEqual([subscription])
  expect(await ids('search=HANAKO')).toEqual([subscription])
  expect(await ids('search=jiro%20sato&active=all')).toEqual([gone])
  expect(await ids('search=4444&active=all')).toEqual([gone])
  expect(await ids('search=blue_7%25')).toEqual([weekly])
  expect(await ids('search=%25')).toEqual([])
  expect(await ids('search=_')).toEqual([])
  expect(await ids('search=nobody')).toEqual([])
  expect(await ids('mode=test')).toHaveLength(3)
  expect(await ids('mode=live')).toEqual([])
  expect(await ids('type=recurring&search=blue&active=all')).toEqual([weekly])
  for (const query of ['active=all', 'all=true']) {
    expect(await ids(query)).not.toContain(one_time)
  }
  for (const query of ['type=one_time', 'active=maybe', 'customer_id=7', 'mode=both', 'limit=9']) {
    expect((await pay.get(`/tokens?${query}`)).status, query).toBe(400)
  }
})

test('the list is paged by limit and cursor, filters combine with cursors', async () => {
  const made: string[] = []
  for (let index = 0; index < 12; index += 1) {
    made.unshift(await pay.tokenId({ type: 'recurring', metadata: { even: index % 2 === 0 } }))
  }
  const first = (await pay.get('/tokens')).body
  expect(first.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 10))
  expect(first.has_more).toBe(true)
  const second = (await pay.get(`/tokens?cursor=${made[9]}`)).body
  expect(second.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(10))
  expect(second.has_more).toBe(false)
  const exact = (await pay.get('/tokens?limit=12')).body
  expect([exact.items.length, exact.has_more]).toEqual([12, false])
  const even = made.filter((_, index) => index % 2 === 1)
  expect(await ids(`search=true&cursor=${even[2]}`)).toEqual(even.slice(3))
})

test('PATCH: email, metadata (merged), card data, phone_number; each is checked', async () => {
  const { body: made } = await pay.token({ type: 'recurring', metadata: { a: 1, b: 'x' } })
  const patch = (body: object) => pay.patch(tokenPath(made.id), body)
  const changed = await patch({
    email: 'new@example.com',
    metadata: { b: null, c: [1] },
    data: {
      cardholder: 'jiro sato',
      exp_month: '1',
      exp_year: '31',
      line1: 'Ginza 1',
      country: 'us',
      phone_number: { country_code: 1, local_number: '2025550123' },
    },
  })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body).toEqual({
    ...made,
    email: 'new@example.com',
    metadata: { a: 1, b: null, c: [1] },
    created_on: new Date(made.created_on).toISOString(),
    updated_on: new Date(world.clock.now()).toISOString(),
    data: {
      ...made.data,
      card: { ...made.data.card, cardholder: 'JIRO SATO', exp_month: 1, exp_year: 2031 },
      billing: {
        ...made.data.billing,
        line1: 'Ginza 1',
        country: 'US',
        phone_number: { country_code: 1, local_number: '2025550123' },
      },
    },
  })
  expect((await pay.get(tokenPath(made.id))).body).toEqual(changed.body)
  expect(await ids('search=new@example.com')).toEqual([made.id])
  const cleared = await patch({ data: { line1: null, phone_number: null } })
  expect(cleared.body.data.billing).toMatchObject({
    line1: null,
    phone_number: null,
    country: 'US',
  })
  for (const [body, field] of [
    [{ email: 'nobody' }, 'email'],
    [{ data: { exp_month: 13 } }, 'data.exp_month'],
    [{ data: { exp_year: 2020 } }, 'data.exp_month'],
    [{ data: { cvv: '12' } }, 'data.cvv'],
    [{ data: { country: 'XX' } }, 'data.country'],
    [{ data: { phone_number: { country_code: '999', local_number: '1' } } }, 'data.phone_number'],
    [{ metadata: { 'svc-customer-id': 'C-7' } }, 'metadata.svc-customer-id'],
  ] as const) {
    const refused = await patch(body)
    expect(refused.status, field).toBe(400)
    expect(refused.body.errors[0].field).toBe(field)
  }
})

test('PATCH works on one-time tokens for email and metadata; a missing body changes nothing', async () => {
  const { body: made } = await pay.token()
  const path = tokenPath(made.id)
  const changed = await pay.patch(path, { email: 'new@example.com', metadata: { a: 1 } })
  expect(changed.body).toMatchObject({ email: 'new@example.com', metadata: { a: 1 } })
  const { updated_on, ...rest } = (await pay.patch(path)).body
  expect(changed.body).toMatchObject(rest)
})

test('a customer reference that PATCH brings is found by the list', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const customer_id = '0190a000-0000-7000-8000-000000000002'
  await pay.patch(tokenPath(id), { metadata: { 'svc-customer-id': customer_id } })
  expect(await ids(`customer_id=${customer_id}`)).toEqual([id])
})

test('PATCH cannot make a second active subscription token of one card and customer', async () => {
  const type = 'subscription'
  await pay.tokenId({ type, email: 'one@example.com' })
  const id = await pay.tokenId({ type, email: 'two@example.com' })
  const refused = await pay.patch(tokenPath(id), { email: 'one@example.com' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'NON_UNIQUE_ACTIVE_TOKEN' } })
  expect((await pay.get(tokenPath(id))).body.email).toBe('two@example.com')
})

test('a card that has expired meanwhile can still be changed', async () => {
  const id = await pay.tokenId({ type: 'recurring' }, { exp_month: 2, exp_year: 2026 })
  world.clock.advance(60 * 86_400_000)
  expect((await pay.patch(tokenPath(id), { email: 'a@example.com' })).status).toBe(200)
  const renewed = await pay.patch(tokenPath(id), { data: { exp_year: 2031 } })
  expect(renewed.body.data.card).toMatchObject({ exp_month: 2, exp_year: 2031 })
})

test('a card number cannot be changed, and neither it nor a cvv is ever returned', async () => {
  const made = await pay.token({ type: 'recurring' }, { cvv: '918' })
  const path = tokenPath(made.body.id)
  const data = { cvv: '735', card_number: '5555555555554444' }
  const changed = await pay.patch(path, { data })
  expect(changed.body.data.card.last_four).toBe('4242')
  for (const { text } of [made, changed, await pay.get(path), await pay.get('/tokens')]) {
    expect(text).not.toMatch(/4242424242424242|5555555555554444|"(918|735)"|"cvv"|card_number/)
  }
  const stored = JSON.stringify(await events(made.body.id))
  expect(stored).not.toMatch(/4242424242424242|"(918|735)"|"cvv"|card_number/)
})

test('DELETE: soft; afterwards GET answers 200 with active false, and the card data is destroyed', async () => {
  for (const type of ['one_time', 'subscription', 'recurring']) {
    const { body: made } = await pay.token({ type })
    const before = await row(made.id)
    expect(before.card_number).toBeInstanceOf(Buffer)
    expect(before.cvv).toBeInstanceOf(Buffer)
    expect(await remove(made.id)).toMatchObject({ status: 204, text: '' })
    expect(await row(made.id)).toMatchObject({ card_number: null, cvv: null, due_on: null })
    const read = await pay.get(tokenPath(made.id))
    expect(read).toMatchObject({ status: 200, body: { active: false, data: made.data } })
    expect((await remove(made.id)).status).toBe(404)
    expect((await pay.patch(tokenPath(made.id), { metadata: {} })).status).toBe(404)
    const charge = { transaction_token_id: made.id, amount: 1, currency: 'JPY' }
    expect((await pay.post('/charges', charge)).status).toBe(404)
  }
})

test('a charge that waits while its token is deleted fails', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const charge = { transaction_token_id: id, amount: 1, currency: 'JPY' }
  const { body } = await pay.post('/charges', charge)
  await remove(id)
  await pay.work()
  expect((await pay.get(pay.chargePath(body.id))).body).toMatchObject({
    status: 'failed',
    error: { code: 307 },
  })
})

test('token_created, token_updated, recurring_token_deleted carry the resource as GET shows it', async () => {
  const { body: made } = await pay.token({ type: 'recurring', metadata: { a: 1 } })
  const path = tokenPath(made.id)
  const created = (await pay.get(path)).body
  await pay.patch(path, { metadata: { b: 2 } })
  const updated = (await pay.get(path)).body
  await remove(made.id)
  const deleted = (await pay.get(path)).body
  expect(await events(made.id)).toEqual([
    { name: 'token_created', data: created },
    { name: 'token_updated', data: updated },
    { name: 'recurring_token_deleted', data: deleted },
  ])
  expect(deleted.active).toBe(false)
})

test('a refused change has no event; deleting a one-time token has no event', async () => {
  const id = await pay.tokenId()
  await pay.patch(tokenPath(id), { email: 'nobody' })
  await remove(id)
  expect((await events(id)).map(({ name }) => name)).toEqual(['token_created'])
})

test('20 concurrent PATCHes of metadata: all keys present', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`)
  const tokens = await world.merchantTokens(shop, 4)
  await Promise.all(
    keys.map((key, index) =>
      world.call('PATCH', tokenPath(id), {
        auth: tokens[index % 4] ?? '',
        body: { metadata: { [key]: index } },
      }),
    ),
  )
  const { metadata } = (await pay.get(tokenPath(id))).body
  expect(metadata).toEqual(Object.fromEntries(keys.map((key, index) => [key, index])))
})
