import { expect, test } from 'vitest'
import { closestWord } from './closest-word.ts'

const words = ['charges list', 'merchants', 'migrate', 'open', 'serve', 'json', 'no-follow']

test.each([
  ['charge list', 'charges list'],
  ['merchnats', 'merchants'],
  ['MIGRATE', 'migrate'],
  ['opne', 'open'],
  ['nofollow', 'no-follow'],
])('%s probably means %s', (typed, meant) => {
  expect(closestWord(typed, words)).toBe(meant)
})

test.each(['', 'refund', 'x'.repeat(100), 'on'])('%j means none of them', (typed) => {
  expect(closestWord(typed, words)).toBeNull()
})
