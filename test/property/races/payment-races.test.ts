import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { patchMerchant } from '../../../src/accounts/merchants/patch-merchant.ts'
import { max_test_charges } from '../../../src/core/limits/limits.ts'
import { runAllDue } from '../../../src/worker/worker.ts'
import { newPast } from '../../support/data/made-before.ts'
import { type Fleet, newFleet, type Request, tally } from '../../support/fleet/payment-fleet.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'

// Three processes on one database, fifty concurrent requests. Where the rule depends on one
// row, the row is locked until they all wait for it, so that they must meet.
const many = 50
let fleet: Fleet

beforeAll(async () => {
  fleet = await newFleet()
})
beforeEach(async () => {
  fleet.world.clock.advance(60_000)
  await fleet.newShop()
})
afterAll(() => fleet.world.close())

const times = (count: number, make: (index: number) => Request): Request[] =>
  Array.from({ length: count }, (_, index) => make(index))
const chargeRow = (id: string) => ({ sql: 'select from charges where id = $1', values: [id] })
const tokenRow = (id: string) => ({
  sql: 'select from transaction_tokens where id = $1',
  values: [id],
})

async function rows(query: string, ...values: unknown[]) {
  return (await fleet.world.store.pool.query(query, values)).rows
}

async function chargeNow(id: string) {
  return (await fleet.pay.get(fleet.pay.chargePath(id))).body
}

/** How often the provider did something of a kind with a charge, refused attempts not counted. */
async function done(charge_id: string, kind: string): Promise<number> {
  const query = `select from simulator_operations where charge_id = $1 and kind = $2
    and outcome ->> 'outcome' = 'approved'`
  return (await rows(query, charge_id, kind)).length
}

const noFaults = async () => expect(await paymentFaults(fleet.world)).toEqual([])

test('fifty partial refunds: as many as fit are accepted, the others are refused', async () => {
  const { id } = await fleet.pay.settled({ amount: 1000 })
  const path = `${fleet.pay.chargePath(id)}/refunds`
  const body = { amount: 70, currency: 'JPY' }
  const responses = await fleet.meetingAt(
    chargeRow(id),
    times(many, () => ({ method: 'POST', path, body })),
  )
  expect(tally(responses)).toEqual({ 201: 14, '400 REFUND_EXCEEDS_CHARGE_AMOUNT': 36 })
  await noFaults()
  await fleet.workTogether()
  expect(await done(id, 'refund')).toBe(14)
  expect(await rows("select from refunds where status = 'pending'")).toEqual([])
  await noFaults()
})

test('refunds of every size: the sum never exceeds the captured amount or the limit', async () => {
  const configuration = { security_configuration: { refund_percent_limit: 80 } }
  await patchMerchant(fleet.world.service, fleet.shop.id, { configuration }, 'merchant')
  const { id } = await fleet.pay.settled({ capture: false, amount: 2000 })
  await fleet.pay.post(`${fleet.pay.chargePath(id)}/capture`, { amount: 1000 })
  await fleet.pay.work()
  const path = `${fleet.pay.chargePath(id)}/refunds`
  const amounts = Array.from({ length: many }, (_, index) => 1 + ((index * 37) % 97))
  const responses = await fleet.meetingAt(
    chargeRow(id),
    amounts.map((amount) => ({ method: 'POST', path, body: { amount, currency: 'JPY' } })),
  )
  const accepted = amounts.filter((_, index) => responses[index]?.status === 201)
  const sum = accepted.reduce((total, amount) => total + amount, 0)
  const refused = amounts.filter((_, index) => responses[index]?.status === 400)
  expect(sum).toBeLessThanOrEqual(800)
  // Nothing was refused that still fitted at the end.
  expect(Math.min(...refused)).toBeGreaterThan(800 - sum)
  expect(accepted.length + refused.length).toBe(many)
  await fleet.workTogether()
  await noFaults()
})

test('a failed refund releases its part while others request it: never too much', async () => {
  const card = { data: { card_number: '4000000000005126' } }
  const { id } = await fleet.pay.settled({ amount: 100 }, card)
  const path = `${fleet.pay.chargePath(id)}/refunds`
  const request = { method: 'POST', path, body: { amount: 60, currency: 'JPY' } }
  const working = fleet.workTogether()
  const responses = await fleet.together(times(many, () => request))
  await working
  await fleet.workTogether()
  expect(tally(responses)[201]).toBeGreaterThanOrEqual(1)
  expect(await rows('select refunded_amount from charges where id = $1', id)).toEqual([
    { refunded_amount: 0 },
  ])
  await noFaults()
})

