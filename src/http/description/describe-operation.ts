import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { console_path } from '../../accounts/sessions/console-cookie.ts'
import type { Access } from '../../api/routes/route.ts'
import type { ErrorCode } from '../../core/api/errors.ts'
import { objectOf, recordOf } from '../../core/read-unknown.ts'
import { isIdempotent } from '../body/idempotency.ts'
import { json_type } from '../reply/error-handler.ts'
import { examplesOf, type NamedExample } from './describe-examples.ts'
import { headerReferences } from './describe-headers.ts'
import type { Components, Schema } from './name-components.ts'
import { type ErrorGroup, errorGroupsOf, ownErrorsOf } from './operation-errors.ts'

/** A route as it was added, with its complete schema. */
export interface DescribedRoute {
  readonly method: string
  readonly url: string
  readonly schema: FastifySchema
  readonly config: FastifyContextConfig
}

export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description?: string
  readonly schema: Schema
}

export interface Content {
  readonly schema?: Schema
  readonly examples?: Readonly<Record<string, NamedExample>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, Content>>
}

/**
 * An operation of the description. Standard fields say most: `security` which credentials it takes, the
 * parameter `Idempotency-Key` whether it can be repeated safely, the parameter `polling` whether it can
 * wait for a result, the tag `test mode` whether it is an action of test mode. Extensions say what
 * OpenAPI has no words for:
 *
 * - `x-access`: the level of the token, and whether the JWT alone suffices (see `Access`).
 * - `x-rate`: which rate limits it counts in: `charge` or `none`; otherwise the standard ones.
 * - `x-error-groups` and `x-error-codes`: the codes it can answer with. Every response of every test is
 *   compared with them.
 */
export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly operationId: string
  readonly security?: Credentials
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly required?: true
    readonly content: Readonly<Record<string, Content>>
  }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly 'x-access'?: Access
  readonly 'x-rate'?: string
  readonly 'x-error-groups': readonly ErrorGroup[]
  readonly 'x-error-codes'?: readonly ErrorCode[]
}

export function describeOperation(route: DescribedRoute, components: Components): Operation {
  const { url, schema, config } = route
  const { tags = [], summary = '', description, operationId = '' } = schema
  const parameters = describeParameters(route, components)
  const { access = {}, rate = 'standard' } = config
  const own_errors = ownErrorsOf(route)
  return {
    tags,
    summary,
    ...(description ? { description } : {}),
    operationId,
    ...securityOf(access, url),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...describeBody(route, components),
    responses: describeResponses(route, components),
    ...(Object.keys(access).length > 0 ? { 'x-access': access } : {}),
    ...(rate === 'standard' ? {} : { 'x-rate': rate }),
    'x-error-groups': errorGroupsOf(route),
    ...(own_errors.length > 0 ? { 'x-error-codes': own_errors } : {}),
  }
}

/** The path as OpenAPI writes it. */
export function describePath(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

type Credentials = readonly Readonly<Record<string, readonly string[]>>[]

/** The credentials of an operation that does not say otherwise: users may call what merchant tokens may. */
export const usual_credentials: Credentials = [{ app_token: [] }, { login_token: [] }]

function securityOf(
  { level = 'any', without_secret = 'never' }: Access,
  url: string,
): Pick<Operation, 'security'> {
  if (level === 'public') return { security: [] }
  if (url.startsWith(`${console_path}/`)) return { security: [{ console_cookie: [] }] }
  if (level === 'user' || level === 'operator') return { security: [{ login_token: [] }] }
  if (without_secret === 'never' && level !== 'store') return {}
  return {
    security: [
      { app_token: [] },
      ...(without_secret === 'never' ? [] : [{ app_token_jwt: [] }]),
      ...(level === 'store' ? [] : [{ login_token: [] }]),
    ],
  }
}

function describeParameters(
  route: DescribedRoute,
  components: Components,
): (Parameter | Reference)[] {
  const { params, querystring } = route.schema
  return [
    ...parametersOf('path', objectOf(params), components),
    ...parametersOf('query', objectOf(querystring), components),
    ...(isIdempotent(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function parametersOf(
  place: 'path' | 'query',
  { properties = {}, required = [] }: Schema = {},
  components: Components,
): Parameter[] {
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...schema } = components.write(field)
    return {
      name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema,
    }
  })
}

/** A request without a body has an empty object as its body. */
function describeBody(
  { schema }: DescribedRoute,
  components: Components,
): Pick<Operation, 'requestBody'> {
  if (!schema.body) return {}
  const body: Schema = objectOf(schema.body)
  const examples = examplesOf(schema.operationId, 'request')
  const content = { [json_type]: { schema: components.write(body), ...examples } }
  const is_required = (body.required ?? []).length > 0
  return { requestBody: { ...(is_required ? { required: true } : {}), content } }
}

const success_words: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work continues.',
  204: 'Done; the response has no body.',
}

interface PossibleContent {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

function describeResponses(route: DescribedRoute, components: Components) {
  const responses = Object.entries(recordOf(route.schema.response))
  const headers = isIdempotent(route) ? { headers: headerReferences(['Idempotency-Status']) } : {}
  const described = responses.flatMap(([status, response]): [string, Response][] => {
    const words = success_words[status]
    if (!words) return []
    const possible: PossibleContent = objectOf(response)
    const given = possible.content ?? contentOf(objectOf(response))
    const content = Object.entries(given).map(([type, { schema }]) => [
      type,
      {
        schema: components.write(schema),
        ...examplesOf(route.schema.operationId, status, type === json_type ? 'json' : 'text'),
      },
    ])
    const with_content = content.length > 0 ? { content: Object.fromEntries(content) } : {}
    return [[status, { description: words, ...headers, ...with_content }]]
  })
  return {
    ...Object.fromEntries(described),
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Failed' },
  }
}

/** An empty response has no content. */
function contentOf(body: Schema): Record<string, { readonly schema: Schema }> {
  const is_empty = body.type === 'null' || body.maxLength === 0
  return is_empty ? {} : { [json_type]: { schema: body } }
}
