import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { newKeyText, readKeys } from './key-ring.ts'
import { type SealContext, seal, unseal } from './seal.ts'

function ringOf(keys: string) {
  const fingerprint = newKeyText()
  const config = readConfig({
    SIGNING_KEYS: newKeyText(),
    VAULT_KEYS: keys,
    FINGERPRINT_KEYS: fingerprint,
  })
  return readKeys(config).vault
}

const old_key = newKeyText()
const ring = ringOf(old_key)
const context: SealContext = { table: 't', column: 'c', merchant_id: 'm', row_id: 'r' }

test('a sealed value opens in its own context', () => {
  expect(unseal(ring, context, seal(ring, context, 'secret')).toString()).toBe('secret')
})

test.each(['table', 'column', 'merchant_id', 'row_id'] as const)(
  'moved to another %s it does not open',
  (part) => {
    const sealed = seal(ring, context, 'secret')
    expect(() => unseal(ring, { ...context, [part]: 'other' }, sealed)).toThrow('was changed')
  },
)

test('any flipped byte is noticed', () => {
  const sealed = seal(ring, context, 'secret')
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Buffer.from(sealed)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    expect(() => unseal(ring, context, flipped)).toThrow(/changed|cannot be opened/)
  }
  for (const length of [0, 1, 5, sealed.length - 1]) {
    expect(() => unseal(ring, context, sealed.subarray(0, length))).toThrow()
  }
})

test('after a rotation old values open and new ones use the new key', () => {
  const sealed = seal(ring, context, 'secret')
  const rotated = ringOf(`${newKeyText()},${old_key}`)
  expect(unseal(rotated, context, sealed).toString()).toBe('secret')
  expect(() => unseal(ring, context, seal(rotated, context, 'x'))).toThrow('cannot be opened')
})

test('no two seals are alike', () => {
  const seen = new Set(Array.from({ length: 5000 }, () => seal(ring, context, '').toString('hex')))
  expect(seen.size).toBe(5000)
})
