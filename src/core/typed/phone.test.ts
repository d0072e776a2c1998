import { isValidPhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { isJapanesePhone, isValidPhone, phoneDigits, readPhone } from './phone.ts'

describe("a cardholder's number", () => {
  test.each([
    ['81', '09012345678', 81, '09012345678'],
    [81, '090-1234-5678', 81, '09012345678'],
    ['+81', '(03) 1234 5678', 81, '0312345678'],
    ['1', '1', 1, '1'],
    [1, '12345678901234', 1, '12345678901234'],
    ['852', '0042', 852, '0042'],
    [870, '123456', 870, '123456'],
  ])('%j %j is read', (code, number, country_code, local_number) => {
    expect(readPhone(code, number)).toEqual({ country_code, local_number })
  })

  test.each([
    ['a code of no country', '999', '12345678'],
    ['another code of no country', 12, '12345678'],
    ['zero', 0, '12345678'],
    ['a code with a leading zero', '081', '12345678'],
    ['four digits of code', '1242', '12345678'],
    ['a negative code', -81, '12345678'],
    ['half a code', 8.1, '12345678'],
    ['no code', '', '12345678'],
    ['letters for a code', 'JP', '12345678'],
    ['no number', '81', ''],
    ['only hyphens', '81', '---'],
    ['fifteen digits', '81', '123456789012345'],
    ['letters in the number', '81', '090CALLME'],
    ['a plus in the number', '81', '+819012345678'],
    ['digits of another width', '81', '０９０１２３４５６７８'],
    ['a line break', '81', '09012345678\n'],
  ])('%s is refused', (_, code, number) => {
    expect(readPhone(code, number)).toBeNull()
  })

  test('takes the country codes that the library knows, and no others', () => {
    const known = (code: number) => {
      try {
        parsePhoneNumberFromString('12345', { defaultCallingCode: String(code) })
        return true
      } catch {
        return false
      }
    }
    const codes = Array.from({ length: 999 }, (_, i) => i + 1)
    expect(codes.filter((code) => readPhone(code, '12345') !== null)).toEqual(codes.filter(known))
  })
})

describe('a Japanese number', () => {
  test.each([
    ['mobile', '09012345678'],
    ['mobile, written out', '080-1234-5678'],
    ['mobile without the zero', '7012345678'],
    ['mobile, made up', '09000000000'],
    ['mobile of the newest block', '06012345678'],
    ['Tokyo', '03-1234-5678'],
    ['Osaka', '(06) 6123 4567'],
    ['a longer area code', '0123456789'],
    ['freephone', '0120123456'],
    ['longer freephone', '08001234567'],
    ['internet telephone', '05012345678'],
  ])('%s', (_, number) => {
    expect(isJapanesePhone('81', number)).toBe(true)
    expect(isJapanesePhone(81, number)).toBe(true)
    expect(isValidPhoneNumber(number, 'JP')).toBe(true)
  })

  test.each([
    ['another country', '1', '2125550123'],
    ['another country with the digits of a Japanese mobile number', 1, '9012345678'],
    ['another country with the digits of a number in Tokyo', '82', '0312345678'],
    ['a mobile number with a digit missing', '81', '0901234567'],
    ['a mobile number with a digit too many', '81', '090123456789'],
    ['a fixed line with a digit missing', '81', '031234567'],
    ['an emergency number', '81', '110'],
    ['the country code repeated', '81', '819012345678'],
    ['an international prefix', '81', '00819012345678'],
    ['zeros', '81', '0000000000'],
    ['eight digits', '81', '12345678'],
    ['nothing', '81', ''],
    ['no code', '', '09012345678'],
  ])('is not %s', (_, code, number) => {
    expect(isJapanesePhone(code, number)).toBe(false)
  })
})

test.each([
  ['1', '2125550123', true],
  ['1', '1 (212) 555-0123', true],
  ['44', '07400 123456', true],
  ['7', '89123456789', true],
  ['86', '13812345678', true],
  ['800', '12345678', true],
  ['1', '0000000000', false],
  ['44', '1', false],
  ['999', '12345678', false],
  ['81', '123', false],
])('+%s %s is valid: %s', (code, number, valid) => {
  expect(isValidPhone(code, number)).toBe(valid)
})

test.each([
  ['+81 90-1234-5678', '819012345678'],
  [' 81 90-1234-5678', '819012345678'],
  ['+81 (0)90 1234 5678', '819012345678'],
  ['+1 212-555-0123', '12125550123'],
  ['+999 123', '999123'],
  ['090-1234-5678', '9012345678'],
  ['(03) 1234.5678', '312345678'],
  ['819012345678', '819012345678'],
  ['0', '0'],
])('%s is looked for as %s', (text, digits) => {
  expect(phoneDigits(text)).toBe(digits)
})
