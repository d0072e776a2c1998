import { expect, test } from 'vitest'
import { formats, readInstant } from './formats.ts'

test.each([
  ['2026-01-15', '2026-01-15T00:00:00.000Z'],
  ['2026-01-15T09:00', '2026-01-15T09:00:00.000Z'],
  ['2026-01-15T09:00:00+09:00', '2026-01-15T00:00:00.000Z'],
  ['2026-01-15T00:00:00.123456Z', '2026-01-15T00:00:00.123Z'],
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
])('%s is %s, wherever the service runs', (text, instant) => {
  expect(readInstant(text)?.toISOString()).toBe(instant)
})

test.each(['2026-02-30', '2026-13-01', '15.1.2026', '2026-01-15T25:00Z', '1736899200000', ''])(
  '%s is no instant',
  (text) => {
    expect(readInstant(text)).toBeNull()
  },
)

test.each([
  ['email', ['a@b.example', 'x+y@shop.example.com'], ['a@b', '@b.c', 'a b@c.d', 'a@b..c']],
  ['duration', ['P1D', 'PT30M', 'P1Y2M3DT4H5M6S'], ['P', 'PT', '1D', 'P1H', 'P-1D']],
  ['domain', ['*', 'a.example', '*.a.example', 'localhost:3000'], ['a b', 'https://a.example', '']],
  ['currency', ['JPY', 'usd'], ['XAU', 'YEN', 'JP']],
  ['country', ['JP', 'us'], ['JPN', 'UK', 'XX']],
  ['time_zone', ['Asia/Tokyo', 'UTC'], ['Tokyo', '+09:00', 'Mars/X']],
  [
    'url',
    ['https://a.example/x', 'http://localhost:3000'],
    [
      'javascript:1',
      'a.example',
      'ftp://a',
      'https://a;script-src',
      "https://a'.example",
      'http://a,b',
    ],
  ],
] as const)('%s', (name, good, bad) => {
  for (const text of good) expect(formats[name].accepts(text), text).toBe(true)
  for (const text of bad) expect(formats[name].accepts(text), text).toBe(false)
})
