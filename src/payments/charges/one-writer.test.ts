import { beforeAll, describe, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { chargeError } from '../../core/payments/charge-errors.ts'
import { payment_types } from '../../core/payments/payment-types.ts'
import { machines } from '../../core/payments/states.ts'
import { no_deadline } from '../../core/time/deadline.ts'
import { inTransaction, newRow, type Service } from '../../service.ts'
import { createToken } from '../tokens/create/create-token.ts'
import { type Charge, getCharge } from './charge.ts'
import { createCharge } from './create/create-charge.ts'
import { insertCharge } from './create/insert-charges.ts'
import { charge_work, processCharge } from './process/process-charge.ts'
import type { ChargeContext } from './process/step.ts'
import { needsTransaction } from './settle/charge-effects.ts'
import { type ChargeAction, settleCharge, transitionCharge } from './settle/settle-charge.ts'

// A step is written by one statement, for many charges together or for one in its caller's transaction.
// Both forms have to leave the same rows, ledger and events, for every payment type and every change of
// state.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

const caller = () => ({
  merchant_id: shop.id,
  store_id: shop.store_id,
  mode: 'test' as const,
  token_id: shop.token_id,
  domains: [],
  with_secret: true,
  user: null,
})

const phone_number = { country_code: 81, local_number: '09012345678' }
const data_of: Record<(typeof payment_types)[number], object> = {
  card: {
    cardholder: 'Taro',
    card_number: '4242424242424242',
    exp_month: 12,
    exp_year: 2030,
    cvv: '123',
  },
  apple_pay: { applepay_token: 'x', cardholder: 'Taro' },
  qr_scan: { scanned_qr: '9000818100000000000000' },
  qr_merchant: { brand: 'we_chat_mpm' },
  konbini: { customer_name: 'Taro', convenience_store: 'lawson', phone_number },
  paidy: { paidy_token: 'tok_1' },
  online: { brand: 'pay_pay_online', call_method: 'http_post' },
  bank_transfer: { brand: 'aozora_bank' },
}

async function newCharge(payment_type: string, email = 'a@example.com'): Promise<Charge> {
  const data = data_of[payment_type as keyof typeof data_of]
  const body = { payment_type, email, data }
  const token = await createToken(world.service, caller(), body as never)
  const asked = {
    transaction_token_id: token.id,
    amount: 1000,
    currency: 'JPY',
    metadata: { a: 1 },
  }
  return createCharge(world.service, caller(), asked as never)
}

/** The options that a settlement with an action accepts. */
function settlementOf(action: ChargeAction) {
  const captured = { amount: 1000, requested_amount: 1000 }
  const instructions = { kind: 'three_ds' } as never
  switch (action) {
    case 'capture':
      return { action, captured }
    case 'ask_customer':
      return { action, instructions }
    case 'reject':
    case 'fail_technically':
      return { action, error: chargeError(action === 'reject' ? 309 : 502) }
    default:
      return { action }
  }
}

const alone = (charge: Charge, action: ChargeAction) =>
  inTransaction(world.service, (tx) => transitionCharge(tx, charge, settlementOf(action)))
const batched = (charge: Charge, action: ChargeAction) =>
  settleCharge(world.service, charge, settlementOf(action))

async function chargeIn(payment_type: string, status: string): Promise<Charge> {
  const charge = await newCharge(payment_type)
  if (status === 'pending') return charge
  const moved = await alone(charge, status === 'awaiting' ? 'ask_customer' : 'authorize')
  expect(moved?.status).toBe(status)
  return moved as Charge
}

/** Everything that the database has of a charge; ids and sealed bytes are named by their place. */
async function written({ id, transaction_token_id }: Charge): Promise<unknown> {
  const parts = {
    charge: `select * from charges where id = '${id}'`,
    token: `select * from transaction_tokens where id = '${transaction_token_id}'`,
    ledger: `select * from ledger_transactions where charge_id = '${id}' order by id`,
    events: `select * from events where resource_id = '${id}' order by sequence`,
    deposits: `select * from deposits where charge_id = '${id}' order by id`,
    calls: `select * from provider_operations where charge_id = '${id}' order by started_on`,
    provider_log: `select * from simulator_operations where charge_id = '${id}' order by created_on`,
  }
  const found: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(parts)) {
    found[name] = (await world.store.pool.query(query)).rows
  }
  const names = new Map<string, string>()
  const text = JSON.stringify(found, (_, value) =>
    value?.type === 'Buffer' ? 'bytes' : value,
  ).replaceAll(`"${id.slice(-6).toUpperCase()}"`, '"the code of the simulator"')
  return JSON.parse(
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uuid) => {
      if (!names.has(uuid)) names.set(uuid, `id ${names.size + 1}`)
      return names.get(uuid) ?? ''
    }),
  )
}

