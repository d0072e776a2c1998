import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { NotStored } from '../../api/idempotency/stored-response.ts'
import { day_ms } from '../../core/time/clock.ts'
import { createCharge } from './create/create-charge.ts'

// A charge with an Idempotency-Key: its answer is written by the statement that makes the charge.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

async function count(table: string): Promise<number> {
  const text = `select count(*)::integer as count from ${table} where merchant_id = $1`
  return (await world.store.pool.query(text, [shop.id])).rows[0].count
}

function charge(key: string, token: string, body: object = {}, node = world) {
  return node.call('POST', '/charges', {
    auth: shop.as_store,
    headers: { 'idempotency-key': key },
    body: { transaction_token_id: token, amount: 1000, currency: 'JPY', ...body },
  })
}

const statusOf = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['idempotency-status']

test('a charge with a key is made once, and its answer is the same again', async () => {
  const token = await pay.tokenId()
  const first = await charge('order-1', token)
  const again = await charge('order-1', token)
  expect([first.status, statusOf(first)]).toEqual([201, 'successfully_stored'])
  expect([again.status, statusOf(again)]).toEqual([201, 'retrieved_idempotent_response'])
  expect(again.text).toBe(first.text)
  expect([await count('charges'), await count('idempotency_records')]).toEqual([1, 1])
})

test('a card that can be charged again is charged once for a key', async () => {
  const token = await pay.tokenId({ type: 'recurring' })
  const first = await charge('order-1', token)
  await pay.work()
  world.clock.advance(60_000)
  const again = await charge('order-1', token)
  const conflict = await charge('order-1', token, { amount: 2000 })
  expect([again.text, statusOf(again)]).toEqual([first.text, 'retrieved_idempotent_response'])
  expect([conflict.status, statusOf(conflict)]).toEqual([409, 'conflicting_key'])
  expect(await count('charges')).toBe(1)
  const other = await charge('order-2', token)
  expect([other.status, await count('charges')]).toEqual([201, 2])
})

test('fifty concurrent requests with one key, over two nodes: one charge, and every caller gets its response', async () => {
  const other = await world.another()
  const token = await pay.tokenId()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, at) => charge('race', token, {}, at % 2 ? other : world)),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  expect(responses.filter((one) => statusOf(one) === 'successfully_stored')).toHaveLength(1)
  expect([await count('charges'), await count('idempotency_records')]).toEqual([1, 1])
})

test('the same key for two concurrent charges: one is created, the other is a conflict', async () => {
  const tokens = await Promise.all([pay.tokenId(), pay.tokenId()])
  const responses = await Promise.all(tokens.map((token) => charge('shared', token)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect([await count('charges'), await count('idempotency_records')]).toEqual([1, 1])
  const { rows } = await world.store.pool.query(
    'select sum(uses)::integer as uses from transaction_tokens where merchant_id = $1',
    [shop.id],
  )
  expect(rows).toEqual([{ uses: 1 }])
})

test('charges with and without keys share a statement, and one conflict fails nobody else', async () => {
  await charge('taken', await pay.tokenId())
  const tokens = await Promise.all(Array.from({ length: 6 }, () => pay.tokenId()))
  const keys = ['a', 'b', 'taken', 'c', 'd', 'e']
  const responses = await Promise.all(
    tokens.map((token, at) => charge(keys[at] ?? '', token, { amount: 2000 })),
  )
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 409, 201, 201, 201])
  expect(await count('charges')).toBe(6)
})

test('the statement makes nothing for a key that has an answer, and does not fail', async () => {
  const { id: merchant_id, store_id } = shop
  const caller = { merchant_id, store_id, mode: 'test', with_secret: true } as never
  const chargeFor = async (key: string) => {
    const stored_under = { merchant_id, mode: 'test', key, fingerprints: [Buffer.alloc(32)] }
    const writer = { key: stored_under, responseOf: () => ({ status: 201, body: '{}' }) }
    const wanted = { transaction_token_id: await pay.tokenId(), amount: 1000, currency: 'JPY' }
    return createCharge(world.service, caller, wanted, writer)
  }
  await chargeFor('taken')
  await expect(chargeFor('taken')).rejects.toThrow(NotStored)
  expect(await count('charges')).toBe(1)
})

test('a refused charge leaves its key unused', async () => {
  const token = await pay.tokenId()
  const refused = await charge('again', shop.id)
  expect([refused.status, statusOf(refused)]).toEqual([404, 'not_stored'])
  const created = await charge('again', token)
  expect([created.status, statusOf(created)]).toEqual([201, 'successfully_stored'])
})

test('a token that is used up stays refused under another key', async () => {
  const token = await pay.tokenId()
  await charge('one', token)
  const second = await charge('two', token)
  expect([second.status, second.body.code]).toEqual([400, 'TRANSACTION_ALREADY_PROCESSED'])
  expect(await count('idempotency_records')).toBe(1)
})

test('a response that needs a transaction of its own is stored as well', async () => {
  const limit = { quantity_of_charges: 3, duration_window: 'PT1H' }
  const security_configuration = { limit_charge_by_card_configuration: limit }
  await world.call('PATCH', `/stores/${shop.store_id}`, {
    auth: shop.as_merchant,
    body: { configuration: { security_configuration } },
  })
  const token = await pay.tokenId()
  const first = await charge('own', token)
  const again = await charge('own', token)
  expect([first.status, statusOf(first)], first.text).toEqual([201, 'successfully_stored'])
  expect([again.text, statusOf(again)]).toEqual([first.text, 'retrieved_idempotent_response'])
})

test('an answer whose day is over is not given again: the key is free', async () => {
  const first = await charge('yesterday', await pay.tokenId())
  world.clock.advance(day_ms + 1000)
  const second = await charge('yesterday', await pay.tokenId())
  expect([second.status, statusOf(second)]).toEqual([201, 'successfully_stored'])
  expect(second.body.id).not.toBe(first.body.id)
})