test('fifty captures of one charge: one is accepted, one is made', async () => {
  const { id } = await fleet.pay.settled({ capture: false })
  const path = `${fleet.pay.chargePath(id)}/capture`
  const responses = await fleet.meetingAt(
    chargeRow(id),
    times(many, (index) => ({ method: 'POST', path, body: { amount: 100 + index } })),
  )
  expect(tally(responses)).toEqual({ 200: 1, '400 ALREADY_CAPTURED': many - 1 })
  const winner = responses.findIndex(({ status }) => status === 200)
  await fleet.workTogether()
  expect(await done(id, 'capture')).toBe(1)
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 100 + winner })
  await noFaults()
})

test('the planned capture on every node against manual captures: each charge once', async () => {
  const ids = await heldCharges(16, { capture_at: in1Day() })
  fleet.world.clock.advance(86_400_000)
  const responses = fleet.together(
    ids.flatMap((id, index) => times(3, () => capture(id, 300 + index)).map((request) => request)),
  )
  await Promise.all([responses, fleet.workTogether(), fleet.workTogether()])
  await fleet.workTogether()
  const by_hand = tally(await responses)
  const outcomes = await rows(
    `select status, charged_amount from charges where merchant_id = $1 order by id`,
    fleet.shop.id,
  )
  expect(outcomes).toHaveLength(ids.length)
  for (const [index, { status, charged_amount }] of outcomes.entries()) {
    expect(status).toBe('successful')
    expect([1000, 300 + index]).toContain(charged_amount)
  }
  const captured_by_hand = outcomes.filter(({ charged_amount }) => charged_amount !== 1000).length
  expect(by_hand).toEqual(
    captured_by_hand === 0
      ? { '400 ALREADY_CAPTURED': 48 }
      : { 200: captured_by_hand, '400 ALREADY_CAPTURED': 48 - captured_by_hand },
  )
  for (const id of ids) expect(await done(id, 'capture')).toBe(1)
  await noFaults()
})

test('six workers on one set of due charges: each is charged once', async () => {
  const ids: string[] = []
  for (let index = 0; index < many; index += 1) ids.push((await fleet.pay.charge()).body.id)
  await Promise.all([fleet.workTogether(), fleet.workTogether()])
  const received = await rows(
    `select received from simulator_operations where charge_id = any($1::uuid[])`,
    ids,
  )
  expect(received).toEqual(ids.map(() => ({ received: 1 })))
  await noFaults()
})

test('capture against cancel: one wins, the other gets an error, the operations log agrees', async () => {
  const won = { capture: 0, cancel: 0 }
  for (let round = 0; round < 2; round += 1) {
    const { id } = await fleet.pay.settled({ capture: false })
    const order = round % 2 === 0 ? [capture(id), cancel(id)] : [cancel(id), capture(id)]
    const requests = times(many, (index) => order[index % 2] as Request)
    const responses = await fleet.meetingAt(chargeRow(id), requests)
    const accepted = requests.filter((_, index) => (responses[index]?.status ?? 500) < 300)
    expect(accepted).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(many - 1)
    const winner = accepted[0]?.path.endsWith('capture') ? 'capture' : 'cancel'
    won[winner] += 1
    await fleet.workTogether()
    expect((await chargeNow(id)).status).toBe(winner === 'capture' ? 'successful' : 'canceled')
    expect(await done(id, 'capture')).toBe(winner === 'capture' ? 1 : 0)
    expect(await done(id, 'void')).toBe(winner === 'cancel' ? 1 : 0)
  }
  expect(won.capture + won.cancel).toBe(2)
  await noFaults()
})

test('capture and cancel while the workers run and the hold expires', async () => {
  const ids = await heldCharges(16, {})
  fleet.world.clock.advance(7 * 86_400_000)
  const requests = ids.flatMap((id) => [capture(id), cancel(id), capture(id)])
  const responses = fleet.together(requests)
  await Promise.all([responses, fleet.workTogether(), fleet.workTogether()])
  await fleet.workTogether()
  const answered = await responses
  for (const [index, id] of ids.entries()) {
    const mine = answered.slice(index * 3, index * 3 + 3).map(({ status }) => status < 300)
    const captured = mine[0] === true || mine[2] === true
    expect(mine.filter(Boolean).length).toBeLessThanOrEqual(1)
    const expected = captured ? 'successful' : mine[1] ? 'canceled' : 'failed'
    expect((await chargeNow(id)).status).toBe(expected)
    expect((await done(id, 'capture')) + (await done(id, 'void'))).toBe(1)
  }
  await noFaults()
})

