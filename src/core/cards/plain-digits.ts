/** A text with the digits of every script as ASCII, and without characters that are not visible. */
export interface PlainDigits {
  readonly text: string
  /** The start and end of a part in the original text. */
  place(start: number, end: number): { readonly start: number; readonly end: number }
}

const kanji_digits = '〇一二三四五六七八九'
/**
 * Digits of other scripts, circled ones and the like; marks on a digit; characters that only affect
 * the layout.
 */
const unusual =
  /(?![\0-\x7f])[\p{Nd}\p{No}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}〇一二三四五六七八九]/u
const is_hidden = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const is_decimal = /\p{Nd}/u
const known = new Map<string, string | null>()

/**
 * The ASCII digit of a character; null: it is none. Each script has its ten digits in order, in
 * runs of ten.
 */
function readDigit(char: string): string | null {
  const plain = char.normalize('NFKC')
  if (/^[0-9]$/.test(plain)) return plain
  const in_kanji = kanji_digits.indexOf(char)
  if (in_kanji >= 0) return String(in_kanji)
  if (!is_decimal.test(char)) return null
  const code = char.codePointAt(0) ?? 0
  let first = code
  while (is_decimal.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

function digitOf(char: string): string | null {
  const found = known.get(char)
  if (found !== undefined) return found
  const digit = unusual.test(char) ? readDigit(char) : null
  // There are about a thousand digits; other characters are not remembered.
  if (digit !== null) known.set(char, digit)
  return digit
}

const beyond_ascii = /[^\0-\x7f]/

/** Null for most texts: they have no such character, and are read as they are. */
export function plainDigits(text: string): PlainDigits | null {
  if (!beyond_ascii.test(text) || !unusual.test(text)) return null
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const char of text) {
    const digit = digitOf(char)
    if (digit !== null || !is_hidden.test(char)) {
      const shown = digit ?? char
      for (let unit = 0; unit < shown.length; unit += 1) {
        starts.push(at)
        ends.push(at + char.length)
      }
      parts.push(shown)
    }
    at += char.length
  }
  return {
    text: parts.join(''),
    place: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? at }),
  }
}
