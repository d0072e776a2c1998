import { expect, test } from 'vitest'
import { base32, matchTotp, otpauthUrl, totpCode, totpStep } from './totp.ts'

// The secret and the codes of RFC 6238, appendix B.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at second %i the code is %s', (second, code) => {
  expect(totpCode(secret, totpStep(second * 1000), 8)).toBe(code)
})

test('the six digits are the last ones of the eight', () => {
  expect(totpCode(secret, totpStep(59_000))).toBe('287082')
})

// The test vectors of RFC 4648, section 10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base 32 of "%s" is "%s"', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('a code is taken one step early and late, and not two', () => {
  const now_ms = 1_700_000_010_000
  const step = totpStep(now_ms)
  for (const off of [-1, 0, 1]) {
    expect(matchTotp(secret, totpCode(secret, step + off), now_ms)).toBe(step + off)
  }
  for (const off of [-2, 2]) {
    expect(matchTotp(secret, totpCode(secret, step + off), now_ms)).toBeNull()
  }
  expect(matchTotp(secret, '', now_ms)).toBeNull()
  expect(matchTotp(secret, '12345678', now_ms)).toBeNull()
})

test('the address for an app names the issuer and the account', () => {
  expect(otpauthUrl(secret, 'Kaikei', 'a+b@shop.example')).toBe(
    'otpauth://totp/Kaikei:a%2Bb%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Kaikei&algorithm=SHA1&digits=6&period=30',
  )
})