test('refund against cancel: a charge that was taken is never canceled', async () => {
  const { id } = await fleet.pay.settled()
  const refund = {
    method: 'POST',
    path: `${fleet.pay.chargePath(id)}/refunds`,
    body: { amount: 1000, currency: 'JPY' },
  }
  const responses = await fleet.meetingAt(
    chargeRow(id),
    times(many, (index) => (index % 2 === 0 ? refund : cancel(id))),
  )
  expect(tally(responses)).toEqual({
    201: 1,
    '400 REFUND_EXCEEDS_CHARGE_AMOUNT': many / 2 - 1,
    '400 CANCEL_NOT_ALLOWED': many / 2,
  })
  await fleet.workTogether()
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  await noFaults()
})

test('capture, cancel and refund of a held charge: never a refund of nothing', async () => {
  const { id } = await fleet.pay.settled({ capture: false })
  const path = `${fleet.pay.chargePath(id)}/refunds`
  const refund = { method: 'POST', path, body: { amount: 1000, currency: 'JPY' } }
  const kinds = [refund, capture(id), cancel(id)]
  const requests = times(48, (index) => kinds[index % 3] as Request)
  const working = fleet.workTogether()
  const responses = await fleet.meetingAt(chargeRow(id), requests)
  await working
  await fleet.workTogether()
  const { status } = await chargeNow(id)
  expect(['successful', 'canceled']).toContain(status)
  const refunds = responses.filter((response, index) => index % 3 === 0 && response.status === 201)
  expect(refunds.length).toBeLessThanOrEqual(status === 'successful' ? 1 : 0)
  await noFaults()
})

test('fifty charges on a one-time token: one', async () => {
  const token = await fleet.pay.tokenId()
  const responses = await fleet.meetingAt(tokenRow(token), charges(token, many))
  expect(tally(responses)).toEqual({ 201: 1, '400 TRANSACTION_ALREADY_PROCESSED': many - 1 })
  await fleet.workTogether()
  expect(await usesOf(token)).toBe(1)
  await noFaults()
})

test('a usage_limit of 3: one in each 30 seconds, three in all; a failed charge counts too', async () => {
  const options = { type: 'recurring', usage_limit: '3' }
  const token = await fleet.pay.tokenId(options, { card_number: '4000000000000002' })
  const found = []
  for (let round = 0; round < 3; round += 1) {
    found.push(tally(await fleet.meetingAt(tokenRow(token), charges(token, many))))
    fleet.world.clock.advance(30_000)
    await fleet.workTogether()
  }
  // Nothing is left to wait for: a charge on a used-up token is refused immediately.
  found.push(tally(await fleet.together(charges(token, many))))
  const one = { 201: 1, '400 CHARGE_TOO_QUICK': many - 1 }
  expect(found).toEqual([one, one, one, { '400 USAGE_LIMIT_REACHED': many }])
  expect(await usesOf(token)).toBe(3)
  expect(await rows('select from charges where transaction_token_id = $1', token)).toHaveLength(3)
  await noFaults()
})

test('a recurring token: one success and 49 times 311; in the 30th second one more', async () => {
  const token = await fleet.pay.tokenId({ type: 'recurring' })
  const first = await fleet.meetingAt(tokenRow(token), charges(token, many))
  const one = { 201: 1, '400 CHARGE_TOO_QUICK': many - 1 }
  expect(tally(first)).toEqual(one)
  const refused = first.filter(({ status }) => status === 400)
  expect(refused.every(({ body }) => body.error.code === 311)).toBe(true)
  fleet.world.clock.advance(29_999)
  expect(tally(await fleet.together(charges(token, many)))).toEqual({
    '400 CHARGE_TOO_QUICK': many,
  })
  fleet.world.clock.advance(1)
  expect(tally(await fleet.meetingAt(tokenRow(token), charges(token, many)))).toEqual(one)
  await fleet.workTogether()
  await noFaults()
})

