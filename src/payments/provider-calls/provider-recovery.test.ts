import { expect, test } from 'vitest'
import { card_number, useAcquirer } from '../../../test/support/acquirer/acquirer-world.ts'

// Recovery after a lost response, at a provider that repeats its effect when a request is repeated. 1000
// JPY each.
const on = useAcquirer()

test('a payment of the previous release names no provider: it continues at the connector of a new one', async () => {
  const pending = await on.pay.charge({ capture: false }, { data: { card_number } })
  const forget = (id: string) =>
    on.rows('update charges set provider = null, route = null where id = $1', id)
  await forget(pending.body.id)
  await on.pay.work()
  expect(await on.storedCharge(pending.body.id)).toMatchObject({
    status: 'authorized',
    provider: 'acquirer',
  })
  const { id } = await on.settled()
  await forget(id)
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 1, currency: 'JPY' })
  await on.pay.work()
  expect(on.kindsSent()).toEqual(['authorize', 'authorize', 'refund'])
})

test('a payment whose reference never arrived is undone only when the provider has named it', async () => {
  const { id } = (await on.pay.charge({}, { data: { card_number } })).body
  on.acquirer.lose('authorize')
  const { inquire } = on.acquirer.provider
  Object.assign(on.acquirer.provider, { inquire: () => Promise.reject(new Error('No answer.')) })
  await on.pay.work()
  await on.minutes(14)
  expect((await on.chargeNow(id)).status).toBe('pending')
  expect(on.kindsSent()).toEqual(['authorize'])
  Object.assign(on.acquirer.provider, { inquire })
  await on.minutes(2)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  expect(on.acquirer.payments).toMatchObject([{ id: 'acq_1' }, { kind: 'refund', of: 'acq_1' }])
})

test("an authorization's outcome is inquired before the cardholder is authenticated again", async () => {
  const { id } = (await on.pay.charge({}, { data: { card_number } })).body
  on.acquirer.lose('authorize')
  await on.pay.work()
  const refused = async () => ({ outcome: 'refused', code: 359, detail: null }) as const
  Object.assign(on.acquirer.provider, { authenticate: refused })
  await on.minutes(2)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(on.acquirer.payments).toHaveLength(1)
})

test('a refund of a provider that is not configured any more waits for it', async () => {
  const { id } = await on.settled()
  const refund = await on.pay.post(`${on.pay.chargePath(id)}/refunds`, {
    amount: 1,
    currency: 'JPY',
  })
  on.acquirer.lose('refund')
  await on.pay.work()
  on.useProviders()
  await on.minutes(3)
  const path = `${on.pay.chargePath(id)}/refunds/${refund.body.id}`
  expect((await on.pay.get(path)).body.status).toBe('pending')
  on.useProviders(on.acquirer.provider)
  await on.minutes(2)
  expect((await on.pay.get(path)).body.status).toBe('successful')
  expect(on.acquirer.payments.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
})

test('an operation that may still be on its way is not sent a second time', async () => {
  const { id } = (await on.pay.charge({}, { data: { card_number } })).body
  // The process stops during its call: the row is due immediately, and the provider knows nothing yet.
  const arrive = on.acquirer.delay('authorize')
  const stopped = on.pay.work()
  await arrive.sent
  const at = new Date(on.world.clock.now())
  await on.rows('update charges set due_on = $2 where id = $1', id, at)
  on.world.clock.advance(1000)
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'pending' })
  expect(on.kindsSent()).toEqual(['authorize'])
  arrive.release()
  await stopped
  await on.minutes(1)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(on.acquirer.payments).toHaveLength(1)
})

test('a payment that the provider has withdrawn already expires once', async () => {
  const id = await on.pay.waiting('online', { brand: 'alipay_online', call_method: 'http_get' })
  Object.assign(on.acquirer.provider, {
    void: async () => ({ outcome: 'refused', code: 345, detail: null }) as const,
  })
  const { expires_on } = await on.storedCharge(id)
  on.world.clock.advance(expires_on.getTime() - on.world.clock.now() + 1000)
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 327 } })
})

test('a reversal that is refused for technical reasons is tried again, and gives back what was captured', async () => {
  on.use({ partial_refund: false })
  const { id } = await on.settled({ capture: false })
  const broken = async () => ({ outcome: 'refused', code: 500, detail: null }) as const
  Object.assign(on.acquirer.provider, { void: broken })
  on.acquirer.lose('capture')
  const { inquire } = on.acquirer.provider
  Object.assign(on.acquirer.provider, { inquire: () => Promise.reject(new Error('No answer.')) })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 400, currency: 'JPY' })
  await on.minutes(14)
  expect((await on.chargeNow(id)).status).toBe('authorized')
  const captured = async () => ({ outcome: 'refused', code: 329, detail: null }) as const
  Object.assign(on.acquirer.provider, { inquire, void: captured })
  await on.minutes(4)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 502 } })
  expect(on.acquirer.payments.at(-1)).toMatchObject({ kind: 'refund', amount: 400 })
})
