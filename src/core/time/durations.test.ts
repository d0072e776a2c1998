import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formats } from '../typed/formats.ts'
import { day_ms, hour_ms, minute_ms } from './clock.ts'
import {
  endOfDayInTokyo,
  expiryOf,
  formatDuration,
  readDuration,
  readTimeOfDay,
} from './durations.ts'

const moments = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2199-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

describe('a duration', () => {
  test.each([
    ['P7D', 7 * day_ms],
    ['P1W', 7 * day_ms],
    ['P1Y', 365 * day_ms],
    ['P1M', 30 * day_ms],
    ['PT1M', minute_ms],
    ['P1M1DT1M', 31 * day_ms + minute_ms],
    ['PT1H30M', 90 * minute_ms],
    ['PT30S', 30_000],
    ['PT0S', 0],
    ['P0D', 0],
    ['PT36H', 36 * hour_ms],
    ['P007D', 7 * day_ms],
    ['PT0.5S', 500],
    ['PT1.001S', 1001],
    ['PT4.35S', 4350],
    ['PT0.0019S', 1],
    ['PT9007199254740.991S', Number.MAX_SAFE_INTEGER],
    ['P1Y2M3W4DT5H6M7.089S', 450 * day_ms + 5 * hour_ms + 6 * minute_ms + 7089],
  ])('%s is %i ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    'T1H',
    '1D',
    'P1H',
    'PT1D',
    'P1D1M',
    'P-1D',
    '-P1D',
    '+P1D',
    'p1d',
    'P1.5D',
    'PT1.5H',
    'PT1,5S',
    'PT.5S',
    'PT1.S',
    'P 1D',
    ' P1D',
    'P1D\n',
    'P１D',
    'P1D1D',
  ])('%j is none', (text) => {
    expect(readDuration(text)).toBeNull()
  })

  test.each(['PT9007199254740.992S', 'PT9007199254741S', 'P999999Y', `P${'9'.repeat(100_000)}D`])(
    'longer than can be counted exactly is none',
    (text) => {
      expect(formats.duration.accepts(text)).toBe(true)
      expect(readDuration(text)).toBeNull()
    },
  )

  test('is read exactly when the format accepts it', () => {
    const nearly = fc.stringMatching(
      /^-?P?(\d{1,5}Y)?(\d{1,5}M)?(\d{1,5}W)?(\d{0,5}D)?(T(\d{0,5}H)?(\d{1,5}M)?(\d{0,5}\.?\d{0,5}S)?)?$/,
    )
    const pieces = fc
      .array(fc.constantFrom('P', 'T', '1Y', '2M', '3W', '4D', '5H', '6M', '7S', '8.9S', '0', '.'))
      .map((list) => list.join(''))
    const letters = fc.string({ unit: fc.constantFrom(...'PTYMWDHS.019 -'), maxLength: 8 })
    const texts = fc.oneof(nearly, pieces, letters).filter((text) => !/\d{6}/.test(text))
    let accepted = 0
    fc.assert(
      fc.property(texts, (text) => {
        if (formats.duration.accepts(text)) accepted += 1
        expect(readDuration(text) !== null, text).toBe(formats.duration.accepts(text))
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })

  test('is the exact sum of its parts, or none when that is too much', () => {
    const letters = [...'YMWDHMS']
    const seconds = [31_536_000n, 2_592_000n, 604_800n, 86_400n, 3600n, 60n, 1n]
    const part = fc.option(fc.oneof(fc.bigInt({ min: 0n, max: 999n }), fc.bigInt(0n, 10n ** 13n)), {
      freq: 2,
    })
    const parts = fc.tuple(part, part, part, part, part, part, part)
    fc.assert(
      fc.property(parts, fc.nat(999), (list, ms) => {
        const texts = list.map((count, i) => (count === null ? '' : `${count}${letters[i]}`))
        const date = texts.slice(0, 4).join('')
        const decimals = list[6] === null ? 0 : ms
        const fraction = `.${String(decimals).padStart(3, '0')}S`
        const clock = texts.slice(4).join('').replace('S', fraction)
        fc.pre(date + clock !== '')
        const sum = list.reduce<bigint>((all, n, i) => all + (n ?? 0n) * (seconds[i] ?? 0n), 0n)
        const total = sum * 1000n + BigInt(decimals)
        const read = readDuration(`P${date}${clock === '' ? '' : `T${clock}`}`)
        expect(read).toBe(total > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(total))
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('a length of time is written', () => {
  test.each([
    [0, 'PT0S'],
    [1, 'PT0.001S'],
    [500, 'PT0.5S'],
    [1050, 'PT1.05S'],
    [30_000, 'PT30S'],
    [minute_ms, 'PT1M'],
    [90 * minute_ms, 'PT1H30M'],
    [hour_ms, 'PT1H'],
    [hour_ms + 1, 'PT1H0.001S'],
    [hour_ms + 1000, 'PT1H1S'],
    [7 * day_ms, 'PT168H'],
    [365 * day_ms, 'PT8760H'],
    [Number.MAX_SAFE_INTEGER, 'PT2501999792H59M0.991S'],
  ])('%i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test('so that it reads back, and no part could be a larger one', () => {
    const few = fc.integer({ min: 0, max: 2 * day_ms })
    fc.assert(
      fc.property(fc.oneof(few, fc.maxSafeNat()), (ms) => {
        const text = formatDuration(ms)
        expect(text).toMatch(/^PT(\d+H)?([1-5]?\dM)?([1-5]?\d(\.\d{0,2}[1-9])?S)?$/)
        expect(text).not.toMatch(/T0[HM]|[HM]0[HMS]/)
        expect(readDuration(text)).toBe(ms)
      }),
      { numRuns: 10_000 },
    )
  })

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is refused', (ms) => {
    expect(() => formatDuration(ms)).toThrow(RangeError)
  })
})

describe('a time of day', () => {
  const last_second = day_ms - 1000

  test.each([
    ['23:59:59+09:00', last_second, 9 * hour_ms],
    ['23:59:59.999+0900', day_ms - 1, 9 * hour_ms],
    ['23:59:59.5+09', last_second + 500, 9 * hour_ms],
    ['23:59:59.123456789Z', last_second + 123, 0],
    ['09:00Z', 9 * hour_ms, 0],
    ['T09:00+09:00', 9 * hour_ms, 9 * hour_ms],
    ['00:00Z', 0, 0],
    ['00:00-00:00', 0, 0],
    ['00:00+05:45', 0, 5 * hour_ms + 45 * minute_ms],
    ['00:00-03:30', 0, -3 * hour_ms - 30 * minute_ms],
    ['00:00+18:00', 0, 18 * hour_ms],
    ['00:00-18:00', 0, -18 * hour_ms],
  ])('%s', (text, ms_of_day, offset_ms) => {
    expect(readTimeOfDay(text)).toStrictEqual({ ms_of_day, offset_ms })
  })

  test.each([
    '',
    '09:00',
    '23:59:59',
    '24:00',
    '24:00Z',
    '24:00:00+09:00',
    '23:60Z',
    '23:59:60Z',
    '9:00Z',
    '0900Z',
    '09Z',
    '09:00:Z',
    '09:00:00.Z',
    '09:00.5Z',
    '09:00 Z',
    '09:00z',
    't09:00Z',
    'TT09:00Z',
    '09:00+',
    '09:00+9:00',
    '09:00+18:01',
    '09:00-18:01',
    '09:00+19:00',
    '09:00+09:60',
    '09:00+09:00Z',
    '09:00+09:00:00',
    '09:00Asia/Tokyo',
    '09:00Z\n',
    '2026-01-15T09:00Z',
    '０9:00Z',
  ])('%j is none', (text) => {
    expect(readTimeOfDay(text)).toBeNull()
  })

  test('is the one that Date reads', () => {
    const times = fc.stringMatching(/^[0-2]\d:[0-6]\d(:[0-6]\d(\.\d{1,4})?)?$/)
    const zones = fc.stringMatching(/^(Z|[+-][01]\d:[0-6]\d)$/)
    fc.assert(
      fc.property(times, zones, (time, zone) => {
        const theirs = Date.parse(`1970-01-01T${time}${zone}`)
        const is_refused = time.startsWith('24') || /1(8:(?!00)|9:)..$/.test(zone)
        const ours = readTimeOfDay(time + zone)
        const expected = is_refused || Number.isNaN(theirs) ? null : theirs
        expect(ours && ours.ms_of_day - ours.offset_ms).toBe(expected)
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('something expires', () => {
  const end_of_day = { ms_of_day: day_ms - 1000, offset_ms: 9 * hour_ms }
  const morning = { ms_of_day: 9 * hour_ms, offset_ms: 9 * hour_ms }

  test.each([
    ['after its period', '2026-01-15T03:00:00Z', 7, null, '2026-01-22T03:00:00.000Z'],
    ['late on its last day', '2026-01-15T03:00:00Z', 7, end_of_day, '2026-01-22T14:59:59.000Z'],
    ['by the calendar there', '2026-01-15T15:00:00Z', 7, end_of_day, '2026-01-23T14:59:59.000Z'],
    ['early on its last day', '2026-01-15T03:00:00Z', 7, morning, '2026-01-22T00:00:00.000Z'],
    ['next day if it is past', '2026-01-15T03:00:00Z', 0, morning, '2026-01-16T00:00:00.000Z'],
    ['next day if it is now', '2026-01-15T00:00:00Z', 0, morning, '2026-01-16T00:00:00.000Z'],
    ['today if it is to come', '2026-01-14T23:59:59Z', 0, morning, '2026-01-15T00:00:00.000Z'],
    ['on a leap day', '2028-02-28T03:00:00Z', 1, end_of_day, '2028-02-29T14:59:59.000Z'],
    ['before 1970', '1969-12-30T20:00:00Z', 1, end_of_day, '1970-01-01T14:59:59.000Z'],
  ])('%s', (_, from, days, time_shift, end) => {
    const period_ms = days * day_ms
    expect(expiryOf({ from: new Date(from), period_ms, time_shift }).toISOString()).toBe(end)
  })

  /** The end by way of texts: the date there, the time there and the zone, read by Date. */
  function expiryByText(from: Date, period_ms: number, time: string, zone: string): Date {
    const offset_ms = Date.parse('2000-01-01T00:00Z') - Date.parse(`2000-01-01T00:00${zone}`)
    const there = new Date(from.getTime() + period_ms + offset_ms)
    const end = new Date(`${there.toISOString().slice(0, 10)}T${time}${zone}`)
    if (end <= from) end.setUTCDate(end.getUTCDate() + 1)
    return end
  }

  test('at the same instant as by the texts of date, time and zone', () => {
    const times = fc.nat(day_ms - 1).map((ms) => new Date(ms).toISOString().slice(11, -1))
    const zones = fc.stringMatching(/^[+-](0\d|1[0-7]):[0-5]\d$/)
    const periods = fc.oneof(
      fc.nat(3 * day_ms),
      fc.nat(1000).map((days) => days * day_ms),
    )
    fc.assert(
      fc.property(moments, periods, times, zones, (from, period_ms, time, zone) => {
        const end = expiryOf({ from, period_ms, time_shift: readTimeOfDay(time + zone) })
        expect(end).toEqual(expiryByText(from, period_ms, time, zone))
        expect(end.getTime()).toBeGreaterThan(from.getTime())
        expect(Math.abs(end.getTime() - from.getTime() - period_ms)).toBeLessThanOrEqual(day_ms)
      }),
      { numRuns: 10_000 },
    )
  })

  test('never beyond the last date there is', () => {
    const period_ms = Number.MAX_SAFE_INTEGER
    const from = new Date('2026-01-15T03:00:00Z')
    expect(() => expiryOf({ from, period_ms, time_shift: null })).toThrow(RangeError)
    expect(() => expiryOf({ from, period_ms, time_shift: end_of_day })).toThrow(RangeError)
  })
})

describe('the end of a day in Tokyo', () => {
  test.each([
    ['2026-01-15T00:00:00.000Z', '2026-01-15T14:59:59.999Z'],
    ['2026-01-15T14:59:59.999Z', '2026-01-15T14:59:59.999Z'],
    ['2026-01-15T15:00:00.000Z', '2026-01-16T14:59:59.999Z'],
    ['2026-12-31T15:00:00.000Z', '2027-01-01T14:59:59.999Z'],
    ['1969-12-31T23:00:00.000Z', '1970-01-01T14:59:59.999Z'],
  ])('of %s is %s', (moment, end) => {
    expect(endOfDayInTokyo(new Date(moment)).toISOString()).toBe(end)
  })

  test('is the last millisecond with the date that Intl computes', () => {
    const calendar = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', dateStyle: 'short' })
    fc.assert(
      fc.property(moments, (moment) => {
        const end = endOfDayInTokyo(moment)
        expect(end.getTime()).toBeGreaterThanOrEqual(moment.getTime())
        expect(calendar.format(end)).toBe(calendar.format(moment))
        expect(calendar.format(end.getTime() + 1)).not.toBe(calendar.format(moment))
      }),
      { numRuns: 5000 },
    )
  })
})
