import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { depositTo } from '../../../src/commerce/test-actions/test-actions.ts'
import { runKind } from '../../../src/worker/worker.ts'
import { tally } from '../../support/fleet/payment-fleet.ts'
import {
  newGate,
  newWaitingFleet,
  post,
  times,
  type WaitingFleet,
} from '../../support/fleet/waiting-fleet.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'

// Money meets the expiry of its charge, on three processes at the same time. Paid money is never
// lost: the charge is successful, or it has ended and everything was returned.
let fleet: WaitingFleet

beforeAll(async () => {
  fleet = await newWaitingFleet()
})
beforeEach(async () => {
  fleet.world.clock.advance(60_000)
  await fleet.newShop()
})
afterEach(async () => expect(await paymentFaults(fleet.world)).toEqual([]))
afterAll(() => fleet.world.close())

const at_once = 12
const pairs = 6

const pays = (id: string, amount = 1000) => post(`/test/charges/${id}/deposits`, { amount })
const cancels = (id: string) => post(`${fleet.pay.chargePath(id)}/cancels`)

/** Paid once, or ended and everything returned; and nothing is pending any more. */
async function expectPaidOrReturned(ids: string[], arrived: number): Promise<void> {
  const found = await fleet.rows(
    `select c.status, coalesce(c.charged_amount, 0) as charged, sum(d.amount)::integer as arrived,
       sum(d.applied_amount)::integer as applied,
       coalesce(sum(d.return_amount) filter (where d.status = 'returned'), 0)::integer as returned
     from charges c join deposits d on d.merchant_id = c.merchant_id and d.charge_id = c.id
     where c.id = any($1::uuid[]) group by c.merchant_id, c.id`,
    ids,
  )
  expect(found).toHaveLength(ids.length)
  for (const one of found) {
    const charged = one.status === 'successful' ? 1000 : 0
    const expected = { charged, applied: charged, returned: arrived - charged, arrived }
    expect(one).toEqual({ status: one.status, ...expected })
    expect(['successful', 'failed', 'canceled']).toContain(one.status)
  }
}

test.each(['konbini', 'bank_transfer'] as const)(
  '%s: payment against expiry, payment against cancel, all three: paid, or everything back',
  async (kind) => {
    const ends = new Set<string>()
    // On a busy machine one side may win every time: then it is tried again.
    for (let turn = 0; turn < 3 || (ends.size < 2 && turn < 30); turn += 1) {
      const round = turn % 3
      const ids = await fleet.waiting(kind, at_once)
      if (round !== 1) await fleet.toTheEndOf(ids)
      const requests = ids.flatMap((id, index) => {
        if (round === 0) return [pays(id)]
        return index % 2 === 0 ? [pays(id), cancels(id)] : [cancels(id), pays(id)]
      })
      await fleet.storm(requests, /^201|CANCEL_NOT_ALLOWED/)
      await expectPaidOrReturned(ids, 1000)
      for (const end of Object.keys(await fleet.endsOf(ids))) ends.add(end)
    }
    for (const end of ends) expect(['successful', 'failed 327', 'canceled']).toContain(end)
    expect(ends.size, 'ends of the race').toBeGreaterThan(1)
  },
)

test.each([
  ['before', 'expiry', 'successful'],
  ['after', 'expiry', 'failed 327'],
  ['before', 'cancel', 'successful'],
  ['after', 'cancel', 'canceled'],
])('the provider agreed to the end; paid %s the %s is written down', async (when, by, end) => {
  const [id = ''] = await fleet.waiting('bank_transfer', 1)
  if (by === 'expiry') await fleet.toTheEndOf([id])
  else expect(tally(await fleet.together([cancels(id)]))).toEqual({ 201: 1 })
  const gate = newGate()
  const ending = fleet.runOver('customer', (inner) => ({
    void: async (operation) => {
      const outcome = await inner.void(operation)
      await gate.pass()
      return outcome
    },
  }))
  await gate.reached
  const { world, nodes, shop } = fleet
  const charge = await world.service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', shop.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const payAndTell = async () => {
    await depositTo(world.service, charge, 1000, null)
    await runKind(nodes[1]?.service ?? world.service, 'provider_notifications')
  }
  if (when === 'before') await payAndTell()
  gate.open()
  await ending
  if (when === 'after') await payAndTell()
  await fleet.settle()
  expect(await fleet.endsOf([id])).toEqual({ [end]: 1 })
  await expectPaidOrReturned([id], 1000)
})

