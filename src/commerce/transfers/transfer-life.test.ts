import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Payouts, payouts } from '../../../test/support/payouts.ts'
import { readBalances } from '../../../test/support/rules/ledger-checks.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'
import { transfer_rules } from '../../doctor/money-rules/transfer-rules.ts'
import { moveTransfer, type TransferAction } from './move-transfer.ts'

// The lifecycle of a transfer, and which callers see it.
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
afterAll(async () => {
  for (const { check, rule } of transfer_rules) {
    expect(await rule(world.service.db), check).toEqual([])
  }
  await world.close()
})

const read = async (id: string) => (await on.get(`/transfers/${id}`)).body

/** The owed and the paid amounts of the merchant, per store. */
async function owed(): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {}
  for (const { account, store_id, balance } of await readBalances(world.service, shop.id)) {
    if (account !== 'merchant_payable' && account !== 'paid_out') continue
    found[account] = { ...found[account], [store_id]: balance }
  }
  return found
}

test('from its creation until it is paid: history, events, and the ledger of each store', async () => {
  const branch = randomUUID()
  await on.sell({ amount: 900 })
  await on.sell({ amount: 100, store_id: branch })
  await on.refund(250, { store_id: branch })
  const { id } = await on.onlyTransfer()
  await on.sell({ amount: 33 })
  await on.move(id, 'approve', 'process')
  expect(await owed()).toEqual({ merchant_payable: { [shop.store_id]: -933, [branch]: 150 } })
  await on.move(id, 'pay')
  expect(await owed()).toEqual({
    merchant_payable: { [shop.store_id]: -33, [branch]: 0 },
    paid_out: { [shop.store_id]: -900, [branch]: 150 },
  })
  expect((await read(id)).status).toBe('paid')

  const changes = (await on.get(`/transfers/${id}/status_changes?cursor_direction=asc`)).body.items
  expect(changes[0]).toEqual({
    id: expect.any(String),
    merchant_id: shop.id,
    transfer_id: id,
    old_status: 'created',
    new_status: 'approved',
    reason: 'to approve',
    created_on: expect.stringMatching(/Z$/),
  })
  expect(changes.map(({ new_status }: { new_status: string }) => new_status)).toEqual([
    'approved',
    'processing',
    'paid',
  ])
  const events = await world.store.pool.query(
    `select name, store_id, mode, data ->> 'status' as status from events
     where resource_id = $1 order by sequence`,
    [id],
  )
  expect(events.rows.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'transfer_created created',
    'transfer_updated approved',
    'transfer_updated processing',
    'transfer_finalized paid',
  ])
  expect(events.rows[0]).toMatchObject({ store_id: null, mode: 'test' })
  // A payout is no sale: only the new sale is left to be paid.
  expect((await on.onlyTransfer()).amount).toBe(33)
})

test.each([
  ['failed', ['approve', 'process', 'fail']],
  ['canceled', ['cancel']],
  ['canceled', ['approve', 'cancel']],
] as [string, TransferAction[]][])(
  'a %s transfer releases what it was to pay: %j',
  async (status, actions) => {
    await on.sell({ amount: 600, mode: 'live' })
    await world.store.pool.query(
      `insert into bank_accounts (merchant_id, id, holder_name, bank_name, country, currency,
         account_number, fingerprint, last_four, account_type, status, "primary", created_on,
         updated_on) values ($1, $1, 'A', 'B', 'JP', 'JPY', '', '', '1', 'checking', 'new', true,
         now(), now())`,
      [shop.id],
    )
    // Long before the transfer, so that only the release makes it found.
    world.clock.advance(9 * day_ms)
    const first = await on.onlyTransfer()
    expect(await on.create()).toEqual([])
    await on.move(first.id, ...actions)
    expect(await read(first.id)).toMatchObject({
      status,
      error_code: status === 'failed' ? 'TRANSFER_FAILED' : null,
      error_text: status === 'failed' ? 'to fail' : null,
    })
    world.clock.advance(30 * day_ms)
    await on.sell({ amount: 4, mode: 'live' })
    const second = await on.onlyTransfer()
    expect(second.amount).toBe(604)
    const ledgers = async (id: string) => (await on.get(`/transfers/${id}/ledgers`)).body.items
    const [would_have_been] = await ledgers(first.id)
    expect(would_have_been).toMatchObject({ amount: 600, transfer_id: second.id })
    expect(await ledgers(second.id)).toHaveLength(2)
    expect(await owed()).toEqual({ merchant_payable: { [shop.store_id]: -604 } })
  },
)

