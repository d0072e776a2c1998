import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Payouts, payouts, serviceAt } from '../../../test/support/payouts.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { dateIn } from '../../core/time/schedule.ts'
import { createDueTransfers } from './due-transfers.ts'
import { type NextTransfer, readNextTransfers } from './next-transfer.ts'
import type { Transfer } from './transfer.ts'

// Compares the announced next payout with the transfers that the scheduler then creates.
let world: World
let shop: TestMerchant
let on: Payouts

beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => {
  world.clock.advance(10 * day_ms)
  shop = await world.merchant()
  on = payouts(world, shop)
})
afterAll(() => world.close())

/** Numbers that look random and are the same in every run. */
function newDice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

interface Rules {
  readonly zone: string
  readonly min: number
  readonly schedule: object
}

/** Closing days, waiting periods and minimums, in zones on both sides of the date line, with summer time. */
const all_rules: readonly Rules[] = [
  {
    zone: 'Asia/Tokyo',
    min: 0,
    schedule: { period: 'monthly', day_of_month: 10, full_period_required: true },
  },
  {
    zone: 'America/New_York',
    min: 3_000,
    schedule: {
      period: 'weekly',
      weekly_closing_day: 'friday',
      weekly_payout_day: 'wednesday',
      wait_period: 'P3D',
    },
  },
  {
    zone: 'Pacific/Kiritimati',
    min: 0,
    schedule: { period: 'biweekly', day_of_week: 'thursday', wait_period: 'P30D' },
  },
  {
    zone: 'Europe/London',
    min: 500,
    schedule: {
      period: 'monthly',
      week_of_month: 'last',
      day_of_week: 'friday',
      wait_period: 'PT36H',
    },
  },
  {
    zone: 'Asia/Tokyo',
    min: 10_000,
    schedule: {
      period: 'bimonthly',
      day_of_month: 31,
      full_period_required: true,
      wait_period: 'P10D',
    },
  },
]

interface Shop extends Rules {
  readonly id: string
  readonly on: Payouts
  said: NextTransfer
}

async function openShop(rules: Rules): Promise<Shop> {
  const merchant = await world.merchant()
  const own = payouts(world, merchant)
  await own.configure({
    display_time_zone: rules.zone,
    transfer_schedule: rules.schedule,
    min_transfer_payout: { amount: rules.min, currency: 'JPY' },
  })
  await own.sell({ amount: 1 }, serviceAt(world, Date.parse('2030-01-01T12:00:00Z')))
  return { ...rules, id: merchant.id, on: own, said: await nextOf(merchant.id, '2030-01-01') }
}

async function nextOf(merchant_id: string, at: number | string): Promise<NextTransfer> {
  const ms = typeof at === 'number' ? at : Date.parse(at)
  const [next] = await readNextTransfers(serviceAt(world, ms), { merchant_id, mode: 'test' }, 'JPY')
  if (!next) throw new Error('There is no ledger.')
  return next
}

/** Sales on some days, refunds and weeks without any: debts and minimums occur. */
async function trade({ on: own }: Shop, at: number, dice: (sides: number) => number) {
  const service = serviceAt(world, at)
  const week = Math.floor(at / (7 * day_ms))
  if (week % 5 === 0) return
  if (dice(3) > 0) await own.sell({ amount: 100 + dice(5_000), fee: dice(90) }, service)
  if (dice(9) === 0) await own.refund(200 + dice(8_000), {}, service)
}

/** The scheduler creates exactly the payouts that were announced the evening before. */
function compare(one: Shop, made: readonly Transfer[], at: number): string | null {
  const { said, zone, id } = one
  const today = dateIn(zone, new Date(at))
  const is_due = said.reason === 'scheduled' && said.paid_on !== null && said.paid_on <= today
  const own = made.filter(({ merchant_id }) => merchant_id === id)
  const expected = is_due
    ? [`${said.amount} ${said.to?.toISOString()} ${said.from?.toISOString()}`]
    : []
  const found = own.map((it) => `${it.amount} ${it.to.toISOString()} ${it.from.toISOString()}`)
  if (said.parts.reduce((sum, part) => sum + part.amount, 0) !== said.amount) {
    return `${today} ${zone}: the parts are not ${said.amount}`
  }
  return expected.join() === found.join()
    ? null
    : `${today} ${zone}: said ${said.reason} ${said.paid_on} ${expected}, created ${found}`
}

test('over a year, the scheduler creates what was said the evening before: day, amount and period', async () => {
  const dice = newDice(20_300_101)
  const shops: Shop[] = []
  for (const rules of all_rules) shops.push(await openShop(rules))
  const wrong: string[] = []
  const payouts_of = new Map<string, number>()
  const begin = Date.parse('2030-01-02T00:00:00Z')
  for (let day = 0; day < 365; day += 1) {
    const evening = begin + day * day_ms + dice(12) * hour_ms
    for (const one of shops) {
      await trade(one, evening, dice)
      one.said = await nextOf(one.id, evening)
    }
    const morning = begin + (day + 1) * day_ms - dice(10) * hour_ms
    const made = await createDueTransfers(serviceAt(world, morning))
    for (const one of shops) {
      const fault = compare(one, made, morning)
      if (fault) wrong.push(fault)
      const own = made.find(({ merchant_id }) => merchant_id === one.id)
      if (!own) continue
      payouts_of.set(one.id, (payouts_of.get(one.id) ?? 0) + 1)
      const during = await nextOf(one.id, morning)
      expect(during).toMatchObject({
        reason: 'under_way',
        amount: own.amount,
        parts: one.said.parts,
      })
      expect([during.transfer?.id, during.paid_on]).toEqual([own.id, one.said.paid_on])
      await one.on.move(own.id, 'approve', 'process', 'pay')
      const after = await nextOf(one.id, morning)
      expect(during.later).toEqual(one.said.later)
      if (after.reason !== 'scheduled') continue
      expect({ amount: after.amount, paid_on: after.paid_on }).toEqual(one.said.later)
    }
  }
  expect(wrong).toEqual([])
  const counts = shops.map(({ id }) => payouts_of.get(id) ?? 0)
  expect(Math.min(...counts)).toBeGreaterThan(2)
  expect(Math.max(...counts)).toBeGreaterThan(12)
}, 600_000)

