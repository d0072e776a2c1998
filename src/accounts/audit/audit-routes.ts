import type { FastifyRequest } from 'fastify'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { operation, type Route } from '../../api/routes/operation.ts'
import { type RightName, rightOf } from '../../core/access/rights.ts'
import { audit_kinds } from '../../core/access/users.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { idAt, type Page, readPage, viewPage } from '../../store/sql/reads/page.ts'
import type { AuditLogTable } from '../../store/tables/accounts/user-tables.ts'

type AuditLine = Selectable<AuditLogTable> & { user_name: string | null; user_email: string | null }

const Text = nullable(Type.String())
const Anything = Type.Unsafe<unknown>({})

const AuditLineView = named(
  'AuditLine',
  Type.Object({
    id: described(Id, 'The id of the line.'),
    number: described(Type.Integer(), 'The number of the line, from 1 without gaps.'),
    action_id: described(Id, 'The same for the beginning and the end of one action.'),
    kind: described(
      Type.Enum([...audit_kinds]),
      'An action has a line before it runs (`begun`) and one about its result (`ended`). Others have one.',
    ),
    user_id: described(Id, 'The user who did it.'),
    user_name: described(Text, 'Their name now.'),
    user_email: described(Text, 'Their e-mail.'),
    session_id: described(nullable(Id), 'The session; null before there was one.'),
    action: described(Type.String(), 'The id of the operation, such as `createRefund`.'),
    resource_id: described(nullable(Id), "The object's id; null if it has none."),
    request_id: described(Text, 'The request, as in the header `X-Request-Id`.'),
    ip_address: described(Text, 'The address that the request came from.'),
    user_agent: described(Text, 'The user agent of the browser or program.'),
    mode: described(Text, 'The mode that was shown; null: both.'),
    path: described(Text, 'The path that was called.'),
    input: described(Anything, 'The body of the request; secrets and card numbers are masked.'),
    before: described(Anything, 'The resource before the action; null when there was none.'),
    status: described(nullable(Type.Integer()), 'The status of the response.'),
    error_code: described(Text, 'Why it was refused; null when it was not.'),
    after: described(Anything, 'The resource in the response.'),
    hash: described(Type.String(), 'The keyed hash of this line and the previous one, in hex.'),
    created_on: common.created_on,
  }),
  'A line of the audit log.',
)

const ListAudit = Type.Object({
  ...PageParameters,
  user_id: described(Type.Optional(Id), 'Only actions of this user.'),
  action: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Only this operation, such as `createRefund`.',
  ),
  resource_id: described(Type.Optional(Id), 'Only lines about this resource.'),
  from: filters.from,
  to: filters.to,
})

const shown_modes = sql`array[details ->> 'mode', details #>> '{input,mode}',
  details #>> '{before,mode}', details #>> '{after,mode}']::text[]`

/**
 * A line is read with the right of the resource that it is about. Without a second factor that excludes live
 * mode, and what is never read without one. A payment without any mode may be one of live mode.
 */
function needsNoSecondFactor(operations: readonly Route[]): RawBuilder<boolean> {
  const idsOf = (is_meant: (area: RightName, url: string) => boolean) =>
    operations.flatMap(({ url, config: { right }, schema: { operationId = [] } }) =>
      right && is_meant(right.area, url) ? operationId : [],
    )
  const always = idsOf((area) => rightOf(area).second_factor === 'always')
  const of_payments = idsOf(
    (area, url) => area === 'payments' || (area === 'test' && url.includes('_id')),
  )
  return sql`
    not 'live' = any(array_remove(${shown_modes}, null)) and action <> all(${always})
    and ('test' = any(array_remove(${shown_modes}, null)) or action <> all(${of_payments}))`
}

function listAudit(
  { service, caller, server }: FastifyRequest,
  query: Static<typeof ListAudit>,
): Promise<Page<AuditLine>> {
  const { merchant_id, user } = caller
  const { user_id, action, resource_id, from, to } = query
  let lines = service.db
    .selectFrom('audit_log')
    .selectAll()
    .select(({ selectFrom }) => {
      const user = selectFrom('users as u')
        .whereRef('u.merchant_id', '=', 'audit_log.merchant_id')
        .whereRef('u.id', '=', 'audit_log.user_id')
      return [user.select('u.name').as('user_name'), user.select('u.email').as('user_email')]
    })
    .where('merchant_id', '=', merchant_id)
  if (user_id) lines = lines.where('user_id', '=', user_id)
  if (action) lines = lines.where('action', '=', action)
  if (resource_id) lines = lines.where('resource_id', '=', resource_id)
  if (from) lines = lines.where('id', '>=', idAt(readInstant(from)))
  if (to) lines = lines.where('id', '<', idAt(readInstant(to)))
  if (!user?.second_factor) lines = lines.where(needsNoSecondFactor(server.operations))
  return readPage<AuditLine>(lines, query)
}

function viewLine(line: AuditLine) {
  const { details, hash, created_on, merchant_id: _, ...rest } = line
  return {
    ...rest,
    request_id: details.request_id ?? null,
    ip_address: details.ip_address ?? null,
    user_agent: details.user_agent ?? null,
    mode: details.mode ?? null,
    path: details.path ?? null,
    input: details.input ?? null,
    before: details.before ?? null,
    status: details.status ?? null,
    error_code: details.error_code ?? null,
    after: details.after ?? null,
    hash: hash.toString('hex'),
    created_on: created_on.toISOString(),
  }
}

export const auditRoutes: readonly Route[] = [
  operation({
    at: 'GET /audit_log',
    id: 'listAuditLog',
    client: 'auditLog.list',
    tag: 'audit log',
    summary: 'List the audit log',
    right: 'audit',
    query: ListAudit,
    responses: { 200: PageOf(AuditLineView) },
    handle: async (request) => {
      return viewPage(await listAudit(request, request.query), viewLine)
    },
  }),
]
