import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { filters, Mode } from '../../core/common-fields.ts'
import { described, named, textOf } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/schemas.ts'
import type { Service } from '../../service.ts'
import { readBoundedList } from '../../store/sql/bounded-list.ts'
import { pageOf } from '../../store/sql/page.ts'
import { FieldErrorBody } from '../field-error.ts'
import { idRange, type ListScope, scope_filters, scopeOf } from '../list-scope.ts'
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
    'Only the requests with this id, as the header `X-Request-Id` had it.',
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
    code: described(Type.String(), 'What was wrong, for programs.'),
    errors: described(
      Type.Array(FieldErrorBody),
      'The fields that were wrong; never their values.',
    ),
  }),
  'Why a request was refused: codes and names of fields.',
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
      'What the request created, or what its path names last; null without either.',
    ),
    error: described(nullable(RequestError), 'Why it was refused; null when it was not.'),
    created_on: described(Instant, 'When it was answered, in real time.'),
  }),
  'A request that was answered.',
)
export const RequestPage = PageOf(RequestView)

function viewRequest(request: LoggedRequest): Static<typeof RequestView> {
  const { id, request_id, is_user, token_id, store_id, mode, method, operation, path } = request
  const { status, duration_ms, idempotency_key, resource_id, error, created_on } = request
  return {
    ...{ id, request_id, credential: is_user ? 'user' : 'application_token', token_id, store_id },
    ...{ mode, method, operation, path, status, duration_ms, idempotency_key, resource_id, error },
    created_on: created_on.toISOString(),
  }
}

/** Requests of a caller without a mode concern both. */
function modeOf({ modes }: ListScope) {
  return modes.length === 2 ? [] : [sql`(r.mode = any(${[...modes]}) or r.mode is null)`]
}

export async function listRequests(service: Service, caller: Caller, query: ListRequests) {
  const scope = await scopeOf(service, caller, query)
  const { token_id, operation, method, status, request_id, resource_id } = query
  const is_error = status === '4xx' || status === '5xx' || status === 'error'
  const where = [
    ...(request_id ? [sql`t.request_id = ${request_id}`] : []),
    ...(resource_id ? [sql`t.resource_id = ${resource_id}::uuid`] : []),
    ...(is_error ? [sql`t.status >= 400`] : []),
  ]
  const hundreds = Number(status?.charAt(0)) || null
  const filter = [
    ...modeOf(scope),
    ...(scope.store_id ? [sql`r.store_id = ${scope.store_id}::uuid`] : []),
    ...(token_id ? [sql`r.token_id = ${token_id}::uuid`] : []),
    ...(operation ? [sql`r.operation = ${operation}`] : []),
    ...(method ? [sql`r.method = ${method}`] : []),
    ...(hundreds ? [sql`r.status / 100 = ${hundreds}`] : []),
  ]
  const rows = await readBoundedList<LoggedRequest>(
    service.db,
    {
      ...idRange(query),
      table: 'request_log',
      key: 'id',
      merchant_id: scope.merchant_id,
      modes: null,
      where: where.length > 0 ? sql.join(where, sql` and `) : undefined,
      filter,
    },
    query,
    query.limit + 1,
    (source, order) => sql<LoggedRequest>`select * from ${source} as l order by l.id ${order}`,
  )
  const { items, has_more } = pageOf(rows, query)
  return { items: items.map(viewRequest), has_more }
}

/** The newest request with this id: a client may use its own ids more than once. */
export async function getRequest(service: Service, caller: Caller, request_id: string) {
  const query = { limit: 1, cursor_direction: 'desc', request_id } as const
  const { items } = await listRequests(service, caller, query)
  return items[0] ?? fail('NOT_FOUND')
}
