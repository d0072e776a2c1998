import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bins } from './card-bins.ts'
import { passesLuhn } from './card-number.ts'
import { holdsCardNumber, maskCardNumbers } from './find-card-numbers.ts'

const cards = [
  ...['4242424242424242', '4111111111111111', '4222222222222', '4000000000000002'],
  ...['5555555555554444', '2223003122003222', '378282246310005', '371449635398431'],
  ...['30569309025904', '36227206271667', '6011111111111117', '6500000000000002'],
  ...['3530111333300000', '3566002020360505', '6200000000000005', '8100000000000002'],
  ...['6759649826438453', '4000056655665556', '6900000000000008', '6205500000000000004'],
]

test.each(cards)('%s is found alone, in groups, and in a sentence', (number) => {
  const groups = (number.match(/\d{1,4}/g) ?? []).join(' ')
  const wide = number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  for (const text of [
    number,
    groups,
    groups.replaceAll(' ', '-'),
    groups.replaceAll(' ', '.'),
    groups.replaceAll(' ', ' - '),
    groups.replaceAll(' ', 'ー'),
    groups.replaceAll(' ', '\u3000'),
    groups.replaceAll(' ', '%20'),
    wide,
    `カード番号は${number}です`,
    `card:${number}, exp 12/30`,
    `VISA${number}`,
    `No.${number}`,
    `order_${number}_1`,
    `https://shop.example/?pan=${number}&x=1`,
    `https://shop.example/${encodeURIComponent(`card ${groups}, ${number}`)}`,
    `https://shop.example/?a=%20${number}%zz`,
    encodeURIComponent(`番号${wide}です`),
    `${groups} 123`,
    `12 ${groups}`,
    `2026-11-15 ${groups} 1230`,
    `2026 ${groups}`,
  ]) {
    expect([text, holdsCardNumber(text)]).toEqual([text, true])
  }
})

test.each([
  ['378282246310005', '3782 822463 10005'],
  ['30569309025904', '3056 930902 5904'],
  ['4242424242424242', '42424242 42424242'],
  ['6205500000000000004', '620550 0000000000004'],
])('%s is found as it is printed: %s', (_, printed) => {
  expect(holdsCardNumber(printed)).toBe(true)
})

const groups_of = (number: string) => number.match(/\d{1,4}/g) ?? []
const inScript = (number: string, zero: string) =>
  number.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))

test.each([
  ['a comma', ','],
  ['a comma and a space', ', '],
  ['a colon', ':'],
  ['a bar', '|'],
  ['an asterisk', '*'],
  ['several spaces', ' '.repeat(9)],
  ['spaces around a bar', '   |   '],
  ['a zero-width space', '\u200b'],
  ['zero-width joiners and a space', '\u200d \u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a full-width comma', '，'],
  ['a full-width colon', '：'],
  ['an ideographic comma', '、'],
  ['a middle dot', '・'],
])('groups with %s between them are found', (_, between) => {
  for (const number of ['4242424242424242', '5555555555554444', '6200000000000005']) {
    const text = `card ${groups_of(number).join(between)} please`
    expect([text, holdsCardNumber(text)]).toEqual([text, true])
    expect(maskCardNumbers(text, '[card]')).toBe('card [card] please')
  }
})

test.each([
  ['Arabic', '٠'],
  ['Persian', '۰'],
  ['Devanagari', '०'],
  ['Bengali', '০'],
  ['Thai', '๐'],
  ['Tamil', '௦'],
  ['mathematical bold', '\u{1d7ce}'],
  ['mathematical monospace', '\u{1d7f6}'],
])('%s digits are found, also in groups', (_, zero) => {
  for (const number of ['4242424242424242', '378282246310005']) {
    const digits = inScript(number, zero)
    const groups = inScript(groups_of('4242424242424242').join(' '), zero)
    for (const text of [digits, groups, `x ${[...digits].join('\u200b')} y`]) {
      expect([text, holdsCardNumber(text)]).toEqual([text, true])
    }
    expect(maskCardNumbers(`a ${digits} b`, '[card]')).toBe('a [card] b')
  }
})

test.each([
  ['a zero-width character between all digits', [...'4242424242424242'].join('\u200b')],
  ['keycaps', [...'4242424242424242'].map((digit) => `${digit}\ufe0f\u20e3`).join('')],
  ['circled digits', '④②④②④②④②④②④②④②④②'],
  ['kanji', '四二四二四二四二四二四二四二四二'],
  ['kanji and a zero', '四〇〇〇〇〇〇〇〇〇〇〇〇〇〇二'],
  ['percent-encoded Arabic digits', encodeURIComponent(inScript('4242424242424242', '٠'))],
])('%s are found', (_, text) => {
  expect(holdsCardNumber(text)).toBe(true)
})

