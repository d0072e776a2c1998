import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const read = (text: string) => readJson(Buffer.from(text))

test.each([
  ['a key twice in one object', '{"amount":1,"amount":2}', 'stands twice'],
  ['a key twice, once escaped', '{"amount":1,"\\u0061mount":2}', 'stands twice'],
  ['a key twice further in', '{"a":[{"b":1,"b":1}]}', 'stands twice'],
  ['__proto__', '{"metadata":{"__proto__":{"x":1}}}', '__proto__'],
  ['an escaped __proto__', '{"\\u005f_proto__":1}', '__proto__'],
  ['U+0000', '{"a":"x\\u0000"}', 'U+0000'],
  ['half of a surrogate pair', '{"a":"\\ud800"}', 'surrogate'],
  ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 'nested'],
  ['a byte order mark', '\ufeff{}', 'not valid JSON'],
  ['text after the value', '{} {}', 'not valid JSON'],
  ['NaN', '{"a":NaN}', 'not valid JSON'],
])('refuses %s', (_, text, words) => {
  expect(() => read(text)).toThrow(words)
})

test('refuses more keys than any honest body has', () => {
  const many = Array.from({ length: 6000 }, (_, index) => `"k${index}":1`)
  expect(() => read(`{${many.join(',')}}`)).toThrow('too many keys')
})

test('refuses invalid UTF-8', () => {
  expect(() => readJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('UTF-8')
})

test('the same key in different objects, and a value that looks like a key, are fine', () => {
  expect(read('[{"a":1},{"a":{"a":"a"}},"a"]')).toEqual([{ a: 1 }, { a: { a: 'a' } }, 'a'])
})

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/i.test(text))
      expect(read(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})
