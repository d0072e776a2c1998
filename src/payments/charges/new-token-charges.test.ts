import { afterAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { cachedRules } from '../store-rules/store-rules.ts'
import { takeNewToken } from '../tokens/create/new-tokens.ts'

// A charge of a token that this process has just created is written without reading anything. The cached
// data may be outdated, which must never be visible from outside.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const query = async (text: string, ...values: unknown[]) =>
  (await world.store.pool.query(text, values)).rows
const charge = (transaction_token_id: string, more: object = {}) =>
  pay.post('/charges', { transaction_token_id, amount: 1000, currency: 'JPY', ...more })
const configure = async (configuration: object) => {
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

const phone_number = { country_code: 81, local_number: '09012345678' }
test.each([
  [
    'card',
    {
      card_number: '4242424242424242',
      exp_month: '12',
      exp_year: '2035',
      cvv: '123',
      cardholder: 'T',
    },
  ],
  ['konbini', { customer_name: 'Taro', convenience_store: 'lawson', phone_number }],
  ['online', { brand: 'pay_pay_online', call_method: 'http_post' }],
  ['qr_merchant', { brand: 'alipay_merchant_qr' }],
  ['qr_scan', { scanned_qr: '281234567890123456' }],
  ['bank_transfer', { brand: 'aozora_bank' }],
  ['paidy', { paidy_token: 'tok_1', phone_number }],
])('a token by %s is kept exactly as its row is', async (payment_type, data) => {
  const created = await pay.post('/tokens', { payment_type, email: 'a@example.com', data })
  expect(created.status, created.text).toBe(201)
  const { id } = created.body
  const stored = takeNewToken(shop.id, id)
  const [row] = await world.store.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('id', '=', id)
    .execute()
  expect(stored?.token).toEqual(row)
  const [{ xmin }] = (await query(
    'select xmin::text from transaction_tokens where id = $1',
    id,
  )) as [{ xmin: string }]
  expect(stored?.row_version).toBe(xmin)
})

test('it is used once, and the rules that were read last with it', async () => {
  const token = await pay.tokenId()
  expect(cachedRules({ merchant_id: shop.id, store_id: shop.store_id })).toBeDefined()
  expect((await charge(token)).status).toBe(201)
  expect(takeNewToken(shop.id, token)).toBeUndefined()
  expect(await charge(token)).toMatchObject({
    status: 400,
    body: { code: 'TRANSACTION_ALREADY_PROCESSED' },
  })
})

test('a token that was changed elsewhere is charged as it is now, or not at all', async () => {
  const changed = await pay.tokenId()
  await query("update transaction_tokens set email = 'new@example.com' where id = $1", changed)
  const { status, body } = await charge(changed)
  expect(status).toBe(201)
  const [row] = await query('select email from charges where id = $1', body.id)
  expect(row).toEqual({ email: 'new@example.com' })

  const deleted = await pay.tokenId()
  await query('update transaction_tokens set active = false where id = $1', deleted)
  expect(await charge(deleted)).toMatchObject({ status: 404 })

  const used = await pay.tokenId()
  await query('update transaction_tokens set uses = 1 where id = $1', used)
  expect(await charge(used)).toMatchObject({ body: { code: 'TRANSACTION_ALREADY_PROCESSED' } })

  const wiped = await pay.tokenId()
  await query('update transaction_tokens set card_number = null, cvv = null where id = $1', wiped)
  const created = await charge(wiped)
  await pay.work()
  expect((await pay.get(pay.chargePath(created.body.id))).body).toMatchObject({ status: 'failed' })
})

test('rules that were changed elsewhere apply immediately, whether they became stricter or not', async () => {
  const first = await pay.tokenId()
  const configuration = { minimum_charge_amounts: [{ amount: 5000, currency: 'JPY' }] }
  await query(
    'update stores set configuration = configuration || $2 where id = $1',
    shop.store_id,
    configuration,
  )
  expect(await charge(first)).toMatchObject({ body: { code: 'CHARGE_AMOUNT_TOO_LOW' } })

  const second = await pay.tokenId()
  await charge(second, { amount: 1 })
  await query(
    "update stores set configuration = configuration - 'minimum_charge_amounts' where id = $1",
    shop.store_id,
  )
  const third = await pay.tokenId()
  expect((await charge(third)).status).toBe(201)

  const fourth = await pay.tokenId()
  await configure({ maximum_charge_amounts: [{ amount: 10, currency: 'JPY' }] })
  expect(await charge(fourth)).toMatchObject({ body: { code: 'CHARGE_AMOUNT_TOO_HIGH' } })
})

test('a store that was deleted elsewhere takes no more charges', async () => {
  const token = await pay.tokenId()
  await query('update stores set deleted_on = now() where id = $1', shop.store_id)
  expect((await charge(token)).status).toBe(404)
})

test('cached data of another merchant or store is not used', async () => {
  const token = await pay.tokenId()
  const other = payments(world, await world.merchant())
  const body = { transaction_token_id: token, amount: 1000, currency: 'JPY' }
  expect((await other.post('/charges', body)).status).toBe(404)
  expect(takeNewToken(shop.id, token)).toBeDefined()
  expect((await charge(token)).status).toBe(201)
})

test('of many concurrent charges of one new token, exactly one is created', async () => {
  const token = await pay.tokenId()
  const responses = await Promise.all(Array.from({ length: 8 }, () => charge(token)))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
})

test('the first event of a charge has the number one, those after it follow', async () => {
  const { id } = (await pay.charge({ capture: false })).body
  await pay.work()
  await pay.post(`${pay.chargePath(id)}/capture`, {})
  await pay.work()
  const rows = await query(
    'select sequence, name from events where resource_id = $1 order by 1',
    id,
  )
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1))
  expect(rows.length).toBeGreaterThan(1)
})
