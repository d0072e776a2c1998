import { expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })

let number = 1_000_000

function create(body: object = {}) {
  number += 1
  return world.call('POST', '/bank_accounts', {
    auth: shop.as_merchant,
    body: {
      holder_name: 'Kaikei KK',
      bank_name: 'Test Bank',
      country: 'jp',
      currency: 'jpy',
      account_number: String(number),
      ...body,
    },
  })
}

const get = (path: string) => world.call('GET', path, { auth: shop.as_merchant })

test('a bank account is stored sealed and shown masked', async () => {
  const { status, body } = await create({ account_number: '98765432' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    country: 'JP',
    currency: 'JPY',
    account_number: '****5432',
    last_four: '5432',
    account_type: 'checking',
    status: 'new',
    primary: true,
    branch_name: null,
    swift_code: null,
  })
  const { rows } = await world.store.pool.query('select * from bank_accounts where id = $1', [
    body.id,
  ])
  expect(rows[0].account_number.includes('98765432')).toBe(false)
  expect((await get(`/bank_accounts/${body.id}`)).body).toEqual(body)
})

test('there is one primary account: the first, until another is made it or it is deleted', async () => {
  const first = (await create()).body
  const second = (await create()).body
  expect([first.primary, second.primary]).toEqual([true, false])
  expect((await get('/bank_accounts/primary')).body.id).toBe(first.id)
  const patch = (id: string, body: object) =>
    world.call('PATCH', `/bank_accounts/${id}`, { auth: shop.as_merchant, body })
  expect((await patch(second.id, { primary: true })).body.primary).toBe(true)
  expect((await get('/bank_accounts/primary')).body.id).toBe(second.id)
  expect((await patch(second.id, { primary: false })).status).toBe(400)
  await world.call('DELETE', `/bank_accounts/${second.id}`, { auth: shop.as_merchant })
  expect((await get('/bank_accounts/primary')).body.id).toBe(first.id)
  await world.call('DELETE', `/bank_accounts/${first.id}`, { auth: shop.as_merchant })
  expect((await get('/bank_accounts/primary')).status).toBe(404)
})

test('the same account is not entered twice', async () => {
  await create({ account_number: '555555' })
  expect(await create({ account_number: '555555' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'account_number', reason: 'BANK_ACCOUNT_EXISTS' }] },
  })
})

test('fields can be changed, but not where the money goes', async () => {
  const { id, last_four } = (await create()).body
  const changed = await world.call('PATCH', `/bank_accounts/${id}`, {
    auth: shop.as_merchant,
    body: { holder_name: 'New Name', branch_name: 'Main', account_number: '0000', currency: 'USD' },
  })
  expect(changed.body).toMatchObject({
    holder_name: 'New Name',
    branch_name: 'Main',
    last_four,
    currency: 'JPY',
  })
})

test('of 20 accounts made primary concurrently, one is', async () => {
  const accounts = await Promise.all([create(), create(), create(), create(), create()])
  const tokens = await world.merchantTokens(shop, 5)
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.call('PATCH', `/bank_accounts/${accounts[index % 5]?.body.id}`, {
        auth: tokens[index % 5] ?? '',
        body: { primary: true },
      }),
    ),
  )
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  const { items } = (await get('/bank_accounts?primary=true')).body
  expect(items).toHaveLength(1)
})

test("only the merchant's token sees bank accounts", async () => {
  expect((await world.call('GET', '/bank_accounts', { auth: shop.as_store })).status).toBe(403)
})
