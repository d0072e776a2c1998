import type { TSchema } from 'typebox'
import { withKeys } from '../api/described-schemas.ts'
import { recordOf } from '../read-unknown.ts'
import { halfWidth } from './half-width.ts'

/** Marks the texts of a schema that people type as digits. Validators and the description do not see it. */
const is_typed = Symbol('typed as digits')

interface Schema {
  readonly [is_typed]?: true
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
}

/** A text of digits that may arrive in full width: card numbers, codes, phone numbers, postal codes. */
export function typedDigits<T extends TSchema>(schema: T): T {
  return withKeys(schema, { [is_typed]: true })
}

type Reader = (value: unknown) => void

/** Writes the marked fields of a value in half width, before it is validated. Null: none is marked. */
export function newDigitsReader(schema: Schema): Reader | null {
  const parts = (schema.oneOf ?? []).flatMap((branch) => newDigitsReader(branch) ?? [])
  const item = schema.items && newDigitsReader(schema.items)
  if (item) parts.push((value) => Array.isArray(value) && value.forEach(item))
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const inner = newDigitsReader(field)
    const is_digits = field[is_typed] === true
    if (!inner && !is_digits) continue
    parts.push((value) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return
      const object = recordOf(value)
      const found = object[name]
      if (is_digits && typeof found === 'string') object[name] = halfWidth(found)
      inner?.(found)
    })
  }
  if (parts.length === 0) return null
  return (value) => {
    for (const read of parts) read(value)
  }
}
