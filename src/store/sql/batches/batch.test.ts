import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newBatch } from './batch.ts'

const options = {
  max_items: 4,
  max_running: 2,
  max_waiting: 6,
  ownerOf: (item: string) => item.slice(0, 1),
  alternate_batches: false,
  refuse: () => new Error('too many'),
}
const ofCode = (code: string) => Object.assign(new Error(code), { code })

/** A batch whose statements are recorded, and run until the test ends them. */
function noted(
  fault: (items: readonly string[], waits_for_locks: boolean) => Error | null = () => null,
) {
  const runs: string[] = []
  const ends: (() => void)[] = []
  let at_once = 0
  let max_at_once = 0
  const call = newBatch(async (items: readonly string[], waits_for_locks) => {
    runs.push(items.join('') + (waits_for_locks ? '!' : ''))
    at_once += 1
    max_at_once = Math.max(max_at_once, at_once)
    await new Promise<void>((resolve) => ends.push(resolve))
    at_once -= 1
    const error = fault(items, waits_for_locks)
    if (error) throw error
    return items.map((item) => item.toUpperCase())
  }, options)
  const outcome = (item: string) => call(item).catch((error: Error) => error.message)
  /** Lets everything that runs end, until nothing does. */
  const finish = async () => {
    for (let idle = 0; idle < 3; ) {
      await sleep(1)
      idle = ends.length === 0 ? idle + 1 : 0
      for (const end of ends.splice(0)) end()
    }
  }
  return { runs, outcome, finish, maxAtOnce: () => max_at_once }
}

test('concurrent calls share a statement, in their order, and each gets its own result', async () => {
  const { runs, outcome, finish } = noted()
  const responses = Promise.all([...'abc'].map(outcome))
  await finish()
  expect(await responses).toEqual(['A', 'B', 'C'])
  expect(runs).toEqual(['abc'])
})

test('calls that arrive while two statements run join the next, up to its maximum', async () => {
  const { runs, outcome, finish, maxAtOnce } = noted()
  const first = outcome('a')
  await sleep(5)
  const second = outcome('b')
  await sleep(5)
  const others = [...'cdefgh'].map(outcome)
  await sleep(5)
  expect(runs).toEqual(['a', 'b'])
  await finish()
  expect(await Promise.all([first, second, ...others])).toEqual([...'ABCDEFGH'])
  expect(runs).toEqual(['a', 'b', 'cdef', 'gh'])
  expect(maxAtOnce()).toBe(2)
})

test('a call that finds the queue full is refused, and the others are not', async () => {
  const { outcome, finish } = noted()
  const responses = Promise.all([...'abcdefgh'].map(outcome))
  await finish()
  expect(await responses).toEqual([...'ABCDEF', 'too many', 'too many'])
})

test('one bad item fails only itself', async () => {
  const bad = (items: readonly string[]) => (items.includes('c') ? ofCode('22P05') : null)
  const { runs, outcome, finish } = noted(bad)
  const responses = Promise.all([...'abcd'].map(outcome))
  await finish()
  expect(await responses).toEqual(['A', 'B', '22P05', 'D'])
  expect(runs).toEqual(['abcd', 'a', 'b', 'c', 'd'])
})

test.each(['54000', 'P0001', ''])('nor does one with the error "%s"', async (code) => {
  const { outcome, finish } = noted((items) => (items.includes('c') ? ofCode(code) : null))
  const responses = Promise.all([...'abcd'].map(outcome))
  await finish()
  expect(await responses).toEqual(['A', 'B', code, 'D'])
})

test('an unavailable database fails all calls, and is asked once', async () => {
  const { runs, outcome, finish } = noted(() => ofCode('57P01'))
  const responses = Promise.all([...'abc'].map(outcome))
  await finish()
  expect(await responses).toEqual(['57P01', '57P01', '57P01'])
  expect(runs).toEqual(['abc'])
})

