import { sql } from 'kysely'
import { errors } from '../../core/api/errors.ts'
import { instantOf } from '../../core/ids.ts'
import { isNameIn } from '../../core/table-names.ts'
import type { LedgerEntry } from '../../ledger/post.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { routeText } from '../../payments/routing/route-text.ts'
import type { Service } from '../../service.ts'
import type { LoggedError } from '../../store/tables/accounts/console-tables.ts'
import type { StoredAttempt } from '../../store/tables/accounts/webhook-tables.ts'
import { timeAfter } from '../request-log/list-requests.ts'
import type { Entry, TimelineResource } from './timeline-entry.ts'

/** How many rows of each source a timeline shows. */
export const max_of_source = 300
const limit = sql.lit(max_of_source)

/** The charge and what belongs to it. */
interface Resource {
  readonly id: string
  readonly type: TimelineResource
  readonly created_on: Date
  readonly amount: number | null
  readonly currency: string | null
  readonly error: { code: number; message: string } | null
  readonly updated_on: Date
}

export interface Resources {
  readonly by_id: ReadonlyMap<string, Resource>
  readonly ids: readonly string[]
  readonly entries: Entry[]
}

const words: Record<TimelineResource, string> = {
  charge: 'charge',
  transaction_token: 'transaction token',
  refund: 'refund',
  cancel: 'cancel',
  deposit: 'deposit',
  dispute: 'dispute',
}

export async function readResources({ db }: Service, charge: Charge): Promise<Resources> {
  const { merchant_id, id, transaction_token_id } = charge
  const { rows } = await sql<Resource>`
    select id, 'charge' as type, created_on, requested_amount as amount,
      requested_currency as currency, error, updated_on
    from charges where merchant_id = ${merchant_id} and id = ${id}
    union all
    select id, 'transaction_token', created_on, null, null, null, updated_on
    from transaction_tokens where merchant_id = ${merchant_id} and id = ${transaction_token_id}
    union all
    (select id, 'refund', created_on, amount, currency, error, updated_on from refunds
      where merchant_id = ${merchant_id} and charge_id = ${id} order by id limit ${limit})
    union all
    (select id, 'cancel', created_on, null, null, error, updated_on from cancels
      where merchant_id = ${merchant_id} and charge_id = ${id} order by id limit ${limit})
    union all
    (select id, 'dispute', created_on, amount, currency, error, updated_on from disputes
      where merchant_id = ${merchant_id} and charge_id = ${id} order by id limit ${limit})`.execute(
    db,
  )
  const entries = rows.map(
    ({ id: resource_id, type, created_on, amount, currency }): Entry => ({
      on: created_on,
      actor: type === 'dispute' ? 'customer' : 'api',
      kind: 'created',
      title: `The ${words[type]} was created.`,
      duration_ms: null,
      details: { resource_type: type, resource_id, amount, currency },
    }),
  )
  const by_id = new Map(rows.map((row) => [row.id, row]))
  return { by_id, ids: [...by_id.keys()], entries }
}

/** That the customer paid on a page of ours, where they did. */
export async function checkoutEntries({ db }: Service, charge: Charge): Promise<Entry[]> {
  const { merchant_id, checkout_session_id, created_on } = charge
  if (!checkout_session_id) return []
  const session = await db
    .selectFrom('checkout_sessions')
    .select('payment_link_id')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', checkout_session_id)
    .executeTakeFirst()
  return [
    {
      on: created_on,
      actor: 'customer',
      kind: 'checkout',
      title: 'The customer paid on a checkout page.',
      duration_ms: null,
      details: { checkout_session_id, payment_link_id: session?.payment_link_id ?? null },
    },
  ]
}

interface RequestRow {
  id: string
  request_id: string
  operation: string | null
  method: string
  path: string
  status: number
  token_id: string
  is_user: boolean
  idempotency_key: string | null
  error: LoggedError | null
  duration_ms: number
  resource_id: string
  ahead_ms: number
}

/** Changes, and requests that were refused; successful reads change nothing. */
export async function requestEntries(
  { db }: Service,
  { merchant_id, mode }: Charge,
  { by_id, ids }: Resources,
): Promise<Entry[]> {
  const moments = ids.map((id) => timeAfter(id))
  const { rows } = await sql<RequestRow>`
    select l.* from unnest(${[...ids]}::uuid[], ${moments.map(({ from }) => from)}::uuid[],
      ${moments.map(({ to }) => to)}::uuid[]) as r (id, first, last) cross join lateral (
      (select * from request_log where merchant_id = ${merchant_id} and resource_id = r.id
        and (status <> 201 or ahead_ms <> 0) and (method <> 'GET' or status >= 400)
      order by id limit ${limit})
      union all
      (select * from request_log where merchant_id = ${merchant_id} and id >= r.first and id < r.last
        and status = 201 and ahead_ms = 0 and resource_id = r.id order by id limit 1)) as l
    where l.mode = ${mode} or l.mode is null limit ${limit}`.execute(db)
  return rows.flatMap((row): Entry[] => {
    const { code: error_code = null, errors: faults = [] } = row.error ?? {}
    const on = new Date(instantOf(row.id) + (mode === 'test' ? row.ahead_ms : 0))
    const request: Entry = {
      on,
      actor: row.is_user ? 'person' : 'api',
      kind: 'request',
      title: `${row.method} ${row.path} was answered with ${row.status}.`,
      duration_ms: row.duration_ms,
      details: {
        request_id: row.request_id,
        operation: row.operation,
        method: row.method,
        path: row.path,
        status: row.status,
        token_id: row.token_id,
        idempotency_key: row.idempotency_key,
        error_code,
        fields: faults.map(({ field }) => field),
      },
    }
    const resource = by_id.get(row.resource_id)
    if (!error_code || !resource) return [request]
    const message = isNameIn(errors, error_code) ? errors[error_code][1] : error_code
    const details = { resource_type: resource.type, resource_id: resource.id, code: null }
    const rule: Entry = {
      on,
      actor: 'rule',
      kind: 'rule',
      title: `The request was refused: ${error_code}.`,
      duration_ms: null,
      details: { ...details, error_code, message },
    }
    return [request, rule]
  })
}

