import type { Access } from '../resources/route.ts'
import {
  type Field,
  type FindSchema,
  fieldsOf,
  notesOf,
  type Schema,
  typeOf,
} from './docs-schema.ts'
import { code, type Html, html, joined, prose, table } from './escaped-html.ts'

interface Content {
  description?: string
  content?: Record<string, { schema?: Schema }>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface Operation {
  tags?: string[]
  summary?: string
  description?: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
  'x-access'?: Access
}

/** The part of an OpenAPI document that the reference uses. */
export interface ApiDescription {
  info: { title: string; version: string; description?: string }
  paths?: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Content>
  }
}

type Shared<T> = Record<string, T> | undefined

/** What a reference to a shared part stands for. */
function resolve<T extends object>(part: T | { $ref: string }, shared: Shared<T>): T {
  const name = '$ref' in part ? part.$ref.split('/').at(-1) : undefined
  return (name === undefined ? part : shared?.[name]) as T
}

function resolveOperation(
  operation: Operation,
  components: ApiDescription['components'],
): Operation {
  const { parameters = [], responses } = operation
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, resolve(answer, components?.responses)] as const,
  )
  return {
    ...operation,
    parameters: parameters.map((one) => resolve(one, components?.parameters)),
    responses: Object.fromEntries(answers),
  }
}

/** An operation and all its paths; the shortest is its name. */
interface Route {
  readonly method: string
  readonly paths: string[]
  readonly operation: Operation
  readonly parameters: Parameter[]
}

export interface RouteGroup {
  readonly tag: string
  readonly routes: Route[]
}

/** Routes by tag, in the order they were added; routes that differ only in their path are merged. */
export function groupRoutes({ paths = {}, components }: ApiDescription): RouteGroup[] {
  const groups = new Map<string, Map<string, Route>>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const operation = resolveOperation(described, components)
      const tag = operation.tags?.[0] ?? 'other'
      const routes = groups.get(tag) ?? new Map<string, Route>()
      groups.set(tag, routes)
      const key = routeKey(method, operation)
      routes.set(key, withPath(routes.get(key), { method, path, operation }))
    }
  }
  return [...groups].map(([tag, routes]) => ({ tag, routes: [...routes.values()] }))
}

function routeKey(method: string, operation: Operation): string {
  const query = operation.parameters?.filter((parameter) => parameter.in !== 'path')
  return JSON.stringify([method, { ...operation, operationId: '', parameters: query ?? [] }])
}