test('a deadlock is retried, but not for ever', async () => {
  let left = 4
  const sometimes = noted(() => (left-- > 0 ? ofCode('40P01') : null))
  const responses = Promise.all([...'ab'].map(sometimes.outcome))
  await sometimes.finish()
  expect(await responses).toEqual(['A', 'B'])
  const always = noted(() => ofCode('40P01'))
  const refused = always.outcome('a')
  await always.finish()
  expect(await refused).toBe('40P01')
  expect(always.runs).toHaveLength(5)
})

test('an item whose row is locked waits in a queue of its own, and no other item does', async () => {
  let is_held = true
  const isLocked = (items: readonly string[], waits_for_locks: boolean) =>
    items.some((item) => item[0] === 'm') && is_held && !waits_for_locks ? ofCode('55P03') : null
  const { runs, outcome, finish } = noted(isLocked)
  const responses = Promise.all(['a', 'm1', 'b', 'm2'].map(outcome))
  await finish()
  expect(await responses).toEqual(['A', 'M1', 'B', 'M2'])
  expect(runs).toEqual(['am1bm2', 'a', 'm1m2', 'm1m2!', 'b'])
  is_held = false
  const after = outcome('m3')
  await finish()
  expect(await after).toBe('M3')
  expect(runs.at(-1)).toBe('m3')
})

test('while a lock queue waits, other items of its owner join it; a lock timeout is reported to them', async () => {
  const { runs, outcome, finish } = noted((items) =>
    items.some((item) => item[0] === 'm') ? ofCode('55P03') : null,
  )
  const first = outcome('m1')
  await sleep(5)
  const other = outcome('a')
  const second = outcome('m2')
  await finish()
  expect(await Promise.all([first, second, other])).toEqual(['55P03', '55P03', 'A'])
  expect(runs.filter((run) => run.includes('m') && !run.includes('!'))).toHaveLength(3)
})

test('no two items of one key share a statement; the second comes after the first', async () => {
  const runs: string[] = []
  const call = newBatch(
    async (items: readonly string[]) => {
      runs.push(items.join(''))
      return items
    },
    { ...options, max_running: 1, keyOf: (item) => item },
  )
  expect(await Promise.all([...'abaca'].map(call))).toEqual([...'abaca'])
  expect(runs).toEqual(['abc', 'a', 'a'])
})

test('the next batch starts before the callers get the last results', async () => {
  const order: string[] = []
  const ends: (() => void)[] = []
  const call = newBatch(
    async (items: readonly string[]) => {
      order.push(`run ${items.join('')}`)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items
    },
    { ...options, max_running: 1 },
  )
  const told = ['a', 'b'].map((item) => call(item).then(() => order.push(`told ${item}`)))
  while (ends.length === 0) await sleep(1)
  told.push(call('c').then(() => order.push('told c')))
  ends.shift()?.()
  while (ends.length === 0) await sleep(1)
  ends.shift()?.()
  await Promise.all(told)
  expect(order).toEqual(['run ab', 'run c', 'told a', 'told b', 'told c'])
})

test.each([
  ['half of those who come again goes in each statement', true, [30, 10, 20, 20, 20, 20]],
  ['what does not come again goes as it has gathered', false, [30, 10, 30, 10, 30, 10]],
])('%s', async (_, in_turns, expected) => {
  const sizes: number[] = []
  const ends: (() => void)[] = []
  const call = newBatch(
    async (items: readonly string[]) => {
      sizes.push(items.length)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items
    },
    { ...options, max_items: 64, max_waiting: 64, max_running: 1, alternate_batches: in_turns },
  )
  let open = true
  const client = async (_: unknown, name: number) => {
    while (open) await call(String(name))
  }
  const running = async () => {
    while (ends.length === 0) await sleep(1)
  }
  const clients = Array.from({ length: 30 }, client)
  await running()
  clients.push(...Array.from({ length: 10 }, client))
  while (sizes.length < expected.length) {
    ends.shift()?.()
    await running()
    // Callers that got their result call again before the next result.
    await sleep(1)
  }
  open = false
  for (let left = 2; left > 0; left -= 1) {
    ends.shift()?.()
    await sleep(2)
  }
  await Promise.all(clients)
  expect(sizes.slice(0, expected.length)).toEqual(expected)
})
