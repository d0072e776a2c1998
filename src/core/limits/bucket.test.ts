import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newBuckets } from './bucket.ts'
import { rate_limits } from './limits.ts'

// Time is given in milliseconds; a bucket never looks at a clock itself.
const limits = Object.entries(rate_limits)

test.each(limits)('%s: of burst + 1 concurrent requests, exactly the burst passes', (_, rate) => {
  const buckets = newBuckets(rate)
  let passed = 0
  for (let i = 0; i <= rate.burst; i += 1) {
    if (buckets.remaining('a', 0) === 0) continue
    buckets.take('a', 0)
    passed += 1
  }
  expect(passed).toBe(rate.burst)
})

test.each(limits)('%s: refills by the per-minute rate / 60000 per millisecond', (_, rate) => {
  const buckets = newBuckets(rate)
  for (let i = 0; i < rate.burst; i += 1) buckets.take('a', 0)
  const one_ms = Math.ceil(60_000 / rate.per_minute)
  expect(buckets.wait('a', 0)).toBe(one_ms)
  expect(buckets.remaining('a', one_ms - 1)).toBe(0)
  expect(buckets.remaining('a', one_ms)).toBe(1)
  expect(buckets.remaining('a', 3_600_000)).toBe(rate.burst)
})

test('never lets through more than burst + rate × time, however requests are spaced', () => {
  const rate = rate_limits.exact
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 300 }), (gaps) => {
      const buckets = newBuckets(rate)
      let now_ms = 0
      let passed = 0
      for (const gap of gaps) {
        now_ms += gap
        if (buckets.remaining('a', now_ms) === 0) continue
        buckets.take('a', now_ms)
        passed += 1
      }
      expect(passed).toBeLessThanOrEqual(
        rate.burst + Math.floor((rate.per_minute * now_ms) / 60_000),
      )
    }),
  )
})

test('a request every refill interval passes for ever: nothing is rounded away', () => {
  const rate = { per_minute: 7, burst: 1 }
  const buckets = newBuckets(rate)
  let passed = 0
  for (let now_ms = 0; now_ms <= 600_000; now_ms += 1) {
    if (buckets.remaining('a', now_ms) === 0) continue
    buckets.take('a', now_ms)
    passed += 1
  }
  expect(passed).toBe(70)
})

test('10^6 distinct exact keys: full buckets are dropped, memory stays bounded', () => {
  const buckets = newBuckets(rate_limits.exact)
  let largest = 0
  for (let i = 0; i < 1_000_000; i += 1) {
    buckets.take(`key ${i}`, Math.floor(i / 20))
    largest = Math.max(largest, buckets.size())
  }
  expect(largest).toBeLessThanOrEqual(400_000)
  expect(buckets.remaining('key 0', 60_000)).toBe(rate_limits.exact.burst)
})

test('two keys do not share an allowance', () => {
  const buckets = newBuckets({ per_minute: 60, burst: 1 })
  buckets.take('a', 0)
  expect(buckets.remaining('a', 0)).toBe(0)
  expect(buckets.remaining('b', 0)).toBe(1)
})
