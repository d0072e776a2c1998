import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import {
  idRange,
  type ListScope,
  scope_filters,
  scopeOf,
} from '../../accounts/stores/list-scope.ts'
import { FieldErrorBody } from '../../api/field-error.ts'
import type { Caller } from '../../core/access/caller.ts'
import { filters, Mode } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { firstIdAt, instantOf, isUuid } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { readBoundedList } from '../../store/sql/reads/bounded-list.ts'
import { pageOf } from '../../store/sql/reads/page.ts'
import type { LoggedRequest } from './record-requests.ts'

const status_classes = ['2xx', '3xx', '4xx', '5xx'] as const

export const ListRequests = Type.Object({
  ...PageParameters,
  ...scope_filters,
  token_id: described(Type.Optional(Id), 'Only requests of this application token or user.'),
  operation: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Only requests of this operation, such as `createCharge`.',
  ),
  method: described(
    Type.Optional(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'])),
    'Only requests with this HTTP method.',
  ),
  status: described(
    Type.Optional(Type.Enum([...status_classes, 'error'])),
    'Only responses of this class; `error` is 4xx and 5xx.',
  ),
  request_id: described(
    Type.Optional(Type.String({ maxLength: 128 })),
    'Only requests with this id of the header `X-Request-Id`.',
  ),
  resource_id: described(Type.Optional(Id), 'Only requests about this resource.'),
  from: filters.from,
  to: filters.to,
})
type ListRequests = Static<typeof ListRequests>

const text = nullable(Type.String())
const RequestError = named(
  'LoggedRequestError',
  Type.Object({
    code: described(Type.String(), 'The fault, for programs.'),
    errors: described(
      Type.Array(FieldErrorBody),
      'The fields that were wrong; never their values.',
    ),
  }),
  'The reasons for a refused request: error codes and field names.',
)
export const RequestView = named(
  'LoggedRequest',
  Type.Object({
    id: described(Id, 'The id of the line in the log.'),
    request_id: described(Type.String(), 'The id of the request: the header `X-Request-Id`.'),
    credential: described(
      textOf(null, ['application_token', 'user']),
      'Whether a program or a user sent it.',
    ),
    token_id: described(Id, 'The application token, or the user.'),
    store_id: described(nullable(Id), 'The store of the application token; null for all stores.'),
    mode: described(nullable(Mode), 'The mode of the caller; null: both.'),
    method: described(Type.String(), 'The HTTP method.'),
    operation: described(text, 'The operation of the API; null where there is none.'),
    path: described(Type.String(), 'The path with its ids; never the query.'),
    status: described(Type.Integer(), 'The HTTP status of the response.'),
    duration_ms: described(Type.Integer(), 'How long it took, in milliseconds.'),
    idempotency_key: described(text, 'The idempotency key; null without one.'),
    resource_id: described(
      nullable(Id),
      'The created object, or the last object in the path; null without either.',
    ),
    error: described(nullable(RequestError), 'Why it was refused; null when it was not.'),
    created_on: described(Instant, 'The time of the response, in real time.'),
  }),
  'A request that was answered.',
)
export const RequestPage = PageOf(RequestView)

function viewRequest(request: LoggedRequest): Static<typeof RequestView> {
  const { id, request_id, is_user, token_id, store_id, mode, method, operation, path } = request
  const { status, duration_ms, idempotency_key, resource_id, error } = request
  return {
    ...{ id, request_id, credential: is_user ? 'user' : 'application_token', token_id, store_id },
    ...{ mode, method, operation, path, status, duration_ms, idempotency_key, resource_id, error },
    created_on: new Date(instantOf(id)).toISOString(),
  }
}

/** Requests of a caller without a mode concern both. */
function modeOf({ modes }: ListScope) {
  return modes.length === 2 ? [] : [sql`(r.mode = any(${[...modes]}) or r.mode is null)`]
}

/** How much later than its request a line of the log may be, and how far two clocks may differ. */
const answered_within_ms = 30_000
const clocks_differ_ms = 5000

