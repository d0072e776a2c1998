import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { enrol, newUser } from '../../../test/support/console-users.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { start_of_time, type TestMerchant } from '../../../test/support/world.ts'
import { merchantTables, removeMerchant } from '../../accounts/merchants/remove-merchant.ts'
import { systemClock } from '../../core/time/clock.ts'
import { dataFindings } from '../../doctor/data-findings.ts'
import { createDemoShop, findDemoShop, isDemoShopReady, removeDemoShop } from './demo-shop.ts'

// The demo shop is filled twice here, and removed. Another merchant with payments of its own is beside it.
const world = useWorld()
let other: TestMerchant
let pay: Payments
let auth: string

beforeAll(async () => {
  // The rules of `doctor` compare with the time of the database.
  world.clock.advance(systemClock.now() - start_of_time)
  other = await world.merchant()
  pay = payments(world, other)
  await pay.settled()
  const { id, email } = await newUser(world, other)
  await world.store.pool.query('update users set is_operator = true where id = $1', [id])
  auth = (await enrol(world, email)).auth
  await pay.work()
})

/** The content of the lists as a person sees them; ids differ each time. */
async function seen(merchant_id: string) {
  const queries = {
    charges: `select requested_amount, status, payment_type, brand, last_four, email, cardholder, error ->> 'code',
      metadata ->> 'item', created_on, updated_on from charges where merchant_id = $1 order by created_on, email, requested_amount`,
    refunds:
      'select amount, status, reason, message, created_on from refunds where merchant_id = $1 order by id',
    subscriptions:
      'select amount, status, period, paid, created_on from subscriptions where merchant_id = $1 order by id',
    disputes:
      'select amount, status, reason, respond_by, created_on from disputes where merchant_id = $1 order by id',
    deposits: 'select amount, status, created_on from deposits where merchant_id = $1 order by id',
    transfers:
      'select amount, status, "from", "to", created_on from transfers where merchant_id = $1 order by id',
    checkout_sessions:
      'select amount, status, created_on from checkout_sessions where merchant_id = $1 order by id',
    payment_links:
      'select name, amount, created_on from payment_links where merchant_id = $1 order by id',
    customers:
      'select name, email, created_on from customers where merchant_id = $1 order by created_on, email',
    stores: 'select name from stores where merchant_id = $1 order by id',
    webhooks: 'select url, active from webhooks where merchant_id = $1 order by id',
  }
  const lists: Record<string, Record<string, unknown>[]> = {}
  for (const [name, text] of Object.entries(queries)) {
    lists[name] = (await world.store.pool.query(text, [merchant_id])).rows
  }
  return lists
}

/** Every row that is not of the demo shop, as bytes. */
async function rowsOfOthers(shop_id: string) {
  const found: Record<string, string> = {}
  for (const name of [...(await merchantTables(world.service.db)), 'merchants']) {
    // Requests from before are written there a moment later.
    if (name === 'request_log') continue
    const key = name === 'merchants' ? 'id' : 'merchant_id'
    const { rows } = await sql<{
      text: string
    }>`select md5(coalesce(string_agg(t::text, '|' order by t::text), ''))
      as text from ${sql.table(name)} t where ${sql.ref(key)} <> ${shop_id}`.execute(
      world.service.db,
    )
    found[name] = rows[0]?.text ?? ''
  }
  return found
}

const statusesOf = (list: Record<string, unknown>[] = []) =>
  new Set(list.map(({ status }) => status))