/** Actions of users on the charge and its objects, from the audit log. */
export async function auditEntries(
  { db }: Service,
  { merchant_id, mode }: Charge,
  { by_id, ids }: Resources,
): Promise<Entry[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['action_id', 'action', 'kind', 'user_id', 'resource_id', 'created_on', 'details'])
    .where('merchant_id', '=', merchant_id)
    .where('resource_id', 'in', [...ids])
    .orderBy('id')
    .limit(max_of_source)
    .execute()
  return rows.map(
    ({ action_id, action, kind: step, user_id, resource_id, created_on, details: said }) => ({
      on: new Date(created_on.getTime() + (mode === 'test' ? (said.ahead_ms ?? 0) : 0)),
      actor: 'person',
      kind: 'action',
      title: `A user called ${action}: ${step}.`,
      duration_ms: null,
      details: {
        resource_type: by_id.get(resource_id ?? '')?.type ?? 'charge',
        resource_id: resource_id ?? '',
        ...{ action_id, action, step, user_id },
      },
    }),
  )
}

interface CallRow {
  resource_id: string
  provider: string
  kind: string
  attempt: number
  is_inquiry: boolean
  outcome: string | null
  code: number | null
  raw_code: string | null
  raw_message: string | null
  started_on: Date
  finished_on: Date | null
}

/** Why a live charge went where it went. */
export function routeEntries({ id, route, created_on }: Charge): Entry[] {
  if (!route) return []
  const message = routeText(route)
  const details = {
    resource_type: 'charge',
    resource_id: id,
    code: null,
    error_code: null,
  } as const
  const title = `The payment was routed: ${message}.`
  const entry = { on: created_on, actor: 'rule', kind: 'rule', title, duration_ms: null } as const
  return [{ ...entry, details: { ...details, message } }]
}

/** Calls to the provider; and errors of the payment that no call explains, which a rule decided. */
export async function providerEntries(
  { db }: Service,
  { merchant_id, id, transaction_token_id }: Charge,
  { by_id }: Resources,
): Promise<Entry[]> {
  const { rows } = await sql<CallRow>`
    select o.* from unnest(${[id, transaction_token_id]}::uuid[]) as c (id) cross join lateral (
      select resource_id, provider, kind, attempt, is_inquiry, outcome, code, raw_code, raw_message,
        started_on, finished_on
      from provider_operations where merchant_id = ${merchant_id} and charge_id = c.id
      order by started_on limit ${limit}) as o`.execute(db)
  const calls = rows.map(({ resource_id, started_on, finished_on, ...call }): Entry => {
    const { provider, kind: operation, attempt, is_inquiry, outcome } = call
    const { code, raw_code, raw_message } = call
    const asked = is_inquiry ? `was asked what became of ${operation}` : `was asked to ${operation}`
    return {
      on: started_on,
      actor: 'provider',
      kind: 'provider_call',
      title: `${provider} ${`${asked}: ${outcome ?? 'no response'}`.replaceAll('_', ' ')}.`,
      duration_ms: finished_on ? finished_on.getTime() - started_on.getTime() : null,
      details: {
        resource_type: by_id.get(resource_id)?.type ?? 'deposit',
        resource_id,
        ...{ provider, operation, attempt, is_inquiry, outcome, code, raw_code, raw_message },
      },
    }
  })
  const explained = new Set(rows.map(({ resource_id, code }) => `${resource_id} ${code}`))
  const decided = [...by_id.values()].flatMap(({ id: resource_id, type, error, updated_on }) => {
    if (!error || explained.has(`${resource_id} ${error.code}`)) return []
    const details = { resource_type: type, resource_id, code: error.code, error_code: null }
    const rule: Entry = {
      on: updated_on,
      actor: 'rule',
      kind: 'rule',
      title: error.message,
      duration_ms: null,
      details: { ...details, message: error.message },
    }
    return [rule]
  })
  return [...calls, ...decided]
}

