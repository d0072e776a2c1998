import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import type { Mode } from '../../core/access/caller.ts'
import { captured, type LedgerCharge, postLedger, refunded } from '../../ledger/post.ts'
import { inTransaction } from '../../service.ts'
import { ledgerRoutes } from './ledger-routes.ts'

// The charge in these tests requested 20.00 USD, captured 3000 JPY with a fee of 90, and refunded 500.
const world = useWorld({ modules: [ledgerRoutes] })
let shop: TestMerchant
let charge: LedgerCharge
let ids: string[]

beforeAll(async () => {
  shop = await world.merchant()
  charge = await newCharge('test')
  const capture = { amount: 3000, currency: 'JPY', fee: 90 }
  ids = await inTransaction(world.service, (tx) =>
    postLedger(tx, [
      ...captured(charge, capture),
      ...refunded(charge, { id: randomUUID(), amount: 500, currency: 'JPY' }),
    ]),
  )
})

async function newCharge(mode: Mode, of = shop): Promise<LedgerCharge> {
  const id = randomUUID()
  await world.store.pool.query(
    `insert into charges (merchant_id, id, store_id, mode, type, transaction_token_id,
       transaction_token_type, payment_type, requested_amount, requested_currency, provider_amount,
       provider_currency, only_direct_currency, capture, status, metadata, created_on,
       updated_on)
     values ($1, $2, $3, $4, 'normal', $2, 'one_time', 'card', 2000, 'USD', 3000, 'JPY', false,
       true, 'pending', '{}', now(), now())`,
    [of.id, id, of.store_id, mode],
  )
  const owner = { merchant_id: of.id, store_id: of.store_id, mode }
  return { ...owner, id, requested_amount: 2000, requested_currency: 'USD' }
}

const get = (path: string, auth = shop.as_merchant) => world.call('GET', path, { auth })
const listPath = () => `/stores/${shop.store_id}/charges/${charge.id}/ledgers`