test('a text with the dashes of an id is not taken for one', () => {
  expect(holdsCardNumber('abcdefgh-4242-4242-4242-4242 abcdefg')).toBe(true)
})

test.each([
  ['a wrong check digit', '4242424242424241'],
  ['a length that the network does not have', '42424242424242428'],
  ['a block of no network', '9999999999999995'],
  ['a part of a longer number', '42424242424242420000000'],
  ['a UUID of digits', '42424242-4242-4242-8242-424242424242'],
  ['epoch milliseconds', '1763280000000'],
  ['epoch microseconds of a block that JCB once had', '1800000000123455'],
  ['epoch nanoseconds', '1763280000000000006'],
  ['a date and time in digits', '20261115123456789'],
  ['telephone numbers', '+81 90-1234-5678, 03-1234-5678 / 0120-444-444'],
  ['a telephone number with fifteen digits', '+378282246310005'],
  ['a JAN code', '4901777018884'],
  ['a JAN code that passes the check of cards', '4901777000063'],
  ['a corporate number that passes the check of cards', 'T4779598424799'],
  ['a hash', 'a1b2c4242424242424242f00'],
  ['a fraction', '0.4242424242424242'],
  ['coordinates', '35.6812362, 139.7671248'],
  ['sizes', '40 42 44 46 48 50 52 54 56'],
  ['an IMEI', '356938035643809'],
  ['an order number of a mall', '361234-20260115-1234567890'],
  ['another order number', '503-1234567-1234567'],
  ['an address', '4-2-4 Nihonbashi, 103-0027, 1F 2-42'],
  ['times', '2026-11-15 12:34:56, 2026-11-16 04:24:24'],
  ['a list of years', '2024, 2025, 2026, 2027'],
  ['amounts in thousands', '4,242,424,242,424,242'],
  ['a table of small numbers', '4 | 2 | 4 | 2 | 4 | 2 | 4 | 2 | 4 | 2 | 4 | 2 | 4 | 2'],
  ['a Japanese sentence with numbers', '第4回、42人、424日、2424円、24名'],
  ['an IP address', '4242::4242:4242:4242 10.42.42.42'],
])('%s is no card number', (_, text) => {
  expect(holdsCardNumber(text)).toBe(false)
})

test('the examples above that pass the check digit of cards do so', () => {
  for (const digits of ['4901777000063', '4779598424799', '1800000000123455', '378282246310005']) {
    expect([digits, passesLuhn(digits)]).toEqual([digits, true])
  }
})

test('ids and times of every kind are let through', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.constant(null).map(() => randomUUID()),
    fc.integer({ min: 1_500_000_000_000, max: 2_199_999_999_999 }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .uint8Array({ minLength: 16, maxLength: 32 })
      .map((b) => Buffer.from(b).toString('base64url')),
    fc.uint8Array({ minLength: 16, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex')),
    fc.integer({ min: 0, max: 999_999_999_999 }).map(String),
  )
  fc.assert(
    fc.property(fc.array(id, { minLength: 1, maxLength: 4 }), (parts) => {
      expect(holdsCardNumber(parts.join(', '))).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('every number of the table of issuers is found with a right check digit', () => {
  for (const prefix of Object.keys(bins)) {
    const length = /^3[47]/.test(prefix) ? 15 : /^30/.test(prefix) ? 14 : 16
    const start = prefix.padEnd(length - 1, '0')
    const digits = [...'0123456789'].map((check) => start + check).find(passesLuhn) ?? ''
    expect([digits, holdsCardNumber(digits)]).toEqual([digits, true])
  }
})

test('only the numbers are masked, and everything else stays', () => {
  const address = `GET /x?q=${encodeURIComponent('カード 4242 4242 4242 4242')} 200 "5%"`
  expect(maskCardNumbers(address, '[card]')).toBe('GET [card] 200 "5%"')
  const text =
    'a 4242 4242 4242 4242 b ４２４２４２４２４２４２４２４２ c 5555555555554444, 1763280000000'
  expect(maskCardNumbers(text, '[card]')).toBe('a [card] b [card] c [card], 1763280000000')
  expect(maskCardNumbers('', '[card]')).toBe('')
})

test('a long text of nothing but candidates comes to an end', () => {
  for (const piece of ['4242 ', '4', '4 ', '4242424242424241 ', '%20', '4242%20', '. . 4', '-']) {
    const text = piece.repeat(Math.ceil(250_000 / piece.length))
    expect(maskCardNumbers(text, '[card]').length).toBeLessThanOrEqual(text.length)
  }
})
