import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { page_limits } from './limits.ts'

/** Pieces that many schemas are made of. */
export const Id = Type.String({ format: 'uuid' })
export const Instant = Type.String({
  description: 'ISO-8601 with fractional seconds',
  examples: ['2026-11-15T01:02:03.456Z'],
})
export const MetadataSchema = Type.Object({}, { additionalProperties: true })

/**
 * The schema or null, written as a second type and not as a union: a validator then names the
 * real fault of a value, and the serializer need not try both.
 */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: allowed } = schema as { type?: string; enum?: unknown[] }
  const more = allowed ? { enum: [...allowed, null] } : { type: [type, 'null'] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...more })
}

/** A short text that a person typed: no control characters. */
export const Label = (most = 255) =>
  Type.String({ minLength: 1, maxLength: most, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })

export const PageParameters = {
  limit: Type.Integer({
    minimum: page_limits.min,
    maximum: page_limits.max,
    default: page_limits.default,
    description: `Items on a page, ${page_limits.min} to ${page_limits.max}`,
  }),
  cursor: Type.Optional(Id),
  cursor_direction: Type.Enum(['asc', 'desc'], { default: 'desc' }),
}

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), has_more: Type.Boolean() })
