import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import { max_amount } from '../../core/money/money.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'

// Bounds of amounts and times, tried at the last value that is allowed and the first that is not. The
// clock stands still between two requests of `send`.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const send = (path: string, body: object): Promise<ApiResponse> =>
  world.call('POST', path, { auth: shop.as_store, body })
const charge = (transaction_token_id: string, body: object = {}) =>
  send('/charges', { transaction_token_id, amount: 1000, currency: 'JPY', ...body })
const outcomeOf = ({ status, body }: ApiResponse): string =>
  status === 201 ? 'created' : (body.errors?.[0]?.reason ?? body.code)
const configure = async (configuration: object) => {
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

test.each([
  ['a millisecond less than an hour', hour_ms - 1, 'INVALID_SCHEDULED_CAPTURE_DATE'],
  ['an hour', hour_ms, 'created'],
  ['seven days', 7 * day_ms, 'created'],
  ['a millisecond more than seven days', 7 * day_ms + 1, 'INVALID_SCHEDULED_CAPTURE_DATE'],
])('a planned capture in %s', async (_, ahead_ms, outcome) => {
  const id = await pay.tokenId()
  const capture_at = new Date(world.clock.now() + ahead_ms).toISOString()
  expect(outcomeOf(await charge(id, { capture: false, capture_at }))).toBe(outcome)
})

const slip = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: 81, local_number: '09012345678' },
  convenience_store: 'lawson',
}

test.each([
  ['konbini', slip, 30 * day_ms],
  ['bank_transfer', { brand: 'aozora_bank' }, 365 * day_ms],
])('%s: the end of a deposit lies 30 minutes ahead or more, but not too far', async (...way) => {
  const [payment_type, data, max_ms] = way
  const bounds: [number, string][] = [
    [30 * minute_ms - 1, 'EXPIRATION_DATE_OUT_OF_BOUNDS'],
    [30 * minute_ms, 'created'],
    [max_ms, 'created'],
    [max_ms + 1, 'EXPIRATION_DATE_OUT_OF_BOUNDS'],
  ]
  for (const [ahead_ms, outcome] of bounds) {
    const created = await send('/tokens', { payment_type, email: 'customer@example.com', data })
    const capture_at = new Date(world.clock.now() + ahead_ms).toISOString()
    expect([ahead_ms, outcomeOf(await charge(created.body.id, { capture_at }))]).toEqual([
      ahead_ms,
      outcome,
    ])
    world.clock.advance(1000)
  }
})

test('amounts: 1 and the largest are charged, exactly the authorized amount is captured', async () => {
  expect(outcomeOf(await charge(await pay.tokenId(), { amount: 1 }))).toBe('created')
  expect(outcomeOf(await charge(await pay.tokenId(), { amount: max_amount }))).toBe('created')
  const too_much = await charge(await pay.tokenId(), { amount: max_amount + 1 })
  expect(outcomeOf(too_much)).toBe('NUMBER_MAX')
  const { id } = await pay.settled({ capture: false })
  expect((await pay.post(`${pay.chargePath(id)}/capture`, { amount: 1000 })).status).toBe(200)
  await pay.work()
  expect((await pay.get(pay.chargePath(id))).body).toMatchObject({
    status: 'successful',
    charged_amount: 1000,
  })
})

test('a one-time token can be charged for five minutes less a millisecond', async () => {
  for (const [after_ms, outcome] of [
    [5 * minute_ms - 1, 'created'],
    [5 * minute_ms, 'TRANSACTION_TOKEN_EXPIRED'],
  ] as const) {
    const id = await pay.tokenId()
    world.clock.advance(after_ms)
    expect(outcomeOf(await charge(id))).toBe(outcome)
  }
})

/** Charges twice, so long one after the other; the outcome of the second. */
async function again(token_id: string, after_ms: number, body: object = {}): Promise<string> {
  world.clock.advance(10 * day_ms)
  expect(outcomeOf(await charge(token_id, body))).toBe('created')
  world.clock.advance(after_ms)
  return outcomeOf(await charge(token_id, body))
}

test('a recurring token billed again is a duplicate until 30 seconds have passed', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  expect(await again(id, 29_999)).toBe('CHARGE_TOO_QUICK')
  expect(await again(id, 30_000)).toBe('created')
})

test.each([
  ['daily', day_ms],
  ['weekly', 7 * day_ms],
])(
  'usage_limit %s: the next charge is allowed after exactly that time',
  async (usage_limit, ms) => {
    const id = await pay.tokenId({ type: 'recurring', usage_limit })
    expect(await again(id, ms - 1)).toBe('USAGE_LIMIT_REACHED')
    expect(await again(id, ms)).toBe('created')
  },
)

test('limits of a card per time hold until exactly that time has passed', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  // Charges of the longest window are read; each limit counts those of its own.
  const seldom = { quantity_of_charges: 9, duration_window: 'PT1H' }
  await configure({
    security_configuration: {
      card_charge_cooldown: 'PT10M',
      limit_charge_by_card_configuration: seldom,
    },
  })
  expect(await again(id, 10 * minute_ms - 1)).toBe('CHARGE_TOO_QUICK')
  expect(await again(id, 10 * minute_ms)).toBe('created')
  const count = { quantity_of_charges: 1, duration_window: 'PT1H' }
  await configure({
    security_configuration: {
      card_charge_cooldown: null,
      limit_charge_by_card_configuration: count,
    },
  })
  expect(await again(id, hour_ms - 1)).toBe('CARD_LOCKED')
  expect(await again(id, hour_ms)).toBe('created')
  await configure({
    security_configuration: { limit_charge_by_card_configuration: null },
    card_configuration: { card_limit: { amount: 1000, currency: 'JPY', duration: 'P1D' } },
  })
  expect(await again(id, day_ms - 1)).toBe('INVALID_CHARGE_AMOUNT_LIMIT')
  expect(await again(id, day_ms)).toBe('created')
})

test("a card's charges in another currency do not count for its limit", async () => {
  const card_limit = { amount: 1000, currency: 'JPY', duration: 'P1D' }
  await configure({ card_configuration: { card_limit } })
  expect(outcomeOf(await charge(await pay.tokenId(), { currency: 'USD' }))).toBe('created')
  expect(outcomeOf(await charge(await pay.tokenId(), { amount: 1000 }))).toBe('created')
  expect(outcomeOf(await charge(await pay.tokenId(), { amount: 1 }))).not.toBe('created')
})

test('an authorization is held for seven days less a millisecond, and then no longer', async () => {
  const { id } = await pay.settled({ capture: false })
  const query = 'select authorized_on from charges where id = $1'
  const { rows } = await world.store.pool.query(query, [id])
  const statusAt = async (after_ms: number) => {
    world.clock.advance(rows[0].authorized_on.getTime() + after_ms - world.clock.now())
    await runAllDue(world.service)
    const read = await world.call('GET', pay.chargePath(id), { auth: shop.as_store })
    return read.body.status
  }
  expect(await statusAt(7 * day_ms - 1)).toBe('authorized')
  expect(await statusAt(7 * day_ms)).toBe('failed')
})
