import type { FastifySchema } from 'fastify'
import { queryFields } from '../../api/routes/request-parts.ts'
import { maskText } from '../../core/cards/sensitive.ts'
import { isRecord, objectOf, recordOf } from '../../core/read-unknown.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  oneOf?: Schema[]
  discriminator?: { propertyName: string }
}

/**
 * Walks a value by its schema before validation. `null` for a field that is not nullable means that the
 * field is absent, because programs send null for unset fields: it is removed. Names that the schema
 * does not know are collected, so that typing errors become visible.
 */
type Reader = (value: unknown, path: string, unknown: string[]) => void

const nothing: Reader = () => {}

interface Field {
  readonly takes_null: boolean
  readonly read: Reader
}

function takesNull({ type, enum: allowed, oneOf }: Schema): boolean {
  if (allowed) return allowed.includes(null)
  if (oneOf) return oneOf.some(takesNull)
  return type === undefined || [type].flat().includes('null')
}

function readerOf(schema: Schema): Reader {
  if (schema.oneOf && schema.discriminator) {
    return unionReader(schema.oneOf, schema.discriminator.propertyName)
  }
  if (schema.items) return arrayReader(readerOf(schema.items))
  if (!schema.properties || schema.additionalProperties === true) return nothing
  return objectReader(schema.properties)
}

function objectReader(properties: Record<string, Schema>): Reader {
  const fields = new Map<string, Field>(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { takes_null: takesNull(schema), read: readerOf(schema) },
    ]),
  )
  return (value, path, unknown) => {
    if (!isRecord(value) || Array.isArray(value)) return
    for (const name in value) {
      const field = fields.get(name)
      if (!field) unknown.push(path + name)
      else if (value[name] === null) {
        if (!field.takes_null) delete value[name]
      } else if (field.read !== nothing) field.read(value[name], `${path}${name}.`, unknown)
    }
  }
}

function arrayReader(item: Reader): Reader {
  if (item === nothing) return nothing
  return (value, path, unknown) => {
    if (!Array.isArray(value)) return
    value.forEach((inner, index) => {
      item(inner, `${path}${index}.`, unknown)
    })
  }
}

interface Tagged {
  readonly const?: unknown
  readonly enum?: unknown[]
}

/** The value of one field selects the branch; without a known one, validation refuses the body. */
function unionReader(branches: Schema[], tag: string): Reader {
  const readers = new Map<unknown, Reader>()
  for (const branch of branches) {
    const { const: only, enum: several = [only] }: Tagged = branch.properties?.[tag] ?? {}
    for (const name of several) readers.set(name, readerOf(branch))
  }
  return (value, path, unknown) => {
    const chosen = readers.get(recordOf(value)[tag])
    chosen?.(value, path, unknown)
  }
}

/**
 * Removes meaningless nulls from a body and unknown parameters from a query, and names the ignored
 * fields of both. A handler that passes its query on can therefore pass on only what was validated.
 */
export type KnownFields = (body: unknown, query: unknown) => string | null

const max_names = 20
const max_name_length = 64

export function knownFields({ body, querystring }: FastifySchema): KnownFields {
  const readBody = readerOf(objectOf(body ?? { properties: {} }))
  const known = new Set(Object.keys(queryFields({ querystring })))
  return (value, query) => {
    const unknown: string[] = []
    const given = recordOf(query)
    for (const name in given) {
      if (known.has(name)) continue
      unknown.push(name)
      delete given[name]
    }
    readBody(value, '', unknown)
    return unknown.length === 0 ? null : asHeader(unknown)
  }
}

/** Names come from the caller: only characters that a header allows are repeated, and no card number. */
function asHeader(names: string[]): string {
  const shown = names
    .slice(0, max_names)
    .map((name) => maskText(name.slice(0, max_name_length)).replaceAll(/[^\w.[\]-]/g, '?'))
  if (names.length > max_names) shown.push('...')
  return shown.join(', ')
}
