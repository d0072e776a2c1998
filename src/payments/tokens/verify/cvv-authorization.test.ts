import { expect, test } from 'vitest'
import { payments } from '../../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../../test/support/use-world.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`

async function events(id: string): Promise<string[]> {
  const { rows } = await world.store.pool.query(
    'select name from events where resource_id = $1 order by sequence',
    [id],
  )
  return rows.map(({ name }) => name)
}

test('cvv_authorize makes a charge of type cvv_auth: pending, then current, then the token works', async () => {
  const created = await pay.token({ type: 'recurring' }, { cvv_authorize: { enabled: true } })
  const { id, data } = created.body
  expect(data.cvv_authorize).toMatchObject({
    enabled: true,
    status: 'pending',
    currency: 'JPY',
    charge_id: expect.any(String),
  })
  const early = await pay.post('/charges', { transaction_token_id: id, amount: 1, currency: 'JPY' })
  expect(early.body.code).toBe('CVV_AUTHORIZATION_NOT_COMPLETED')
  const polled = pay.get(`${tokenPath(id)}?polling=true`)
  await pay.work()
  expect((await polled).body.data.cvv_authorize.status).toBe('current')
  const check = (await pay.get(pay.chargePath(data.cvv_authorize.charge_id))).body
  expect(check).toMatchObject({ type: 'cvv_auth', status: 'successful', requested_amount: 0 })
  const charged = await pay.post('/charges', {
    transaction_token_id: id,
    amount: 1,
    currency: 'JPY',
  })
  expect(charged.status).toBe(201)
  expect(await events(id)).toEqual(['token_created', 'token_cvv_auth_updated'])
})

test('a card whose code is wrong ends as failed', async () => {
  const created = await pay.token(
    { type: 'recurring' },
    { card_number: '4000000000000127', cvv_authorize: { enabled: true, currency: 'usd' } },
  )
  await pay.work()
  const { cvv_authorize } = (await pay.get(tokenPath(created.body.id))).body.data
  expect(cvv_authorize).toMatchObject({ status: 'failed', currency: 'USD' })
})

test('a code sent later is checked and never returned', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const patched = await pay.patch(tokenPath(id), { data: { cvv: '321' } })
  expect(patched.text).not.toMatch(/"cvv":|"321"/)
  expect(patched.body.data.cvv_authorize_check).toMatchObject({ status: 'pending' })
  await pay.work()
  const { cvv_authorize_check } = (await pay.get(tokenPath(id))).body.data
  expect(cvv_authorize_check).toMatchObject({
    status: 'current',
    charge_id: expect.any(String),
    date: expect.stringMatching(/^\d{4}-/),
  })
  const { rows } = await world.store.pool.query(
    'select cvv from transaction_tokens where id = $1',
    [id],
  )
  expect(rows[0].cvv).toBeNull()
  expect(await events(id)).toEqual([
    'token_created',
    'token_updated',
    'token_cvv_auth_check_updated',
  ])
})

test('switched off it is inactive, switched on it begins', async () => {
  const id = await pay.tokenId({ type: 'recurring' }, { cvv_authorize: { enabled: true } })
  await pay.work()
  const off = await pay.patch(tokenPath(id), { data: { cvv_authorize: { enabled: false } } })
  expect(off.body.data.cvv_authorize).toMatchObject({ enabled: false, status: 'inactive' })
  const without = await pay.patch(tokenPath(id), { data: { cvv_authorize: { enabled: true } } })
  expect(without.body.errors).toEqual([{ field: 'data.cvv', reason: 'REQUIRED_VALUE' }])
  const on = await pay.patch(tokenPath(id), {
    data: { cvv: '123', cvv_authorize: { enabled: true } },
  })
  expect(on.body.data.cvv_authorize).toMatchObject({ enabled: true, status: 'pending' })
  await pay.work()
  expect((await pay.get(tokenPath(id))).body.data.cvv_authorize.status).toBe('current')
})
