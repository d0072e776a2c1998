import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Payouts, payouts, serviceAt } from '../../../test/support/payouts.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'
import { transfer_rules } from '../../doctor/money-rules/transfer-rules.ts'
import { createDueTransfers } from './due-transfers.ts'

// The content of a payout; no entry is in two payouts.
let world: World
let shop: TestMerchant
let on: Payouts

beforeAll(async () => {
  world = await newWorld({ settings: { DATABASE_CONNECTIONS: '30' } })
})
beforeEach(async () => {
  world.clock.advance(10 * day_ms)
  shop = await world.merchant()
  on = payouts(world, shop)
})
afterAll(async () => {
  for (const { check, rule } of transfer_rules) {
    expect(await rule(world.service.db), check).toEqual([])
  }
  await world.close()
})

const read = async (id: string) => (await on.get(`/transfers/${id}`)).body

test('Transfer: sales less fees and refunds, as the API shows them', async () => {
  const account = await world.call('POST', '/bank_accounts', {
    auth: shop.as_merchant,
    body: {
      holder_name: 'A',
      bank_name: 'B',
      country: 'JP',
      currency: 'JPY',
      account_number: '1234567',
    },
  })
  const from = world.clock.now() + 1000
  await on.sell({ amount: 10_000, fee: 360 })
  await on.refund(2000)
  const { id } = await on.onlyTransfer()
  expect(await read(id)).toEqual({
    id,
    merchant_id: shop.id,
    bank_account_id: account.body.id,
    mode: 'test',
    amount: 7640,
    currency: 'JPY',
    amount_formatted: 7640,
    status: 'created',
    error_code: null,
    error_text: null,
    metadata: {},
    note: null,
    from: new Date(from).toISOString(),
    to: new Date(world.clock.now()).toISOString(),
    started_by: 'operator',
    created_on: new Date(world.clock.now()).toISOString(),
  })
  const { items } = (await on.get(`/transfers/${id}/ledgers?cursor_direction=asc`)).body
  expect(items.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])).toEqual(
    [
      ['capture', 10_000],
      ['fee', -360],
      ['refund', -2000],
    ],
  )
  expect(new Set(items.map((item: { transfer_id: string }) => item.transfer_id))).toEqual(
    new Set([id]),
  )
})

test('each mode and each currency has a transfer of its own', async () => {
  await on.sell({ amount: 100 })
  await on.sell({ amount: 250, currency: 'USD' })
  await on.sell({ amount: 70, mode: 'live' })
  const created = await on.create()
  const sums = created.map(({ mode, currency, amount }) => `${mode} ${currency} ${amount}`)
  expect(sums).toEqual(['live JPY 70', 'test JPY 100', 'test USD 250'])
  await on.sell({ amount: 5 })
  await on.sell({ amount: 6, mode: 'live' })
  expect((await on.create({ mode: 'live' })).map(({ amount }) => amount)).toEqual([6])
})

test('amounts younger than the wait period, or not before the given time, are not paid', async () => {
  await on.configure({ transfer_schedule: { wait_period: 'P7D' } })
  const first = world.clock.now() + 1000
  await on.sell({ amount: 1 })
  world.clock.advance(day_ms)
  await on.sell({ amount: 20 })
  world.clock.advance(day_ms)
  await on.sell({ amount: 300 })
  expect(await on.create()).toEqual([])
  world.clock.advance(6 * day_ms)
  expect(await on.create({ to: new Date(first) })).toEqual([])
  expect((await on.onlyTransfer({ to: new Date(first + 1) })).amount).toBe(1)
  const { amount, to } = await on.onlyTransfer()
  expect([amount, to.getTime()]).toEqual([20, world.clock.now() - 7 * day_ms])
  world.clock.advance(day_ms)
  expect((await on.onlyTransfer({ to: new Date(world.clock.now() + day_ms) })).amount).toBe(300)
})

