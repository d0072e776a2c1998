import type { Readable } from 'node:stream'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteOptions,
} from 'fastify'
import Type, { type Static, type TNull, type TSchema, type TUnknown } from 'typebox'
import { type GivenRight, type RightName, rightOf, routeRight } from '../../core/access/rights.ts'
import { type IdName, idsIn } from '../../core/api/common-fields.ts'
import type { ErrorCode } from '../../core/api/errors.ts'
import type { Access, RouteConfig } from './route.ts'
import type { tags } from './tags.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every operation and page of this app. */
    operations: readonly Route[]
  }
}

/** A route as the framework takes it. */
export interface Route extends Pick<RouteOptions, 'handler' | 'errorHandler' | 'preHandler'> {
  readonly method: HTTPMethods
  readonly url: string
  readonly schema: FastifySchema
  readonly config: FastifyContextConfig
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Place = `${Method} /${string}`

type NamesIn<At extends string> = At extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : At extends `${string}:${infer Name}`
    ? Name
    : never
type PartsOf<At extends string> = At extends string ? Record<NamesIn<At>, string> : never
/** The parameters of a path. Of several paths: those that all have, and perhaps the others. */
type PathParams<At extends string> = { [Name in NamesIn<At>]?: string } & {
  [Name in keyof PartsOf<At>]: string
}
type ParamsOf<At extends string, Params extends TSchema> = TUnknown extends Params
  ? PathParams<At>
  : Static<Params>

type Call<
  At extends string,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> = FastifyRequest<{ Params: ParamsOf<At, Params>; Querystring: Static<Query>; Body: Static<Body> }>

/** Schemas by status, or by media type of a status. */
type Responses = Readonly<Record<number, TSchema | { readonly content: object }>>
/** What a handler returns; where the response is empty, it does not matter. */
type Returned<Shown extends Responses> = {
  [Status in keyof Shown]: Shown[Status] extends TNull
    ? unknown
    : Shown[Status] extends TSchema
      ? Static<Shown[Status]>
      : Readable
}[keyof Shown]

/** Which tokens may call it. That only users may follows from a right. */
interface TokenAccess extends Access {
  readonly level?: 'any' | 'store' | 'merchant'
}

/** Who may call a route. One that says nothing of it does not compile. */
type Allowed =
  | (GivenRight & { readonly access?: TokenAccess })
  /** Without a credential. */
  | { readonly right: 'public' }

/** What every route says of itself, also a page. */
type Called<
  At extends Place,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Result,
> = Allowed &
  RouteConfig & {
    /** Method and path. The ids in it need no schema. */
    readonly at: At
    readonly params?: Params
    readonly query?: Query
    readonly body?: Body
    /**
     * Body rules without other dependencies, one by one. They are evaluated when the schema refuses the
     * body, so that one response names every wrong field; otherwise the handler applies them.
     */
    readonly bodyRules?: (request: Call<At, Params, Query, Body>) => readonly (() => unknown)[]
    readonly errorHandler?: RouteOptions['errorHandler']
    /** Outside the transaction of an `Idempotency-Key`. */
    readonly preHandler?: (request: Call<At, Params, Query, Body>) => Promise<void>
    readonly handle: (
      request: Call<At, Params, Query, Body>,
      reply: FastifyReply,
    ) => Result | FastifyReply | Promise<Result | FastifyReply>
  }

/** A part of a path that is no id needs a schema. */
type PathSchema<At extends string> = NamesIn<At> extends IdName ? unknown : { params: TSchema }

/** What the API description, the client and the reference say of an operation. */
interface Described<Shown extends Responses> {
  readonly id: string
  /** Its name in the client, such as `refunds.create`; null: the client does not have it. */
  readonly client: `${string}.${string}` | null
  readonly tag: keyof typeof tags
  readonly summary: string
  /** What it does beyond its summary. */
  readonly text?: string | undefined
  /** The codes it can answer with, beside those that follow from what it takes. */
  readonly errors?: readonly ErrorCode[]
  /** The only status is that of every response; of several, the handler chooses. */
  readonly responses: Shown
}

/** An operation of the API: everything about it is here. */
export function operation<
  const At extends Place,
  Shown extends Responses,
  Params extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
>(
  given: Called<At, Params, Query, Body, Returned<Shown>> & Described<Shown> & PathSchema<At>,
): Route {
  const { id, client, tag, summary, text, errors, responses, ...called } = given
  const { schema, config, handler, ...route } = routeOf(called as AnyCalled)
  const described = { tags: [tag], summary, operationId: id, response: responses }
  return {
    ...route,
    schema: { ...schema, ...described, ...(text ? { description: text } : {}) },
    config: { ...config, client, ...(errors ? { errors } : {}) },
    handler: withStatus(handler, Object.keys(responses).map(Number)),
  }
}

/** A page, or what a page calls: the API description leaves it out. */
export function page<
  const At extends Place,
  Params extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
>(given: Called<At, Params, Query, Body, unknown>): Route {
  const { schema, ...route } = routeOf(given as AnyCalled)
  return { ...route, schema: { ...schema, hide: true } }
}

type AnyCalled = Omit<GivenRight, 'right'> &
  RouteConfig & {
    readonly right: RightName | 'public'
    readonly access?: Access
    readonly at: string
    readonly params?: TSchema
    readonly query?: TSchema
    readonly body?: TSchema
    readonly errorHandler?: RouteOptions['errorHandler']
    readonly preHandler?: RouteOptions['preHandler']
    readonly handle: RouteOptions['handler']
  }

function routeOf(called: AnyCalled): Route {
  const { at, right, confirm, second_factor, computes, access, ...others } = called
  const { params, query, body, errorHandler, preHandler, handle: handler, ...config } = others
  const [method = '', url = ''] = at.split(' ')
  const ids = idsIn(url)
  const path = params ?? (Object.keys(ids).length > 0 ? Type.Object(ids) : undefined)
  const level = levelOf(right)
  const needed = { right, confirm, second_factor, computes }
  return {
    method,
    url,
    schema: {
      ...(path ? { params: path } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
    },
    config: {
      ...config,
      ...(level || access ? { access: { ...(level ? { level } : {}), ...access } } : {}),
      ...(right === 'public' ? {} : { right: routeRight(method, { ...needed, right }) }),
    },
    handler,
    ...(errorHandler ? { errorHandler } : {}),
    ...(preHandler ? { preHandler } : {}),
  }
}

/** What only users may do needs no other word than its right. */
function levelOf(right: RightName | 'public'): Access['level'] {
  if (right === 'public' || right === 'operator') return right
  return rightOf(right).users_only ? 'user' : undefined
}

/** A response has the only status that the operation names. */
function withStatus(handler: Route['handler'], [status = 200, ...others]: number[]) {
  if (status === 200 || others.length > 0) return handler
  const withIt: Route['handler'] = function (this, request, reply) {
    reply.code(status)
    const result = handler.call(this, request, reply)
    return status === 204 ? Promise.resolve(result).then(() => null) : result
  }
  return withIt
}
