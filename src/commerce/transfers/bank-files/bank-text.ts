import { PlainError } from '../../../core/api/plain-error.ts'

/** Which characters a field of a bank file may contain beside kana, letters, digits and spaces. */
const signs = { bank: '-', person: '()-.', reference: 'ｦ\\｢｣()-/.' } as const
export type BankField = keyof typeof signs

/** Forms of companies as banks write them: in front `ｶ)`, at the end `(ｶ`, within a name `(ｶ)`. */
const companies: readonly (readonly [RegExp, string])[] = [
  [/株式会社|\(株\)/, 'カ'],
  [/有限会社|\(有\)/, 'ユ'],
  [/合同会社|\(同\)/, 'ド'],
  [/合資会社|\(資\)/, 'シ'],
  [/合名会社|\(名\)/, 'メ'],
  [/特定非営利活動法人/, 'トクヒ'],
  [/(?:一般|公益)社団法人/, 'シヤ'],
  [/(?:一般|公益)財団法人/, 'ザイ'],
]

const small = 'ァィゥェォッャュョヮヵヶ'
const large = 'アイウエオツヤユヨワカケ'
const half_kana =
  'ヲ,,,,,,,,,,アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン'
/** The code of the first character of the row above in half width, which is ｦ. */
const first_kana = 0xff66
const [voiced, half_voiced] = ['ﾞ', 'ﾟ']

const dashes = /[ー‐-―−─ｰ]/g
const can_be_voiced = /[ｳｶ-ﾄﾊ-ﾎ]/
const can_be_half_voiced = /[ﾊ-ﾎ]/

function shortenCompany(text: string): string {
  for (const [pattern, short] of companies) {
    const found = pattern.exec(text)
    if (!found) continue
    const before = text.slice(0, found.index).trim()
    const after = text.slice(found.index + found[0].length).trim()
    if (!before) return `${short})${after}`
    return after ? `${before}(${short})${after}` : `${before}(${short}`
  }
  return text
}

function inHalfWidth(char: string): string {
  if (char === '\u3099') return voiced
  if (char === '\u309a') return half_voiced
  const kana = large[small.indexOf(char)] ?? char
  const at = kana === ',' ? -1 : half_kana.indexOf(kana)
  return at < 0 ? kana : String.fromCharCode(first_kana + at)
}

/**
 * A text as banks accept it: kana and letters in half width, small kana large, marks of voiced kana as
 * characters of their own. Characters that stay are not checked.
 */
function convert(text: string, field: BankField): string {
  const composed = text.normalize('NFKC').replace(/[ぁ-ゖ]/g, (kana) => {
    return String.fromCharCode(kana.charCodeAt(0) + 0x60)
  })
  const shortened = field === 'person' ? shortenCompany(composed) : composed
  const plain = shortened
    .replace(dashes, '-')
    .replace(/[・、。,]/g, '.')
    .replace(/[「」]/g, (bracket) => (bracket === '「' ? '｢' : '｣'))
    .replaceAll('¥', '\\')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
  const converted = [...plain.normalize('NFD')].map(inHalfWidth).join('')
  return field === 'reference' ? converted : converted.replaceAll('ｦ', 'ｵ')
}

/** Every character with a mark of its own stands after a kana that takes it. */
function isMarkedRightly(text: string): boolean {
  return [...text].every((char, at) => {
    const before = text[at - 1] ?? ''
    if (char === voiced) return can_be_voiced.test(before)
    return char !== half_voiced || can_be_half_voiced.test(before)
  })
}

/** The characters of a text that a field of a bank file cannot hold. */
function foreignTo(text: string, field: BankField): string[] {
  const allowed = signs[field]
  return [...text].filter((char) => !/[ｱ-ﾟA-Z0-9 ]/.test(char) && !allowed.includes(char))
}

/** A text in the characters of a bank file; throws when it has others or is too long. It is never cut. */
export function bankText(text: string, field: BankField, max_bytes: number): string {
  const converted = convert(text, field)
  const foreign = foreignTo(converted, field)
  if (foreign.length > 0) {
    throw new PlainError(`"${text}" contains ${foreign.join(' ')}: write it in katakana.`)
  }
  if (!isMarkedRightly(converted)) {
    throw new PlainError(`"${text}" has a voiced mark after a character that takes none.`)
  }
  if (converted.length > max_bytes) {
    throw new PlainError(
      `"${text}" has ${converted.length} characters in a bank file, and ${max_bytes} fit.`,
    )
  }
  return converted
}

/** JIS X 0201: each character is one byte. */
export function bankBytes(text: string): Buffer {
  return Buffer.from(
    [...text].map((char) => {
      const code = char.charCodeAt(0)
      return code < 0x80 ? code : code - 0xfec0
    }),
  )
}

export function textOfBytes(bytes: Buffer): string {
  return [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : byte + 0xfec0)).join('')
}
