import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Payments, payments } from '../../test/payments.ts'
import { newWorld, type TestMerchant, type World } from '../../test/world.ts'
import { payment_rules } from '../resources/charges/payment-rules.ts'

// The tables beside charges and tokens that say when these are due: see migration 0012.
let world: World
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  world = await newWorld()
  shop = await world.merchant()
  pay = payments(world, shop)
})
afterAll(() => world.close())

const faults = async () => {
  const rule = payment_rules.find(({ check }) => check === 'what is due is found')
  return (await rule?.rule(world.store.db))?.map(({ kind, id }) => `${kind} ${id}`)
}
const query = async (text: string, ...values: unknown[]) =>
  (await world.store.pool.query(text, values)).rows

test('they follow a charge and its token through every step', async () => {
  const { id } = (await pay.charge({ capture: false })).body
  expect(await query('select id from charges_due')).toEqual([{ id }])
  expect(await query('select 1 from transaction_tokens_due')).toHaveLength(1)
  await pay.work()
  // A hold ends one day; the card of the token was wiped, so nothing is left to do with it.
  expect(await query('select id from charges_due')).toEqual([{ id }])
  expect(await query('select 1 from transaction_tokens_due')).toHaveLength(0)
  await pay.post(`${pay.chargePath(id)}/capture`, {})
  expect(await faults()).toEqual([])
  await pay.work()
  expect(await query('select 1 from charges_due')).toHaveLength(0)
  expect(await faults()).toEqual([])
})

test('the doctor sees a row that is due and would never be found, and the other way round', async () => {
  const { id } = (await pay.charge()).body
  await query('delete from charges_due where id = $1', id)
  expect(await faults()).toEqual([`charge ${id}`])
  await query('update charges set due_on = due_on where id = $1', id)
  expect(await faults()).toEqual([])
  await pay.work()
  await query('insert into charges_due values ($1, $2, $3, now())', shop.id, id, 'test')
  expect(await faults()).toEqual([`charge ${id}`])
  await query('delete from charges_due where id = $1', id)
})

test('settling charges writes hardly any index entry of charges and tokens', async () => {
  const updates = async () => {
    const rows = await query(`select sum(n_tup_upd)::integer as all,
      sum(n_tup_hot_upd)::integer as hot from pg_stat_user_tables
      where relname in ('charges', 'transaction_tokens')`)
    return rows[0] as { all: number; hot: number }
  }
  const before = await updates()
  for (let made = 0; made < 20; made += 1) await pay.charge()
  await pay.work()
  // Each token is used and wiped, and each charge is claimed and settled; counts come a little later.
  const after = await vi.waitFor(
    async () => {
      const found = await updates()
      expect(found.all - before.all).toBeGreaterThanOrEqual(80)
      return found
    },
    { timeout: 20_000, interval: 200 },
  )
  // A page has room for all of it only after what nobody can see any more was tidied away.
  expect((after.hot - before.hot) / (after.all - before.all)).toBeGreaterThan(0.95)
})