test('exactly 1,440 test charges a day, also when fifty come for the last twenty', async () => {
  const past = await newPast(fleet.world)
  const at = new Date(fleet.world.clock.now())
  // As if 1,420 charges had been created just now, of which the first 30 an hour earlier.
  const hour_ago = new Date(at.getTime() - 3_600_000)
  const times = Array.from({ length: 1420 }, (_, index) => (index < 30 ? hour_ago : at))
  await past.chargedAt(fleet.shop, times)
  const count = {
    sql: 'select from test_charge_counts where merchant_id = $1',
    values: [fleet.shop.id],
  }
  const asked = async () => (await oneTimeTokens(many)).flatMap((token) => charges(token, 1))
  const full = '400 RESOURCE_LIMIT_REACHED'
  expect(tally(await fleet.meetingAt(count, await asked()))).toEqual({ 201: 20, [full]: 30 })
  expect(tally(await fleet.together(await asked()))).toEqual({ [full]: many })
  await backTo(at, 23 * 3_600_000 - 1)
  expect(tally(await fleet.together(await asked()))).toEqual({ [full]: many })
  await backTo(at, 23 * 3_600_000)
  expect(tally(await fleet.meetingAt(count, await asked()))).toEqual({ 201: 30, [full]: 20 })
  await backTo(at, 24 * 3_600_000)
  expect(tally(await fleet.together(await asked()))).toEqual({ 201: many })
  await fleet.workTogether()
  await past.forget()
  await noFaults()
})

test('a refused charge uses neither the daily quota nor the token', async () => {
  await fleet.pay.settled()
  const token = await fleet.pay.tokenId()
  const wrong = { transaction_token_id: token, amount: 1, currency: 'JPY', three_ds_mode: 'skip' }
  const request = { method: 'POST', path: '/charges', body: wrong }
  const responses = await fleet.together(times(many, () => request))
  expect(tally(responses)).toEqual({ '403 INVALID_PERMISSIONS': many })
  expect(await usesOf(token)).toBe(0)
  const free = 'select free from test_charge_counts where merchant_id = $1'
  expect(await rows(free, fleet.shop.id)).toEqual([{ free: max_test_charges - 1 }])
})

test('the checks can fail: money that the provider returned twice is detected', async () => {
  const { id } = await fleet.pay.settled()
  await noFaults()
  const forged = `insert into simulator_operations (merchant_id, reference, kind, charge_id, amount,
      currency, outcome, traits, ready_on, created_on)
    values ($1, gen_random_uuid(), 'refund', $2, 5, 'JPY', '{"outcome": "approved"}', '{}', now(),
      now())`
  await rows(forged, fleet.shop.id, id)
  expect(await paymentFaults(fleet.world)).toContainEqual(
    expect.stringContaining('I4 the operations log'),
  )
  await rows("delete from simulator_operations where charge_id = $1 and kind = 'refund'", id)
  const setFree = (by: number) =>
    rows('update test_charge_counts set free = free + $2 where merchant_id = $1', fleet.shop.id, by)
  await setFree(1)
  expect(await paymentFaults(fleet.world)).toContainEqual(expect.stringContaining('test charges'))
  await setFree(-1)
  await rows('delete from events where resource_id = $1', id)
  expect(await paymentFaults(fleet.world)).toContainEqual(expect.stringContaining('last event'))
})

function capture(id: string, amount?: number): Request {
  const path = `${fleet.pay.chargePath(id)}/capture`
  return { method: 'POST', path, body: amount ? { amount } : {} }
}

function cancel(id: string): Request {
  return { method: 'POST', path: `${fleet.pay.chargePath(id)}/cancels`, body: {} }
}

function charges(transaction_token_id: string, count: number): Request[] {
  const body = { transaction_token_id, amount: 10, currency: 'JPY' }
  return times(count, () => ({ method: 'POST', path: '/charges', body }))
}

async function heldCharges(count: number, more: object): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    ids.push((await fleet.pay.charge({ capture: false, ...more })).body.id)
  }
  await runAllDue(fleet.world.service)
  return ids
}

const in1Day = () => new Date(fleet.world.clock.now() + 86_400_000).toISOString()

async function usesOf(token: string): Promise<number> {
  return (await rows('select uses from transaction_tokens where id = $1', token))[0].uses
}

/** Tokens without advancing the clock: daily limits depend on the exact time. */
async function oneTimeTokens(count: number): Promise<string[]> {
  const body = {
    payment_type: 'card',
    email: 'customer@example.com',
    data: {
      cardholder: 'Taro Yamada',
      card_number: '4242424242424242',
      exp_month: '12',
      exp_year: '2030',
      cvv: '123',
    },
  }
  const created = await fleet.together(
    times(count, () => ({ method: 'POST', path: '/tokens', body })),
  )
  expect(tally(created)).toEqual({ 201: count })
  return created.map((response) => response.body.id)
}

/** Sets the clock to a time after another; it never goes back. */
async function backTo(since: Date, later_ms: number): Promise<void> {
  const ahead_ms = since.getTime() + later_ms - fleet.world.clock.now()
  expect(ahead_ms).toBeGreaterThanOrEqual(0)
  fleet.world.clock.advance(ahead_ms)
}
