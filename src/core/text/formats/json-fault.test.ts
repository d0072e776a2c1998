import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonFault } from './json-fault.ts'

// The engine decides what is JSON; only the position of the fault is computed here.
test.each([
  ['', 1, 1],
  ['abc', 1, 1],
  ['{', 1, 2],
  ['{"a" 1}', 1, 6],
  ['{"a":1,}', 1, 8],
  ['{"a":1\n"b":2}', 2, 1],
  ['[1,\n  2,\n  x]', 3, 3],
  ['{"a":"\u0001"}', 1, 7],
  ['{"a":"b', 1, 8],
  ['{"a":01}', 1, 7],
  ["{'a':1}", 1, 2],
  ['{"a":1} x', 1, 9],
  ['[1,]', 1, 4],
  ['{"amount": 1000,\n "currency": JPY}', 2, 14],
])('%j goes wrong at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(findJsonFault(text)).toEqual({ line, column })
})

test('a text that the engine takes has no fault before its end', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1)
      const lines = text.split('\n')
      const column = (lines.at(-1)?.length ?? 0) + 1
      expect(findJsonFault(text)).toEqual({ line: lines.length, column })
    }),
  )
})

test('a fault is found no later than the character that was put in', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, place) => {
      const text = JSON.stringify(value)
      const at = place % (text.length + 1)
      const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`
      // Numbers and words are read as a whole: the fault is where they begin.
      const { line, column } = findJsonFault(broken)
      expect(line).toBe(1)
      expect(column).toBeLessThanOrEqual(at + 1)
    }),
  )
})

test('brackets as deep as a body is long do not use up the stack', () => {
  expect(findJsonFault('['.repeat(256 * 1024))).toEqual({ line: 1, column: 256 * 1024 + 1 })
})
