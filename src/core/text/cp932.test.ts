import { expect, test } from 'vitest'
import { encodeCp932 } from './cp932.ts'

const hexOf = (text: string) => Buffer.from(encodeCp932(text).bytes).toString('hex')

test('Japanese text has the bytes that Windows writes', () => {
  expect(hexOf('売上 A1')).toBe('9484 8fe3 20 41 31'.replaceAll(' ', ''))
  expect(hexOf('ｱｲ')).toBe('b1b2')
  // Characters of machines and of IBM, and characters with two codes.
  expect(hexOf('①髙㈱')).toBe('8740fbfc878a')
  expect(hexOf('∵¬')).toBe('81e681ca')
  expect(hexOf('〜−—¥')).toBe('8160817c815c818f')
})

test('a decoder reads back what was written', () => {
  const text = 'ヴィルヘルミーナ・髙橋 ﾊﾝｶｸ ～−①㈱ 12,800'
  const { bytes, missing } = encodeCp932(text)
  expect(missing).toBe(0)
  expect(new TextDecoder('shift_jis').decode(bytes)).toBe(text.replace('−', '－'))
})

test('characters that it does not have are counted and shown as 〓', () => {
  const { bytes, missing } = encodeCp932('𠮷野家 🍵 é')
  expect(new TextDecoder('shift_jis').decode(bytes)).toBe('〓野家 〓 〓')
  expect(missing).toBe(3)
})
