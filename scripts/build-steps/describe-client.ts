import { machines } from '../../src/core/payments/states.ts'
import { client_names } from '../../src/http/route-modules.ts'
import { commentOf, type Schema, typeOf, writeComponent } from './schema-types.ts'

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface WithContent {
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: WithContent
  readonly responses: Readonly<Record<string, WithContent | Reference>>
}

/** The part of openapi.json that the client is generated from. */
export interface ApiDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, WithContent>>
  }
}

/** A method of the client: an operation, in its forms with and without a store. */
interface Method {
  readonly resource: string
  readonly tag: string
  readonly name: string
  readonly operation_id: string
  readonly summary: string
  /** The entry in the table of routes. */
  readonly route: string
  readonly ids: readonly string[]
  readonly query: readonly Parameter[]
  /** Undefined when there is nothing to send. */
  readonly body: Schema | undefined
  readonly needs_body: boolean
  /** Undefined when the response has no body. */
  readonly result: Schema | undefined
  /** The type of the items of a list. */
  readonly item: Schema | undefined
}

/** The generated files of the client, by their names. */
export function describeClient(api: ApiDescription): Record<string, string> {
  const methods = methodsOf(api)
  const resources = resourcesOf(api, methods)
  return {
    'api-types.ts': writeTypes(api, methods, resources),
    'api-routes.ts': writeRoutes(resources),
  }
}

/** The generated files of the console: the operations that only it calls. */
export function describeConsole(
  of_console: ApiDescription,
  api: ApiDescription,
): Record<string, string> {
  const methods = methodsOf(of_console)
  const resources = resourcesOf(of_console, methods)
  const own = Object.entries(of_console.components.schemas).filter(
    ([name]) => !(name in api.components.schemas),
  )
  const components = { ...of_console.components, schemas: Object.fromEntries(own) }
  const types = writeTypes({ ...of_console, components }, methods, resources)
  const names = Object.keys(of_console.components.schemas).filter((name) => {
    const is_used = new RegExp(`[^\\w]${name}[^\\w]`).test(types)
    return name in api.components.schemas && is_used
  })
  const shared = `import type { ${names.join(', ')} } from '${client_types}'\n`
  return {
    'console-types.ts': types
      .replaceAll("from '../", `from '${client_folder}/`)
      .replace('\n\n', `\n${names.length > 0 ? shared : ''}\n`)
      .replace('Every resource of the client', 'Every resource that only the console has')
      .replace('interface Resources', 'interface ConsoleResources'),
    'console-routes.ts': `${head}
/** The routes of the operations that only the console calls. */
export const console_routes = {
${writeTables(resources)}}
`,
  }
}

const client_folder = '../../../../client/src'
const client_types = `${client_folder}/generated/api-types.ts`

interface Form {
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

/** Operations with the same name in the client are one method: it knows its store. */
function methodsOf(api: ApiDescription): Method[] {
  const forms = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]): Form => ({ verb, path, operation })),
  )
  const by_method = new Map<string, Form[]>()
  for (const form of forms) {
    const name = client_names.get(form.operation.operationId)
    if (name) by_method.set(name, [...(by_method.get(name) ?? []), form])
  }
  return [...by_method].map(([name, same]) => newMethod(api, name, same))
}

const store_prefix = '/stores/{store_id}/'

function withoutOwner(path: string): string {
  return path.replace(/^\/merchants\/\{merchant_id\}\//, '/').replace(store_prefix, '/')
}

/** The path with the store that it needs or, with a question mark, that it can do without. */
function routePath(forms: readonly Form[]): string {
  const paths = forms.map(({ path }) => path)
  const short = withoutOwner(paths[0] ?? '')
  if (!paths.some((path) => path.includes(store_prefix))) return short
  return (paths.includes(short) ? '/stores/{store_id?}' : '/stores/{store_id}') + short
}

/** The form without an owner has the shortest id. */
function newMethod(api: ApiDescription, client_name: string, forms: readonly Form[]): Method {
  const { verb, operation } = forms.reduce((a, b) =>
    b.operation.operationId.length < a.operation.operationId.length ? b : a,
  )
  const { operationId, tags, summary, parameters = [], requestBody } = operation
  const [resource = '', name = ''] = client_name.split('.')
  const path = routePath(forms)
  const query = parameters.map((one) => resolve(api, one)).filter((one) => one.in === 'query')
  const body = oneOf(forms.flatMap((form) => bodyOf(api, form.operation)))
  const result = oneOf(forms.flatMap((form) => resultsOf(api, form.operation)))
  const item = itemOf(api, result)
  const mark = body || query.length > 0 ? ' *' : ''
  return {
    resource,
    tag: tags[0] ?? '',
    name,
    operation_id: operationId,
    summary: forms.length > 1 ? summary.replace(/ of the merchant\b|the merchant's /, '') : summary,
    route: `${item ? 'LIST' : verb.toUpperCase()} ${path}${mark}`,
    ids: idsOf(path),
    query,
    body,
    needs_body: requestBody?.required ?? false,
    result,
    item,
  }
}

/** The ids that a caller passes; the store before other parts of a path is known to the client. */
function idsOf(path: string): string[] {
  const own_path = path.replace(/^\/stores\/\{store_id\??\}(?=\/)/, '')
  return [...own_path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id)
}

function resolve<T extends object>(api: ApiDescription, value: T | Reference): T {
  const { $ref } = value as Partial<Reference>
  if (!$ref) return value as T
  const [, , kind = '', name = ''] = $ref.split('/')
  const found = (api.components as unknown as Record<string, Record<string, T>>)[kind]?.[name]
  if (!found) throw new Error(`openapi.json has no ${$ref}.`)
  return found
}

const schemaOf = ({ content = {} }: WithContent) => content['application/json']?.schema

/** A body without any field is not asked for. */
function bodyOf(api: ApiDescription, { requestBody }: Operation): Schema[] {
  const schema = requestBody && schemaOf(requestBody)
  if (!schema) return []
  const { properties = {}, oneOf: shapes, allOf: parts } = resolve(api, schema)
  return shapes || parts || Object.keys(properties).length > 0 ? [schema] : []
}

/** The types of successful responses. A text without a letter is an empty body. */
function resultsOf(api: ApiDescription, { responses }: Operation): Schema[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const schema = status.startsWith('2') ? schemaOf(resolve(api, response)) : undefined
    return schema && schema.maxLength !== 0 ? [schema] : []
  })
}

