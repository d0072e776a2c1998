/** The literals of a programming language for JSON values. */
interface Notation {
  readonly object: readonly [open: string, close: string]
  readonly array: readonly [open: string, close: string]
  readonly nothing: string
  readonly yes: string
  readonly no: string
  key(name: string): string
  text(value: string): string
}

const quoted = (value: string) => JSON.stringify(value)
const single = (value: string) => `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
const json_words = { nothing: 'null', yes: 'true', no: 'false' } as const
const json_marks = { object: ['{', '}'], array: ['[', ']'] } as const
const is_plain_name = /^[A-Za-z_]\w*$/

export const notations = {
  json: { ...json_words, ...json_marks, key: (name) => `${quoted(name)}: `, text: quoted },
  javascript: {
    ...json_words,
    ...json_marks,
    key: (name) => `${is_plain_name.test(name) ? name : single(name)}: `,
    text: single,
  },
  php: {
    ...json_words,
    object: ['[', ']'],
    array: ['[', ']'],
    key: (name) => `${single(name)} => `,
    text: single,
  },
  python: {
    ...json_marks,
    nothing: 'None',
    yes: 'True',
    no: 'False',
    key: (name) => `${quoted(name)}: `,
    text: quoted,
  },
  ruby: {
    ...json_words,
    ...json_marks,
    nothing: 'nil',
    key: (name) => (is_plain_name.test(name) ? `${name}: ` : `${single(name)} => `),
    text: (value) => quoted(value).replaceAll('#', '\\#'),
  },
} as const satisfies Record<string, Notation>

/** A value as a language writes it, with two spaces for each level. */
export function writeLiteral(value: unknown, notation: Notation, indent = ''): string {
  if (value === null || value === undefined) return notation.nothing
  if (typeof value === 'boolean') return value ? notation.yes : notation.no
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return notation.text(value)
  const is_array = Array.isArray(value)
  const [open, close] = is_array ? notation.array : notation.object
  const inner = `${indent}  `
  const lines = Object.entries(value).map(
    ([name, one]) => (is_array ? '' : notation.key(name)) + writeLiteral(one, notation, inner),
  )
  if (lines.length === 0) return open + close
  return `${open}\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}${close}`
}
