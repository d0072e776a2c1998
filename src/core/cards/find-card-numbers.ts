import { isUuid } from '../ids.ts'
import { bins } from './card-bins.ts'
import { passesLuhn } from './card-number.ts'
import { plainDigits } from './plain-digits.ts'

interface Issued {
  /** First digits: one prefix, or the first and last of a range. */
  readonly prefixes: readonly (string | readonly [first: string, last: string])[]
  readonly lengths: readonly number[]
}

/**
 * Numbers that networks issue. Narrower than what is accepted as a card: texts are refused for it, so
 * blocks and lengths that no card in use has are left out, and with them most order numbers.
 */
const issued: readonly Issued[] = [
  { prefixes: ['4'], lengths: [13, 16, 19] },
  {
    prefixes: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
  },
  { prefixes: ['34', '37'], lengths: [15] },
  { prefixes: [['300', '305'], '309', '36', '38', '39'], lengths: [14, 16] },
  { prefixes: ['6011', ['644', '649'], '65'], lengths: [16, 19] },
  { prefixes: [['3528', '3589']], lengths: [16, 17, 18, 19] },
  { prefixes: ['1800', '2131'], lengths: [15] },
  { prefixes: ['62', '81'], lengths: [16, 17, 18, 19] },
  {
    prefixes: ['493698', '5018', '5020', '5038', '5893', '6304', '6759', ['6761', '6763']],
    lengths: [13, 14, 15, 16, 17, 18, 19],
  },
]

const min_digits = 13
const max_digits = 19

function isInRange(digits: string): boolean {
  return issued.some(
    ({ prefixes, lengths }) =>
      lengths.includes(digits.length) &&
      prefixes.some((prefix) => {
        const [first, last] = typeof prefix === 'string' ? [prefix, prefix] : prefix
        const start = digits.slice(0, first.length)
        return start >= first && start <= last
      }),
  )
}

const bin_prefixes = Object.keys(bins)

/** Whether digits are a card number: of a known block and length, with a correct check digit. */
function isCardNumber(digits: string): boolean {
  if (!passesLuhn(digits)) return false
  if (!isInRange(digits) && !bin_prefixes.some((prefix) => digits.startsWith(prefix))) return false
  // Cards of thirteen digits are no longer issued, but these numbers are in daily use.
  return digits.length > 13 || !(isBarcode(digits) || isCorporateNumber(digits))
}

/** EAN-13 and JAN: product codes, in Japan beginning with 45 or 49. */
function isBarcode(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < 13; at += 1) sum += Number(digits.charAt(at)) * (at % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** A Japanese corporate number (法人番号), which is also the number of a qualified invoice issuer. */
function isCorporateNumber(digits: string): boolean {
  let sum = 0
  for (let at = 1; at < 13; at += 1) sum += Number(digits.charAt(at)) * (at % 2 === 0 ? 1 : 2)
  return Number(digits.charAt(0)) === 9 - (sum % 9)
}

/** Every kind of dash, point, comma and bar between groups of digits, and the long vowel sign. */
const separators =
  /[._/+,:|*\-\u00b7\u2010-\u2015\u2212\u2500\u3001\u30fb\u30fc\uff0a-\uff0e\uff1a\uff5c\uff70]/
const max_separators = 3
/** Columns of a table are further apart than words. */
const max_spaces = 32

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Letters end a number; a colon and a bar, which are between them, do not. */
function endsNumber(code: number): boolean {
  return (code > 58 && code < 95) || (code > 95 && code < 128 && code !== 124)
}

interface Found {
  readonly start: number
  readonly end: number
}

/**
 * Whether a text can contain a card number at all: thirteen digits without a letter between them.
 * Nearly every text ends here.
 */
function hasEnoughDigits(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) {
      count += 1
      if (count === min_digits) return true
    } else if (endsNumber(code)) count = 0
  }
  return false
}

/** Groups of digits that may be one number together: where each starts and ends. */
interface Groups {
  readonly starts: number[]
  readonly ends: number[]
}

/** The first card number from a position in a text with plain digits on, also in groups. */
function nextCardNumber(text: string, from: number): Found | null {
  const starts: number[] = []
  const ends: number[] = []
  const groups = { starts, ends }
  let at = from
  while (at < text.length) {
    if (!isDigit(text.charCodeAt(at))) {
      at += 1
      continue
    }
    starts.push(at)
    while (at < text.length && isDigit(text.charCodeAt(at))) at += 1
    ends.push(at)
    for (const count of countsAtEnd(groups)) {
      const found = numberAtEnd(text, groups, count)
      if (found) return found
    }
    const next = nextGroup(text, at)
    if (next === null) starts.length = ends.length = 0
    else at = next
  }
  return null
}

