import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newFakeAcquirer } from '../../../test/fake-acquirer.ts'
import { type Payments, payments } from '../../../test/payments.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/world.ts'
import type { Capabilities, Provider } from '../../providers/provider.ts'

// What goes on after an answer was lost, at a provider that does twice what it is told twice. 1000 JPY each.
let world: World
let shop: TestMerchant
let pay: Payments
let acquirer: ReturnType<typeof newFakeAcquirer>
let simulators: readonly Provider[]

beforeAll(async () => {
  world = await newWorld()
  simulators = world.service.providers.all
})
beforeEach(async () => {
  world.clock.advance(60_000)
  use()
  shop = await world.merchant({ mode: 'live', verified: true })
  pay = payments(world, shop)
})
afterAll(() => world.close())

function useProviders(...others: Provider[]): void {
  Object.assign(world.service.providers, { all: [...simulators, ...others] })
}

function use(can: Partial<Capabilities> = {}): void {
  acquirer = newFakeAcquirer(can)
  useProviders(acquirer.provider)
}

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

const chargeNow = async (id: string) => (await pay.get(pay.chargePath(id))).body

const storedCharge = async (id: string) =>
  (await rows('select * from charges where id = $1', id))[0]

const kindsSent = () => acquirer.calls.map(({ kind }) => kind).filter((kind) => kind !== 'inquire')

async function minutes(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    world.clock.advance(60_000)
    await pay.work()
  }
}

const card_number = '4532015112830366'
const settled = (body: object = {}, data: object = {}) =>
  pay.settled(body, { data: { card_number, ...data } })

test('a payment of the release before names no provider: it goes on where it would go now', async () => {
  const pending = await pay.charge({ capture: false }, { data: { card_number } })
  const forget = (id: string) => rows('update charges set provider = null where id = $1', id)
  await forget(pending.body.id)
  await pay.work()
  expect(await storedCharge(pending.body.id)).toMatchObject({
    status: 'authorized',
    provider: 'acquirer',
  })
  const { id } = await settled()
  await forget(id)
  await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 1, currency: 'JPY' })
  await pay.work()
  expect(kindsSent()).toEqual(['authorize', 'authorize', 'refund'])
})

test('a payment whose reference never arrived is undone only when the provider has named it', async () => {
  const { id } = (await pay.charge({}, { data: { card_number } })).body
  acquirer.lose('authorize')
  const { inquire } = acquirer.provider
  Object.assign(acquirer.provider, { inquire: () => Promise.reject(new Error('No answer.')) })
  await pay.work()
  await minutes(14)
  expect((await chargeNow(id)).status).toBe('pending')
  expect(kindsSent()).toEqual(['authorize'])
  Object.assign(acquirer.provider, { inquire })
  await minutes(2)
  expect(await chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  expect(acquirer.payments).toMatchObject([{ id: 'acq_1', state: 'voided' }, { kind: 'void' }])
})

test('what became of an authorization is asked before the cardholder is authenticated again', async () => {
  const { id } = (await pay.charge({}, { data: { card_number } })).body
  acquirer.lose('authorize')
  await pay.work()
  const refused = async () => ({ outcome: 'refused', code: 359, detail: null }) as const
  Object.assign(acquirer.provider, { authenticate: refused })
  await minutes(2)
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(acquirer.payments).toHaveLength(1)
})

test('a refund of a provider that is not configured any more waits for it', async () => {
  const { id } = await settled()
  const refund = await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 1, currency: 'JPY' })
  acquirer.lose('refund')
  await pay.work()
  useProviders()
  await minutes(3)
  const path = `${pay.chargePath(id)}/refunds/${refund.body.id}`
  expect((await pay.get(path)).body.status).toBe('pending')
  useProviders(acquirer.provider)
  await minutes(2)
  expect((await pay.get(path)).body.status).toBe('successful')
  expect(acquirer.payments.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
})
