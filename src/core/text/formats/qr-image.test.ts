import {
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { qrImage, qrSvg } from './qr-image.ts'

const reader = new QRCodeReader()

// With the hint that the image is nothing but a code: searching in a photograph, this reader misses the
// corners of one good code in a hundred.
const hints = new Map([[DecodeHintType.PURE_BARCODE, true]])

/** The dark modules that a path fills. Anything but the expected runs is an error. */
function modulesOf({ size, path }: { size: number; path: string }): boolean[][] {
  const grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const rest = path.replace(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g, (_, x, y, width, back) => {
    expect(back).toBe(width)
    grid[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
    return ''
  })
  expect(rest).toBe('')
  return grid
}

/** Draws every module three pixels wide and scans the picture. */
function scan(image: { size: number; path: string }): string {
  const scale = 3
  const grid = modulesOf(image)
  const side = image.size * scale
  const pixels = new Uint8ClampedArray(side * side)
  for (let i = 0; i < pixels.length; i += 1) {
    const row = grid[Math.floor(i / side / scale)]
    pixels[i] = row?.[Math.floor((i % side) / scale)] ? 0 : 255
  }
  const source = new RGBLuminanceSource(pixels, side, side)
  return reader.decode(new BinaryBitmap(new GlobalHistogramBinarizer(source)), hints).getText()
}

describe('a phone reads back', () => {
  test.each([
    'https://pay.example/c/11ee4f8a-0b1c-4d2e-8f3a-5b6c7d8e9f00',
    'https://shop.example/pay?amount=1000&currency=JPY&name=%E5%A4%AA%E9%83%8E#top',
    'HTTPS://PAY.EXAMPLE/12345',
    'お支払いはこちらから',
    '「会計」¥1,000 税込 😀',
    '0123456789',
    'a',
    '<script>alert("1")</script>&amp;',
    `https://pay.example/${'x'.repeat(500)}`,
  ])('%s', (text) => {
    expect(scan(qrImage(text))).toBe(text)
  })

  test('any URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(scan(qrImage(url))).toBe(url)
      }),
      { numRuns: 100 },
    )
  })

  test('a text with half a character, which is replaced', () => {
    expect(scan(qrImage('支払い\ud83d。'))).toBe('支払い\ufffd。')
  })
})

test('four light modules lie around the code, and no more', () => {
  const { size, path } = qrImage('https://pay.example/c/1')
  const grid = modulesOf({ size, path })
  const rows = grid.flatMap((row, y) => (row.includes(true) ? [y] : []))
  const columns = grid.flatMap((row) => row.flatMap((dark, x) => (dark ? [x] : [])))
  expect([rows[0], rows.at(-1)]).toEqual([4, size - 5])
  expect([Math.min(...columns), Math.max(...columns)]).toEqual([4, size - 5])
  expect((size - 8 - 17) % 4).toBe(0)
})

test('the level of correction is M', () => {
  // The first two bits of the format beside the upper left square, which are masked with 10.
  const row = modulesOf(qrImage('https://pay.example/c/1'))[4 + 8]
  expect(row?.slice(4, 6)).toEqual([true, false])
})

test('a text too long for a code is refused', () => {
  expect(() => qrImage('x'.repeat(2331))).not.toThrow()
  expect(() => qrImage('x'.repeat(2332))).toThrow(RangeError)
  expect(() => qrSvg('x'.repeat(1_000_000))).toThrow(RangeError)
})

test('the document has a light ground, a path and nothing of the text', () => {
  const text = '"><script>alert(1)</script>'
  const { size, path } = qrImage(text)
  const svg = qrSvg(text)
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*>.*<\/svg>$/)
  expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`)
  expect(svg).toContain('shape-rendering="crispEdges"')
  expect(svg).toContain(`<rect width="${size}" height="${size}" fill="#fff"/>`)
  expect(svg).toContain(`<path d="${path}" fill="#000"/>`)
  expect(svg.match(/<\/?\w+/g)).toEqual(['<svg', '<rect', '<path', '</svg'])
  expect(svg).not.toMatch(/script|alert/)
})
