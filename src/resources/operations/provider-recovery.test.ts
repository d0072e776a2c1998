import { expect, test } from 'vitest'
import { card_number, useAcquirer } from '../../../test/acquirer-world.ts'

// What goes on after an answer was lost, at a provider that does twice what it is told twice. 1000 JPY each.
const on = useAcquirer()

test('a payment of the release before names no provider: it goes on where it would go now', async () => {
  const pending = await on.pay.charge({ capture: false }, { data: { card_number } })
  const forget = (id: string) => on.rows('update charges set provider = null where id = $1', id)
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
  expect(on.acquirer.payments).toMatchObject([{ id: 'acq_1', state: 'voided' }, { kind: 'void' }])
})

test('what became of an authorization is asked before the cardholder is authenticated again', async () => {
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
