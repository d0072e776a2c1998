/** A line of a printed document has at most so many characters, where a value can be broken. */
const max_line = 110

/**
 * A document as JSON for people and for `git diff`: what fits on a line is on one line, everything else
 * is broken into its parts.
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
          const name = `${JSON.stringify(key)}: `
          return name + printJson(part, inner, name.length)
        })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}