export async function ledgerEntries(
  { db }: Service,
  { merchant_id, id }: Charge,
): Promise<Entry[]> {
  interface LedgerRow {
    id: string
    kind: string
    created_on: Date
    dispute_step: string | null
    entries: LedgerEntry[]
  }
  const { rows } = await sql<LedgerRow>`
    select id, kind, created_on, (select step from dispute_postings as p
        where p.merchant_id = l.merchant_id and p.ledger_id = l.id) as dispute_step,
      (select json_agg(json_build_object('account', account,
        'currency', currency, 'amount', amount) order by line)
      from unnest(accounts, currencies, amounts) with ordinality as e (account, currency, amount, line))
      as entries
    from ledger_transactions as l where merchant_id = ${merchant_id} and charge_id = ${id}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id: ledger_id, kind: ledger_kind, created_on, ...row }) => ({
    on: created_on,
    actor: 'ledger',
    kind: 'ledger',
    title: row.dispute_step
      ? `The ledger posted the ${row.dispute_step} of a dispute.`
      : `The ledger posted the ${ledger_kind}.`,
    duration_ms: null,
    details: { ledger_id, ledger_kind, ...row } as Extract<Entry, { kind: 'ledger' }>['details'],
  }))
}

export async function depositEntries(
  { db }: Service,
  { merchant_id, id }: Charge,
): Promise<Entry[]> {
  const rows = await db
    .selectFrom('deposits')
    .select(['id', 'status', 'amount', 'currency', 'return_reason', 'created_on'])
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', id)
    .orderBy('id')
    .limit(max_of_source)
    .execute()
  return rows.map(({ id: deposit_id, created_on, ...deposit }) => ({
    on: created_on,
    actor: 'customer',
    kind: 'deposit',
    title: `${deposit.amount} ${deposit.currency} arrived: ${deposit.status}.`,
    duration_ms: null,
    details: { deposit_id, ...deposit },
  }))
}

interface EventRow {
  id: string
  name: string
  resource_id: string
  status: string | null
  code: string | null
  created_on: Date
}

/** Events, and the changes of status that they are about. */
export async function eventEntries({ db }: Service, charge: Charge, { by_id, ids }: Resources) {
  const { merchant_id } = charge
  const { rows } = await sql<EventRow>`
    select e.* from unnest(${[...ids]}::uuid[]) as r (id) cross join lateral (
      select id, name, resource_id, created_on, sequence, data ->> 'status' as status,
        data -> 'error' ->> 'code' as code
      from events where merchant_id = ${merchant_id} and resource_id = r.id
      order by sequence limit ${limit}) as e order by e.created_on, e.sequence
    limit ${limit}`.execute(db)
  const status_of = new Map<string, string>()
  const entries = rows.flatMap(({ id: event_id, name: event, resource_id, ...row }): Entry[] => {
    const resource_type = by_id.get(resource_id)?.type ?? 'charge'
    const common = { on: row.created_on, duration_ms: null }
    const details = { resource_type, resource_id }
    const sending: Entry = {
      ...common,
      actor: 'worker',
      kind: 'event',
      title: `The event ${event} was recorded.`,
      details: { ...details, event_id, event },
    }
    const from = status_of.get(resource_id) ?? (resource_type === 'dispute' ? null : 'pending')
    const to = row.status
    if (!to || to === from || resource_type === 'transaction_token') return [sending]
    status_of.set(resource_id, to)
    const change: Entry = {
      ...common,
      actor: 'worker',
      kind: 'status_change',
      title: `The ${words[resource_type]} became ${to}.`,
      details: { ...details, from, to, code: row.code === null ? null : Number(row.code) },
    }
    return [change, sending]
  })
  return { entries, events: rows }
}

interface DeliveryRow {
  event_id: string
  webhook_id: string
  store_id: string | null
  trigger: string
  url: string
  tries: StoredAttempt[]
}

/** Every attempt to deliver these events. */
export async function deliveryEntries(
  { db }: Service,
  { merchant_id, mode }: Charge,
  events: readonly EventRow[],
  shows_webhooks: boolean,
): Promise<Entry[]> {
  const event_ids = events.map(({ id }) => id)
  const { rows } = await sql<DeliveryRow>`
    select d.event_id, d.webhook_id, w.store_id, d.trigger, w.url, d.tries
    from unnest(${event_ids}::uuid[]) as e (id) cross join lateral (
      select * from webhook_deliveries where merchant_id = ${merchant_id} and mode = ${mode}
        and event_id = e.id limit 50) as d
    join webhooks w on w.merchant_id = ${merchant_id} and w.id = d.webhook_id
    limit ${limit}`.execute(db)
  return rows.flatMap(({ tries, trigger: event, url, ...sent }) =>
    tries.map(
      ({ fired_on, duration_ms, status, error, answer }, place): Entry => ({
        on: new Date(fired_on),
        actor: 'webhook',
        kind: 'delivery',
        title: `${event} was sent to ${shows_webhooks ? url : 'a webhook'}: ${status ?? error}.`,
        duration_ms,
        details: {
          ...{ ...sent, event, attempt: place + 1, status, error },
          url: shows_webhooks ? url : null,
          answer: shows_webhooks ? answer : null,
        },
      }),
    ),
  )
}
