import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Deposits, deposits } from '../../../test/support/deposits-seen.ts'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { simulatorOf } from '../../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { inTransaction } from '../../service.ts'
import { runKind } from '../../worker/worker.ts'
import { storeNotification } from '../notifications/store-notification.ts'
import { postDeposit } from './post-deposit.ts'

// Money that comes too late, or for nothing, goes back by itself. Every charge wants 1000 JPY.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let money: Deposits

beforeEach(async () => {
  money = deposits(world, shop, pay)
})
afterEach(async () => expect(await paymentFaults(world)).toEqual([]))

async function letExpire(): Promise<void> {
  world.clock.advance(30 * minute_ms)
  await pay.work()
}

async function cancel(id: string): Promise<void> {
  const created = await pay.post(`${pay.chargePath(id)}/cancels`)
  expect(created.status, created.text).toBe(201)
  await pay.work()
}

const complete = (id: string, outcome: string) =>
  pay.post(`/test/charges/${id}/complete`, { outcome })

const paid = { provider_receivable: 1000, merchant_payable: -1000 }

test('a transfer after the charge was paid goes back; the charge stays paid in the eyes of all', async () => {
  const id = await money.transfer('disabled')
  for (const amount of [1000, 700]) await money.arrive(id, amount)
  expect(await money.seen(id)).toEqual({
    charge: 'successful 1000',
    deposits: ['applied 1000', 'returned 700 late'],
    statement: [
      'deposit 1000 -> 1000',
      'payment 1000 -> 0',
      'deposit 700 -> 700',
      'payment 700 -> 0',
    ],
    told: ['exact 1000 (1000 0)', 'exact 700 (1000 0)'],
    ledger: paid,
  })
})

test.each([
  ['its time was over', letExpire, 'failed 327'],
  ['it was canceled', cancel, 'canceled'],
])('a transfer for a charge after %s goes back', async (_, end, charge) => {
  const id = await money.transfer('disabled')
  await end(id)
  for (const amount of [1000, 3]) await money.arrive(id, amount)
  expect(await money.seen(id)).toEqual({
    charge,
    deposits: ['returned 1000 late', 'returned 3 late'],
    statement: ['deposit 1000 -> 1000', 'payment 1000 -> 0', 'deposit 3 -> 3', 'payment 3 -> 0'],
    told: ['unpaid 1000 (0 -1000)', 'unpaid 3 (0 -1000)'],
    ledger: {},
  })
})

test.each([
  ['its time is over', letExpire, 'failed 327', 'expired'],
  ['it is canceled', cancel, 'canceled', 'canceled'],
  [
    'its customer gives up',
    async (id: string) => {
      expect((await complete(id, 'failed')).status).toBe(200)
      await pay.work()
    },
    'failed 340',
    'expired',
  ],
])('parts that were kept for a charge go back when %s', async (_, end, charge, reason) => {
  const id = await money.transfer('maximum')
  for (const amount of [400, 150]) await money.arrive(id, amount)
  expect((await money.seen(id)).ledger).toEqual({ provider_receivable: 550, suspense: -550 })
  await end(id)
  expect(await money.seen(id)).toEqual({
    charge,
    deposits: [`returned 400 ${reason}`, `returned 150 ${reason}`],
    statement: ['deposit 400 -> 400', 'deposit 150 -> 550', 'payment 550 -> 0'],
    told: ['insufficient 400 (400 -600)', 'insufficient 150 (550 -450)'],
    ledger: {},
  })
})

test('a late or second payment at a convenience store is returned', async () => {
  const late = await money.atTheTill()
  const twice = await money.atTheTill()
  for (const amount of [1000, 1000]) await money.arrive(twice, amount)
  await letExpire()
  await money.arrive(late, 1000)
  expect(await money.depositsOf(late)).toEqual(['returned 1000 late'])
  expect(await money.depositsOf(twice)).toEqual(['applied 1000', 'returned 1000 late'])
  expect(await money.ledger()).toEqual(paid)
})

test('paid in the last moment and heard of later: it counts, as long as the charge still waits', async () => {
  const id = await money.transfer('exact')
  const [{ expires_on }] = await rows('select expires_on from charges where id = $1', id)
  const { as_store: auth } = shop
  world.clock.advance(expires_on.getTime() - world.clock.now())
  const path = `/test/charges/${id}/deposits`
  await world.call('POST', path, { auth, body: { amount: 1000 } })
  world.clock.advance(5000)
  await runKind(world.service, 'provider_notifications')
  await pay.work()
  expect(await money.seen(id)).toMatchObject({ charge: 'successful 1000', ledger: paid })
})

test('paid a moment too late goes back, also while the charge still waits for its end', async () => {
  const id = await money.transfer('exact')
  const [{ expires_on }] = await rows('select expires_on from charges where id = $1', id)
  const { as_store: auth } = shop
  world.clock.advance(expires_on.getTime() + 1 - world.clock.now())
  await world.call('POST', `/test/charges/${id}/deposits`, { auth, body: { amount: 1000 } })
  await runKind(world.service, 'provider_notifications')
  expect((await money.seen(id)).charge).toBe('awaiting')
  await pay.work()
  expect(await money.seen(id)).toMatchObject({
    charge: 'failed 327',
    deposits: ['returned 1000 late'],
    ledger: {},
  })
})

