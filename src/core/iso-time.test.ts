import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

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

test('what is no time is refused, also after one that was', () => {
  isoTime(new Date(0))
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError)
})
