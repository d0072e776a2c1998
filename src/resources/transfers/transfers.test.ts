import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorld, type TestMerchant, type World } from '../../../test/world.ts'
import type { Mode } from '../../core/caller.ts'
import { day_ms } from '../../core/clock.ts'
import { readBalances } from '../../ledger/balances.ts'
import { captured, type LedgerCharge, postLedger, refunded } from '../../ledger/post.ts'
import { inTransaction, type Service } from '../../service.ts'
import { patchMerchant } from '../merchants/patch-merchant.ts'
import { createTransfers, type NewTransfers } from './create-transfers.ts'
import { moveTransfer, type TransferAction } from './move-transfer.ts'
import { transfer_rules } from './transfer-rules.ts'

// Sales are entered into the books directly: what transfers pay is what the books say.
let world: World
let shop: TestMerchant

beforeAll(async () => {
  world = await newWorld({ settings: { DATABASE_CONNECTIONS: '30' } })
})
beforeEach(async () => {
  world.clock.advance(10 * day_ms)
  shop = await world.merchant()
})
afterAll(async () => {
  for (const { check, rule } of transfer_rules) {
    expect(await rule(world.service.db), check).toEqual([])
  }
  await world.close()
})

interface Sale {
  amount?: number
  currency?: string
  fee?: number
  store_id?: string
  mode?: Mode
}

function newCharge({ amount = 1000, currency = 'JPY', ...of }: Sale): LedgerCharge {
  const { store_id = shop.store_id, mode = 'test' } = of
  const asked = { requested_amount: amount, requested_currency: currency }
  return { merchant_id: shop.id, store_id, mode, id: randomUUID(), ...asked }
}

/** One that is booked a second later than the one before. */
async function sell(sale: Sale = {}): Promise<string[]> {
  world.clock.advance(1000)
  const { amount = 1000, currency = 'JPY', fee = 0 } = sale
  const money = { amount, currency, fee }
  return inTransaction(world.service, (tx) => postLedger(tx, captured(newCharge(sale), money)))
}

async function refund(amount: number, sale: Sale = {}): Promise<string[]> {
  world.clock.advance(1000)
  const money = { id: randomUUID(), amount, currency: sale.currency ?? 'JPY' }
  return inTransaction(world.service, (tx) => postLedger(tx, refunded(newCharge(sale), money)))
}

const create = (given: Partial<NewTransfers> = {}, service: Service = world.service) => {
  world.clock.advance(1000)
  return createTransfers(service, { merchant_id: shop.id, started_by: 'operator', ...given })
}

async function move(id: string, ...actions: TransferAction[]): Promise<void> {
  for (const action of actions) {
    world.clock.advance(1000)
    await moveTransfer(world.service, id, action, `to ${action}`)
  }
}

const configure = (configuration: object) =>
  patchMerchant(world.service, shop.id, { configuration }, 'operator')

const get = (path: string, auth = shop.as_merchant) => world.call('GET', path, { auth })
const read = async (id: string) => (await get(`/transfers/${id}`)).body

async function onlyTransfer(given: Partial<NewTransfers> = {}) {
  const made = await create(given)
  expect(made).toHaveLength(1)
  return made[0] as (typeof made)[0]
}

/** What the merchant is owed and was paid, of each store. */
async function owed(): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {}
  for (const { account, store_id, balance } of await readBalances(world.service, shop.id)) {
    if (account !== 'merchant_payable' && account !== 'paid_out') continue
    found[account] = { ...found[account], [store_id]: balance }
  }
  return found
}

test('Transfer: sales less fees and refunds, as the interface shows them', async () => {
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
  await sell({ amount: 10_000, fee: 360 })
  await refund(2000)
  const { id } = await onlyTransfer()
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
  const { items } = (await get(`/transfers/${id}/ledgers?cursor_direction=asc`)).body
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
  await sell({ amount: 100 })
  await sell({ amount: 250, currency: 'USD' })
  await sell({ amount: 70, mode: 'live' })
  const made = await create()
  const sums = made.map(({ mode, currency, amount }) => `${mode} ${currency} ${amount}`)
  expect(sums).toEqual(['live JPY 70', 'test JPY 100', 'test USD 250'])
  await sell({ amount: 5 })
  await sell({ amount: 6, mode: 'live' })
  expect((await create({ mode: 'live' })).map(({ amount }) => amount)).toEqual([6])
})

test('what is younger than the wait period, or not before the given time, stays', async () => {
  await configure({ transfer_schedule: { wait_period: 'P7D' } })
  const first = world.clock.now() + 1000
  await sell({ amount: 1 })
  world.clock.advance(day_ms)
  await sell({ amount: 20 })
  world.clock.advance(day_ms)
  await sell({ amount: 300 })
  expect(await create()).toEqual([])
  world.clock.advance(6 * day_ms)
  expect(await create({ to: new Date(first) })).toEqual([])
  expect((await onlyTransfer({ to: new Date(first + 1) })).amount).toBe(1)
  const { amount, to } = await onlyTransfer()
  expect([amount, to.getTime()]).toEqual([20, world.clock.now() - 7 * day_ms])
  world.clock.advance(day_ms)
  expect((await onlyTransfer({ to: new Date(world.clock.now() + day_ms) })).amount).toBe(300)
})

