import { code, type Html, html, joined, prose } from './escaped-html.ts'

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  type?: string | string[]
  title?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  $ref?: string
}

/** One row of a table of fields; nested fields have dotted names. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly notes: Html[]
}

export type FindSchema = (reference: string) => Schema

/** Recursive schemas are shown this deep. */
const deepest = 8

/** Every field of an object, including nested ones, in the order of the schema. */
export function fieldsOf(schema: Schema, find: FindSchema, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [], items, oneOf, anyOf, $ref } = schema
  if (depth > deepest) return []
  if ($ref) return fieldsOf(find($ref), find, prefix, depth + 1)
  if (items) return fieldsOf(items, find, `${prefix}[]`, depth + 1)
  const own = Object.entries(properties).flatMap(([key, given]) => {
    const inner = given.$ref ? { ...find(given.$ref), ...given } : given
    const name = prefix === '' ? key : `${prefix}.${key}`
    const is_required = required.includes(key) && inner.default === undefined
    return [
      { name, type: typeOf(inner), required: is_required, notes: notesOf(inner) },
      ...fieldsOf(inner, find, name, depth + 1),
    ]
  })
  return [...own, ...(oneOf ?? anyOf ?? []).flatMap((form) => fieldsOfForm(form, find, prefix))]
}

/** The fields of one of several variants; each says to which variant it belongs. */
function fieldsOfForm(form: Schema, find: FindSchema, prefix: string): Field[] {
  const resolved = form.$ref ? find(form.$ref) : form
  const name = formName(resolved)
  return fieldsOf(resolved, find, prefix, 1).map((field) =>
    name === null ? field : { ...field, notes: [prose(`Only with ${name}.`), ...field.notes] },
  )
}

/** Variants differ in a field that has only one value in each of them. */
function formName({ title, properties = {} }: Schema): string | null {
  for (const [key, { const: value, enum: allowed }] of Object.entries(properties)) {
    const only = value ?? (allowed?.length === 1 ? allowed[0] : undefined)
    if (only !== undefined) return `\`${key}\` ${only}`
  }
  return title ?? null
}

/** The type in words: "string or null", "list of objects". */
export function typeOf(schema: Schema): string {
  const { type, enum: allowed, const: only, items, oneOf, anyOf } = schema
  if (type !== undefined) {
    const names = [type].flat().map((name) => (name === 'array' ? listOf(items) : name))
    return names.join(' or ')
  }
  const forms = oneOf ?? anyOf
  if (forms) return [...new Set(forms.map(typeOf))].join(' or ')
  const values = allowed ?? (only === undefined ? [] : [only])
  const names = values.map((value) => (value === null ? 'null' : typeof value))
  return names.length === 0 ? 'any' : [...new Set(names)].join(' or ')
}

function listOf(items: Schema | undefined): string {
  const type = items ? typeOf(items) : 'any'
  return type === 'any' ? 'list' : `list of ${type}s`
}

export function notesOf(schema: Schema): Html[] {
  const { description, format, pattern, default: fallback, examples, items } = schema
  const allowed = schema.enum ?? items?.enum
  const values = allowed?.filter((value) => value !== null).map(String)
  const notes: (Html | null)[] = [
    description ? prose(`${description.replace(/\.$/, '')}.`) : null,
    values ? html`One of ${joined(values.map(code), ', ')}.` : null,
    format ? html`Form: ${format.replaceAll('_', ' ')}.` : null,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    pattern ? html`Matches ${code(pattern)}.` : null,
    fallback === undefined ? null : html`Default ${code(JSON.stringify(fallback))}.`,
    examples?.[0] === undefined ? null : html`Example ${code(String(examples[0]))}.`,
  ]
  return notes.filter((note) => note !== null)
}

function range(min: number | undefined, max: number | undefined, unit: string): Html | null {
  if (min === undefined && max === undefined) return null
  if (min === undefined) return html`At most ${max ?? ''}${unit}.`
  if (max === undefined) return html`At least ${min}${unit}.`
  return html`${min} to ${max}${unit}.`
}
