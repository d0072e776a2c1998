import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { newKeyText, readKeys } from './key-ring.ts'
import { newPasswords } from './password-hash.ts'

const keys = () =>
  readKeys(
    readConfig({
      SIGNING_KEYS: newKeyText(),
      VAULT_KEYS: newKeyText(),
      FINGERPRINT_KEYS: newKeyText(),
    }),
  ).fingerprint
const ring = keys()
const passwords = newPasswords(ring)

test('a password is stored as Argon2id with the parameters that OWASP recommends', async () => {
  const hash = await passwords.hash('tulip-47-garden')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hash, 'tulip-47-garden')).toBe(true)
  expect(await passwords.verify(hash, 'tulip-47-gardem')).toBe(false)
  expect(await passwords.verify(null, 'tulip-47-garden')).toBe(false)
  expect(await newPasswords(keys()).verify(hash, 'tulip-47-garden')).toBe(false)
})

test('full and half width are the same password', async () => {
  const hash = await passwords.hash('ＴＵＬＩＰ 47 ｶﾞｰﾃﾞﾝ')
  expect(await passwords.verify(hash, 'TULIP 47 ガーデン')).toBe(true)
})

test('a hash with other parameters is outdated and still verified', async () => {
  const weak = newPasswords(ring, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
  const hash = await weak.hash('tulip-47-garden')
  expect([weak.isOutdated(hash), passwords.isOutdated(hash)]).toEqual([false, true])
  expect(await passwords.verify(hash, 'tulip-47-garden')).toBe(true)
})

test('a flood is refused immediately, the event loop stays free, and the queue empties', async () => {
  let refused = 0
  const hashes = Array.from({ length: 60 }, () => {
    try {
      return passwords.verify(null, 'tulip-47-garden')
    } catch (error) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retry_after_s: 2 })
      refused += 1
      return false
    }
  })
  expect(refused).toBeGreaterThanOrEqual(30)
  let ticks = 0
  let done = false
  const counting = (async () => {
    while (!done) {
      await setImmediate()
      ticks += 1
    }
  })()
  expect(new Set(await Promise.all(hashes))).toEqual(new Set([false]))
  done = true
  await counting
  // A blocked loop would turn about once for each hash.
  expect(ticks).toBeGreaterThan(100)
  expect(await passwords.verify(null, 'again')).toBe(false)
})

test('an unknown user takes as long to check as a known one', async () => {
  const hash = await passwords.hash('tulip-47-garden')
  // Processor time, alternating and the minimum of many: other load of the machine does not matter.
  const cost = async (of: string | null) => {
    const begin = process.cpuUsage()
    await passwords.verify(of, 'wrong-47-garden')
    const { user, system } = process.cpuUsage(begin)
    return user + system
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let index = 0; index < 15; index += 1) {
    known.push(await cost(hash))
    unknown.push(await cost(null))
  }
  const [of_somebody, of_nobody] = [Math.min(...known), Math.min(...unknown)]
  expect(of_nobody / of_somebody).toBeGreaterThan(0.5)
  expect(of_nobody / of_somebody).toBeLessThan(2)
})
