import { isUtf8 } from 'node:buffer'
import { fail } from '../../core/api/errors.ts'
import { request_limits } from '../../core/limits/limits.ts'
import { findJsonFault } from '../../core/text/formats/json-fault.ts'
import type { Json } from '../../core/text/metadata.ts'

/**
 * Reads a request body. Beyond being JSON it must be unambiguous and storable: no duplicate key in an
 * object (parsers differ on which one wins), no U+0000 and no half of a surrogate pair (PostgreSQL
 * stores neither), no `__proto__`, and a bounded depth and number of keys.
 */
export function readJson(body: Buffer): Json {
  if (!isUtf8(body)) refuse('The body is not valid UTF-8.')
  const text = body.toString('utf8')
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column } = findJsonFault(text)
    refuse(`The body is not valid JSON: see line ${line}, column ${column}.`)
  }
  checkTokens(text)
  return value
}

function refuse(message: string): never {
  fail('INVALID_REQUEST', { message })
}

const quote = 34
const comma = 44
const colon = 58
const open_array = 91
const backslash = 92
const close_array = 93
const open_object = 123
const close_object = 125

/** Scans text that is known to be valid JSON; these checks need no grammar. */
function checkTokens(text: string): void {
  const objects: (Set<string> | null)[] = []
  let keys = 0
  let expects_key = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const end = endOfString(text, at)
      const content = readString(text, at, end)
      at = end
      const names = objects.at(-1)
      if (!expects_key || !names) continue
      expects_key = false
      keys += 1
      checkKey(names, content, keys)
    } else if (char === open_object || char === open_array) {
      objects.push(char === open_object ? new Set() : null)
      if (objects.length > request_limits.json_depth) refuse('The body is nested too deeply.')
      expects_key = char === open_object
    } else if (char === close_object || char === close_array) {
      objects.pop()
      expects_key = false
    } else if (char === comma) {
      expects_key = objects.at(-1) !== null
    } else if (char === colon) {
      expects_key = false
    }
  }
}

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1
  return end
}

function readString(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  if (!raw.includes('\\')) return raw
  const content: string = JSON.parse(text.slice(start, end + 1))
  if (content.includes('\0')) refuse('Texts must not contain the character U+0000.')
  if (!content.isWellFormed()) refuse('A text contains half of a surrogate pair.')
  return content
}

function checkKey(names: Set<string>, name: string, count: number): void {
  if (count > request_limits.json_keys) refuse('The body has too many keys.')
  if (name === '__proto__') refuse('The key "__proto__" is not allowed.')
  if (names.has(name)) refuse(`The key "${name.slice(0, 64)}" stands twice in one object.`)
  names.add(name)
}
