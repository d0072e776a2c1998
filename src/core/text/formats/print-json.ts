/** A line of a printed document has at most so many characters, where a value can be broken. */
const max_line = 2000
/** Values of examples: they are on one line, however long. */
const whole_keys = ['value']

/**
 * A document as JSON for people and for `git diff`: what fits on a line is on one line, everything else
 * is broken into its parts, and short parts share a line.
 */
export function printJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return line
  if (indent.length + before + line.length <= max_line) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((item) => printJson(item, inner))
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => {
          const name = `${JSON.stringify(key)}:`
          const is_whole = whole_keys.includes(key)
          return name + (is_whole ? JSON.stringify(part) : printJson(part, inner, name.length))
        })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = fillLines(parts, max_line - inner.length)
  return `${open}\n${lines.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** Parts that are one line each share a line as long as there is space. */
function fillLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  let has_space = false
  for (const part of parts) {
    const is_line = !part.includes('\n')
    const line = `${lines.at(-1)},${part}`
    if (has_space && is_line && line.length < width) lines[lines.length - 1] = line
    else lines.push(part)
    has_space = is_line
  }
  return lines
}
