import { expect, test } from 'vitest'
import { isLinearizable, type RegisterOperation } from '../../lab/checks/linearizable.ts'

const never = Number.POSITIVE_INFINITY
const write = (value: string, began_ms: number, ended_ms: number): RegisterOperation => ({
  kind: 'write',
  value,
  began_ms,
  ended_ms,
})
const read = (value: string, began_ms: number, ended_ms: number): RegisterOperation => ({
  ...write(value, began_ms, ended_ms),
  kind: 'read',
})

test.each<[string, boolean, RegisterOperation[]]>([
  ['nothing happened', true, []],
  ['the first value', true, [read('0', 1, 2)]],
  ['a value that nobody wrote', false, [read('1', 1, 2)]],
  ['what was written before', true, [write('1', 1, 2), read('1', 3, 4)]],
  ['an older value than was acknowledged', false, [write('1', 1, 2), read('0', 3, 4)]],
  ['either value while it is written', true, [write('1', 1, 9), read('1', 2, 3), read('1', 4, 5)]],
  ['a value that goes back', false, [write('1', 1, 9), read('1', 2, 3), read('0', 4, 5)]],
  [
    'two writes in the order that readers saw',
    true,
    [write('1', 1, 9), write('2', 1, 9), read('2', 2, 3), read('1', 4, 5)],
  ],
  [
    'two writes that readers saw in both orders',
    false,
    [write('1', 1, 9), write('2', 1, 9), read('2', 2, 3), read('1', 4, 5), read('2', 6, 7)],
  ],
  ['a write without a response that took effect', true, [write('1', 1, never), read('1', 3, 4)]],
  ['one that took effect later', true, [write('1', 1, never), read('0', 3, 4), read('1', 5, 6)]],
  ['one that never did', true, [write('1', 1, never), read('0', 3, 4)]],
  [
    'one that took effect and was lost again',
    false,
    [write('1', 1, never), read('1', 3, 4), read('0', 5, 6)],
  ],
  ['a read without a response', true, [read('1', 1, never)]],
])('%s: %s', (_, expected, history) => {
  expect(isLinearizable(history, '0')).toBe(expected)
})
