import {
  type ApiDescription,
  type Content,
  errorCodesOf,
  type Message,
  nameOf,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from './api-description.ts'

/** An operation with all its paths: with and without the store or the merchant that it is for. */
export interface ApiOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The same at other paths. */
  readonly others: readonly { readonly id: string; readonly path: string }[]
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
  readonly body: Content | null
  readonly success: { readonly status: string; readonly content: Content | null }
  readonly error_codes: readonly string[]
}

/** The operations of a tag, and the objects that they return first. */
export interface ResourcePage {
  readonly slug: string
  readonly tag: string
  readonly description: string
  readonly operations: readonly ApiOperation[]
  readonly objects: readonly string[]
}

export interface Api {
  readonly description: ApiDescription
  readonly resources: readonly ResourcePage[]
  /** Schemas that are too long to be shown with others. */
  readonly large: readonly string[]
  findSchema(name: string): Schema
  /** The address where the fields of a schema are shown; null: where it is used. */
  addressOf(name: string): string | null
  /** The client's name of an operation, such as `refunds.create`. */
  clientName(id: string): string | null
  /** The address of an operation, by any of its ids. */
  operationAddress(id: string): string | null
}

export function slugOf(tag: string): string {
  return tag.replaceAll(/\W+/g, '-')
}

/** An object, or a part of one, with more fields than this has a page of its own. */
const max_fields = { object: 40, part: 100 } as const

export function readApi(
  description: ApiDescription,
  client_names: ReadonlyMap<string, string>,
): Api {
  const { schemas } = description.components
  const operations = readOperations(description)
  const owners = findOwners(description, operations)
  const large = findLarge(schemas, owners)
  const places = findPlaces(operations)
  const homes = new Map([...owners].map(([name, tag]) => [name, `/docs/${slugOf(tag)}#${name}`]))
  for (const name of large) homes.set(name, `/docs/objects/${name}`)
  const resources = description.tags.map(({ name: tag, description: words }): ResourcePage => {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === tag)
    const objects = [...owners.keys()].filter(
      (name) => owners.get(name) === tag && !large.includes(name),
    )
    return { slug: slugOf(tag), tag, description: words, operations: own, objects }
  })
  return {
    description,
    resources: resources.filter((page) => page.operations.length > 0),
    large,
    findSchema: (name) => schemas[name] ?? {},
    addressOf: (name) => homes.get(name) ?? null,
    clientName: (id) => client_names.get(id) ?? null,
    operationAddress: (id) => places.get(id) ?? null,
  }
}

function findPlaces(operations: readonly ApiOperation[]): Map<string, string> {
  const places = operations.flatMap((operation) => {
    const { id, others } = operation
    const page = `/docs/${slugOf(tagOf(operation) ?? '')}`
    return [id, ...others.map((other) => other.id)].map((one) => [one, `${page}#${one}`] as const)
  })
  return new Map(places)
}

/** The objects that operations return, each with the first tag that returns it. */
function findOwners(
  { tags, components }: ApiDescription,
  operations: readonly ApiOperation[],
): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name: tag } of tags) {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === tag)
    for (const { success } of own) {
      for (const name of objectsIn(success.content?.schema, components.schemas)) {
        if (!owners.has(name)) owners.set(name, tag)
      }
    }
  }
  return owners
}

function readOperations(description: ApiDescription): ApiOperation[] {
  const by_schemas = new Map<string, ApiOperation[]>()
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const read = readOperation(description, method, path, operation)
      const { body, success } = read
      const key = JSON.stringify([method, body?.schema, success.status, success.content?.schema])
      const alike = by_schemas.get(key) ?? []
      by_schemas.set(key, alike)
      const at = alike.findIndex((other) => isSame(other, read))
      const same = alike[at]
      if (same) alike[at] = merge(same, read)
      else alike.push(read)
    }
  }
  return inOrder(description, [...by_schemas.values()].flat())
}

function inOrder({ paths }: ApiDescription, operations: ApiOperation[]): ApiOperation[] {
  const order = Object.keys(paths)
  return operations.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path))
}

/** Whether operations with the same schemas differ only in the owner or the spelling of their path. */
function isSame(a: ApiOperation, b: ApiOperation): boolean {
  const is_alias = a.operation.summary === b.operation.summary && tagOf(a) === tagOf(b)
  return is_alias || barePath(a) === barePath(b)
}

const tagOf = ({ operation }: ApiOperation) => operation.tags?.[0]

