import { expect, test } from 'vitest'
import { useHooks } from '../support/receiver/hooks.ts'

// The same operations under the path that other programs use.
const on = useHooks()

test('a subscription is suspended and resumed without naming its store', async () => {
  const created = await on.pay.post('/subscriptions', {
    transaction_token_id: await on.pay.tokenId({ type: 'recurring' }),
    amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  await on.work()
  const suspended = await on.pay.patch(`/subscriptions/${created.body.id}/suspend`, {})
  expect([suspended.status, suspended.body.status]).toEqual([200, 'suspended'])
  const resumed = await on.pay.patch(`/subscriptions/${created.body.id}/unsuspend`, {})
  expect(resumed.status).toBe(200)
})

test("a merchant's webhook gets a test delivery, and a replay of it is only counted", async () => {
  const auth = on.shop.as_merchant
  const call = (path: string, body: object) => on.world.call('POST', path, { auth, body })
  const triggers = ['charge_finished']
  const { id } = (await call('/webhooks', { url: on.receiver.url, triggers })).body
  const charge = await on.pay.settled()
  const { items } = (await on.world.call('GET', `/webhooks/${id}/events`, { auth })).body
  const url = `${on.receiver.url}/test-delivery`
  const sent = await call(`/webhooks/${id}/events/${items[0].id}/redeliver`, { url })
  expect(sent).toMatchObject({ status: 200, body: { status: 200 } })
  expect(on.latest()).toMatchObject({
    path: '/hook/test-delivery',
    body: { data: { id: charge.id } },
  })
  const counted = await call(`/webhooks/${id}/replays`, { preview: true })
  expect(counted).toMatchObject({ status: 200, body: { count: 1 } })
})