test('paid in the last moment, notified after the expiry: it is queried, and pays', async () => {
  const [id = ''] = await fleet.waiting('bank_transfer', 1)
  await fleet.toTheEndOf([id])
  expect(tally(await fleet.together([pays(id)]))).toEqual({ 201: 1 })
  fleet.world.clock.advance(60_000)
  await runKind(fleet.world.service, 'charges')
  expect(await fleet.endsOf([id])).toEqual({ successful: 1 })
  await fleet.settle()
  await expectPaidOrReturned([id], 1000)
})

test('a partial deposit and the rest meet the expiry: all is returned, or all pays', async () => {
  for (let round = 0; round < 2; round += 1) {
    const ids = await fleet.waiting('bank_transfer', at_once)
    await fleet.together(ids.map((id) => pays(id, 400)))
    await fleet.workTogether()
    await fleet.toTheEndOf(ids)
    const rest = ids.flatMap((id) => (round === 0 ? [pays(id, 600)] : [pays(id, 600), cancels(id)]))
    await fleet.storm(rest, /^201|CANCEL_NOT_ALLOWED/)
    await expectPaidOrReturned(ids, 1000)
  }
})

test.each([
  ['exact', [1000, 1000], 'successful', ['applied 1000', 'returned 1000']],
  ['exact', [600, 600], 'awaiting', ['returned 600', 'returned 600']],
  ['minimum', [1200, 1200], 'successful', ['returned 1200', 'returned 200']],
  ['maximum', [600, 600], 'awaiting', ['held 600', 'returned 600']],
  ['maximum', [500, 500], 'successful', ['applied 500', 'applied 500']],
  ['disabled', [600, 600], 'successful', ['applied 600', 'returned 200']],
])(
  'two deposits at the same moment, %s %j: one after the other',
  async (match_amount, amounts, end, left) => {
    const ids = await fleet.waiting('bank_transfer', pairs, { match_amount })
    const requests = ids.flatMap((id) => amounts.map((amount) => pays(id, amount)))
    await fleet.storm(requests, /^201/)
    expect(await fleet.endsOf(ids)).toEqual({ [end]: pairs })
    const found = await fleet.rows(
      `select array_agg(status || ' ' || case status when 'returned' then return_amount
       else amount end order by status, return_amount desc) as deposits
     from deposits where charge_id = any($1::uuid[]) group by charge_id`,
      ids,
    )
    expect(found.map(({ deposits }) => deposits)).toEqual(ids.map(() => left))
  },
)

test('one notification that every process delivers at the same moment is one deposit', async () => {
  const ids = await fleet.waiting('bank_transfer', 8)
  await fleet.together(ids.map((id) => pays(id)))
  const again = `insert into provider_notifications
    select (jsonb_populate_record(n, jsonb_build_object('id', gen_random_uuid(), 'claims', 1))).*
    from provider_notifications n, generate_series(1, 8) where resource_id = any($1::uuid[])`
  await fleet.rows(again, ids)
  await fleet.settle()
  expect(await fleet.endsOf(ids)).toEqual({ successful: 8 })
  const posted = await fleet.rows('select from deposits where charge_id = any($1::uuid[])', ids)
  expect(posted).toHaveLength(8)
})

test('deposits, cards and refunds of one store at the same moment: no deadlock', async () => {
  const { pay, world } = fleet
  const deadlocks = async () => {
    const [found] = await fleet.rows(
      'select deadlocks::integer from pg_stat_database where datname = current_database()',
    )
    return found?.deadlocks
  }
  const refunded: string[] = []
  for (let created = 0; created < 12; created += 1) refunded.push((await pay.settled()).id)
  const ids = await fleet.waiting('bank_transfer', at_once)
  for (let created = 0; created < 12; created += 1) await pay.charge()
  const refunds = refunded.flatMap((id) =>
    times(3, () => post(`${pay.chargePath(id)}/refunds`, { amount: 100, currency: 'JPY' })),
  )
  await fleet.together([...ids.map((id) => pays(id)), ...refunds])
  await fleet.settle()
  expect(await fleet.endsOf(ids)).toEqual({ successful: at_once })
  await world.store.pool.query('select pg_stat_force_next_flush()')
  expect(await deadlocks()).toBe(0)
})
