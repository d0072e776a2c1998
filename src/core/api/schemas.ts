import Type, {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from 'typebox'
import { page_limits } from '../limits/limits.ts'
import type { Metadata } from '../text/metadata.ts'
import { described, named, shownAs, shownSchema } from './described-schemas.ts'

/** Building blocks of many schemas. */
export const Id = Type.String({ format: 'uuid' })
export const Instant = shownAs(
  Type.String(),
  Type.String({
    format: 'date-time',
    description: 'A time as ISO-8601 with fractional seconds.',
  }),
)
export const MetadataSchema = named(
  'Metadata',
  Type.Unsafe<Metadata>(Type.Object({}, { additionalProperties: true })),
  'Your own keys and values, at most 16 KB and 100 keys; value types are preserved.',
)

/** An object that others define. */
export const AnyObject = named(
  'AnyObject',
  Type.Object({}, { additionalProperties: true }),
  'An object whose fields this API does not define.',
)

/** The body of a request that has nothing to say. */
export const NoFields = named('NoFields', Type.Object({}), 'A body without fields.')

/**
 * The schema or null, written as a second type and not as a union: a validator then reports the real
 * fault of a value, and the serializer need not try both.
 */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: allowed }: { type?: string; enum?: unknown[] } = schema
  const more = allowed ? { enum: [...allowed, null] } : { type: [type, 'null'] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...more })
}

const no_control_characters = '^[^\\u0000-\\u001f\\u007f]*$'

/** A short text that a person typed: no control characters. */
export const Label = (max_length = 255) =>
  Type.String({ minLength: 1, maxLength: max_length, pattern: no_control_characters })

/** The rule of a text that does not match a pattern, in words that follow the field's name. */
export const pattern_rules: Readonly<Record<string, string>> = {
  [no_control_characters]: 'must not have control characters',
  '^\\d{4}$': 'must be 4 digits',
  '^\\d{6}$': 'must be 6 digits',
  '^\\d{1,4}$': 'must be 1 to 4 digits',
  '^\\d{1,15}$': 'must be 1 to 15 digits',
  '^\\+?\\d{1,18}$': 'must be a phone number in digits',
  '^\\d{4}-\\d{2}$': 'must be a year and a month, for example 2026-11',
  '^[0-9 -]{12,30}$': 'must be a card number',
  '^[A-Za-z0-9]{1,32}$': 'must be 1 to 32 letters and digits',
  '^[0-9A-Za-z-]{1,34}$': 'must be 1 to 34 letters, digits and hyphens',
  '^[0-9A-Za-z-]{4,34}$': 'must be 4 to 34 letters, digits and hyphens',
  '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$': 'must be printable ASCII, words separated by one space',
}

export const PageParameters = {
  limit: Type.Integer({
    minimum: page_limits.min,
    maximum: page_limits.max,
    default: page_limits.default,
    description: `Items on a page, ${page_limits.min} to ${page_limits.max}.`,
  }),
  cursor: Type.Optional(described(Id, 'The id of the last item of the previous page.')),
  cursor_direction: Type.Enum(['asc', 'desc'], {
    default: 'desc',
    description: 'By the time of creation: the newest first (`desc`), or the oldest (`asc`).',
  }),
}

/** A page of a list. Its name is that of its items: `ChargePage`. */
export const PageOf = <T extends TSchema>(item: T) =>
  named(
    pageName(item),
    Type.Object({
      items: Type.Array(item, { description: 'The items of this page.' }),
      has_more: Type.Boolean({ description: 'Whether more follow.' }),
    }),
    'A page of a list.',
  )

/** A page that may have the number of all items, for client libraries; the description has none. */
export function withTotal<T extends TProperties>(page: TObject<T>) {
  const counted = Type.Object({ ...page.properties, total_hits: Type.Optional(Type.Integer()) })
  return shownAs(counted, page)
}

function pageName(item: TSchema): string {
  const { title = '' } = shownSchema(item)
  return `${title.replace(/Item$/, '')}Page`
}