/** The start of the number's next group; null: the number ends here. */
function nextGroup(text: string, end: number): number | null {
  let at = end
  let marks = 0
  let colons = 0
  for (; at - end < max_spaces; at += 1) {
    const char = text.charAt(at)
    if (separators.test(char)) marks += 1
    else if (!/\s/.test(char)) break
    if (char === ':') colons += 1
  }
  // Two colons are in the middle of an IP address.
  if (marks > max_separators || colons > 1) return null
  return at > end && isDigit(text.charCodeAt(at)) ? at : null
}

/** The last groups, if they are a card number. */
function numberAtEnd(text: string, { starts, ends }: Groups, count: number): Found | null {
  const first = starts.length - count
  const start = starts[first] ?? 0
  const end = ends[ends.length - 1] ?? 0
  let digits = ''
  for (let group = first; group < starts.length; group += 1) {
    digits += text.slice(starts[group], ends[group])
  }
  if (!isCardNumber(digits)) return null
  // Digits behind a decimal point are not a separate number.
  if (count === 1 && text.charAt(start - 1) === '.' && isDigit(text.charCodeAt(start - 2))) {
    return null
  }
  // In this form it is a telephone number, which has at most fifteen digits.
  if (digits.length <= 15 && text.charAt(start - 1) === '+') return null
  return isInsideWord(text, start, end) ? null : { start, end }
}

function sizeAt({ starts, ends }: Groups, back: number): number {
  const group = starts.length - back
  return group < 0 ? 0 : (ends[group] ?? 0) - (starts[group] ?? 0)
}

const no_count: readonly number[] = []

/**
 * How many of the last groups may form one number, according to how people write card numbers: all in
 * one, in fours, as 4-6-4 and 4-6-5, as 8-8 and 6-13. Groups of the same size may precede them.
 */
function countsAtEnd(groups: Groups): readonly number[] {
  const last = sizeAt(groups, 1)
  const before = sizeAt(groups, 2)
  if (last === 13 && before === 6) return [1, 2]
  if (last >= min_digits) return last <= max_digits ? [1] : no_count
  if (last === 8) return before === 8 ? [2] : no_count
  if ((last === 4 || last === 5) && before === 6) return sizeAt(groups, 3) === 4 ? [3] : no_count
  if (last > 4 || before !== 4 || sizeAt(groups, 3) !== 4 || sizeAt(groups, 4) !== 4)
    return no_count
  return last < 4 && sizeAt(groups, 5) === 4 ? [5, 4] : [4]
}

const word_length = 64

/** Digits between letters and other digits are part of an id, a hash or a key. */
function isInsideWord(text: string, start: number, end: number): boolean {
  return (
    /\d[a-z]+$/i.test(text.slice(Math.max(0, start - word_length), start)) ||
    /^[a-z]+\d/i.test(text.slice(end, end + word_length))
  )
}

const uuid_length = 36
const escapes = /%[0-9a-f]{2}/i

/** The text before it was percent-encoded. A text that cannot be decoded is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%([2-7][0-9a-f])/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
}

function isFound(text: string): boolean {
  const plain = plainDigits(text)?.text ?? text
  return hasEnoughDigits(plain) && nextCardNumber(plain, 0) !== null
}

export function holdsCardNumber(text: string): boolean {
  // Ids are the longest texts of most requests; no card number is written in their groups.
  if (text.length < min_digits || (text.length === uuid_length && isUuid(text))) return false
  return isFound(text) || (text.includes('%') && escapes.test(text) && isFound(decoded(text)))
}

const words = /[^\s"\\]+/g

/** Masks every card number; a URL that contains one is masked completely. */
export function maskCardNumbers(text: string, mask: string): string {
  const plain = maskPlain(text, mask)
  if (!plain.includes('%')) return plain
  return plain.replace(words, (word) =>
    word.includes('%') && escapes.test(word) && isFound(decoded(word)) ? mask : word,
  )
}

function maskPlain(text: string, mask: string): string {
  const plain = plainDigits(text)
  const shown = plain?.text ?? text
  let found = hasEnoughDigits(shown) ? nextCardNumber(shown, 0) : null
  if (!found) return text
  let masked = ''
  let at = 0
  while (found) {
    const { start, end } = plain?.place(found.start, found.end) ?? found
    masked += text.slice(at, start) + mask
    at = end
    found = nextCardNumber(shown, found.end)
  }
  return masked + text.slice(at)
}
