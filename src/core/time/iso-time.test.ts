import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime, isoTimeAt } from './iso-time.ts'

test('every time is written as toISOString writes it', () => {
  fc.assert(
    fc.property(fc.array(fc.date({ noInvalidDate: true }), { minLength: 2 }), (dates) => {
      expect(dates.map(isoTime)).toEqual(dates.map((date) => date.toISOString()))
    }),
  )
  const near = Array.from(
    { length: 5000 },
    (_, n) => new Date(Date.UTC(1969, 11, 31, 23, 58) + n * 37),
  )
  expect(near.map(isoTime)).toEqual(near.map((date) => date.toISOString()))
})

test('an invalid time is refused, also after a valid one', () => {
  isoTime(new Date(0))
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError)
})

test.each([
  [0, '2026-01-15T00:00:00.500Z'],
  [9 * 60, '2026-01-15T09:00:00.500+09:00'],
  [-5 * 60, '2026-01-14T19:00:00.500-05:00'],
  [5 * 60 + 30, '2026-01-15T05:30:00.500+05:30'],
  [-(9 * 60 + 30), '2026-01-14T14:30:00.500-09:30'],
])('a time %i minutes ahead of UTC is written %s', (minutes, text) => {
  const at = new Date('2026-01-15T00:00:00.500Z')
  expect(isoTimeAt(at, minutes * 60_000)).toBe(text)
  expect(new Date(text)).toEqual(at)
})
