import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Metadata } from './metadata.ts'
import { searchQuery, searchWords, termWords } from './search-words.ts'

// Search without a database: a term matches when each of its words is a prefix of a word of the row.
const merchant_id = '0190a000-0000-7000-8000-0000000abcde'

function wordsOf(text: string | null): string[] {
  const found = (text ?? '').matchAll(/'abcde((?:[^'\\]|''|\\\\)*)'/g)
  return [...found].map(([, word = '']) => word.replaceAll("''", "'").replaceAll('\\\\', '\\'))
}

function wordsIn(...values: Metadata[string][]): string[] {
  return wordsOf(searchWords(merchant_id, null, null, null, { values }))
}

function finds(term: string, ...values: Metadata[string][]): boolean {
  const words = wordsIn(...values)
  const wanted = termWords(term)
  return wanted.length > 0 && wanted.every((word) => words.some((one) => one.startsWith(word)))
}

const id = '0190a000-1111-7222-8333-444444444444'

test.each<[string, string[], string[]]>([
  ['Taro Yamada', ['taro', 'TARO', 'yam', 'yamada taro', ' taro  y '], ['aro', 'yamadas', 'jiro']],
  [
    'taro.yamada+shop@mail.example.com',
    ['taro.yamada+shop@mail.example.com', 'TARO.YAM', 'taro.yamada+shop@mail.example'],
    ['yamada', 'mail.example', 'com'],
  ],
  ['A-2024/0001', ['a-2024/0001', 'A-2024', '2024', '0001', '2024/0', '0001 a-'], ['24', 'a 2025']],
  ['order #1234567, paid', ['1234567', '#1234567', '1234567,', 'paid order'], ['4567']],
  [id, [id, id.toUpperCase(), '0190a000', id.slice(0, 20)], ['1111', '444444444444']],
  ['Ｔａｒｏ　１２３', ['taro', '123', 'ＴＡＲＯ'], ['23']],
  ["O'Brien\\Sons", ["o'brien", "O'BRIEN\\sons", 'brien', 'sons'], ['obrien']],
  ['a:b&c|d!e*f(g)<->h', ['a:b&c|d', 'b&c', 'e*f', 'h', '!a'], ['a & b x', 'a|x']],
  ['naïve café', ['naïve', 'cafe\u0301', 'CAFÉ'], ['cafe']],
  ['50%_off', ['50%', '50%_off', 'off'], ['50_off', '0%']],
  ['two\nlines\tand more', ['lines', 'two and'], ['wo']],
])('%s is found by words of it, and by nothing else', (value, found, missed) => {
  for (const term of found) expect([term, finds(term, value)]).toEqual([term, true])
  for (const term of missed) expect([term, finds(term, value)]).toEqual([term, false])
})

test.each<[string, string[], string[]]>([
  ['北海道札幌市中央区', ['北', '海道', '札幌市', '央区', '北海道札幌市中央区'], ['北道', '札市']],
  ['山田太郎', ['山田', '田太', '郎'], ['太田']],
  ['ﾔﾏﾀﾞ', ['ヤマダ', 'ﾏﾀﾞ', 'ダ'], ['タ']],
  ['スーパーマーケット', ['ーパー', 'マーケット'], ['スパ']],
  ['東京都港区六本木1-2-3ヒルズ', ['六本木1-2', '木1-2-3ヒル', '2-3ヒルズ', '3ヒル'], ['木2']],
  ['김철수', ['철수', '수'], ['김수']],
  ['ร้านกาแฟ', ['กาแฟ'], ['กแฟ']],
  ['iPhone15ケース', ['iphone15', 'ケース', 'ース'], ['phone']],
  ['party🎉👨‍👩‍👧', ['🎉', 'party🎉', '👩', '👨‍👩‍👧'], ['🎂']],
])('any part of %s is found, since nothing parts its words', (value, found, missed) => {
  for (const term of found) expect([term, finds(term, value)]).toEqual([term, true])
  for (const term of missed) expect([term, finds(term, value)]).toEqual([term, false])
})

test('values inside of values are found, names of keys are not', () => {
  const value = { color: ['blue', { size: 12.5 }, true, null] }
  for (const term of ['blue', '12.5', 'true']) expect(finds(term, value)).toBe(true)
  for (const term of ['color', 'size', 'null', 'false']) expect(finds(term, value)).toBe(false)
})

test('a term of signs alone has no words, and a row of nothing has none', () => {
  for (const term of ['', ' ', '%', "' & !", '---', '\\', ':*', '\u0000', '\ud800']) {
    expect(searchQuery(merchant_id, termWords(term))).toBeNull()
  }
  expect(searchWords(merchant_id, null, null, null, { a: null, b: [], c: '--' })).toBeNull()
})

test('the payer comes first, and no value takes the place of all others', () => {
  const metadata: Metadata = { text: '長い文章'.repeat(1000), list: 'x-'.repeat(5000) }
  for (let n = 0; n < 98; n += 1) metadata[`key${n}`] = `value ${n}`
  const words = wordsOf(searchWords(merchant_id, 'Taro', 'a@example.com', '4242', metadata))
  expect(words.length).toBeLessThanOrEqual(96)
  expect(words).toEqual(expect.arrayContaining(['taro', 'a@example.com', '4242', 'value']))
  expect(Math.max(...words.map((word) => [...word].length))).toBeLessThanOrEqual(40)
  const long = 'k'.repeat(300)
  expect(wordsIn(long)).toEqual(['k'.repeat(40)])
  expect(finds(long, long)).toBe(true)
  expect(termWords('a b c d e f g h i j k l m n o p q r s t')).toHaveLength(16)
})

test('words and queries are quoted', () => {
  expect(searchWords(merchant_id, "O'Hara", null, null, { a: 'x\\y' })).toBe(
    "'abcdeo''hara' 'abcdehara' 'abcdex\\\\y' 'abcdey'",
  )
  expect(searchQuery(merchant_id, termWords("o'h x:*"))).toBe("'abcdeo''h':* & 'abcdex':*")
})

test('every short text finds itself, in capitals and among others too', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(..."abcXYZ019 -_.@/'\\:&|!*()%東京ーがЖé🎉") },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 1 }) },
  )
  const text = fc.array(unit, { maxLength: 24 }).map((units) => units.join(''))
  fc.assert(
    fc.property(text, text, (value, other) => {
      if (termWords(value).length === 0) return
      expect(finds(value, value)).toBe(true)
      expect(finds(value, other, value)).toBe(true)
      expect(finds(value.normalize('NFD'), value)).toBe(true)
    }),
  )
})

test('letters of ASCII are read as all others are', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (value) => {
      // One character beyond ASCII, after a space, leads to the other branch.
      expect(wordsIn(`${value} é`)).toEqual([...new Set([...wordsIn(value), 'é'])])
    }),
  )
})
