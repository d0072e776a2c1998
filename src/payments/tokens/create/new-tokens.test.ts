import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Metadata } from '../../../core/text/metadata.ts'
import type { Token } from '../token.ts'

let keepNewToken: typeof import('./new-tokens.ts')['keepNewToken']
let takeNewToken: typeof import('./new-tokens.ts')['takeNewToken']
beforeAll(async () => {
  vi.useFakeTimers()
  // One that nothing is kept in, and whose time is not running yet.
  vi.resetModules()
  ;({ keepNewToken, takeNewToken } = await import('./new-tokens.ts'))
})
afterAll(() => {
  vi.useRealTimers()
})

const minute_ms = 60_000
const keep = (id: string, metadata: Metadata = {}) =>
  keepNewToken({ token: { id, merchant_id: 'm', metadata } as Token, row_version: '1' })
const take = (id: string) => takeNewToken('m', id)?.token.id

test('a token is given once, and to its owner only', () => {
  keep('a')
  expect(takeNewToken('other', 'a')).toBeUndefined()
  expect(take('a')).toBe('a')
  expect(take('a')).toBeUndefined()
})

test('only small tokens are kept: what strangers write must not fill the memory', () => {
  keep('flat', { order: 'A-1', paid: true, none: null })
  keep('long', { note: 'x'.repeat(1200) })
  keep('nested', { list: [{}, {}] })
  expect(['flat', 'long', 'nested'].map(take)).toEqual(['flat', undefined, undefined])
})

test('none is kept longer than five minutes, also when no other comes', () => {
  keep('early')
  vi.advanceTimersByTime(2 * minute_ms)
  keep('late')
  vi.advanceTimersByTime(3 * minute_ms)
  expect(take('early')).toBeUndefined()
  vi.advanceTimersByTime(5 * minute_ms)
  expect(take('late')).toBeUndefined()
  keep('again')
  expect(take('again')).toBe('again')
})

test('when there are many, the oldest are forgotten first', () => {
  for (let n = 0; n < 25_000; n += 1) keep(String(n))
  expect(take('0')).toBeUndefined()
  expect(take('24999')).toBe('24999')
  const kept = Array.from({ length: 25_000 }, (_, n) => take(String(n))).filter(Boolean)
  expect(kept.length).toBeLessThanOrEqual(20_000)
})