test('only what its state allows can be done, and of two concurrent payments one succeeds', async () => {
  await on.sell()
  const { id } = await on.onlyTransfer()
  await expect(on.move(id, 'pay')).rejects.toThrow(
    'The transfer is created, so the action "pay" is not possible.',
  )
  await on.move(id, 'approve', 'process')
  await expect(on.move(id, 'cancel')).rejects.toThrow('The transfer is processing')
  const other = await world.another()
  const both = await Promise.allSettled([
    moveTransfer(world.service, id, 'pay'),
    moveTransfer(other.service, id, 'pay'),
    moveTransfer(other.service, id, 'fail'),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(on.move(randomUUID(), 'pay')).rejects.toThrow('There is no such transfer')
  await expect(on.create({ merchant_id: randomUUID() })).rejects.toThrow('no such merchant')
})

test('in live mode a transfer needs an account in its currency before it is approved', async () => {
  await on.sell({ mode: 'live' })
  const { id } = await on.onlyTransfer()
  await expect(on.move(id, 'approve')).rejects.toThrow('no bank account in JPY')
  await on.move(id, 'cancel')
})

test('the list is filtered and goes page by page, newest first', async () => {
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) {
    await on.sell({ currency: count === 0 ? 'USD' : 'JPY' })
    ids.unshift((await on.onlyTransfer()).id)
  }
  await on.move(ids[3] as string, 'cancel')
  const first = (await on.get('/transfers')).body
  expect(first.has_more).toBe(true)
  const rest = (await on.get(`/transfers?cursor=${first.items[9].id}`)).body
  const seen = [...first.items, ...rest.items].map(({ id }) => id)
  expect(seen).toEqual(ids)
  const found = async (query: string) =>
    (await on.get(`/transfers?limit=100&${query}`)).body.items.map(({ id }: { id: string }) => id)
  expect(await found('status=canceled')).toEqual([ids[3]])
  expect(await found('status=blank')).toEqual([])
  expect(await found('currency=usd')).toEqual([ids[11]])
  expect(await found('mode=live')).toEqual([])
  expect(await found('started_by=operator')).toHaveLength(12)
  const { created_on } = await read(ids[5] as string)
  expect(await found(`from=${created_on}`)).toEqual(ids.slice(0, 6))
  expect(await found(`to=${created_on}`)).toEqual(ids.slice(6))
  expect((await on.get('/transfers?status=lost')).status).toBe(400)
})

test("a store's token sees no transfers, another merchant none of these", async () => {
  await on.sell()
  const { id } = await on.onlyTransfer()
  const stranger = await world.merchant()
  for (const path of ['', '/ledgers', '/status_changes']) {
    expect((await on.get(`/transfers/${id}${path}`, shop.as_store)).status).toBe(403)
    expect((await on.get(`/transfers/${id}${path}`, stranger.as_merchant)).status).toBe(404)
  }
  expect((await on.get('/transfers', shop.as_store)).status).toBe(403)
  expect((await on.get('/transfers', stranger.as_merchant)).body.items).toEqual([])
})

test.each([
  ['an amount that was changed', 'update transfers set amount = amount + 1', 0],
  ['a part that is gone', 'delete from transfer_ledgers', 0],
  ['a paid one without its booking', "update transfers set status = 'paid'", 1],
  ['a booking of one that is not paid', "update transfers set status = 'failed'", 1],
  ['what was given free by mistake', 'update transfer_ledgers set freed = not freed', 2],
])('the checker sees %s', async (what, damage, rule) => {
  await on.sell()
  const { id } = await on.onlyTransfer()
  if (what.startsWith('a booking')) await on.move(id, 'approve', 'process', 'pay')
  const undone = world.service.db.transaction().execute(async (db) => {
    const column = damage.includes('transfer_ledgers') ? 'transfer_id' : 'id'
    await sql`set local session_replication_role = replica`.execute(db)
    await sql.raw(`${damage} where ${column} = '${id}'`).execute(db)
    expect(await transfer_rules[rule]?.rule(db)).toHaveLength(1)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
})
