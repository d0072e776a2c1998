import { nameOf, type Schema } from './api-description.ts'
import type { Api } from './read-api.ts'

/** A field as the reference shows it. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly nullable: boolean
  /** Without the parts that `shape` has. */
  readonly schema: Schema
  readonly description: string | null
  readonly shape: Shape
}

/** The fields of an object, in full or by reference to where they are shown. */
export interface Shape {
  /** The name of its schema, if it has one. */
  readonly name?: string
  readonly fields: readonly Field[]
  /** Objects with a place of their own, of which this has all fields. */
  readonly includes: readonly { readonly name: string; readonly address: string }[]
  readonly variants: readonly Variant[]
}

/** One of several forms of an object, and which value chooses it. */
export interface Variant {
  readonly name: string
  /** The name with the field that chooses it. */
  readonly title: string
  readonly shape: Shape
}

const nothing: Shape = { fields: [], includes: [], variants: [] }

/** Recursive schemas are shown this deep. */
const max_depth = 8

/** The fields of a schema, although the schema itself may have a place of its own. */
export function shapeOf(api: Api, schema: Schema, depth = 0): Shape {
  if (depth > max_depth) return nothing
  const { $ref, properties = {}, required = [], items, allOf = [] } = schema
  if ($ref) return shapeOf(api, api.findSchema(nameOf($ref)), depth + 1)
  if (items) return nestedShape(api, items, depth + 1)
  const fields = Object.entries(properties).map(([name, field]) =>
    readField(api, name, field, required.includes(name), depth),
  )
  const parts = allOf.map((part) => nestedShape(api, part, depth + 1))
  return combine([{ ...nothing, fields }, ...parts, variantsOf(api, schema, depth)])
}

/** A part: a named object that is shown elsewhere is only mentioned. */
function nestedShape(api: Api, schema: Schema, depth: number): Shape {
  const name = schema.$ref ? nameOf(schema.$ref) : ''
  const address = api.addressOf(name)
  if (address) return { ...nothing, includes: [{ name, address }] }
  return { ...shapeOf(api, schema, depth), name: nameOf(schema.items?.$ref ?? schema.$ref ?? '') }
}

/** The later of two fields with one name is the more exact one. */
function combine(shapes: readonly Shape[]): Shape {
  const fields = new Map<string, Field>()
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const earlier = fields.get(field.name)
    const description = field.description ?? earlier?.description ?? null
    fields.set(field.name, { ...field, description })
  }
  return {
    fields: [...fields.values()],
    includes: shapes.flatMap(({ includes }) => includes),
    variants: shapes.flatMap(({ variants }) => variants),
  }
}

/** Fields that all variants have alike are shown once, before them. */
function variantsOf(api: Api, schema: Schema, depth: number): Shape {
  const forms = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (forms.length === 0) return nothing
  const shapes = forms.map((form) => nestedShape(api, form, depth + 1))
  const [only] = shapes
  if (shapes.length === 1 && only) return only
  if (shapes.every(({ fields, includes }) => fields.length + includes.length === 0)) {
    return nothing
  }
  const keys = shapes.map(({ fields }) => new Set(fields.map(keyOf)))
  const isCommon = (field: Field) => keys.every((one) => one.has(keyOf(field)))
  const variants = forms.map((form, at): Variant => {
    const shape = shapes[at] ?? nothing
    const name = variantName(api, schema, form)
    const { propertyName, mapping = {} } = schema.discriminator ?? {}
    return {
      name,
      title: propertyName && name in mapping ? `${propertyName}: ${name}` : name,
      shape: { ...shape, fields: shape.fields.filter((field) => !isCommon(field)) },
    }
  })
  return { ...nothing, fields: only?.fields.filter(isCommon) ?? [], variants }
}

function keyOf({ name, schema, required }: Field): string {
  return JSON.stringify([name, schema, required])
}

/** The values that choose the variant, or the name of its schema. */
function variantName(api: Api, { discriminator }: Schema, form: Schema): string {
  const values = Object.entries(discriminator?.mapping ?? {})
    .filter(([, reference]) => reference === form.$ref)
    .map(([value]) => value)
  if (values.length > 0 && values.length <= 2) return values.join(', ')
  return form.$ref ? nameOf(form.$ref) : typeOf(api, form)
}

export function readField(
  api: Api,
  name: string,
  given: Schema,
  is_required: boolean,
  depth = 0,
): Field {
  const { content, nullable } = withoutNull(given)
  const named = content.$ref ? api.findSchema(nameOf(content.$ref)) : content
  return {
    name,
    type: typeOf(api, content),
    required: is_required && given.default === undefined,
    nullable,
    schema: { ...named, ...given },
    description: given.description ?? content.description ?? named.description ?? null,
    shape: nestedShape(api, content, depth + 1),
  }
}

/** The schema of the value when it is not null. */
export function withoutNull(schema: Schema): { content: Schema; nullable: boolean } {
  const { anyOf, type } = schema
  const forms = anyOf?.filter((form) => form.type !== 'null') ?? []
  if (anyOf && forms.length < anyOf.length) {
    const [only] = forms
    const content = forms.length === 1 && only ? only : { ...schema, anyOf: forms }
    return { content, nullable: true }
  }
  if (!Array.isArray(type) || !type.includes('null')) return { content: schema, nullable: false }
  const types: string[] = type.filter((name: string) => name !== 'null')
  return {
    content: { ...schema, type: types.length === 1 ? (types[0] ?? '') : types },
    nullable: true,
  }
}

/** The type in words: `string`, `array of objects`. */
export function typeOf(api: Api, given: Schema): string {
  const { content } = withoutNull(given)
  const schema = content.$ref ? api.findSchema(nameOf(content.$ref)) : content
  const { type, items, format, oneOf, anyOf, allOf } = schema
  if (type === 'array') return items ? `array of ${plural(typeOf(api, items))}` : 'array'
  if (type === undefined && (oneOf || anyOf || allOf)) return 'object'
  const names = [type ?? 'any'].flat().join(' or ')
  return format && names === 'string' ? formatted(format) : names
}

const format_words: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'URL',
  ipv4: 'IPv4 address',
  email: 'e-mail address',
  instant: 'date-time',
}

function formatted(format: string): string {
  return format_words[format] ?? format.replaceAll('_', ' ')
}

function plural(type: string): string {
  if (/s$/.test(type)) return `${type}es`
  return /y$/.test(type) ? `${type.slice(0, -1)}ies` : `${type}s`
}
