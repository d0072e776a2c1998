import { beforeAll, expect, test, vi } from 'vitest'
import { newGate } from '../../test/support/fleet/waiting-fleet.ts'
import { type Payments, payments } from '../../test/support/payments.ts'
import { simulatorOf, withProviders } from '../../test/support/simulators.ts'
import { useWorld } from '../../test/support/use-world.ts'
import type { World } from '../../test/support/world.ts'
import { worker_policy } from '../core/limits/retry-policies.ts'
import { deadlineIn } from '../core/time/deadline.ts'
import { runAllDue, startWorker } from './worker.ts'

// A provider hangs while the worker of one process is stopped; another process takes over.
const world = useWorld()
let other: World
let pay: Payments

beforeAll(async () => {
  other = await world.another()
  pay = payments(world, await world.merchant())
})

async function claimOf(id: string) {
  const { rows } = await world.store.pool.query(
    'select status, claims, due_on from charges where id = $1',
    [id],
  )
  return rows[0] as { status: string; claims: number; due_on: Date | null }
}

/** One of the test cards: its number has to be seen by the provider, which works. */
const called_card = '4000000000005126'

/** A worker whose calls to the card provider wait for the test. */
function startHangingWorker() {
  const gate = newGate()
  const card = simulatorOf(world.service, 'card')
  const authorize: typeof card.authorize = async (operation) => {
    await gate.pass()
    return card.authorize(operation)
  }
  const called = { ...card, authorize, decide: () => null }
  return { gate, worker: startWorker(withProviders(world.service, called)) }
}

test.each([
  ['that it has claimed', false],
  ['that a request of its process handed over', true],
])(
  'a stop that cannot wait releases a charge %s, and another process does it',
  async (_, early) => {
    const before = early ? startHangingWorker() : null
    const created = await pay.charge({}, { data: { card_number: called_card } })
    const { gate, worker } = before ?? startHangingWorker()
    await gate.reached
    const { id } = created.body
    expect((await claimOf(id)).due_on?.getTime()).toBeGreaterThan(world.clock.now())
    await worker.stop(deadlineIn(100))
    const { status, claims, due_on } = await claimOf(id)
    expect({ status, claims }).toEqual({ status: 'pending', claims: 1 })
    expect(due_on?.getTime()).toBeLessThanOrEqual(world.clock.now())
    await runAllDue(other.service)
    expect(await claimOf(id)).toMatchObject({ status: 'successful', claims: 2 })
    // The hanging call ends after all: the charge was taken over, so its result changes nothing.
    gate.open()
    await worker.stop()
    expect(await claimOf(id)).toMatchObject({ status: 'successful', claims: 2 })
    const { rows } = await world.store.pool.query(
      `select count(*)::integer as count from ledger_transactions
        where charge_id = $1 and kind = 'capture'`,
      [id],
    )
    expect(rows).toEqual([{ count: 1 }])
  },
)

test('work done before the deadline is not changed', async () => {
  const { gate, worker } = startHangingWorker()
  gate.open()
  const { id } = (await pay.charge()).body
  await vi.waitFor(async () => expect((await claimOf(id)).status).toBe('successful'))
  const done = await claimOf(id)
  await worker.stop(deadlineIn(5000))
  expect(await claimOf(id)).toEqual(done)
})

test('a step that a failover interrupts is done again soon, not after its lease', async () => {
  const { gate, worker } = startHangingWorker()
  const { id } = (await pay.charge({}, { data: { card_number: called_card } })).body
  await gate.reached
  const client = await world.store.pool.connect()
  await client.query('begin')
  await client.query('select 1 from charges where id = $1 for update', [id])
  gate.open()
  // The session that waits to write the result ends, as all do when a primary stops.
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await client.query(ended)).rowCount).toBe(1))
  await client.query('rollback')
  client.release()
  const soon = world.clock.now() + worker_policy.after_outage_ms
  await vi.waitFor(async () => expect((await claimOf(id)).due_on?.getTime()).toBe(soon))
  world.clock.advance(worker_policy.after_outage_ms)
  await vi.waitFor(async () => expect((await claimOf(id)).status).toBe('successful'))
  expect((await claimOf(id)).claims).toBe(2)
  await worker.stop()
})
