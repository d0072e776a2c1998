import { expect, test, vi } from 'vitest'
import { useWorld } from '../../test/support/use-world.ts'
import type { World } from '../../test/support/world.ts'
import { createAppToken } from '../accounts/app-tokens/create-app-token.ts'
import { inTransaction } from '../service.ts'
import { claimDue } from '../store/due/due-work.ts'
import type { DueKind } from './due-kinds.ts'
import { startWorker } from './worker.ts'

const world = useWorld()

async function dueTokenOf(merchant_id: string): Promise<void> {
  const expires_on = new Date(world.clock.now() + 1000)
  await createAppToken(world.service, { merchant_id, creator_id: merchant_id, expires_on })
}

async function dueTokens(count: number): Promise<void> {
  const shop = await world.merchant()
  for (let created = 0; created < count; created += 1) await dueTokenOf(shop.id)
  world.clock.advance(1000)
}

const claim = (of: World, max_rows: number) =>
  claimDue(of.service, 'app_tokens', { lease_ms: 30_000, max_rows, by_machine: true })

test('many processes claim concurrently: every row is claimed by exactly one', async () => {
  await dueTokens(15)
  const nodes = [world, await world.another(), await world.another()]
  const claims = await Promise.all(
    Array.from({ length: 12 }, (_, index) => claim(nodes[index % 3] ?? world, 3)),
  )
  const ids = claims.flat().map(({ id }) => id)
  expect(ids).toHaveLength(15)
  expect(new Set(ids).size).toBe(15)
  expect(await claim(world, 100)).toEqual([])
  // A process that died with its rows blocks them only as long as its lease.
  world.clock.advance(30_000)
  const again = await claim(world, 100)
  expect(again).toHaveLength(15)
  expect(again.every((row) => row.claims === 2)).toBe(true)
})

function kind(name: string, run: (max_rows: number) => Promise<number>): DueKind {
  const take = async (_: unknown, max_rows: number) =>
    Array.from({ length: await run(max_rows) }, () => ({ merchant_id: null, run: async () => {} }))
  return { name, max_running: 10, time: 'none', take }
}

test('a wake-up message wakes the loop of its kind immediately, also from another process', async () => {
  const other = await world.another()
  const runs: string[] = []
  let heard = () => {}
  const worker = startWorker(world.service, undefined, [
    kind('letters', async () => {
      runs.push('letters')
      heard()
      return 0
    }),
  ])
  const next = () =>
    new Promise<void>((resolve) => {
      heard = resolve
    })
  await next()
  const before = runs.length
  const woken = next()
  await inTransaction(other.service, async (tx) => {
    tx.afterCommit(() => other.service.signals.broadcast('work', 'letters'))
  })
  await woken
  expect(runs.length).toBe(before + 1)
  await worker.stop()
})

test('a flood of one kind does not block another, and trouble of one does not stop it', async () => {
  let floods = 0
  let failures = 0
  const done = new Promise<void>((resolve) => {
    const worker = startWorker(world.service, undefined, [
      kind('flood', async (max_rows) => {
        floods += 1
        await new Promise((next) => setImmediate(next))
        return max_rows
      }),
      kind('broken', async () => {
        failures += 1
        throw new Error('no')
      }),
      kind('quiet', async () => {
        if (floods > 20) void worker.stop().then(resolve)
        world.service.signals.deliver('work', 'quiet')
        await new Promise((next) => setTimeout(next, 5))
        return 0
      }),
    ])
  })
  await done
  expect(floods).toBeGreaterThan(20)
  // It is tried again after a pause, which a slow run may include.
  expect(failures).toBeLessThanOrEqual(3)
})

test('work that deletes old rows rests for longer than it takes, also when there is more of it', async () => {
  const rests_ms: number[] = []
  let ended_ms: number | null = null
  const deletion = kind('deletion', async (max_rows) => {
    if (ended_ms !== null) rests_ms.push(performance.now() - ended_ms)
    await new Promise((next) => setTimeout(next, 30))
    ended_ms = performance.now()
    return max_rows
  })
  const worker = startWorker(world.service, undefined, [{ ...deletion, rests: true }])
  await expect.poll(() => rests_ms.length, { timeout: 20_000 }).toBeGreaterThan(2)
  await worker.stop()
  expect(Math.min(...rests_ms)).toBeGreaterThan(60)
})

test('a stopped worker finishes what it is doing', async () => {
  let finished = false
  let begun = () => {}
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  const worker = startWorker(world.service, undefined, [
    kind('slow', async () => {
      begun()
      await new Promise((next) => setTimeout(next, 50))
      finished = true
      return 0
    }),
  ])
  await beginning
  await worker.stop()
  expect(finished).toBe(true)
})

test('jobs of one merchant that never end leave slots for the jobs of another', async () => {
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  let held_count = 0
  const others: string[] = []
  const waiting = [...Array.from({ length: 50 }, () => 'slow'), 'quick', 'quick', 'quick']
  const worker = startWorker(world.service, undefined, [
    {
      name: 'fair',
      max_running: 8,
      time: 'none',
      take: async (_, free, { held: under_way, mayTake }) => {
        const passed_over = [...under_way.keys()].filter((owner) => !mayTake(owner, 8))
        const claimed = waiting.filter((owner) => !passed_over.includes(owner)).slice(0, free)
        for (const owner of claimed) waiting.splice(waiting.indexOf(owner), 1)
        return claimed.map((merchant_id) => ({
          merchant_id,
          run: async () => {
            if (merchant_id === 'slow') {
              held_count += 1
              await held
            } else others.push(merchant_id)
          },
        }))
      },
    },
  ])
  await vi.waitFor(() => expect(held_count).toBe(8))
  world.service.signals.deliver('work', 'fair')
  await vi.waitFor(() => expect(others).toEqual(['quick', 'quick', 'quick']))
  expect(held_count).toBe(8)
  finish()
  await worker.stop()
})

test('a claim takes the rows of merchants in rotation, and counts what they have in progress', async () => {
  const [many, few] = [await world.merchant(), await world.merchant()]
  for (let n = 0; n < 6; n += 1) await dueTokenOf(many.id)
  world.clock.advance(1000)
  for (let n = 0; n < 2; n += 1) await dueTokenOf(few.id)
  world.clock.advance(1000)
  const options = { lease_ms: 30_000, max_rows: 4, by_machine: true }
  const owners = (rows: { merchant_id: string }[]) =>
    rows.map(({ merchant_id }) => (merchant_id === few.id ? 'few' : 'many')).toSorted()
  const held = new Map([[many.id, 1]])
  expect(owners(await claimDue(world.service, 'app_tokens', { ...options, held }))).toEqual([
    'few',
    'few',
    'many',
    'many',
  ])
  const passed_over = [many.id]
  expect(await claimDue(world.service, 'app_tokens', { ...options, passed_over })).toEqual([])
  expect(owners(await claimDue(world.service, 'app_tokens', options))).toHaveLength(4)
})

test('a slow job does not block others of the same kind', async () => {
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const jobs = [() => slow, ...Array.from({ length: 30 }, () => async () => {})]
  let done = 0
  const all = new Promise<void>((resolve) => {
    const worker = startWorker(world.service, undefined, [
      {
        name: 'mixed',
        max_running: 2,
        time: 'none',
        take: async (_, max_rows) =>
          jobs.splice(0, max_rows).map((job) => ({
            merchant_id: null,
            run: async () => {
              await job()
              done += 1
              if (done === 30) finish()
              if (done === 31) void worker.stop().then(resolve)
            },
          })),
      },
    ])
  })
  await all
  expect(done).toBe(31)
})
