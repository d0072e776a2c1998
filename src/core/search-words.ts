import { isUuid } from './ids.ts'
import type { Json, Metadata } from './metadata.ts'

/** What searches know of a row, and of a term. What lies beyond is not found. */
const most = { words: 96, words_of_value: 32, words_of_term: 16, letters: 40 } as const
/** Any part of a text without spaces is found; longer ones are put together of such parts. */
const letters_of_part = 8

/** Scripts whose words are not parted by spaces; and pictures. */
const unspaced = `(?:(?=[\\p{L}\\p{N}])[${[
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]|\\p{Extended_Pictographic})`
const begins_unspaced = new RegExp(`^${unspaced}`, 'u')
const chunk = /[^\s\p{C}]+/gu
/** Where a word begins: at every letter of a text without spaces, at the first of any other run. */
const piece = new RegExp(`${unspaced}\\p{M}*|(?:(?!${unspaced})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

const ascii = /^[ -~]*$/

interface Chunk {
  /** Without signs at its ends. */
  readonly text: string
  readonly starts: readonly number[]
}

/** What stands between spaces, in small letters and one way to write them. */
function chunksOf(given: string): Chunk[] {
  if (ascii.test(given)) return asciiChunks(given.toLowerCase())
  const chunks: Chunk[] = []
  for (const [part] of given.normalize('NFKC').toLowerCase().matchAll(chunk)) {
    const found = [...part.matchAll(piece)]
    const starts = found.map(({ index }) => index)
    const last = found.at(-1)
    if (last) chunks.push(newChunk(part.slice(0, last.index + last[0].length), starts))
    if (chunks.length === most.words_of_value) break
  }
  return chunks
}

/** The same, letter by letter: nearly all texts are such, and this takes a fifth of the time. */
function asciiChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  let starts: number[] = []
  let end = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      if (starts.length === 0 || at > end) starts.push(at)
      end = at + 1
    } else if (code === 32 && starts.length > 0) {
      const from = starts[0] ?? 0
      const places = from === 0 ? starts : starts.map((start) => start - from)
      chunks.push(newChunk(text.slice(from, end), places))
      if (chunks.length === most.words_of_value) break
      starts = []
    }
  }
  return chunks
}

/** An id is asked for as a whole, or by its beginning. */
function newChunk(text: string, starts: readonly number[]): Chunk {
  return { text, starts: text.length === 36 && isUuid(text) ? [0] : starts }
}

/** The text from there on, as far as it is indexed. */
function wordAt(text: string, start: number): string {
  const code = text.charCodeAt(start)
  if (code < 128 && text.length - start <= most.letters) return text.slice(start)
  const rest = text.slice(start, start + 2 * most.letters)
  const length = code > 127 && begins_unspaced.test(rest) ? letters_of_part : most.letters
  return rest.length <= length ? rest : [...rest].slice(0, length).join('')
}

/** The values inside of a value, without the names of its keys. */
function leavesOf(value: Json): string[] {
  if (value === null) return []
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}

const quoted_signs = /['\\]/g

/** The words of a merchant, quoted. Ids begin with their time; it is their ends that differ. */
function lexemes(merchant_id: string, words: readonly string[], before: string, after: string) {
  const owner = `'${merchant_id.slice(-8)}:`
  let text = ''
  for (const word of words) {
    const is_plain = !word.includes("'") && !word.includes('\\')
    if (text !== '') text += before
    text += `${owner}${is_plain ? word : word.replace(quoted_signs, '$&$&')}'${after}`
  }
  return text
}

/**
 * The words by which searches find a row of a merchant, as text of a `tsvector`. A word reaches to the
 * next space, so that `taro@example.com` is found by itself, and by `example`, and by `taro`.
 */
export function searchWords(
  merchant_id: string,
  name: string | null,
  email: string | null | undefined,
  last_four: string | null,
  metadata: Metadata,
): string | null {
  const words: string[] = []
  for (const value of [name, email, last_four, ...leavesOf(metadata)]) {
    if (value) addWords(words, value)
    if (words.length === most.words) break
  }
  if (words.length === 0) return null
  return lexemes(merchant_id, words, ' ', '')
}

function addWords(words: string[], value: string): void {
  let count = 0
  for (const { text, starts } of chunksOf(value)) {
    for (const start of starts) {
      if (count === most.words_of_value || words.length === most.words) return
      const word = wordAt(text, start)
      if (!words.includes(word)) words.push(word)
      count += 1
    }
  }
}

/** The beginnings of words that all have to be there. */
export function termWords(term: string): string[] {
  const words = new Set<string>()
  for (const { text, starts } of chunksOf(term)) {
    let covered = 0
    for (const start of starts) {
      if (start < covered || words.size === most.words_of_term) continue
      const word = wordAt(text, start)
      words.add(word)
      covered = start + word.length
    }
  }
  return [...words]
}

/** Words as text of a `tsquery`; null where there is none. */
export function searchQuery(merchant_id: string, words: readonly string[]): string | null {
  if (words.length === 0) return null
  return lexemes(merchant_id, words, ' & ', ':*')
}
