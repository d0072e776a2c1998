import { expect, test } from 'vitest'
import { day_ms, hour_ms, minute_ms, second_ms } from '../time/clock.ts'
import {
  circuitOpenMs,
  classifyAttempt,
  countFailures,
  max_attempts,
  readRetryAfter,
  requestedPauseMs,
} from './delivery-policy.ts'

const middle = () => 0.5
const young = (attempts: number) => ({ attempts, age_ms: 0 })
const end = (status: number | null, retry_after_ms: number | null = null) => ({
  status,
  retry_after_ms,
})

test.each([200, 201, 202, 204, 226, 299])('%i is delivered, also at the last attempt', (status) => {
  expect(classifyAttempt(end(status), young(1), middle)).toEqual({ kind: 'delivered' })
  const late = { attempts: max_attempts, age_ms: 30 * day_ms }
  expect(classifyAttempt(end(status, hour_ms), late, middle)).toEqual({ kind: 'delivered' })
})

test.each([
  [300, 'The receiver answered with the redirect 300.'],
  [301, 'The receiver answered with the redirect 301.'],
  [304, 'The receiver answered with the redirect 304.'],
  [308, 'The receiver answered with the redirect 308.'],
  [399, 'The receiver answered with the redirect 399.'],
  [410, 'The receiver answered 410: it is gone for good.'],
])('%i ends it at the first attempt and switches off', (status, switch_off) => {
  expect(classifyAttempt(end(status), young(1), middle)).toEqual({ kind: 'given_up', switch_off })
})

const waits: [attempts: number, wait_ms: number][] = [
  [1, 5 * second_ms],
  [2, 5 * minute_ms],
  [3, 30 * minute_ms],
  [4, 2 * hour_ms],
  [5, 5 * hour_ms],
  [6, 10 * hour_ms],
  [7, 14 * hour_ms],
  [8, 20 * hour_ms],
  [9, day_ms],
]

test.each(waits)('after attempt %i it waits %i ms, plus or minus a tenth', (attempts, wait_ms) => {
  const after = (random: number) => classifyAttempt(end(500), young(attempts), () => random)
  expect(after(0.5)).toEqual({ kind: 'again', after_ms: wait_ms })
  expect(after(0)).toEqual({ kind: 'again', after_ms: Math.round(wait_ms * 0.9) })
  expect(after(1)).toEqual({ kind: 'again', after_ms: Math.round(wait_ms * 1.1) })
})

test('ten attempts take a little over three days', () => {
  expect(max_attempts).toBe(10)
  const sum_ms = waits.reduce((sum, [, wait_ms]) => sum + wait_ms, 0)
  expect(sum_ms).toBeGreaterThan(3 * day_ms)
  expect(sum_ms * 1.1).toBeLessThan(4 * day_ms)
})

test.each([
  [null, null],
  [100, null],
  [503, null],
  [504, null],
  [599, null],
  [999, null],
  [400, 'The receiver answered 400 to the last of 10 attempts.'],
  [401, 'The receiver answered 401 to the last of 10 attempts.'],
  [404, 'The receiver answered 404 to the last of 10 attempts.'],
  [429, 'The receiver answered 429 to the last of 10 attempts.'],
  [500, 'The receiver answered 500 to the last of 10 attempts.'],
  [502, 'The receiver answered 502 to the last of 10 attempts.'],
])('%s: tried again up to the last attempt, then %s', (status, switch_off) => {
  for (let attempts = 1; attempts < max_attempts; attempts += 1) {
    expect(classifyAttempt(end(status), young(attempts), middle).kind).toBe('again')
  }
  const last = classifyAttempt(end(status), young(max_attempts), middle)
  expect(last).toEqual({ kind: 'given_up', switch_off })
  const more = classifyAttempt(end(status), young(max_attempts + 5), middle)
  expect(more.kind).toBe('given_up')
})

test('a delivery that is older than five days has had its last attempt', () => {
  const at = (age_ms: number) => classifyAttempt(end(503), { attempts: 2, age_ms }, middle)
  expect(at(5 * day_ms)).toMatchObject({ kind: 'again' })
  expect(at(5 * day_ms + 1)).toEqual({ kind: 'given_up', switch_off: null })
})

test.each([
  ['none', null, 5 * second_ms],
  ['shorter than the wait', 1000, 5 * second_ms],
  ['longer than the wait', 90_000, 90_000],
  ['a year', 365 * day_ms, day_ms],
  ['zero', 0, 5 * second_ms],
])('Retry-After %s: the next attempt', (_, asked_ms, after_ms) => {
  expect(classifyAttempt(end(503, asked_ms), young(1), middle)).toEqual({ kind: 'again', after_ms })
})

test.each([
  [429, 60_000, 60_000],
  [503, 60_000, 60_000],
  [503, 365 * day_ms, hour_ms],
  [503, null, 0],
  [500, 60_000, 0],
  [200, 60_000, 0],
  [null, 60_000, 0],
])('%s asks for peace of %s ms and gets %i', (status, asked_ms, rest_ms) => {
  expect(requestedPauseMs(end(status, asked_ms))).toBe(rest_ms)
})

test.each([
  [0, 1, 1],
  [0, 4, 4],
  [0, 5, 5],
  [0, 16, 5],
  [3, 1, 4],
  [4, 16, 5],
  [5, 1, 6],
  [5, 16, 6],
  [40, 1, 41],
])('%i failures and a batch of %i without success are %i', (before, in_batch, after) => {
  expect(countFailures(before, in_batch)).toBe(after)
})

test.each([
  [0, null],
  [4, null],
  [5, 10 * second_ms],
  [6, 20 * second_ms],
  [7, 40 * second_ms],
  [10, 320 * second_ms],
  [11, 10 * minute_ms],
  [1000, 10 * minute_ms],
])('after %i failures in a row the receiver rests for %s ms', (failures, rest_ms) => {
  expect(circuitOpenMs(failures, middle)).toBe(rest_ms)
  if (rest_ms !== null) {
    expect(circuitOpenMs(failures, () => 0)).toBe(Math.round(rest_ms * 0.9))
    expect(circuitOpenMs(failures, () => 1)).toBe(Math.round(rest_ms * 1.1))
  }
})

const now_ms = Date.parse('2026-01-15T12:00:00Z')

test.each([
  [null, null],
  ['0', 0],
  ['120', 120_000],
  ['999999999', 999_999_999_000],
  ['Thu, 15 Jan 2026 12:01:00 GMT', 60_000],
  ['Thu, 15 Jan 2026 11:59:00 GMT', 0],
  ['9'.repeat(400), null],
])('Retry-After: %s is %s ms', (text, ms) => {
  expect(readRetryAfter(text, now_ms)).toBe(ms)
})

test.each(['', 'soon', '-5', '1.5', '1e3', '12 34', 'NaN', 'Infinity'])(
  'Retry-After: %s is ignored',
  (text) => {
    expect(readRetryAfter(text, now_ms) ?? 0).toBe(0)
  },
)
