import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { newLog } from '../../log.ts'
import { maskText, sensitive } from './sensitive.ts'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln'

test.each([
  ['a card number', 'card 4242424242424242 used', 'card [card] used'],
  ['one with spaces', '4242 4242 4242 4242', '[card]'],
  ['one with hyphens', '4242-4242-4242-4242', '[card]'],
  ['one in an address', '/x?card_number=4000%200000%200000%200002', '/x?card_number=[card]'],
  ['one before a security code', '4242 4242 4242 4242 123', '[card]'],
  ['one before an expiry', 'x 4242-4242-4242-4242-1230-123 y', 'x [card] y'],
  ['one behind other digits', 'order 12 4242 4242 4242 4242', 'order [card]'],
  ['one behind a long number', '1234 4242 4242 4242 4242', '[card]'],
  ['one with points', '"4242.4242.4242.4242"', '"[card]"'],
  ['one in full-width digits', '４２４２ ４２４２ ４２４２ ４２４２', '[card]'],
  ['a JWT', `got ${jwt}`, 'got [hidden]'],
  ['a secret and JWT', `x AbC123.${jwt} y`, 'x [hidden] y'],
  ['a bearer header', '"Bearer abcdef123"', '"[hidden]"'],
])('masks %s', (_, text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test.each([
  ['a UUID of digits', '42424242-4242-4242-8242-424242424242'],
  ['digits that fail the check', '4242424242424241'],
  ['a fraction', '{"ms":12.4242424242424242}'],
  ['a long number', '42424242424242424242424'],
  ['a time stamp', '"time":"2026-01-15T00:00:00.000Z"'],
])('leaves %s alone', (_, text) => {
  expect(maskText(text)).toBe(text)
})

test('a sensitive value is shown only when it is revealed', () => {
  const value = sensitive('4242424242424242')
  expect(JSON.stringify({ value })).toBe('{"value":"[hidden]"}')
  expect(`${value}`).toBe('[hidden]')
  expect(inspect({ value })).not.toContain('4242')
  expect(value.reveal()).toBe('4242424242424242')
})

test('a log line is masked by what it holds, wherever it stands', () => {
  const lines: string[] = []
  const log = newLog('trace', { write: (line: string) => void lines.push(line) })
  log.error({ err: new Error(`no 4242424242424242 and ${jwt}`), deep: { a: [{ cvv: '123' }] } })
  log.info({ headers: { authorization: 'Bearer x.y' }, secret: 'abc' }, 'card 4000 0000 0000 0002')
  expect(lines).toHaveLength(2)
  expect(lines.join()).not.toMatch(/4242424242424242|0002|eyJ|x\.y|abc/)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

test.each([
  'a'.repeat(400_000),
  `${'a'.repeat(400_000)}%`,
  `${'a-'.repeat(200_000)}.`,
  '%20'.repeat(130_000),
  'eyJ'.repeat(130_000),
])('a text is masked in a time that grows with its length only', (text) => {
  // Scanning again from each position would take minutes.
  expect(maskText(text)).toBe(text)
})