function withPath(
  known: Route | undefined,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Route {
  const found = [...(operation.parameters ?? []), ...(known?.parameters ?? [])]
  const parameters = [...new Map(found.map((parameter) => [parameter.name, parameter])).values()]
  const paths = [...(known?.paths ?? []), path].sort((a, b) => a.length - b.length)
  return { method, paths, operation, parameters }
}

export function groupId(tag: string): string {
  return `tag-${tag.replaceAll(/\W+/g, '-')}`
}

function routeId({ method, paths }: Route): string {
  return `${method}${paths[0]?.replaceAll(/\W+/g, '-')}`
}

export function routeLink(route: Route): Html {
  const { method, paths } = route
  const name = html`<span class="method ${method}">${method.toUpperCase()}</span>`
  return html`<a href="#${routeId(route)}">${name} ${code(paths[0] ?? '')}</a>`
}

const access_words = {
  any: 'An application token of a store or of the merchant',
  store: 'An application token of a store',
  merchant: 'An application token of the merchant',
} as const

const secret_words = {
  never: 'with its secret.',
  from_domains: 'with its secret, or the JWT alone from a page in the domains of the token.',
  anywhere: 'with its secret or the JWT alone.',
} as const

/** Which callers may use a route, in words. Without an access description, only public or not. */
function accessOf({ security, 'x-access': access }: Operation): string {
  if (access?.level === 'public' || security?.length === 0) return 'No credential is needed.'
  if (access?.level === 'user') return 'The login token of a user.'
  if (!access) return 'An application token, with its secret.'
  const { level = 'any', without_secret = 'never' } = access
  return `${access_words[level]}, ${secret_words[without_secret]}`
}

const answer_words: Readonly<Record<string, string>> = {
  '200': 'Done.',
  '201': 'Created.',
  '204': 'Done.',
  '4XX': 'Refused.',
  '5XX': 'Failed on our side.',
}

function jsonOf(part: Content | undefined): Schema | null {
  return part?.content?.['application/json']?.schema ?? null
}

/** The routes of a group. Fields that an earlier route has shown are linked, not repeated. */
export function renderRoutes({ routes }: RouteGroup, find: FindSchema): Html {
  const shown = new Map<string, Route>()
  return html`${routes.map((route) => {
    const answer = answerOf(route.operation)
    const key = JSON.stringify(answer)
    const same = shown.get(key)
    if (!same) shown.set(key, route)
    return renderRoute(route, same ? `#${routeId(same)}` : null, find)
  })}`
}

function answerOf({ responses }: Operation): Schema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return jsonOf(success?.[1]) ?? {}
}

function renderRoute(route: Route, shown_at: string | null, find: FindSchema): Html {
  const { operation, parameters, paths } = route
  const [, ...others] = paths
  const body = jsonOf(operation.requestBody)
  const fields = fieldsOf(answerOf(operation), find)
  const answer = shown_at
    ? html`<p>The same as <a href="${shown_at}">above</a>.</p>`
    : fieldTable(fields, false)
  return html`<section>
<h3 id="${routeId(route)}">${routeLink(route)}</h3>
<p>${operation.summary ?? ''}. <span class="quiet">${accessOf(operation)}</span></p>
${operation.description ? html`<p>${prose(operation.description)}</p>` : null}
${others.length > 0 ? html`<p>Also at ${joined(others.map(code), ', ')}.</p>` : null}
${parameters.length > 0 ? html`<h4>Parameters</h4>${parameterTable(parameters)}` : null}
${body ? html`<h4>Body</h4>${fieldTable(fieldsOf(body, find), true)}` : null}
<h4>Answers</h4>
${answerTable(operation.responses)}
${fields.length > 0 ? html`<h4>Fields of the answer</h4>${answer}` : null}
</section>
`
}

function named(name: string, is_required: boolean): Html {
  return html`${code(name)}${is_required ? html` <span class="required">required</span>` : null}`
}

function parameterTable(parameters: Parameter[]): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema = {} }) => [
    named(name, required === true && schema.default === undefined),
    place,
    typeOf(schema),
    joined(notesOf({ ...schema, ...(description ? { description } : {}) }), ' '),
  ])
  return table(['Name', 'In', 'Type', 'Notes'], rows)
}

/** More fields than this are folded: a page of configuration keys would hide the next route. */
const max_unfolded = 24

function fieldTable(fields: Field[], with_required: boolean): Html {
  if (fields.length === 0) return html`<p>An object without fields of its own.</p>`
  const rows = fields.map(({ name, type, required, notes }) => [
    named(name, with_required && required),
    type,
    joined(notes, ' '),
  ])
  const shown = table(['Field', 'Type', 'Notes'], rows)
  if (fields.length <= max_unfolded) return shown
  return html`<details><summary>${fields.length} fields</summary>${shown}</details>`
}

function answerTable(responses: Record<string, Content>): Html {
  const rows = Object.entries(responses).map(([status, response]) => {
    const given = response.description
    const words = given && given !== 'Default Response' ? given : answer_words[status]
    return [html`<code>${status}</code>`, words ?? '', shapeOf(jsonOf(response))]
  })
  return table(['Status', 'Meaning', 'Body'], rows)
}

function shapeOf(schema: Schema | null): Html | string {
  if (!schema || schema.type === 'null') return 'none'
  if (schema.$ref?.endsWith('/Error')) return html`<a href="#errors">error</a>`
  return typeOf(schema)
}
