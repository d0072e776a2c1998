import { expect, test } from 'vitest'
import { useHooks } from '../../../test/support/receiver/hooks.ts'

const on = useHooks()
const path = (id: string) => `/stores/${on.shop.store_id}/tokens/${id}`
const renew = (id: string) => on.pay.post(`${path(id)}/renew`)

test('a renewed token is a new one for the same card; the old one can no longer be used', async () => {
  await on.hook(['token_replaced'])
  const old = await on.pay.token({ type: 'recurring', usage_limit: '2', metadata: { a: 1 } })
  const created = await renew(old.body.id)
  expect(created.status, created.text).toBe(201)
  expect(created.body.id).not.toBe(old.body.id)
  expect(created.body.previous_id).toBe(old.body.id)
  expect(old.body).not.toHaveProperty('previous_id')
  expect(created.body).toMatchObject({ type: 'recurring', usage_limit: '2', metadata: { a: 1 } })
  expect(created.body.data.card).toEqual(old.body.data.card)
  const money = { amount: 10, currency: 'JPY' }
  const with_old = await on.pay.post('/charges', { transaction_token_id: old.body.id, ...money })
  expect(with_old.status).toBe(404)
  const charge = await on.pay.post('/charges', { transaction_token_id: created.body.id, ...money })
  await on.work()
  expect((await on.pay.get(on.pay.chargePath(charge.body.id))).body.status).toBe('successful')
  expect(on.receiver.received.map(({ body }) => [body.event, body.data.id])).toEqual([
    ['token_replaced', created.body.id],
  ])
  expect(on.receiver.received[0]?.body.data.previous_id).toBe(old.body.id)
  const { rows } = await on.world.store.pool.query(
    'select card_number from transaction_tokens where id = $1',
    [old.body.id],
  )
  expect(rows[0].card_number).toBeNull()
})

test('a subscription continues with the new token', async () => {
  const id = await on.pay.tokenId({ type: 'recurring' })
  const created = await on.pay.post('/subscriptions', {
    transaction_token_id: id,
    amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  const busy = await renew(id)
  expect(busy.body.errors).toEqual([
    { field: 'token_id', reason: 'UNFINISHED_CHARGES_EXIST_FOR_TOKEN' },
  ])
  await on.work()
  const renewed = await renew(id)
  expect(renewed.status, renewed.text).toBe(201)
  const one = `/stores/${on.shop.store_id}/subscriptions/${created.body.id}`
  expect((await on.pay.get(one)).body.transaction_token_id).toBe(renewed.body.id)
})

test('one-time, deleted and unknown tokens cannot be renewed', async () => {
  const one_time = await renew(await on.pay.tokenId())
  expect([one_time.status, one_time.body.code]).toEqual([400, 'INVALID_TOKEN_TYPE'])
  const id = await on.pay.tokenId({ type: 'recurring' })
  await renew(id)
  expect((await renew(id)).status).toBe(404)
  expect((await renew(crypto.randomUUID())).status).toBe(404)
})
