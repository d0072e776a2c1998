import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Sentences of the specification about charges that no other file shows.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

test('transaction_token_id, amount and currency are required', async () => {
  const { status, body } = await pay.post('/charges', { capture: true })
  expect(status).toBe(400)
  const missing = ['transaction_token_id', 'amount', 'currency']
  expect(body.errors).toEqual(missing.map((field) => ({ field, reason: 'REQUIRED_VALUE' })))
})

test('minimum_charge_amounts and maximum_charge_amounts of the configuration hold per currency', async () => {
  const configuration = {
    minimum_charge_amounts: [{ amount: 100, currency: 'JPY' }],
    maximum_charge_amounts: [{ amount: 2000, currency: 'JPY' }],
  }
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
  expect((await pay.charge({ amount: 99 })).body.code).toBe('CHARGE_AMOUNT_TOO_LOW')
  expect((await pay.charge({ amount: 2001 })).body.code).toBe('CHARGE_AMOUNT_TOO_HIGH')
  for (const amount of [100, 2000]) expect((await pay.charge({ amount })).status).toBe(201)
  expect((await pay.charge({ amount: 99, currency: 'USD' })).status).toBe(201)
})

test.each([
  ['left out', {}],
  ['null', { metadata: null }],
  ['empty', { metadata: {} }],
])('metadata that is %s is {} wherever the charge is shown', async (_, given) => {
  const created = await pay.charge(given)
  expect(created.status, created.text).toBe(201)
  expect(created.body.metadata).toEqual({})
  const { id } = created.body
  await pay.work()
  expect((await pay.get(pay.chargePath(id))).body.metadata).toEqual({})
  for (const list of ['/charges', `/stores/${shop.store_id}/charges`]) {
    const [charge] = (await pay.get(list)).body.items
    expect(charge).toMatchObject({ id, metadata: {} })
    expect(Object.keys(charge.metadata)).toEqual([])
  }
  const { rows } = await world.store.pool.query(
    'select data from events where resource_id = $1 order by sequence',
    [id],
  )
  expect(rows.map(({ data }) => data.metadata)).toEqual(rows.map(() => ({})))
  expect(rows.length).toBeGreaterThan(0)
})
