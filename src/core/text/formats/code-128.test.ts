import {
  BinaryBitmap,
  Code128Reader,
  GlobalHistogramBinarizer,
  RGBLuminanceSource,
} from '@zxing/library'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { code128 } from './code-128.ts'

const reader = new Code128Reader()

/** Draws the bars two pixels wide between quiet zones of ten modules, and scans them. */
function scan(modules: readonly boolean[]): string {
  const scale = 2
  const height = 20
  const quiet = Array<boolean>(10).fill(false)
  const row = [...quiet, ...modules, ...quiet].flatMap((dark) =>
    Array<number>(scale).fill(dark ? 0 : 255),
  )
  const pixels = new Uint8ClampedArray(Array.from({ length: height }, () => row).flat())
  const source = new RGBLuminanceSource(pixels, row.length, height)
  return reader.decode(new BinaryBitmap(new GlobalHistogramBinarizer(source))).getText()
}

describe('a scanner reads back', () => {
  test.each([
    '00',
    '99',
    '0000',
    '0123456789',
    '4902106000000012345678',
    '91912345678901234567890123456789012345678901',
    '0'.repeat(60),
    '98'.repeat(30),
  ])('%s', (digits) => {
    expect(scan(code128(digits).modules)).toBe(digits)
  })

  test('every pair of digits with every check symbol', () => {
    const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
    const numbers = pairs.flatMap((pair) => [`${pair}00`, `${pair}50`, `00${pair}`])
    const checks = numbers.map((n) => (105 + Number(n.slice(0, 2)) + 2 * Number(n.slice(2))) % 103)
    expect(new Set(checks).size).toBe(103)
    expect(numbers.filter((digits) => scan(code128(digits).modules) !== digits)).toEqual([])
  })

  test('200 numbers of any length', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(\d\d){1,30}$/), (digits) => {
        expect(scan(code128(digits).modules)).toBe(digits)
      }),
      { numRuns: 200 },
    )
  })
})

test('a bar code of 1234 is drawn as the standard says', () => {
  const bars = code128('1234')
    .modules.map((dark) => (dark ? '#' : ' '))
    .join('')
  // Start C, 12, 34, check (105 + 12 + 2 * 34) % 103 = 82, stop.
  const symbols = ['## #  ###  ', '# ##  ###  ', '#   # ##   ', '#  #  #### ', '##   ### # ##']
  expect(bars).toBe(symbols.join(''))
})

// A scanner tolerates a bar that is a little too wide; this test does not.
test('every symbol is three bars of 11 modules, an even number of them dark', () => {
  for (let pair = 0; pair < 100; pair += 1) {
    const { modules } = code128(String(pair).padStart(2, '0'))
    for (const symbol of [modules.slice(11, 22), modules.slice(22, 33)]) {
      const bars = symbol.map((dark) => (dark ? '#' : ' ')).join('')
      expect(bars).toMatch(/^(#{1,4} {1,4}){3}$/)
      expect(symbol.filter(Boolean).length % 2).toBe(0)
    }
    expect(modules).toHaveLength(3 * 11 + 13)
  }
})

test.each([
  ['nothing', ''],
  ['an odd number of digits', '123'],
  ['more than 60 digits', '0'.repeat(62)],
  ['letters', '12ab'],
  ['a space', '12 4'],
  ['a line break', '12\n'],
  ['digits of another script', '１２'],
])('%s is refused', (_, digits) => {
  expect(() => code128(digits)).toThrow(RangeError)
})
