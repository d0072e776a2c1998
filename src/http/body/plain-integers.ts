import { recordOf } from '../../core/read-unknown.ts'

/** Integers in a URL are plain decimal digits; `1e1`, `0x10` or ` 10` are mistakes. */
const plain_integer = /^-?\d+$/

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
}

/**
 * Creates a step that runs before the parameters of a URL are converted to numbers: a text that is no
 * plain integer is emptied, so that the validator refuses it. The validator itself accepts whatever
 * JavaScript takes for a number.
 */
export function newIntegerCheck(schema: object): (value: unknown) => void {
  const { properties = {} }: ObjectSchema = schema
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  return (value) => {
    const given = recordOf(value)
    for (const name of names) {
      const text = given[name]
      if (typeof text === 'string' && !plain_integer.test(text)) given[name] = ''
    }
  }
}
