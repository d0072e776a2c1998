import { expect, test } from 'vitest'
import { displayWidth, fitText, printable } from './display-width.ts'

test.each([
  ['Shop', 4],
  ['山田 太郎', 9],
  ['ｶﾅ', 2],
  ['ＡＢＣ', 6],
  ['ラーメン', 8],
  ['한국', 4],
  ['e\u0301', 1],
  ['💴', 2],
  ['𠮷野家', 6],
])('%s takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns)
})

test.each([
  ['花子', 6, 'left', '花子  '],
  ['1,000 JPY', 11, 'right', '  1,000 JPY'],
  ['Flower shop', 8, 'left', 'Flower …'],
  ['花屋さん', 6, 'left', '花屋… '],
] as const)('%s fits into %i columns', (text, columns, align, fitted) => {
  expect(fitText(text, columns, align)).toBe(fitted)
  expect(displayWidth(fitted)).toBe(columns)
})

test('a name cannot move the cursor, color the screen or turn the text around', () => {
  expect(printable('a\u001b[31mb\nc\u202ed')).toBe('a\ufffd[31mb\ufffdc\ufffdd')
})
