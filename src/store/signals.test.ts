import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { useWorld } from '../../test/support/use-world.ts'
import { systemClock } from '../core/time/clock.ts'
import { openSignals } from './signals.ts'

const world = useWorld()

const age = (signals: { heardUntil(): number }) => systemClock.monotonic() - signals.heardUntil()

test('without its session no message arrives, however long it tries to reconnect', async () => {
  const { connection, pool } = world.store
  const allow = (is_allowed: boolean) =>
    pool.query('update pg_database set datallowconn = $1 where datname = current_database()', [
      is_allowed,
    ])
  const signals = openSignals(connection, systemClock)
  try {
    await vi.waitFor(() => expect(age(signals)).toBeLessThan(1000))
    await allow(false)
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'kaikei signals' and datname = current_database()`)
    await sleep(2000)
    expect(age(signals)).toBeGreaterThan(1000)
    await allow(true)
    await vi.waitFor(() => expect(age(signals)).toBeLessThan(1000))
  } finally {
    await allow(true)
    await signals.close()
  }
})

test('many messages become few, and each arrives as it was sent', async () => {
  const heard: string[] = []
  const [here, there] = [1, 2].map(() => openSignals(world.store.connection, systemClock))
  there?.on('changed', (id) => heard.push(id))
  await vi.waitFor(() => expect([here, there].every((one) => one && age(one) < 1000)).toBe(true))
  heard.length = 0
  const sent = Array.from({ length: 1000 }, (_, at) => `resource ${at}`)
  for (const id of sent) here?.broadcast('changed', id)
  await vi.waitFor(() => expect(heard).toEqual(sent))
  await Promise.all([here?.close(), there?.close()])
})

test('a waiter that was woken, and then gives up, takes nobody else with it', async () => {
  const { changes } = world.service
  const first = changes.wait('resource')
  changes.notify('resource')
  await first.changed
  const second = changes.wait('resource')
  first.cancel()
  const written = { status: 'successful' }
  changes.notify('resource', written)
  const nothing = sleep(1000, 'not woken')
  expect(await Promise.race([second.changed, nothing])).toBe(written)
})
