import { expect, test } from 'vitest'
import { isUuid, newId, newUnguessableId, randomText } from './ids.ts'

test('ids of one process sort in the order in which they were made', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => newId(1_700_000_000_000 + (index >> 9)))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(5000)
})

test('an id carries its instant, version 7 and the right variant', () => {
  const id = newId(0x0192_3456_789a)
  expect(id).toMatch(/^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(isUuid(id)).toBe(true)
})

test('the last 62 bits are random: all bits change, none repeats', () => {
  let set = 0n
  let clear = 0n
  const tails = new Set<bigint>()
  for (let i = 0; i < 2000; i += 1) {
    const tail = BigInt(`0x${newId(1).replaceAll('-', '').slice(16)}`)
    tails.add(tail)
    set |= tail
    clear |= ~tail
  }
  const random_bits = 0x3fff_ffff_ffff_ffffn
  expect(set & random_bits).toBe(random_bits)
  expect(clear & random_bits).toBe(random_bits)
  expect(tails.size).toBe(2000)
  expect(newUnguessableId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
})

test('random text uses every letter and digit about equally', () => {
  const counts = new Map<string, number>()
  for (const letter of randomText(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
})
