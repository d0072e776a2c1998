import { expect, test } from 'vitest'
import { halfWidth } from './half-width.ts'

test.each([
  ['４２４２　４２４２－４２４２－４２４２', '4242 4242-4242-4242'],
  ['０３／２８', '03/28'],
  ['０９０ー１２３４ー５６７８', '090-1234-5678'],
  ['090ｰ1234ｰ5678', '090-1234-5678'],
  ['090‐1234‑5678', '090-1234-5678'],
  ['１０３−０００１', '103-0001'],
  ['（０３）１２３４・５６７８', '(03)1234・5678'],
  ['＋８１　９０', '+81 90'],
  ['１，２００．５０', '1,200.50'],
  ['1。5、0', '1.5,0'],
  ['103-0001', '103-0001'],
  ['', ''],
])('%s is read as %s', (typed, read) => {
  expect(halfWidth(typed)).toBe(read)
})

test('other scripts and pictures stay as they are', () => {
  expect(halfWidth('山田①ガ½𝟙')).toBe('山田①ガ½𝟙')
})