const changes = Object.entries(machines.charge).flatMap(([status, actions]) =>
  Object.keys(actions).map((action) => [status, action as ChargeAction] as const),
)

describe.each([...payment_types])('%s', (payment_type) => {
  test.each(changes)('%s, %s', async (status, action) => {
    const [one, two, other] = [
      await chargeIn(payment_type, status),
      await chargeIn(payment_type, status),
      await chargeIn(payment_type, status),
    ]
    const [first, second] = await Promise.all([batched(one, action), batched(two, action)])
    const third = await alone(other, action)
    const next = (machines.charge as Record<string, Record<string, string>>)[status]?.[action]
    for (const settled of [first, second, third]) {
      expect(settled?.status).toBe(next)
      // The caller receives exactly the stored data.
      const path = { store_id: shop.store_id, charge_id: settled?.id ?? '' }
      const stored = await getCharge(world.service, caller(), path)
      // The database sorts the words, and generates a column of its own.
      expect(stored).toMatchObject({ ...settled, search_words: stored.search_words })
    }
    const expected = await written(other)
    expect(await written(one)).toEqual(expected)
    expect(await written(two)).toEqual(expected)
  })
})

test('a charge that was changed meanwhile is settled as it is now, and one of another claim is not', async () => {
  for (const settle of [batched, alone]) {
    const read = await newCharge('card')
    await world.store.pool.query(`update charges set metadata = '{"b": 2}' where id = $1`, [
      read.id,
    ])
    expect((await settle(read, 'capture'))?.metadata).toEqual({ b: 2 })
    const claimed = await newCharge('card')
    await world.store.pool.query('update charges set claims = claims + 1 where id = $1', [
      claimed.id,
    ])
    expect(await settle(claimed, 'capture')).toBeNull()
    expect(await settle(read, 'capture')).toBeNull()
  }
})

/** Charges that are handed to the worker of the process, each with what it gets to work with. */
async function handedOver(payment_type: string, email?: string) {
  const { local_work } = world.service
  const given: [Charge, ChargeContext][] = []
  local_work.open(charge_work, 10, 30_000, async (...one) => void given.push(one))
  await newCharge(payment_type, email)
  await newCharge(payment_type, email)
  await local_work.close()
  expect(given).toHaveLength(2)
  return given as [[Charge, ChargeContext], [Charge, ChargeContext]]
}

async function claimed(charge: Charge, claims: number): Promise<Charge> {
  const text = 'update charges set claims = $2, due_on = $3 where id = $1 returning *'
  return (await world.store.pool.query(text, [charge.id, claims, charge.due_on])).rows[0]
}

test.each(['a@example.com', 'a+charge-failure-306@example.com', 'a+delay-1@example.com'])(
  'a charge that is handed over leaves the same rows as one that is claimed, also by a second process: %s',
  async (email) => {
    const { service } = world
    for (const payment_type of ['card', 'apple_pay', 'qr_scan']) {
      const [[handed, context], [left]] = await handedOver(payment_type, email)
      await processCharge(service, handed, no_deadline, context)
      const called = await claimed(await newCharge(payment_type, email), 1)
      await processCharge(service, called, no_deadline)
      expect(await written(handed)).toEqual(await written(called))
      // The process that created this one has died before it called.
      await processCharge(service, await claimed(left, 2), no_deadline)
      const text = JSON.stringify(await written(left))
      expect(
        JSON.parse(
          text.replaceAll('"claims":2', '"claims":1').replaceAll('"attempt":2', '"attempt":1'),
        ),
      ).toEqual(await written(called))
    }
  },
)

