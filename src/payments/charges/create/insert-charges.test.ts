import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPast } from '../../../../test/support/data/made-before.ts'
import { payments } from '../../../../test/support/payments.ts'
import { paymentFaults } from '../../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../../test/support/use-world.ts'
import { Failure } from '../../../core/api/errors.ts'
import { inTransaction, type Service } from '../../../service.ts'
import { createCharge } from './create-charge.ts'

// Concurrent charges share one statement; each is decided as if it were the only one.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let past: Awaited<ReturnType<typeof newPast>>

beforeAll(async () => {
  past = await newPast(world)
})
afterAll(async () => {
  await past.forget()
  expect(await paymentFaults(world)).toEqual([])
})

const day_ms = 24 * 3_600_000
const query = async (text: string, ...values: unknown[]) =>
  (await world.store.pool.query(text, values)).rows

/** Charges in one statement, each so long after now: `made`, or why not. */
async function together(
  tokens: string[],
  after_ms: number[],
  body: object = {},
  of = shop,
  service: Service = world.service,
) {
  const now_ms = world.clock.now()
  const outcomes = tokens.map(async (transaction_token_id, index) => {
    const clock = { ...world.clock, now: () => now_ms + (after_ms[index] ?? 0) }
    const caller = { merchant_id: of.id, store_id: of.store_id, mode: 'test', with_secret: true }
    const asked = { transaction_token_id, amount: 1000, currency: 'JPY', ...body }
    try {
      await createCharge({ ...service, clock }, caller as never, asked)
      return 'made'
    } catch (error) {
      return error instanceof Failure ? error.code : String(error)
    }
  })
  return Promise.all(outcomes)
}

const oneTimeTokens = async (count: number) => {
  const ids: string[] = []
  while (ids.length < count) ids.push(await pay.tokenId())
  return ids
}

/** Sets the counter as after 1440 charges at this time, minus the oldest ones. */
async function fillDay(at: number, ...oldest_on: number[]) {
  const times = Array.from({ length: 1440 }, (_, index) => new Date(oldest_on[index] ?? at))
  await past.chargedAt(shop, times)
}

test('a place that is free some milliseconds later is not passed over', async () => {
  const tokens = await oneTimeTokens(5)
  const yesterday = world.clock.now() - day_ms
  await fillDay(world.clock.now(), yesterday + 2, yesterday + 3)
  const full = 'RESOURCE_LIMIT_REACHED'
  const first = await together(tokens.slice(0, 2), [0, 5])
  expect(first[0]).toBe(full)
  const later = await together(tokens.slice(2), [5, 5, 5])
  const made = [...first, ...later].filter((outcome) => outcome === 'made')
  expect({ first, later, made: made.length }).toMatchObject({ made: 2 })
})

const free = async () =>
  query('select free from test_charge_counts where merchant_id = $1', shop.id)

test('a scheduled charge that fails because of the limit does not take a place away', async () => {
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const asked = { transaction_token_id, amount: 1000, currency: 'JPY', period: 'daily' }
  const { id } = (await pay.post('/subscriptions', asked)).body
  await pay.work()
  const filled_on = world.clock.now() + day_ms
  await fillDay(filled_on)
  world.clock.advance(day_ms)
  await pay.work()
  const path = `/stores/${shop.store_id}/subscriptions/${id}/charges`
  const [newest, first] = (await pay.get(path)).body.items
  expect(newest).toMatchObject({ status: 'failed', error: { code: 337 } })
  expect(first).toMatchObject({ status: 'successful' })
  world.clock.advance(filled_on + day_ms - 60_000 - world.clock.now())
  const tokens = await oneTimeTokens(2)
  const left_ms = filled_on + day_ms - world.clock.now()
  expect(await together(tokens.slice(1), [left_ms - 1])).toEqual(['RESOURCE_LIMIT_REACHED'])
  expect(await together(tokens, [left_ms, left_ms])).toEqual(['made', 'made'])
  // The failed charge is younger than a day and not among them.
  expect(await free()).toEqual([{ free: 1438 }])
})

test('a shared statement writes the same row as a transaction of its own', async () => {
  const metadata = {
    text: 'snö 会計 👩‍👩‍👧 "quoted" \\ \n \u2028',
    number: 1.5e-7,
    large: 9007199254740991,
    none: null,
    nested: { list: [1, 'a', null, { b: false }], empty: {} },
    'ключ with spaces': '',
  }
  const body = {
    metadata,
    capture: false,
    capture_at: new Date(world.clock.now() + 80_000_123).toISOString(),
    descriptor: 'Shop 12',
    amount: 999_999_999_999,
  }
  const [shared = '', alone = ''] = await oneTimeTokens(2)
  expect(await together([shared], [0], body)).toEqual(['made'])
  await inTransaction(world.service, async (tx) =>
    expect(await together([alone], [0], body, shop, tx)).toEqual(['made']),
  )
  const [one, other] = (await query(
    'select * from charges where merchant_id = $1 order by id',
    shop.id,
  )) as Record<string, unknown>[]
  const own = ['id', 'transaction_token_id']
  for (const name of own) {
    delete one?.[name]
    delete other?.[name]
  }
  expect(one).toEqual(other)
  expect(one?.metadata).toEqual(metadata)
})