/** The path without its owner. */
function barePath({ path }: Pick<ApiOperation, 'path'>): string {
  return path.replace(/^\/(merchants\/\{merchant_id\}\/)?(stores\/\{store_id\}\/)?/, '/')
}

/** The path with fewer parts is shown first. An example of one path is an example of all. */
function merge(a: ApiOperation, b: ApiOperation): ApiOperation {
  const parts = ({ path }: ApiOperation) => path.split('/').length
  const [first, second] = parts(b) < parts(a) ? [b, a] : [a, b]
  return {
    ...first,
    others: [...first.others, { id: second.id, path: second.path }, ...second.others],
    body: withExample(first.body, second.body),
    success: {
      ...first.success,
      content: withExample(first.success.content, second.success.content),
    },
  }
}

function withExample(content: Content | null, other: Content | null): Content | null {
  const has_example = content && ('example' in content || 'examples' in content)
  return has_example ? content : (other ?? content)
}

function readOperation(
  description: ApiDescription,
  method: string,
  path: string,
  operation: Operation,
): ApiOperation {
  const { components } = description
  const { parameters = [], requestBody, responses, operationId } = operation
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    others: [],
    operation,
    parameters: parameters.map((one) => resolve(one, components.parameters)),
    body: jsonOf(requestBody),
    success: {
      status: status ?? '200',
      content: response
        ? withOwnExamples(jsonOf(resolve(response, components.responses)), operationId)
        : null,
    },
    error_codes: errorCodesOf(description, operation),
  }
}

/** The examples of a shared response for this operation, or else those of other operations. */
function withOwnExamples(content: Content | null, operation_id: string): Content | null {
  const all = Object.entries(content?.examples ?? {})
  if (!content || !all.some(([name]) => name.includes('.'))) return content
  const { examples, ...others } = content
  const prefix = `${operation_id}.`
  const own = all.filter(([name]) => name.startsWith(prefix))
  const named = own.map(([name, example]) => [name.slice(prefix.length), example] as const)
  return {
    ...others,
    ...(named.length > 0 ? { examples: Object.fromEntries(named) } : {}),
    ...(examples ? { shared_examples: Object.fromEntries(all.slice(0, 1)) } : {}),
  }
}

function jsonOf(message: Message | undefined): Content | null {
  return message?.content?.['application/json'] ?? null
}

type Schemas = ApiDescription['components']['schemas']

/** The item of a list; null: the schema is no list. */
export function itemOf(schema: Schema | undefined, schemas: Schemas): Schema | null {
  const whole = schema?.$ref ? schemas[nameOf(schema.$ref)] : schema
  const { items, has_more } = whole?.properties ?? {}
  return has_more ? (items?.items ?? null) : null
}

/** The named objects that a response consists of: of an extended object, what it extends, and itself. */
function objectsIn(schema: Schema | undefined, schemas: Schemas): string[] {
  const item = itemOf(schema, schemas) ?? schema
  if (!item?.$ref)
    return (item?.oneOf ?? item?.anyOf ?? []).flatMap((one) => objectsIn(one, schemas))
  const name = nameOf(item.$ref)
  const { properties, oneOf, allOf = [] } = schemas[name] ?? {}
  const base = allOf[0]?.$ref ? objectsIn(allOf[0], schemas) : []
  return properties || oneOf || allOf.length > 0 ? [...base, name] : []
}

/** Objects and nested schemas with many fields, without those of other objects. */
function findLarge(schemas: Schemas, owners: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>()
  const count = (schema: Schema, depth: number): number => {
    if (depth > 12) return 0
    const name = schema.$ref ? nameOf(schema.$ref) : null
    if (name) return owners.has(name) || found.has(name) ? 0 : count(schemas[name] ?? {}, depth + 1)
    const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema
    const parts = [...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...anyOf]
    const inside = [...parts, ...allOf].reduce((sum, part) => sum + count(part, depth + 1), 0)
    return inside + Object.keys(properties).length
  }
  const used = referencesIn(schemas)
  const nested = Object.keys(schemas).filter((name) => used.has(name) && !owners.has(name))
  for (const name of [...nested, ...owners.keys()]) {
    const max = owners.has(name) ? max_fields.object : max_fields.part
    if (count(schemas[name] ?? {}, 0) > max) found.add(name)
  }
  return [...found].sort()
}

/** The names of all schemas that fields of others have. */
function referencesIn(schemas: Schemas): Set<string> {
  const fields = Object.values(schemas).map(({ properties }) => properties ?? {})
  const references = JSON.stringify(fields).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return new Set([...references].map(([, name = '']) => name))
}