test('a charge that ended while its provider was called is undone there', async () => {
  const [[charge, context]] = await handedOver('card')
  await alone(charge, 'fail_technically')
  await processCharge(world.service, charge, no_deadline, context)
  const { provider_log } = (await written(charge)) as { provider_log: { kind: string }[] }
  expect(provider_log.map(({ kind }) => kind)).toEqual(['authorize', 'refund'])
})

test('most charges need no transaction; those with other effects do', async () => {
  const plain = await newCharge('card')
  expect(needsTransaction(world.service, plain, 'successful')).toBe(false)
  expect(needsTransaction(world.service, plain, 'failed')).toBe(false)
  expect(needsTransaction(world.service, plain, 'awaiting')).toBe(true)
  expect(
    needsTransaction(world.service, { ...plain, subscription_id: plain.id }, 'successful'),
  ).toBe(true)
  expect(needsTransaction(world.service, { ...plain, type: 'cvv_auth' }, 'successful')).toBe(true)
  expect(needsTransaction(world.service, { ...plain, match_amount: 'exact' }, 'failed')).toBe(true)
})

describe('a use of a token is allowed or refused for the same reason', () => {
  const cases: [name: string, type: string, change: string, outcome: string][] = [
    ['new', 'one_time', 'uses = 0', 'created'],
    ['used', 'one_time', 'uses = 1', 'TRANSACTION_ALREADY_PROCESSED'],
    ['expired', 'one_time', 'expires_on = $2', 'TRANSACTION_TOKEN_EXPIRED'],
    ['deleted', 'one_time', 'active = false', 'NOT_FOUND'],
    ['new', 'recurring', 'uses = 0', 'created'],
    ['used just now', 'recurring', 'last_used_on = $2', 'CHARGE_TOO_QUICK'],
    ['used long ago', 'recurring', "last_used_on = $2::timestamptz - interval '30 s'", 'created'],
    ['with uses left', 'recurring', "usage_limit = '2', uses = 1", 'created'],
    ['with no use left', 'recurring', "usage_limit = '2', uses = 2", 'USAGE_LIMIT_REACHED'],
    [
      'of yesterday',
      'recurring',
      "usage_limit = 'daily', last_used_on = $2::timestamptz - interval '24 h'",
      'created',
    ],
    [
      'of today',
      'recurring',
      "usage_limit = 'daily', last_used_on = $2::timestamptz - interval '23 h'",
      'USAGE_LIMIT_REACHED',
    ],
    ['of a subscription', 'subscription', 'uses = 5', 'created'],
  ]

  test.each(cases)('%s %s', async (_name, type, change, outcome) => {
    const charge = await newCharge('card')
    const at = new Date(world.clock.now())
    const given = change.includes('$2')
      ? [charge.transaction_token_id, at]
      : [charge.transaction_token_id]
    const text = `update transaction_tokens set ${change} where id = $1`
    const outcomes: string[] = []
    for (const way of ['batched', 'alone']) {
      await world.store.pool.query(
        `update transaction_tokens set type = $3, uses = 0, last_used_on = null, active = true,
          usage_limit = null, expires_on = $2::timestamptz + interval '1 s' where id = $1`,
        [charge.transaction_token_id, at, type],
      )
      await world.store.pool.query(text, given)
      const before = await usesOf(charge)
      const row = { ...charge, ...newRow(world.service) }
      const insert = (service: Service) =>
        insertCharge(service, {
          charge: row,
          wait_ms: 30_000,
          response: null,
          row_version: null,
          rules_version: null,
        })
      outcomes.push(
        way === 'batched'
          ? await insert(world.service)
          : await inTransaction(world.service, insert),
      )
      // Counted once when it was written, and not at all otherwise.
      expect((await usesOf(charge)) - before).toBe(outcome === 'created' ? 1 : 0)
      const { rowCount } = await world.store.pool.query('select from charges where id = $1', [
        row.id,
      ])
      expect(rowCount).toBe(outcome === 'created' ? 1 : 0)
    }
    expect(outcomes).toEqual([outcome, outcome])
  })

  async function usesOf({ transaction_token_id }: Charge): Promise<number> {
    const text = 'select uses from transaction_tokens where id = $1'
    return (await world.store.pool.query(text, [transaction_token_id])).rows[0].uses
  }
})