/** Different schemas as one. */
function oneOf(schemas: readonly Schema[]): Schema | undefined {
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()]
  return different.length > 1 ? { oneOf: different } : different[0]
}

function itemOf(api: ApiDescription, result: Schema | undefined): Schema | undefined {
  const { properties = {} } = result ? resolve(api, result) : {}
  return properties.has_more ? properties.items?.items : undefined
}

interface Resource {
  readonly name: string
  readonly description: string
  readonly methods: readonly Method[]
}

/** The groups of the API description that the client has. */
function resourcesOf(api: ApiDescription, all: readonly Method[]): Resource[] {
  return api.tags.flatMap(({ name: tag, description }) => {
    const methods = all.filter((method) => method.tag === tag)
    return methods[0] ? [{ name: methods[0].resource, description, methods }] : []
  })
}

const head = '// Generated from openapi.json by `npm run generate`; never edited.\n'

function writeTables(resources: readonly Resource[]): string {
  const tables = resources.map(({ name: resource, methods }) => {
    const rows = methods.map(({ name, route }) => `    ${name}: '${route}',\n`)
    return `  ${resource}: {\n${rows.join('')}  },\n`
  })
  return tables.join('')
}

function writeRoutes(resources: readonly Resource[]): string {
  return `${head}
/**
 * The route of every method of the client. A list has the method LIST; a star means that there are
 * fields to send, as the body or as the query.
 */
export const routes = {
${writeTables(resources)}}

/** The statuses that can follow each status of a resource. */
export const lifecycles = {
${waited_for.map(writeLifecycle).join('')}}
`
}

const waited_for = ['charge', 'refund', 'cancel', 'customs_declaration', 'subscription'] as const

function writeLifecycle(name: (typeof waited_for)[number]): string {
  const rows = Object.entries(machines[name]).map(([status, actions]) => {
    const next = [...new Set(Object.values(actions))].map((one) => `'${one}'`)
    return `    ${status}: [${next.join(', ')}],\n`
  })
  return `  ${name}: {\n${rows.join('')}  },\n`
}

function writeTypes(
  api: ApiDescription,
  methods: readonly Method[],
  resources: readonly Resource[],
): string {
  const rows = resources.map(({ name }) => `  readonly ${name}: ${resourceType(name)}\n`)
  return [
    `${head}import type { List } from '../list-pages.ts'
import type { CallOptions } from '../send-request.ts'
`,
    ...Object.entries(api.components.schemas).map(([name, one]) => writeComponent(name, one)),
    ...methods.filter(({ query }) => query.length > 0).map(writeQuery),
    ...resources.map(writeResource),
    `/** Every resource of the client. */\nexport interface Resources {\n${rows.join('')}}\n`,
  ].join('\n')
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const resourceType = (resource: string) => `${upperFirst(resource)}Resource`
const queryType = ({ operation_id }: Method) => `${upperFirst(operation_id)}Query`

function writeQuery(method: Method): string {
  const fields = method.query.map(({ name, description, schema }): [string, Schema] => [
    name,
    { ...schema, ...(description && { description }) },
  ])
  return writeComponent(queryType(method), {
    type: 'object',
    description: `The query of \`${method.operation_id}\`.`,
    properties: Object.fromEntries(fields),
    required: method.query.filter((one) => one.required).map(({ name }) => name),
  })
}

function writeResource({ name, description, methods }: Resource): string {
  const lines = methods.map((method) => {
    const comment = commentOf(`${method.summary}.`, '  ')
    return `${comment}  ${method.name}(${parametersOf(method)}): ${returnType(method)}\n`
  })
  const comment = commentOf(description)
  return `${comment}export interface ${resourceType(name)} {\n${lines.join('')}}\n`
}

/** Ids first, then the body or the query, then the options of the call. */
function parametersOf(method: Method): string {
  const { ids, query, body, needs_body } = method
  const mark = (is_needed: boolean) => (is_needed ? '' : '?')
  const needs_query = query.some((one) => one.required)
  return [
    ...ids.map((id) => `${id}: string`),
    ...(body ? [`body${mark(needs_body)}: ${typeOf(body, '  ')}`] : []),
    ...(query.length > 0 ? [`query${mark(needs_query)}: ${queryType(method)}`] : []),
    'options?: CallOptions',
  ].join(', ')
}

function returnType({ item, result }: Method): string {
  if (item) return `List<${typeOf(item, '  ')}>`
  return `Promise<${result ? typeOf(result, '  ') : 'void'}>`
}