test('money that cannot be returned stays in suspense, where the operator sees it', async () => {
  const id = await money.transfer('exact')
  await money.arrive(id, 400, 'Return Fails')
  const unreturned = { provider_receivable: 400, suspense: -400 }
  const expected = {
    charge: 'awaiting',
    deposits: ['unreturned 400 too_little'],
    statement: ['deposit 400 -> 400', 'payment 400 -> 0'],
    told: ['unpaid 400 (0 -1000)'],
    ledger: unreturned,
  }
  expect(await money.seen(id)).toEqual(expected)
  expect(world.log.join('')).toContain('a deposit could not be returned')
  // There is no automatic retry, and the charge is not affected.
  await letExpire()
  expect(await money.seen(id)).toEqual({ ...expected, charge: 'failed 327' })
})

test('a surplus that cannot go back does not keep the charge from being paid', async () => {
  const id = await money.transfer('minimum')
  await money.arrive(id, 1250, 'RETURN FAILS')
  expect(await money.seen(id)).toMatchObject({
    charge: 'successful 1000',
    deposits: ['applied 1000, unreturned 250 surplus'],
    told: ['exceeded 1250 (1250 250)'],
    ledger: { merchant_payable: -1000, provider_receivable: 1250, suspense: -250 },
  })
})

test.each([1000, 400])(
  'a deposit of %i that is reported repeatedly is one deposit',
  async (amount) => {
    const id = await money.transfer('disabled')
    const paid_on = new Date(world.clock.now())
    const payment = { merchant_id: shop.id, charge_id: id, amount, currency: 'JPY', name: null }
    const simulator = simulatorOf(world.service, 'customer')
    const reference = await simulator.customer?.deposit(world.service.db, payment)
    const arrived = { ...payment, reference: reference ?? '', paid_on }
    await postDeposit(world.service, arrived)
    const once = await money.seen(id)
    expect(once.deposits).toEqual([amount === 1000 ? 'applied 1000' : 'held 400'])
    await postDeposit(world.service, arrived)
    // Its second response is not trusted either.
    await postDeposit(world.service, { ...arrived, amount: 600, name: 'RETURN FAILS' })
    await pay.work()
    expect(await money.seen(id)).toEqual(once)
  },
)

test('money in another currency goes back and pays nothing', async () => {
  const id = await money.transfer('disabled')
  await money.arrive(id, 400)
  const payment = { merchant_id: shop.id, charge_id: id, amount: 600, currency: 'USD', name: null }
  const { customer } = simulatorOf(world.service, 'customer')
  await customer?.deposit(world.service.db, payment)
  const notified = { mode: 'test', resource_type: 'charge', resource_id: id } as const
  await inTransaction(world.service, (tx) =>
    storeNotification(tx, { ...notified, merchant_id: shop.id }),
  )
  await pay.work()
  expect(await money.seen(id)).toMatchObject({
    charge: 'awaiting',
    deposits: ['held 400', 'returned 600 late'],
    ledger: { provider_receivable: 400, suspense: -400 },
  })
  await money.arrive(id, 600)
  expect(await money.seen(id)).toMatchObject({ charge: 'successful 1000', ledger: paid })
})

test('completing a deposit brings the missing amount; a deposit that ended cannot be completed', async () => {
  const id = await money.transfer('maximum')
  await money.arrive(id, 400)
  expect((await complete(id, 'successful')).status).toBe(200)
  await pay.work()
  expect(await money.seen(id)).toMatchObject({
    charge: 'successful 1000',
    deposits: ['applied 400', 'applied 600'],
    ledger: paid,
  })
  for (const outcome of ['successful', 'failed', 'expired']) {
    expect((await complete(id, outcome)).status).toBe(400)
  }
})

test('a charge in another currency is paid in yen, and owes the merchant yen', async () => {
  const id = await money.transfer('maximum', { amount: 1000, currency: 'USD' })
  const [{ provider_amount }] = await rows('select provider_amount from charges where id = $1', id)
  await money.arrive(id, provider_amount - 1)
  await money.arrive(id, 1)
  const { charge, ledger } = await money.seen(id)
  expect(charge).toBe(`successful ${provider_amount}`)
  expect(ledger).toMatchObject({
    provider_receivable: provider_amount,
    merchant_payable: -provider_amount,
  })
})

test('the checks can fail: a deposit that is in no book is seen', async () => {
  const id = await money.transfer('disabled')
  await money.arrive(id, 400)
  await rows(
    `insert into deposits (merchant_id, id, store_id, charge_id, mode, reference, amount, currency,
       status, created_on, updated_on)
     select merchant_id, gen_random_uuid(), store_id, charge_id, mode, $2, 5, currency, 'held',
       created_on, updated_on from deposits where charge_id = $1`,
    id,
    newUnguessableId(),
  )
  const faults = await paymentFaults(world)
  expect(faults).toContainEqual(expect.stringContaining('every deposit is in the ledger'))
  expect(faults).toContainEqual(expect.stringContaining('what is in suspense is exactly'))
  await rows('delete from deposits where charge_id = $1 and amount = 5', id)
  expect((await money.seen(id)).deposits).toEqual(['held 400'])
})

async function rows(query: string, ...values: unknown[]) {
  return (await world.store.pool.query(query, values)).rows
}
