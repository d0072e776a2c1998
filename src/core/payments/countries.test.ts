import isoCountries from 'i18n-iso-countries'
import { expect, test } from 'vitest'
import { isCountry } from './countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const every_pair = letters.flatMap((first) => letters.map((second) => first + second))

test('the list is the one of i18n-iso-countries', () => {
  // The library has Kosovo as XK: in wide use, but user-assigned and not in the standard.
  const theirs = Object.keys(isoCountries.getAlpha2Codes()).filter((code) => code !== 'XK')
  const ours = every_pair.filter(isCountry)
  expect(ours).toEqual(theirs.sort())
  expect(ours).toHaveLength(249)
})

test.each(['JP', 'jp', 'Us', 'GB', 'BR'])('%s is a country', (code) => {
  expect(isCountry(code)).toBe(true)
})

test.each([
  ['a reserved code', 'UK'],
  ['a union of countries', 'EU'],
  ['a code assigned by its users', 'XK'],
  ['a country that is no more', 'SU'],
  ['three letters', 'JPN'],
  ['one letter', 'J'],
  ['nothing', ''],
  ['two codes', 'JP US'],
  ['a space', 'JP '],
  ['a line break', 'JP\n'],
  ['a letter that is two when raised', 'ß'],
])('%s is not a country', (_, code) => {
  expect(isCountry(code)).toBe(false)
})
