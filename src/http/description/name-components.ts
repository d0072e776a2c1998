import { isDeepStrictEqual } from 'node:util'
import {
  field_description,
  type Notes,
  type SchemaFields,
  shown_as,
} from '../../core/api/described-schemas.ts'
import { namesOf } from '../../core/table-names.ts'
import { type FormatName, formats } from '../../core/typed/formats.ts'

/** The part of JSON Schema that our schemas use. */
export interface Schema extends Notes, SchemaFields<Schema> {}

const place = '#/components/schemas/'

export interface Components {
  /** The schema as it is written in the description: a reference where it has a name. */
  write(schema: object): Schema
  /** Every named schema that was written, by name. */
  schemas(): Record<string, Schema>
}

/**
 * Collects the named schemas of the description. `title` is the name; two different schemas with one
 * name are refused.
 */
export function newComponents(): Components {
  const found = new Map<string, Schema>()
  const written = new WeakMap<object, Schema>()

  function write(schema: Schema): Schema {
    const known = written.get(schema)
    if (known) return known
    const result = writeField(schema)
    written.set(schema, result)
    return result
  }

  /** A field: null and the description stand beside the reference, or are part of what has no name. */
  function writeField(schema: Schema): Schema {
    const { title, ...content } = (schema[shown_as] ?? schema) as Schema
    const is_null = acceptsNull(schema)
    const note = schema[field_description]
    const beside = note === undefined ? {} : { description: note }
    const shared = title === undefined ? sharedName(content) : null
    if (title === undefined && shared === null) {
      return { ...writeParts(is_null ? withNull(content) : content), ...beside }
    }
    const reference = shared ? shareText(shared) : name(title ?? '', withoutNull(content))
    const own_note = shared && content.description ? { description: content.description } : {}
    return {
      ...(is_null ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...own_note,
      ...beside,
    }
  }

  function shareText(title: SharedText): Schema {
    found.set(title, shared_texts[title])
    return { $ref: place + title }
  }

  function name(title: string, schema: Schema): Schema {
    const content = writeParts(schema)
    const other = found.get(title)
    if (other && !isDeepStrictEqual(other, content)) {
      throw new Error(`Two different schemas have the name ${title}.`)
    }
    found.set(title, content)
    return { $ref: place + title }
  }

  function writeParts(schema: Schema): Schema {
    const { properties, items, additionalProperties, oneOf, anyOf, allOf, discriminator } = schema
    const content = Object.fromEntries(Object.entries(withFormat(withType(schema))))
    if (Object.keys(properties ?? {}).length === 0) delete content.properties
    else if (properties) {
      const fields = Object.entries(properties).map(([key, field]) => [key, write(field)] as const)
      content.properties = Object.fromEntries(fields)
    }
    if (items) content.items = write(items)
    if (typeof additionalProperties === 'object') {
      content.additionalProperties = write(additionalProperties)
    }
    for (const [key, shapes] of Object.entries({ oneOf, anyOf, allOf })) {
      if (shapes) content[key] = shapes.map(write)
    }
    if (discriminator && oneOf) content.discriminator = writeMapping(oneOf, discriminator)
    return content as Schema
  }

  function writeMapping(
    shapes: readonly Schema[],
    { propertyName }: { readonly propertyName: string },
  ) {
    const entries = shapes.flatMap((shape) => {
      const { $ref = '' } = write(shape)
      return valuesOf(shape, propertyName).map((value) => [String(value), $ref] as const)
    })
    return { propertyName, mapping: Object.fromEntries(entries) }
  }

  return {
    write,
    schemas: () => Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Texts that nearly every object has are described once. */
const shared_texts = {
  Uuid: { type: 'string', format: 'uuid', description: 'An id that this service has assigned.' },
  Instant: {
    type: 'string',
    format: 'date-time',
    description: 'A time as ISO-8601 with fractional seconds.',
  },
} as const satisfies Record<string, Schema>
type SharedText = keyof typeof shared_texts

/** The shared text that a field is; null: its schema says something else. */
function sharedName({ type, format, description: _, ...others }: Schema): SharedText | null {
  const is_text = [type].flat().every((one) => one === 'string' || one === 'null')
  if (!is_text || Object.keys(others).length > 0) return null
  return namesOf(shared_texts).find((name) => shared_texts[name].format === format) ?? null
}

/** The values with which a field selects a shape. */
function valuesOf(shape: Schema, field: string): readonly unknown[] {
  const { allOf = [], properties } = (shape[shown_as] as Schema | undefined) ?? shape
  const { const: only, enum: several } = properties?.[field] ?? {}
  if (several) return several
  return only === undefined ? allOf.flatMap((part) => valuesOf(part, field)) : [only]
}

function acceptsNull({ type, enum: allowed }: Schema): boolean {
  return allowed?.includes(null) || (Array.isArray(type) && type.includes('null'))
}

function withoutNull(schema: Schema): Schema {
  const { type, enum: allowed } = schema
  const types = [type ?? []].flat().filter((name) => name !== 'null')
  return {
    ...schema,
    ...(types.length > 0 ? { type: types.length === 1 ? (types[0] ?? '') : types } : {}),
    ...(allowed ? { enum: allowed.filter((value) => value !== null) } : {}),
  }
}

function withNull(schema: Schema): Schema {
  const { type, enum: allowed } = schema
  if (acceptsNull(schema)) return schema
  return {
    ...schema,
    ...(type ? { type: [...[type].flat(), 'null'] } : {}),
    ...(allowed ? { enum: [...allowed, null] } : {}),
  }
}

/** Programs that generate types want the type of an enumeration, too. */
function withType(schema: Schema): Schema {
  const { type, enum: allowed, const: only } = schema
  const values = allowed ?? (only === undefined ? [] : [only])
  if (type !== undefined || values.length === 0) return schema
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  return { type: types.length === 1 ? (types[0] ?? '') : types, ...schema }
}

/** A format of our own means nothing to other programs: its pattern is written, too. */
function withFormat(schema: Schema): Schema {
  const known = formats[schema.format as FormatName]
  return known && 'written' in known ? { ...schema, ...known.written } : schema
}