interface Part {
  readonly where: RawBuilder<unknown>[]
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The ids of lines that are written soon after the instant of an id. */
export function timeAfter(id: string) {
  const at_ms = instantOf(id)
  const from = firstIdAt(Math.max(0, at_ms - clocks_differ_ms))
  return { from, to: firstIdAt(at_ms + answered_within_ms) }
}

/** Requests that created something, soon after the instant of an id. */
function createdAfter(id: string): Part {
  return { where: [sql`t.status = 201`], ...timeAfter(id) }
}

/** Conditions of the partial indexes, written as there. */
const not_by_time = sql`(t.status <> 201 or length(t.request_id) <> 36
  or substr(t.request_id, 15, 1) <> '7')`
const not_created_now = sql`t.resource_id is not null and (t.status <> 201 or t.ahead_ms <> 0)`

/** Ranges of the log that have everything about a request or a resource: by an index, and by its time. */
function partsOf({ request_id, resource_id }: ListRequests): Part[] {
  if (request_id) {
    const named = sql`t.request_id = ${request_id}`
    const contains_time = isUuid(request_id) && request_id.charAt(14) === '7'
    const by_index = { where: [named, not_by_time] }
    if (!contains_time) return [by_index]
    const by_time = createdAfter(request_id)
    return [by_index, { ...by_time, where: [...by_time.where, named] }]
  }
  if (!resource_id) return [{ where: [] }]
  const about = sql`t.resource_id = ${resource_id}::uuid`
  const by_time = createdAfter(resource_id)
  return [
    { where: [about, not_created_now] },
    { ...by_time, where: [...by_time.where, sql`t.ahead_ms = 0`, about] },
  ]
}

export async function listRequests(service: Service, caller: Caller, query: ListRequests) {
  const scope = await scopeOf(service, caller, query)
  const { merchant_id } = scope
  const { token_id, operation, method, status, request_id, resource_id } = query
  const is_error = status === '4xx' || status === '5xx' || status === 'error'
  const hundreds = Number(status?.charAt(0)) || null
  const filter = [
    ...modeOf(scope),
    ...(scope.store_id ? [sql`r.store_id = ${scope.store_id}::uuid`] : []),
    ...(token_id ? [sql`r.token_id = ${token_id}::uuid`] : []),
    ...(operation ? [sql`r.operation = ${operation}`] : []),
    ...(method ? [sql`r.method = ${method}`] : []),
    ...(hundreds ? [sql`r.status / 100 = ${hundreds}`] : []),
    ...(request_id && resource_id ? [sql`r.resource_id = ${resource_id}::uuid`] : []),
  ]
  const { from, to } = idRange(query)
  const read = (part: Part) => {
    const where = [...part.where, ...(is_error ? [sql`t.status >= 400`] : [])]
    const list = {
      ...({ table: 'request_log', key: 'id', merchant_id, modes: null, filter } as const),
      from: latest(from, part.from),
      to: earliest(to, part.to),
      where: where.length > 0 ? sql.join(where, sql` and `) : undefined,
    }
    return readBoundedList<LoggedRequest>(
      service.db,
      list,
      query,
      query.limit + 1,
      (source, order) => sql<LoggedRequest>`select * from ${source} as l order by l.id ${order}`,
    )
  }
  const found = (await Promise.all(partsOf(query).map(read))).flat()
  const sign = query.cursor_direction === 'desc' ? -1 : 1
  const { items, has_more } = pageOf(
    found.sort((a, b) => (a.id < b.id ? -sign : sign)),
    query,
  )
  return { items: items.map(viewRequest), has_more }
}

function latest(a?: string, b?: string): string | undefined {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function earliest(a?: string, b?: string): string | undefined {
  return a && b ? (a < b ? a : b) : (a ?? b)
}

/** The newest request with this id: a client may use its own ids more than once. */
export async function getRequest(service: Service, caller: Caller, request_id: string) {
  const query = { limit: 1, cursor_direction: 'desc', request_id } as const
  const { items } = await listRequests(service, caller, query)
  return items[0] ?? fail('NOT_FOUND')
}