test('merchants and outcomes mix in one statement', async () => {
  const elsewhere = await world.merchant()
  const tokens = await oneTimeTokens(3)
  const theirs = await payments(world, elsewhere).tokenId()
  const recurring = await pay.tokenId({ type: 'recurring' })
  await query('update transaction_tokens set active = false where id = $1', tokens[2])
  const [here, there] = await Promise.all([
    together([...tokens, tokens[0] ?? '', recurring, recurring, theirs], []),
    together([theirs, tokens[1] ?? ''], [], {}, elsewhere),
  ])
  // The order of two charges with the same token does not matter.
  const [first, second, third, fourth, fifth, sixth, seventh] = here
  expect([first, fourth].sort()).toEqual(['TRANSACTION_ALREADY_PROCESSED', 'made'])
  expect([second, third]).toEqual(['made', 'NOT_FOUND'])
  expect([fifth, sixth].sort()).toEqual(['CHARGE_TOO_QUICK', 'made'])
  expect(seventh).toBe('NOT_FOUND')
  expect(there).toEqual(['made', 'NOT_FOUND'])
  expect(await free()).toEqual([{ free: 1437 }])
})

test('a row that somebody holds keeps its own merchant waiting, and no other', async () => {
  const elsewhere = await world.merchant()
  const there = payments(world, elsewhere)
  const theirs = [await there.tokenId(), await there.tokenId()]
  const [mine = '', mine_too = ''] = await oneTimeTokens(2)
  const holder = new pg.Client(world.store.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from test_charge_counts where merchant_id = $1 for update', [shop.id])
  const held = [together([mine], [])]
  const shared = await together([theirs[0] ?? ''], [], {}, elsewhere)
  held.push(together([mine_too], []))
  const later = await together([theirs[1] ?? ''], [], {}, elsewhere)
  expect([shared, later]).toEqual([['made'], ['made']])
  const done = Promise.all(held)
  expect(await Promise.race([done, sleep(300, 'waits')])).toBe('waits')
  await holder.query('commit')
  await holder.end()
  expect(await done).toEqual([['made'], ['made']])
})

test('exactly as many as fit, in shared statements and in transactions that meet them', async () => {
  const tokens = await oneTimeTokens(16)
  const yesterday = world.clock.now() - day_ms
  await fillDay(world.clock.now(), ...Array.from({ length: 5 }, () => yesterday))
  const alone = tokens.slice(0, 6).map((token) =>
    inTransaction(world.service, async (tx) => {
      const [outcome] = await together([token], [], {}, shop, tx)
      if (outcome !== 'made') throw new Error(outcome)
      return outcome
    }).catch((error: Error) => error.message),
  )
  const shared = await together(tokens.slice(6), [])
  const outcomes = [...(await Promise.all(alone)), ...shared]
  const full = outcomes.filter((outcome) => outcome === 'RESOURCE_LIMIT_REACHED')
  const made = outcomes.filter((outcome) => outcome === 'made')
  expect([made.length, full.length]).toEqual([5, 11])
  expect(await free()).toEqual([{ free: 0 }])
  expect(await query('show lock_timeout')).toEqual([{ lock_timeout: '5s' }])
})

test('a token for one charge a day: after 24 hours, whatever zone the server is in', async () => {
  const [{ name } = { name: '' }] = await query('select current_database() as name')
  await query(`alter database ${name} set timezone = 'Europe/Berlin'`)
  const { service, store } = await world.another()
  const token = await pay.tokenId({ type: 'recurring', usage_limit: 'daily' })
  // Clocks are put back in Berlin: this day has 25 hours there.
  const begin = Date.parse('2026-10-24T22:30:00Z') - world.clock.now()
  const chargeAt = (ms: number) => together([token], [begin + ms], {}, shop, service)
  expect(await chargeAt(0)).toEqual(['made'])
  expect(await chargeAt(day_ms - 1)).toEqual(['USAGE_LIMIT_REACHED'])
  expect(await chargeAt(day_ms)).toEqual(['made'])
  expect((await store.pool.query('show timezone')).rows).toEqual([{ TimeZone: 'UTC' }])
})
