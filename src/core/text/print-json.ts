/** A line of a printed document has at most so many characters, where a value can be broken. */
const max_line = 110

/**
 * A document as JSON for people and for `git diff`: what fits on a line is on one line, everything else
 * is broken into its parts. Plain values of a list share lines.
 */
export function printJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return line
  if (indent.length + before + line.length <= max_line) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? filled(value, inner)
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => {
          const name = `${JSON.stringify(key)}: `
          return name + printJson(part, inner, name.length)
        })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** The items of a list as lines: plain values fill a line, others have lines of their own. */
function filled(items: readonly unknown[], indent: string): string[] {
  const lines: string[] = []
  let is_open = false
  for (const item of items) {
    const is_plain = typeof item !== 'object' || item === null
    const text = printJson(item, indent)
    const line = `${lines.at(-1)},${text}`
    if (is_plain && is_open && indent.length + line.length < max_line) {
      lines[lines.length - 1] = line
    } else lines.push(text)
    is_open = is_plain
  }
  return lines
}
