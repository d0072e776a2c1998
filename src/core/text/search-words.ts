import { isUuid } from '../ids.ts'
import type { Json, Metadata } from './metadata.ts'

/** How much of a row, and of a term, is indexed. Text beyond it is not found. */
const max = {
  words: 96,
  words_of_value: 32,
  words_of_term: 16,
  letters: 40,
  letters_of_value: 1000,
} as const
/** Any part of a text without spaces is found; longer terms are combined from such parts. */
const letters_of_part = 8

/** Scripts without spaces between words, and pictographs. */
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
const between_spaces = /[^\s\p{C}]+/gu
/** The starts of words: every character in scripts without spaces, or else the first of each run. */
const piece = new RegExp(`${unspaced}\\p{M}*|(?:(?!${unspaced})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

const ascii = /^[ -~]*$/

/** The text between two spaces: where its words begin, and where the last of them ends. */
interface Chunk {
  readonly text: string
  readonly starts: readonly number[]
  readonly end: number
}

/** In lower case, and in one normal form. */
function chunksOf(given: string): Chunk[] {
  const read = given.length > max.letters_of_value ? given.slice(0, max.letters_of_value) : given
  if (ascii.test(read)) return asciiChunks(read.toLowerCase())
  const chunks: Chunk[] = []
  for (const [text] of read.normalize('NFKC').toLowerCase().matchAll(between_spaces)) {
    const found = [...text.matchAll(piece)]
    const last = found.at(-1)
    if (!last) continue
    const starts = found.map(({ index }) => index)
    chunks.push(newChunk(text, starts, last.index + last[0].length))
    if (chunks.length === max.words_of_value) break
  }
  return chunks
}

/**
 * The same for ASCII, character by character: nearly all texts are such, and this takes a fifth of the
 * time.
 */
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
      chunks.push(newChunk(text, starts, end))
      if (chunks.length === max.words_of_value) break
      starts = []
    }
  }
  return chunks
}

const email = /^[!-~]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** Ids and e-mail addresses are searched as a whole, or by their beginning. */
function newChunk(text: string, starts: number[], end: number): Chunk {
  const [start = 0] = starts
  if (starts.length < 3) return { text, starts, end }
  const whole = text.slice(start, end)
  return { text, starts: email.test(whole) || isUuid(whole) ? [start] : starts, end }
}

/** The indexed text from this position. */
function wordAt({ text, end }: Chunk, start: number): string {
  const is_ascii = text.charCodeAt(start) < 128
  if (is_ascii && end - start <= max.letters) return text.slice(start, end)
  const rest = text.slice(start, Math.min(end, start + 2 * max.letters))
  const length = !is_ascii && begins_unspaced.test(rest) ? letters_of_part : max.letters
  return rest.length <= length ? rest : [...rest].slice(0, length).join('')
}

/** Adds the words of nested values, without the names of their keys. */
function addLeaves(words: string[], value: Json): void {
  if (value === null || words.length === max.words) return
  if (typeof value !== 'object') addWords(words, String(value))
  else for (const inner of Object.values(value)) addLeaves(words, inner)
}

const quoted_signs = /['\\]/g

/**
 * The words of a merchant, quoted, each prefixed with the end of the merchant's id. (Ids begin with
 * their time.) Few merchants share it, and the query checks the owner of a row anyway.
 */
function lexemes(merchant_id: string, words: readonly string[], before: string, after: string) {
  const owner = `'${merchant_id.slice(-5)}`
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
 * next space, so that `A-2024/0001` is found by itself, and by `a-2024`, and by `2024`. Each costs the
 * database five microseconds.
 */
export function searchWords(
  merchant_id: string,
  name: string | null,
  email: string | null | undefined,
  last_four: string | null,
  metadata: Metadata,
): string | null {
  const words: string[] = []
  if (name) addWords(words, name)
  if (email) addWords(words, email)
  if (last_four) addWords(words, last_four)
  addLeaves(words, metadata)
  if (words.length === 0) return null
  return lexemes(merchant_id, words, ' ', '')
}

function addWords(words: string[], value: string): void {
  let count = 0
  for (const chunk of chunksOf(value)) {
    for (const start of chunk.starts) {
      if (count === max.words_of_value || words.length === max.words) return
      const word = wordAt(chunk, start)
      if (!words.includes(word)) words.push(word)
      count += 1
    }
  }
}

/** The prefixes that must all match. */
export function termWords(term: string): string[] {
  const words = new Set<string>()
  for (const chunk of chunksOf(term)) {
    let covered = 0
    for (const start of chunk.starts) {
      if (start < covered || words.size === max.words_of_term) continue
      const word = wordAt(chunk, start)
      words.add(word)
      covered = start + word.length
    }
  }
  return [...words]
}

/** Words as text of a `tsquery`; null when there are none. */
export function searchQuery(merchant_id: string, words: readonly string[]): string | null {
  if (words.length === 0) return null
  return lexemes(merchant_id, words, ' & ', ':*')
}
