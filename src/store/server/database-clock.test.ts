import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DatabaseClock, followDatabaseTime } from './database-clock.ts'

const start_ms = Date.parse('2026-01-15T00:00:00.000Z')
const poll_ms = 10_000

/** A database and a machine whose time passes only when the test says so. */
let passed_ms: number
let database_ahead_ms: number
let trips: [there_ms: number, back_ms: number][]
let asked: number
let is_away: boolean
let warnings: unknown[]
let clock: DatabaseClock

const databaseTime = () => start_ms + passed_ms + database_ahead_ms
const log = { warn: (...args: unknown[]) => void warnings.push(args[0]) }

async function askTime(): Promise<number> {
  asked += 1
  if (is_away) throw new Error('away')
  const [there_ms, back_ms] = trips.shift() ?? [0, 0]
  passed_ms += there_ms
  const time_ms = databaseTime()
  passed_ms += back_ms
  return time_ms
}

async function follow(): Promise<void> {
  clock = await followDatabaseTime(
    (work) => work(askTime),
    () => 500 + passed_ms,
    log as never,
  )
}

/** Time passes in steps of a second, with everything that happens in it. */
async function pass(ms: number): Promise<void> {
  for (let left_ms = ms; left_ms > 0; left_ms -= 1000) {
    passed_ms += Math.min(1000, left_ms)
    await vi.advanceTimersByTimeAsync(Math.min(1000, left_ms))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  passed_ms = 0
  database_ahead_ms = 0
  trips = []
  asked = 0
  is_away = false
  warnings = []
})
afterEach(() => {
  const { stop } = clock
  stop()
  vi.useRealTimers()
})

test("it shows the database's time, after one fast query", async () => {
  trips = [[2, 2]]
  await follow()
  expect(asked).toBe(1)
  expect(clock.now()).toBe(databaseTime())
  passed_ms += 1234
  expect(clock.now()).toBe(databaseTime())
  expect(clock.monotonic()).toBe(500 + passed_ms)
})

test('the date of the machine is never read', async () => {
  vi.setSystemTime(start_ms + 3_600_000)
  await follow()
  expect(clock.now()).toBe(databaseTime())
  vi.setSystemTime(0)
  await pass(25_000)
  expect(clock.now()).toBe(databaseTime())
})

test('of three slow responses the fastest counts', async () => {
  trips = [
    [400, 0],
    [12, 12],
    [0, 300],
  ]
  await follow()
  expect(asked).toBe(3)
  expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(1)
})

test('a slow response changes nothing', async () => {
  await follow()
  trips = Array.from({ length: 3 }, () => [3000, 0])
  await pass(poll_ms)
  expect(asked).toBe(4)
  expect(clock.now()).toBe(databaseTime())
  expect(warnings).toEqual([])
})

test('a slow first response is soon corrected', async () => {
  trips = Array.from({ length: 3 }, () => [800, 0])
  await follow()
  expect(clock.now()).toBe(databaseTime() + 400)
  await pass(poll_ms)
  expect(asked).toBe(4)
  const held_ms = clock.now()
  expect(held_ms).toBeGreaterThanOrEqual(databaseTime())
  await pass(1000)
  expect(clock.now()).toBe(databaseTime())
})

test('a database that runs slower or faster is followed, and time never runs backwards', async () => {
  await follow()
  let before_ms = clock.now()
  for (const step_ms of [-400, -30, 3, 250, -900, 700]) {
    database_ahead_ms += step_ms
    for (let tenth = 0; tenth < 110; tenth += 1) {
      passed_ms += 100
      await vi.advanceTimersByTimeAsync(100)
      expect(clock.now()).toBeGreaterThanOrEqual(before_ms)
      before_ms = clock.now()
    }
    expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(2)
  }
  expect(warnings).toEqual([])
})

test.each([3_600_000, -3_600_000])(
  'a jump of %i ms is followed immediately and logged',
  async (jump_ms) => {
    await follow()
    clock.now()
    database_ahead_ms += jump_ms
    await pass(poll_ms)
    expect(clock.now()).toBe(databaseTime())
    expect(warnings).toEqual([{ change_ms: jump_ms }])
  },
)

test('while the database is unavailable it continues, and asks every second', async () => {
  await follow()
  is_away = true
  await pass(60_000)
  expect(clock.now()).toBe(databaseTime())
  expect(asked).toBeGreaterThan(45)
  is_away = false
  database_ahead_ms = 7_200_000
  await pass(1000)
  expect(clock.now()).toBe(databaseTime())
  expect(warnings).toEqual([{ change_ms: 7_200_000 }])
})

test('after its stop it asks no more', async () => {
  await follow()
  const { stop } = clock
  stop()
  await pass(30_000)
  expect(asked).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})
