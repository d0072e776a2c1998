import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeTry } from '../accounts/sessions/login-rates.ts'
import { login_rates } from '../core/access/users.ts'
import { Failure } from '../core/api/errors.ts'
import { newRequestCounts } from '../core/limits/request-counts.ts'
import type { Service } from '../service.ts'
import { type CountAsk, newSharedCounts, replyToAsks, type SharedCounts } from './shared-counts.ts'

// Two processes and the first one, which counts for both. Messages between them are entries in a list.
function newPool(now: () => number) {
  const first = newRequestCounts(now)
  const messages: (readonly CountAsk[])[] = []
  const member = () => {
    const made: SharedCounts = newSharedCounts(first.hash_key, (asks) => {
      messages.push(asks)
      setImmediate(() => made.onReplies(replyToAsks(first, asks)))
    })
    return made
  }
  return { members: [member(), member()] as const, messages }
}

/** Resolves to how long to wait, in seconds; zero when the attempt counts. */
function tryAs(counts: SharedCounts, address: string, email?: string): Promise<number> {
  return takeTry({ counts } as unknown as Service, address, email).then(
    () => 0,
    (error) => (error instanceof Failure ? (error.retry_after_s ?? -1) : -1),
  )
}

test('an e-mail has its attempts once, whichever process handles them', async () => {
  let now_ms = 0
  const { members } = newPool(() => now_ms)
  const tries = (count: number, email: string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        tryAs(members[index % 2] as SharedCounts, `192.0.2.${index}`, email),
      ),
    )
  const waits = await tries(16, 'Taro@example.com')
  expect(waits.filter((wait) => wait === 0)).toHaveLength(login_rates.account.burst)
  expect(new Set(waits)).toEqual(new Set([0, 60 / login_rates.account.per_minute]))
  expect(await tries(2, 'taro@EXAMPLE.com')).not.toContain(0)
  expect(await tries(2, 'hana@example.com')).toEqual([0, 0])
  now_ms += 60_000
  expect((await tries(16, 'taro@example.com')).filter((wait) => wait === 0)).toHaveLength(10)
})

test('an address has its attempts once, and an attempt that is refused for one counts for no other', async () => {
  const { members } = newPool(() => 0)
  const [one, other] = members
  const all = Array.from({ length: 40 }, (_, index) =>
    tryAs(index % 2 ? one : other, '192.0.2.1', `user${index}@example.com`),
  )
  const passed = (await Promise.all(all)).filter((wait) => wait === 0)
  expect(passed).toHaveLength(login_rates.source.burst)
  expect(await tryAs(one, '192.0.2.1')).toBeGreaterThan(0)
  expect(await tryAs(one, '192.0.2.2', 'user39@example.com')).toBe(0)
})

test('requests of one event loop turn share a message, and each gets its own result', async () => {
  const { members, messages } = newPool(() => 0)
  const [one] = members
  const responses = await Promise.all([
    one.take([['charge', 'a']]),
    one.take([['charge', 'a']]),
    one.take([
      ['route', 'b'],
      ['exact', 'c'],
    ]),
    one.attempt('192.0.2.1'),
  ])
  expect(messages).toHaveLength(1)
  expect(responses).toEqual([
    { allowed: true, remaining: [99], wait_ms: 0 },
    { allowed: true, remaining: [98], wait_ms: 0 },
    { allowed: true, remaining: [29, 9], wait_ms: 0 },
    0,
  ])
  await turn()
  await one.take([['charge', 'a']])
  expect(messages).toHaveLength(2)
})
