import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type LocalKind, type LocalSlot, newLocalWork } from './local-work.ts'

/** Work that is recorded and runs until the test ends it. */
function noted() {
  const begun: unknown[] = []
  const ends: (() => void)[] = []
  const run = (row: object, known?: object) => {
    begun.push(known ? [row, known] : row)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const end = async () => {
    for (const one of ends.splice(0)) one()
    await turn()
  }
  return { begun, run, end }
}

type Slot = LocalSlot<object, object | undefined>
const charges: LocalKind<object, object | undefined> = { name: 'charges' }
const refunds: LocalKind<object, object | undefined> = { name: 'refunds' }
const needed = (slot: Slot | null): Slot => slot ?? expect.fail('There is no slot.')

test('without a worker, or for another kind, there is no slot', () => {
  const local = newLocalWork()
  expect(local.reserve(charges, 'm')).toBe(null)
  local.open(refunds, 1, 30_000, noted().run)
  expect(local.reserve(charges, 'm')).toBe(null)
  expect(local.reserve(refunds, 'm')).toMatchObject({ lease_ms: 30_000 })
})

test('a lone job runs immediately, with what is already known', async () => {
  const { begun, run } = noted()
  const local = newLocalWork()
  local.open(charges, 2, 30_000, run)
  const [first, second] = [local.reserve(charges, 'm'), local.reserve(charges, 'm')].map(needed)
  expect(begun).toEqual([])
  first?.work({ id: 'a' }, { token: 't' })
  second?.work({ id: 'b' }, undefined)
  expect(begun).toEqual([])
  await turn()
  expect(begun).toEqual([[{ id: 'a' }, { token: 't' }], { id: 'b' }])
})

test('jobs within 40 ms after other work start together, unless only a few run', async () => {
  vi.useFakeTimers()
  try {
    const { begun, run, end } = noted()
    let ms = 0
    const local = newLocalWork(() => ms)
    const pass = (passed_ms: number) => {
      ms += passed_ms
      return vi.advanceTimersByTimeAsync(passed_ms)
    }
    local.open(charges, 20, 30_000, run)
    const handOver = (count: number) => {
      for (let n = 0; n < count; n += 1) needed(local.reserve(charges, 'm')).work({}, undefined)
    }
    handOver(4)
    await pass(10)
    expect(begun).toHaveLength(4)
    handOver(1)
    await pass(0)
    expect(begun).toHaveLength(5)
    await pass(10)
    handOver(1)
    await pass(20)
    handOver(2)
    await pass(9)
    expect(begun).toHaveLength(5)
    await pass(1)
    expect(begun).toHaveLength(8)
    await pass(40)
    handOver(1)
    await pass(0)
    expect(begun).toHaveLength(9)
    const ended = end()
    await pass(0)
    await ended
    handOver(1)
    await pass(0)
    expect(begun).toHaveLength(10)
  } finally {
    vi.useRealTimers()
  }
})

test('an immediate job does not wait for others', async () => {
  const { begun, run } = noted()
  const local = newLocalWork(() => 0)
  local.open(charges, 20, 30_000, run)
  for (let n = 0; n < 8; n += 1) needed(local.reserve(charges, 'm')).work({ n }, undefined, true)
  expect(begun).toHaveLength(8)
  needed(local.reserve(charges, 'm')).work({ n: 8 }, undefined)
  expect(begun).toHaveLength(8)
})

test('no more jobs are taken than there are slots; each slot is free again after its work, or without any', async () => {
  const { run, end } = noted()
  const local = newLocalWork()
  local.open(charges, 2, 30_000, run)
  local.open(refunds, 1, 30_000, run)
  const [first, second] = [local.reserve(charges, 'm'), local.reserve(charges, 'm')].map(needed)
  expect(local.reserve(charges, 'm')).toBe(null)
  expect(local.reserve(refunds, 'm')).not.toBe(null)
  first?.release()
  const third = needed(local.reserve(charges, 'm'))
  expect(local.reserve(charges, 'm')).toBe(null)
  second?.work({}, undefined)
  third.work({}, undefined)
  await turn()
  expect(local.reserve(charges, 'm')).toBe(null)
  await end()
  expect([local.reserve(charges, 'm'), local.reserve(charges, 'm')]).not.toContain(null)
  expect(local.reserve(charges, 'm')).toBe(null)
})

test('closing takes no more jobs, and waits for those that were handed over', async () => {
  const { begun, run, end } = noted()
  const local = newLocalWork()
  local.open(charges, 2, 30_000, run)
  needed(local.reserve(charges, 'm')).work({ id: 'a' }, undefined)
  let is_closed = false
  const closing = local.close().then(() => {
    is_closed = true
  })
  expect(local.reserve(charges, 'm')).toBe(null)
  await turn()
  expect(is_closed).toBe(false)
  await end()
  await closing
  expect(begun).toEqual([{ id: 'a' }])
})
