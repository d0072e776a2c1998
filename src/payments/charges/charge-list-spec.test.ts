import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../../test/support/world.ts'
import { signAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'

// The list of charges, sentence by sentence. The shop has a charge of a card with a phone number, one
// at a till, and one in a currency that was converted to yen.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let by_card: ApiResponse['body']
let at_till: string
let converted: ApiResponse['body']

const phone_number = { country_code: '81', local_number: '090-1234-5678' }
const slip = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '03-1234-5678' },
  convenience_store: 'lawson',
}

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  by_card = await pay.settled({ amount: 1000 }, { data: { phone_number } })
  at_till = await pay.waiting('konbini', slip, { amount: 2000 })
  converted = await pay.settled({ amount: 300_00, currency: 'AED' })
})

const idsOf = ({ body }: ApiResponse): string[] => body.items.map(({ id }: { id: string }) => id)
const found = async (query: string) => idsOf(await pay.get(`/charges?${query}`))

test('a charge in a list has merchant_id and every field of the table; created_on is epoch ms', async () => {
  const { status, body } = await pay.get('/charges')
  expect(status).toBe(200)
  expect(body.items.at(-1)).toMatchObject({
    id: by_card.id,
    merchant_id: shop.id,
    store_id: shop.store_id,
    transaction_token_id: by_card.transaction_token_id,
    requested_amount: 1000,
    requested_currency: 'JPY',
    requested_amount_formatted: 1000,
    charged_amount: 1000,
    charged_currency: 'JPY',
    charged_amount_formatted: 1000,
    status: 'successful',
    error: null,
    metadata: {},
    mode: 'test',
    created_on: by_card.created_on,
  })
  expect(Number.isInteger(body.items[0].created_on)).toBe(true)
})

test('GET /charges lists all stores, GET /stores/{storeId}/charges one store', async () => {
  const auth = shop.as_merchant
  const store = await world.call('POST', '/stores', { auth, body: { name: 'Second' } })
  const list = async (path: string) => idsOf(await world.call('GET', path, { auth }))
  const all = [converted.id, at_till, by_card.id]
  expect(await list('/charges')).toEqual(all)
  expect(await list(`/stores/${shop.store_id}/charges`)).toEqual(all)
  expect(await list(`/stores/${store.body.id}/charges`)).toEqual([])
})

test('GET /charges shows the charges of every store to the merchant, of its own to a store', async () => {
  const owner = await world.merchant()
  const auth = owner.as_merchant
  const { body } = await world.call('POST', '/stores', { auth, body: { name: 'Second' } })
  const { token, secret } = await createAppToken(world.service, {
    merchant_id: owner.id,
    creator_id: owner.id,
    store: { id: body.id, mode: 'test', domains: [] },
  })
  const as_store = `Bearer ${secret}.${await signAppToken(world.service, token)}`
  const first = (await payments(world, owner).settled()).id
  const second = (await payments(world, { ...owner, store_id: body.id, as_store }).settled()).id
  const list = async (path: string, as: string) =>
    idsOf(await world.call('GET', path, { auth: as }))
  expect(await list('/charges', auth)).toEqual([second, first])
  expect(await list('/charges', owner.as_store)).toEqual([first])
  expect(await list('/charges', as_store)).toEqual([second])
  expect(await list(`/stores/${body.id}/charges`, auth)).toEqual([second])
})

const card = { last_four: '4242', name: 'Taro Yamada', exp_month: '12', exp_year: '2030' }

test('last_four, name, exp_month and exp_year must be sent together', async () => {
  const names = Object.keys(card) as (keyof typeof card)[]
  for (const name of names) {
    const others = names.filter((other) => other !== name)
    const alone = await pay.get(`/charges?${new URLSearchParams({ [name]: card[name] })}`)
    expect(alone.status, name).toBe(400)
    const missing = others.map((field) => ({ field, reason: 'REQUIRED_VALUE' }))
    expect(alone.body.errors).toEqual(missing)
    const { [name]: _, ...without } = card
    const three = await pay.get(`/charges?${new URLSearchParams(without)}`)
    expect(three.body.errors).toEqual([{ field: name, reason: 'REQUIRED_VALUE' }])
  }
  expect(await found(String(new URLSearchParams(card)))).toEqual([converted.id, by_card.id])
  const other_card = new URLSearchParams({ ...card, exp_year: '2031' })
  expect(await found(String(other_card))).toEqual([])
})

test.each([
  ['9012345678', () => [by_card.id]],
  ['09012345678', () => [by_card.id]],
  ['819012345678', () => [by_card.id]],
  ['%2B819012345678', () => [by_card.id]],
  ['312345678', () => [at_till]],
  ['9012345679', () => []],
  ['0', () => []],
])('phone %s: the phone number of the customer', async (phone, expected) => {
  expect(await found(`phone=${phone}`)).toEqual(expected())
})

test('currency: requested or charged currency', async () => {
  expect(await found('currency=AED')).toEqual([converted.id])
  expect(converted.charged_currency).toBe('JPY')
  expect(await found('currency=JPY')).toEqual([converted.id, at_till, by_card.id])
  expect(await found('currency=USD')).toEqual([])
})

test('mode: live or test', async () => {
  expect(await found('mode=test')).toHaveLength(3)
  expect(await found('mode=live')).toEqual([])
  expect((await pay.get('/charges?mode=both')).status).toBe(400)
})

test('limit, cursor and cursor_direction apply too', async () => {
  expect(await found(`cursor=${at_till}`)).toEqual([by_card.id])
  expect(await found(`cursor=${at_till}&cursor_direction=asc`)).toEqual([converted.id])
  for (const limit of ['9', '101', '10.5', 'ten']) {
    expect((await pay.get(`/charges?limit=${limit}`)).status, limit).toBe(400)
  }
})

test('limit and other integers take plain decimal digits only', async () => {
  const slips = [
    '1e1',
    '1E1',
    '0x10',
    '0b1010',
    '%2010',
    '10%20',
    '10.0',
    '10.',
    '%2B10',
    '',
    '+10',
  ]
  for (const text of slips) {
    for (const name of ['limit', 'exp_month', 'amount_from']) {
      const response = await pay.get(`/charges?${name}=${text}`)
      expect(response.status, `${name}=${text}`).toBe(400)
      const fault = { field: name, reason: 'INVALID_FORMAT' }
      expect(response.body.errors, `${name}=${text}`).toContainEqual(fault)
    }
  }
  expect((await pay.get('/charges?limit=10')).status).toBe(200)
  expect((await pay.get('/charges?limit=-10')).body.errors).toEqual([
    { field: 'limit', reason: 'NUMBER_MIN' },
  ])
})
