import { beforeAll, expect, test, vi } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { payment_rules } from '../../doctor/money-rules/payment-rules.ts'

// The tables beside charges and tokens that index when these are due: see migration 0012.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

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
  // A hold expires eventually; the card of the token was purged, so nothing is due for it.
  expect(await query('select id from charges_due')).toEqual([{ id }])
  expect(await query('select 1 from transaction_tokens_due')).toHaveLength(0)
  await pay.post(`${pay.chargePath(id)}/capture`, {})
  expect(await faults()).toEqual([])
  await pay.work()
  expect(await query('select 1 from charges_due')).toHaveLength(0)
  expect(await faults()).toEqual([])
})

test('doctor finds a due row that would never be found, and vice versa', async () => {
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

test('other due rows are not read, whatever the table was like when a session first used it', async () => {
  await pay.charge()
  const tables = ['charges_due', 'transaction_tokens_due']
  for (const table of tables) await query(`vacuum analyze ${table}`)
  for (let created = 0; created < 30; created += 1) await pay.charge()
  const session = await world.store.pool.connect()
  /** Rows that these tables returned for changes of charges and tokens, in this session so far. */
  const touch = async () => {
    await session.query('begin')
    await session.query('update charges set descriptor = descriptor')
    await session.query('update transaction_tokens set wipe_on = wipe_on')
    const { rows } = await session.query(
      `select sum(seq_tup_read + idx_tup_fetch)::integer as read
      from pg_stat_xact_user_tables where relname = any($1)`,
      [tables],
    )
    await session.query('rollback')
    return rows[0].read
  }
  try {
    await touch()
    for (const table of tables) {
      await query(
        `insert into ${table} select $1, gen_random_uuid(), 'test', now() + interval '1 day'
          from generate_series(1, 3000)`,
        shop.id,
      )
    }
    expect(await touch()).toBeLessThan(1000)
  } finally {
    session.release()
    for (const table of tables) {
      await query(`delete from ${table} d where not exists (select from charges where id = d.id)
        and not exists (select from transaction_tokens where id = d.id)`)
    }
  }
  await pay.work()
})

test('settling charges writes hardly any index entry of charges and tokens', async () => {
  const updates = async () => {
    const rows = await query(`select sum(n_tup_upd)::integer as all,
      sum(n_tup_hot_upd)::integer as hot from pg_stat_user_tables
      where relname ~ '^(charges(_p\\d\\d)?|transaction_tokens)$'`)
    return rows[0] as { all: number; hot: number }
  }
  const shareOfHot = async () => {
    const before = await updates()
    for (let created = 0; created < 20; created += 1) await pay.charge()
    await pay.work()
    // Each token is used and purged, and each charge is claimed and settled; statistics come a little
    // later.
    const after = await vi.waitFor(
      async () => {
        const found = await updates()
        expect(found.all - before.all).toBeGreaterThanOrEqual(80)
        return found
      },
      { timeout: 60_000, interval: 200 },
    )
    return (after.hot - before.hot) / (after.all - before.all)
  }
  // A page has space for all of it only after dead rows were removed, which an old snapshot of another test
  // delays. With an index too many no round is near it.
  const shares = [await shareOfHot()]
  while (Math.max(...shares) <= 0.95 && shares.length < 5) shares.push(await shareOfHot())
  expect(Math.max(...shares)).toBeGreaterThan(0.95)
})