test('the API says the amount, its parts, the day, the account and why', async () => {
  await on.configure({
    display_time_zone: 'Asia/Tokyo',
    transfer_schedule: { period: 'monthly', day_of_month: 10, full_period_required: true },
  })
  const dated = (at: string) => serviceAt(world, Date.parse(at))
  await on.sell({ amount: 10_000, fee: 360 }, dated('2031-04-03T00:00:00Z'))
  await on.refund(2_000, {}, dated('2031-04-30T14:59:59Z'))
  await on.sell({ amount: 4_240 }, dated('2031-04-30T15:00:00Z'))
  const [next] = await readNextTransfers(dated('2031-05-02T00:00:00Z'), {
    merchant_id: shop.id,
    mode: 'test',
  })
  expect(next).toMatchObject({
    ...{ reason: 'scheduled', amount: 7_640, paid_on: '2031-05-10', bank_account_id: null },
    to: new Date('2031-04-30T15:00:00Z'),
    parts: [
      { part: 'sales', amount: 10_000, count: 1 },
      { part: 'fees', amount: -360, count: 1 },
      { part: 'refunds', amount: -2_000, count: 1 },
    ],
    later: { amount: 4_240, paid_on: '2031-06-10' },
  })
})

test('a balance that is too small, too recent or negative is reported as such, without a payout', async () => {
  const said = async () => {
    world.clock.advance(1000)
    const { body } = await on.get('/transfers/next?mode=test')
    return body.payouts[0]
  }
  await on.configure({
    transfer_schedule: { period: 'weekly', wait_period: 'P14D' },
    min_transfer_payout: { amount: 500, currency: 'JPY' },
  })
  await on.sell({ amount: 499 })
  expect(await said()).toMatchObject({ reason: 'below_minimum', amount: 499, paid_on: null })
  await on.sell({ amount: 1 })
  const next = await said()
  expect(next).toMatchObject({ reason: 'scheduled', amount: 500 })
  expect(Date.parse(next.paid_on)).toBeGreaterThan(world.clock.now() + 13 * day_ms)
  await on.refund(2_000)
  expect(await said()).toMatchObject({ reason: 'debt', amount: -1_500, paid_on: null })
  await on.configure({ transfer_schedule: { period: null, wait_period: null } })
  await on.sell({ amount: 3_000 })
  expect(await said()).toMatchObject({ reason: 'no_schedule', amount: 1_500, paid_on: null })
  const { id } = await on.onlyTransfer()
  expect(await said()).toMatchObject({ reason: 'under_way', transfer_id: id, amount: 1_500 })
  await on.move(id, 'approve', 'process', 'pay')
  expect(await said()).toMatchObject({ reason: 'nothing_owed', amount: 0, parts: [] })
})

test('every part leads to its lines, before and after the transfer is created', async () => {
  await on.sell({ amount: 10_000, fee: 360 })
  await on.refund(2_000)
  const listed = async (path: string) => {
    const { status, text, body } = await on.get(path)
    expect(status, text).toBe(200)
    return body.items.map(
      ({ kind, amount }: { kind: string; amount: number }) => `${kind} ${amount}`,
    )
  }
  world.clock.advance(1000)
  const next = '/transfers/next/ledgers?currency=jpy&mode=test&cursor_direction=asc'
  expect(await listed(next)).toEqual(['capture 10000', 'fee -360', 'refund -2000'])
  expect(await listed(`${next}&part=fees`)).toEqual(['fee -360'])
  expect(await listed(`${next}&part=disputes`)).toEqual([])
  const { id } = await on.onlyTransfer()
  expect(await listed(`${next}&part=refunds`)).toEqual(['refund -2000'])
  expect(await listed(`/transfers/${id}/ledgers?part=sales`)).toEqual(['capture 10000'])
  const { body } = await on.get(`/transfers/${id}/parts`)
  expect(
    body.parts.map(({ part, amount }: { part: string; amount: number }) => [part, amount]),
  ).toEqual([
    ['sales', 10_000],
    ['fees', -360],
    ['refunds', -2_000],
  ])
})

test("in test mode, the merchant's test clock says which payout is due", async () => {
  await on.configure({ transfer_schedule: { period: 'weekly' }, display_time_zone: 'UTC' })
  await on.sell({ amount: 700 })
  await on.sell({ amount: 70, mode: 'live' })
  const ahead = { ...world.clock, now: () => world.clock.now() + 8 * day_ms }
  const of = (_: string, mode: 'live' | 'test' | null) => (mode === 'test' ? ahead : world.clock)
  const service = { ...world.service, clocks: { ...world.service.clocks, of } }
  const made = await createDueTransfers(service)
  const own = made.filter(({ merchant_id }) => merchant_id === shop.id)
  expect(own.map(({ mode, amount }) => `${mode} ${amount}`)).toEqual(['test 700'])
})

test('a mode or currency that does not exist is refused', async () => {
  expect((await on.get('/transfers/next?mode=both')).status).toBe(400)
  expect((await on.get('/transfers/next?currency=yen%20')).status).toBe(400)
  expect((await on.get('/transfers/next/ledgers?currency=JPY&part=none')).status).toBe(400)
})