test('less than the least payout waits for the next transfer', async () => {
  await configure({ min_transfer_payout: { amount: 500, currency: 'JPY' } })
  await sell({ amount: 499 })
  await sell({ amount: 3, currency: 'USD' })
  expect((await create()).map(({ currency }) => currency)).toEqual(['USD'])
  await sell({ amount: 1 })
  expect((await onlyTransfer()).amount).toBe(500)
})

test('a debt is carried over and never paid out', async () => {
  await refund(700)
  expect(await create()).toEqual([])
  await sell({ amount: 700 })
  expect(await create()).toEqual([])
  await sell({ amount: 50 })
  const { id, amount } = await onlyTransfer()
  expect(amount).toBe(50)
  expect((await get(`/transfers/${id}/ledgers`)).body.items).toHaveLength(3)
})

test('of many who make transfers at the same time, in two processes, one takes everything', async () => {
  const other = await world.another()
  const sold: Promise<string[]>[] = []
  for (let count = 0; count < 40; count += 1) sold.push(sell({ amount: 10 }))
  await Promise.all(sold)
  const tries = Array.from({ length: 12 }, (_, index) =>
    create({}, (index % 2 ? other : world).service),
  )
  const made = (await Promise.all(tries)).flat()
  expect(made.map(({ amount }) => amount)).toEqual([400])
})

test('sales that are booked while transfers are made are paid exactly once', async () => {
  const other = await world.another()
  let sum = 0
  const work: Promise<unknown>[] = []
  for (let round = 1; round <= 60; round += 1) {
    work.push(sell({ amount: round }))
    sum += round
    if (round % 3 === 0) work.push(create({}, (round % 2 ? other : world).service))
  }
  await Promise.all(work)
  await create()
  const { items } = (await get('/transfers?limit=100')).body
  const paid = items.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  expect(paid).toBe(sum)
})

test('the database itself refuses to pay something twice', async () => {
  const [ledger_id] = await sell()
  await onlyTransfer()
  const again = world.store.pool.query(
    'insert into transfer_ledgers (merchant_id, transfer_id, ledger_id) values ($1, $2, $3)',
    [shop.id, randomUUID(), ledger_id],
  )
  await expect(again).rejects.toThrow('transfer_ledgers_once')
})

test('from its creation until it is paid: record, events, and the books of each store', async () => {
  const branch = randomUUID()
  await sell({ amount: 900 })
  await sell({ amount: 100, store_id: branch })
  await refund(250, { store_id: branch })
  const { id } = await onlyTransfer()
  await sell({ amount: 33 })
  await move(id, 'approve', 'process')
  expect(await owed()).toEqual({ merchant_payable: { [shop.store_id]: -933, [branch]: 150 } })
  await move(id, 'pay')
  expect(await owed()).toEqual({
    merchant_payable: { [shop.store_id]: -33, [branch]: 0 },
    paid_out: { [shop.store_id]: -900, [branch]: 150 },
  })
  expect((await read(id)).status).toBe('paid')

  const changes = (await get(`/transfers/${id}/status_changes?cursor_direction=asc`)).body.items
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
  // What was paid out is no sale: only the new one is left to be paid.
  expect((await onlyTransfer()).amount).toBe(33)
})

test.each([
  ['failed', ['approve', 'process', 'fail']],
  ['canceled', ['cancel']],
  ['canceled', ['approve', 'cancel']],
] as [string, TransferAction[]][])(
  'a %s transfer gives back what it was to pay: %j',
  async (status, actions) => {
    await sell({ amount: 600, mode: 'live' })
    await world.store.pool.query(
      `insert into bank_accounts (merchant_id, id, holder_name, bank_name, country, currency,
         account_number, fingerprint, last_four, account_type, status, "primary", created_on,
         updated_on) values ($1, $1, 'A', 'B', 'JP', 'JPY', '', '', '1', 'checking', 'new', true,
         now(), now())`,
      [shop.id],
    )
    // Long before the transfer, so that only what was given free tells of it.
    world.clock.advance(9 * day_ms)
    const first = await onlyTransfer()
    expect(await create()).toEqual([])
    await move(first.id, ...actions)
    expect(await read(first.id)).toMatchObject({
      status,
      error_code: status === 'failed' ? 'TRANSFER_FAILED' : null,
      error_text: status === 'failed' ? 'to fail' : null,
    })
    world.clock.advance(30 * day_ms)
    await sell({ amount: 4, mode: 'live' })
    const second = await onlyTransfer()
    expect(second.amount).toBe(604)
    const ledgers = async (id: string) => (await get(`/transfers/${id}/ledgers`)).body.items
    const [would_have_been] = await ledgers(first.id)
    expect(would_have_been).toMatchObject({ amount: 600, transfer_id: second.id })
    expect(await ledgers(second.id)).toHaveLength(2)
    expect(await owed()).toEqual({ merchant_payable: { [shop.store_id]: -604 } })
  },
)