test('the schedule pays on its days, however often and however late it runs', async () => {
  const transfer_schedule = { period: 'monthly', day_of_month: 10, wait_period: 'P3D' }
  await on.configure({ transfer_schedule, display_time_zone: 'Asia/Tokyo' })
  const dated = (at: string, amount: number) =>
    on.sell({ amount }, serviceAt(world, Date.parse(at)))
  const dueAt = async (at: string) =>
    (await createDueTransfers(serviceAt(world, Date.parse(at)))).map(
      ({ amount, started_by }) => `${started_by} ${amount}`,
    )
  await dated('2030-03-06T14:59:59Z', 1)
  await dated('2030-03-06T15:00:00Z', 20)
  expect(await dueAt('2030-03-09T14:59:59Z')).toEqual([])
  expect(await dueAt('2030-03-09T15:00:00Z')).toEqual(['schedule 1'])
  expect(await dueAt('2030-03-15T00:00:00Z')).toEqual([])
  await dated('2030-04-09T00:00:00Z', 300)
  expect(await dueAt('2030-04-28T00:00:00Z')).toEqual(['schedule 20'])
  await on.configure({ transfer_schedule: { period: null } })
  expect(await dueAt('2031-01-01T00:00:00Z')).toEqual([])
})

test('less than the minimum payout waits for the next transfer', async () => {
  await on.configure({ min_transfer_payout: { amount: 500, currency: 'JPY' } })
  await on.sell({ amount: 499 })
  await on.sell({ amount: 3, currency: 'USD' })
  expect((await on.create()).map(({ currency }) => currency)).toEqual(['USD'])
  await on.sell({ amount: 1 })
  expect((await on.onlyTransfer()).amount).toBe(500)
})

test('a debt is carried over and never paid out', async () => {
  await on.refund(700)
  expect(await on.create()).toEqual([])
  await on.sell({ amount: 700 })
  expect(await on.create()).toEqual([])
  await on.sell({ amount: 50 })
  const { id, amount } = await on.onlyTransfer()
  expect(amount).toBe(50)
  expect((await on.get(`/transfers/${id}/ledgers`)).body.items).toHaveLength(3)
})

test('of many concurrent calls in two processes, one takes everything', async () => {
  const other = await world.another()
  const sold: Promise<string[]>[] = []
  for (let count = 0; count < 40; count += 1) sold.push(on.sell({ amount: 10 }))
  await Promise.all(sold)
  const attempts = Array.from({ length: 12 }, (_, index) =>
    on.create({}, (index % 2 ? other : world).service),
  )
  const created = (await Promise.all(attempts)).flat()
  expect(created.map(({ amount }) => amount)).toEqual([400])
})

test('sales that are posted while transfers are created are paid exactly once', async () => {
  const other = await world.another()
  let sum = 0
  const work: Promise<unknown>[] = []
  for (let round = 1; round <= 60; round += 1) {
    work.push(on.sell({ amount: round }))
    sum += round
    if (round % 3 === 0) work.push(on.create({}, (round % 2 ? other : world).service))
  }
  await Promise.all(work)
  await on.create()
  const { items } = (await on.get('/transfers?limit=100')).body
  const paid = items.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  expect(paid).toBe(sum)
})

test('the database itself refuses to pay something twice', async () => {
  const [ledger_id] = await on.sell()
  await on.onlyTransfer()
  const again = world.store.pool.query(
    'insert into transfer_ledgers (merchant_id, transfer_id, ledger_id) values ($1, $2, $3)',
    [shop.id, randomUUID(), ledger_id],
  )
  await expect(again).rejects.toThrow('transfer_ledgers_once')
})

test('a live sale that was committed after a transfer had passed its date is in the next', async () => {
  await on.sell({ amount: 10, mode: 'live' })
  const dated = world.clock.now()
  await on.onlyTransfer()
  await on.sell({ amount: 7, mode: 'live' }, serviceAt(world, dated))
  world.clock.advance(40 * day_ms)
  expect((await on.onlyTransfer()).amount).toBe(7)
})