test('Ledger: the sale as the interface shows it, with its entries', async () => {
  const { status, body } = await get(`/ledgers/${ids[0]}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: ids[0],
    merchant_id: shop.id,
    store_id: shop.store_id,
    charge_id: charge.id,
    refund_id: null,
    transfer_id: null,
    mode: 'test',
    amount: 3000,
    currency: 'JPY',
    amount_formatted: 3000,
    percent_fee: null,
    flat_fee_amount: null,
    flat_fee_currency: null,
    flat_fee_formatted: null,
    exchange_rate: null,
    origin: 'charge',
    kind: 'capture',
    note: null,
    entries: [
      { account: 'provider_receivable', currency: 'JPY', amount: 3000 },
      { account: 'merchant_payable', currency: 'JPY', amount: -3000 },
    ],
    created_on: '2026-01-15T00:00:00.000Z',
  })
})

test('a sale is above zero, a fee and a refund below, a conversion is zero', async () => {
  const { items, has_more } = (await get(`${listPath()}?cursor_direction=asc`)).body
  expect(has_more).toBe(false)
  expect(
    items.map((item: Record<string, unknown>) => [item.kind, item.amount, item.currency]),
  ).toEqual([
    ['capture', 3000, 'JPY'],
    ['fee', -90, 'JPY'],
    ['conversion', 0, 'USD'],
    ['refund', -500, 'JPY'],
  ])
  expect(items[3]).toMatchObject({ origin: 'refund', refund_id: expect.any(String) })
})

test('the list goes page by page, newest first', async () => {
  const fresh = await newCharge('test')
  const posted = await inTransaction(world.service, (tx) =>
    postLedger(
      tx,
      Array.from({ length: 12 }, () =>
        refunded(fresh, { id: randomUUID(), amount: 1, currency: 'JPY' }),
      ).flat(),
    ),
  )
  const path = `/stores/${shop.store_id}/charges/${fresh.id}/ledgers?limit=10`
  const first = (await get(path)).body
  expect(first).toMatchObject({ has_more: true, items: { length: 10 } })
  const rest = (await get(`${path}&cursor=${first.items[9].id}`)).body
  expect(rest).toMatchObject({ has_more: false, items: { length: 2 } })
  const seen = [...first.items, ...rest.items].map((item) => item.id)
  expect(seen).toEqual(posted.toReversed())
})

test('a charge that moved nothing yet has an empty list; no charge is not found', async () => {
  const { id } = await newCharge('test')
  const path = (charge_id: string) => `/stores/${shop.store_id}/charges/${charge_id}/ledgers`
  expect((await get(path(id))).body).toEqual({ items: [], has_more: false })
  expect((await get(path(randomUUID()))).status).toBe(404)
})

test("a store's token sees the rows of its store and mode, and no others", async () => {
  expect((await get(`/ledgers/${ids[0]}`, shop.as_store)).status).toBe(200)
  expect((await get(listPath(), shop.as_store)).body.items).toHaveLength(4)
  const live = await newCharge('live')
  const capture = { amount: 10, currency: 'USD', fee: 0 }
  const elsewhere = { ...charge, store_id: randomUUID(), id: randomUUID() }
  const [of_live = '', of_elsewhere = ''] = await inTransaction(world.service, (tx) =>
    postLedger(tx, [...captured(live, capture), ...captured(elsewhere, capture)]),
  )
  for (const id of [of_live, of_elsewhere]) {
    expect((await get(`/ledgers/${id}`, shop.as_store)).status).toBe(404)
    expect((await get(`/ledgers/${id}`)).status).toBe(200)
  }
  const of_live_charge = `/stores/${shop.store_id}/charges/${live.id}/ledgers`
  expect((await get(of_live_charge, shop.as_store)).status).toBe(404)
  expect((await get(of_live_charge)).body.items).toHaveLength(1)
})

test("another merchant's ledger is not found, and the secret is needed for one's own", async () => {
  const stranger = await world.merchant()
  for (const auth of [stranger.as_merchant, stranger.as_store]) {
    expect((await get(`/ledgers/${ids[0]}`, auth)).status).toBe(404)
    expect((await get(listPath(), auth)).status).toBe(404)
  }
  expect((await get(`/ledgers/${ids[0]}`, `Bearer ${shop.jwt}`)).status).toBe(403)
})

test('the account statement has a running balance that ends at what is owed, over pages', async () => {
  const [sale, ...later] = [1000, 2000, 4000]
  const other = await world.merchant()
  const owner = { merchant_id: other.id, store_id: other.store_id, mode: 'test' as const }
  for (const amount of [sale ?? 0, ...later]) {
    const charge = await newCharge('test', other)
    await inTransaction(world.service, (tx) =>
      postLedger(tx, captured({ ...charge, ...owner }, { amount, currency: 'JPY', fee: 30 })),
    )
  }
  const read = async (query = '') => {
    const { status, body } = await get(
      `/ledger_statement?mode=test&limit=10${query}`,
      other.as_merchant,
    )
    expect(status).toBe(200)
    return body
  }
  const whole = await read()
  const sums = whole.items.map((line: { amount: number; balance: number }) => [
    line.amount,
    line.balance,
  ])
  expect(sums).toEqual([
    [-30, 6910],
    [4000, 6940],
    [-30, 2940],
    [2000, 2970],
    [-30, 970],
    [1000, 1000],
  ])
  const { id, amount, balance } = whole.items[2]
  const rest = await read(`&cursor=${id}&balance=${balance - amount}`)
  expect(rest.items).toEqual(whole.items.slice(3))
  const alone = await get(`/ledger_statement?cursor=${id}`, other.as_merchant)
  expect(alone).toMatchObject({ status: 400, body: { errors: [{ field: 'balance' }] } })
})

test('the account statement of a merchant without money is empty', async () => {
  const nobody = await world.merchant()
  const { body } = await get('/ledger_statement', nobody.as_merchant)
  expect(body).toEqual({ items: [], has_more: false })
})