test('a live sale that was committed after a transfer had passed its time is in the next', async () => {
  const late = { ...world.service, clock: { ...world.clock, now: () => dated } }
  await sell({ amount: 10, mode: 'live' })
  const dated = world.clock.now()
  await onlyTransfer()
  await inTransaction(late, (tx) =>
    postLedger(tx, captured(newCharge({ mode: 'live' }), { amount: 7, currency: 'JPY', fee: 0 })),
  )
  world.clock.advance(40 * day_ms)
  expect((await onlyTransfer()).amount).toBe(7)
})

test('only what its state allows can be done, and of two who pay at once one does', async () => {
  await sell()
  const { id } = await onlyTransfer()
  await expect(move(id, 'pay')).rejects.toThrow('The transfer is created: it cannot pay.')
  await move(id, 'approve', 'process')
  await expect(move(id, 'cancel')).rejects.toThrow('The transfer is processing')
  const other = await world.another()
  const both = await Promise.allSettled([
    moveTransfer(world.service, id, 'pay'),
    moveTransfer(other.service, id, 'pay'),
    moveTransfer(other.service, id, 'fail'),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(move(randomUUID(), 'pay')).rejects.toThrow('There is no such transfer')
  await expect(create({ merchant_id: randomUUID() })).rejects.toThrow('no such merchant')
})

test('in live mode a transfer needs an account in its currency before it is approved', async () => {
  await sell({ mode: 'live' })
  const { id } = await onlyTransfer()
  await expect(move(id, 'approve')).rejects.toThrow('no bank account in JPY')
  await move(id, 'cancel')
})

test('the list is filtered and goes page by page, newest first', async () => {
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) {
    await sell({ currency: count === 0 ? 'USD' : 'JPY' })
    ids.unshift((await onlyTransfer()).id)
  }
  await move(ids[3] as string, 'cancel')
  const first = (await get('/transfers')).body
  expect(first.has_more).toBe(true)
  const rest = (await get(`/transfers?cursor=${first.items[9].id}`)).body
  const seen = [...first.items, ...rest.items].map(({ id }) => id)
  expect(seen).toEqual(ids)
  const found = async (query: string) =>
    (await get(`/transfers?limit=100&${query}`)).body.items.map(({ id }: { id: string }) => id)
  expect(await found('status=canceled')).toEqual([ids[3]])
  expect(await found('status=blank')).toEqual([])
  expect(await found('currency=usd')).toEqual([ids[11]])
  expect(await found('mode=live')).toEqual([])
  expect(await found('started_by=operator')).toHaveLength(12)
  const { created_on } = await read(ids[5] as string)
  expect(await found(`from=${created_on}`)).toEqual(ids.slice(0, 6))
  expect(await found(`to=${created_on}`)).toEqual(ids.slice(6))
  expect((await get('/transfers?status=lost')).status).toBe(400)
})

test("a store's token sees no transfers, another merchant none of these", async () => {
  await sell()
  const { id } = await onlyTransfer()
  const stranger = await world.merchant()
  for (const path of ['', '/ledgers', '/status_changes']) {
    expect((await get(`/transfers/${id}${path}`, shop.as_store)).status).toBe(403)
    expect((await get(`/transfers/${id}${path}`, stranger.as_merchant)).status).toBe(404)
  }
  expect((await get('/transfers', shop.as_store)).status).toBe(403)
  expect((await get('/transfers', stranger.as_merchant)).body.items).toEqual([])
})

test.each([
  ['an amount that was changed', 'update transfers set amount = amount + 1', 0],
  ['a part that is gone', 'delete from transfer_ledgers', 0],
  ['a paid one without its booking', "update transfers set status = 'paid'", 1],
  ['a booking of one that is not paid', "update transfers set status = 'failed'", 1],
  ['what was given free by mistake', 'update transfer_ledgers set freed = not freed', 2],
])('the checker sees %s', async (what, damage, rule) => {
  await sell()
  const { id } = await onlyTransfer()
  if (what.startsWith('a booking')) await move(id, 'approve', 'process', 'pay')
  const undone = world.service.db.transaction().execute(async (db) => {
    const column = damage.includes('transfer_ledgers') ? 'transfer_id' : 'id'
    await sql`set local session_replication_role = replica`.execute(db)
    await sql.raw(`${damage} where ${column} = '${id}'`).execute(db)
    expect(await transfer_rules[rule]?.rule(db)).toHaveLength(1)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
})
