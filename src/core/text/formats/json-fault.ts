/** The position of the first JSON fault, counted from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
}

const whitespace = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Everything up to the first character that a string must not have. */
const control = `${String.fromCharCode(0)}-${String.fromCharCode(31)}`
const escaped = String.raw`\\(?:["\\/bfnrt]|u[\da-fA-F]{4})`
const string_start = new RegExp(String.raw`"(?:[^"\\${control}]|${escaped})*`, 'y')

/**
 * Finds the position of the fault in a text that `JSON.parse` refused. The engine gives no position for
 * short texts and repeats part of them, which may be a card number. Only refused texts get here.
 */
export function findJsonFault(text: string): JsonFault {
  const at = faultAt(text)
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n') }
}

/** One pass with a stack of open brackets: a deeply nested text must not exhaust the call stack. */
function faultAt(text: string): number {
  const open: ('{' | '[')[] = []
  let at = skip(whitespace, text, 0)
  let expects: 'value' | 'value or end' | 'key' | 'key or end' | 'separator' = 'value'
  while (at < text.length) {
    const char = text[at]
    if (expects === 'separator') {
      if (open.length === 0) return at
      const end = open.at(-1) === '{' ? '}' : ']'
      if (char === end) open.pop()
      else if (char === ',') expects = open.at(-1) === '{' ? 'key' : 'value'
      else return at
      at += 1
    } else if (expects === 'key' || expects === 'key or end') {
      if (char === '}' && expects === 'key or end') {
        open.pop()
        expects = 'separator'
        at += 1
      } else {
        const end = stringEnd(text, at)
        if (!end.is_closed) return end.at
        at = skip(whitespace, text, end.at)
        if (text[at] !== ':') return at
        at += 1
        expects = 'value'
      }
    } else if (char === '{' || char === '[') {
      open.push(char)
      expects = char === '{' ? 'key or end' : 'value or end'
      at += 1
    } else if (char === ']' && expects === 'value or end') {
      open.pop()
      expects = 'separator'
      at += 1
    } else if (char === '"') {
      const end = stringEnd(text, at)
      if (!end.is_closed) return end.at
      at = end.at
      expects = 'separator'
    } else {
      const end = skip(scalar, text, at)
      if (end === at) return at
      at = end
      expects = 'separator'
    }
    at = skip(whitespace, text, at)
  }
  return at
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function stringEnd(text: string, at: number): { at: number; is_closed: boolean } {
  const end = skip(string_start, text, at)
  const is_closed = end > at && text[end] === '"'
  return { at: is_closed ? end + 1 : end, is_closed }
}