test('the same shop every time, clean for doctor, and removed without touching anybody else', async () => {
  const nobody = randomUUID()
  const before = await rowsOfOthers(nobody)
  const { merchant_id } = await createDemoShop(world.service)
  const first = await seen(merchant_id)
  expect(first.charges?.length).toBeGreaterThan(400)
  for (const one of ['successful', 'failed', 'canceled', 'awaiting', 'authorized']) {
    expect(statusesOf(first.charges)).toContain(one)
  }
  expect(statusesOf(first.disputes)).toEqual(
    new Set(['won', 'lost', 'accepted', 'under_review', 'needs_response']),
  )
  expect(statusesOf(first.subscriptions)).toEqual(new Set(['current', 'suspended', 'canceled']))
  expect(statusesOf(first.checkout_sessions)).toEqual(new Set(['completed', 'expired', 'open']))
  for (const one of ['paid', 'processing', 'failed'])
    expect(statusesOf(first.transfers)).toContain(one)
  expect(first.stores?.length).toBe(2)
  expect(first.webhooks?.map(({ active }) => active)).toEqual([true, false])
  const findings = await dataFindings(world.service.db, world.service.config)
  expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])

  await expect(createDemoShop(world.service)).rejects.toMatchObject({ code: 'DEMO_SHOP_EXISTS' })
  expect(await removeDemoShop(world.service)).not.toBeNull()
  expect(await rowsOfOthers(nobody)).toEqual(before)
  expect(await findDemoShop(world.service)).toBeNull()

  const call = (method: string, end = '') =>
    world.call(method, `/operator/demo_shop${end}`, {
      auth,
      ...(method === 'POST' ? { body: {} } : {}),
    })
  const again = await call('POST')
  expect(again).toMatchObject({ status: 202, body: { is_ready: false, is_allowed: true } })
  const { merchant_id: again_id } = again.body
  await expect.poll(() => isDemoShopReady(world.service, again_id), { timeout: 500_000 }).toBe(true)
  const ready = { merchant_id: again_id, is_allowed: true, is_ready: true }
  expect((await call('GET')).body).toEqual(ready)
  const second = await seen(again_id)
  for (const name of Object.keys(first)) expect([name, second[name]]).toEqual([name, first[name]])
  expect(await call('POST')).toMatchObject({ status: 409, body: { code: 'DEMO_SHOP_EXISTS' } })
  const link = await call('POST', '/console_link')
  expect(link).toMatchObject({
    status: 201,
    body: { url: expect.stringContaining('/console/enter/') },
  })
  expect((await call('DELETE')).status).toBe(204)
  expect((await call('GET')).body.merchant_id).toBeNull()
  for (const gone of [await call('DELETE'), await call('POST', '/console_link')]) {
    expect(gone.status).toBe(404)
  }
  const changed = await rowsOfOthers(nobody)
  // The operator's own calls are recorded, as any are.
  const of_operator = ['audit_log', 'audit_heads', 'audit_anchors', 'user_sessions']
  for (const name of of_operator) delete changed[name]
  expect(before).toMatchObject(changed)
}, 600_000)

test('no other merchant is removed: not by the procedure, and not by a statement', async () => {
  await expect(removeMerchant(world.service, other.id)).rejects.toThrow('is not a demo shop')
  const mark = world.store.pool.query(
    "insert into removable_merchants values ($1, 'demo_shop', now())",
    [other.id],
  )
  await expect(mark).rejects.toThrow('when it is created')
  for (const table of ['ledger_transactions', 'ledger_balances', 'audit_log']) {
    const client = await world.store.pool.connect()
    try {
      await client.query('begin')
      await client.query("select set_config('kaikei.removes_merchant', $1, true)", [other.id])
      await expect(
        client.query(`delete from ${table} where merchant_id = $1`, [other.id]),
      ).rejects.toThrow('never changed')
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
})

/** Tables of the installation, in which no merchant has rows. */
const of_installation = [
  'activity_position',
  'bank_files',
  'event_feed_end',
  'event_queue',
  'event_retention',
  'key_checks',
  'merchants',
  'migration_progress',
  'nodes',
  'queue_samples',
  'reconciliation_runs',
  'schema_migrations',
]

test('every table belongs to merchants, and is emptied with them, or to the installation', async () => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    world.service.db,
  )
  const of_merchants = await merchantTables(world.service.db)
  const others = rows.map(({ name }) => name).filter((name) => !of_merchants.includes(name))
  expect(others.sort()).toEqual(of_installation)
})

test('a service with a verified merchant gets no demo shop', async () => {
  await world.store.pool.query('update merchants set verified = true where id = $1', [other.id])
  await expect(createDemoShop(world.service)).rejects.toMatchObject({ code: 'INVALID_PERMISSIONS' })
  await world.store.pool.query('update merchants set verified = false where id = $1', [other.id])
})
