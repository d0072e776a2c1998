import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { appendAudit, type NewAuditLine } from '../../accounts/audit/audit-chain.ts'
import { maskDetails } from '../../accounts/audit/mask-details.ts'
import { shownAgent } from '../../accounts/sessions/user-session.ts'
import { lockUser, pathOf } from '../../accounts/users/user.ts'
import { rightOfCall } from '../../accounts/users/user-rights.ts'
import { callerOf, paramsOf, queryFields } from '../../api/routes/request-parts.ts'
import { type AuditDetails, login_limits } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { convertCurrency } from '../../core/money/exchange-rates.ts'
import { objectOf } from '../../core/read-unknown.ts'
import { aheadOf, inTransaction, type Service, type Transacting } from '../../service.ts'
import { idAt } from '../../store/sql/reads/page.ts'
import { serializerCompiler } from '../body/validation.ts'
import { storedRequestId } from '../observation/log-requests.ts'
import { json_type } from '../reply/error-handler.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The audit log line of this action's start. */
    audit_id: string | null
  }
}

/** The steps around the calls of users: confirmation, and the audit log. */
export interface UserCalls {
  /** Notes how a resource is read, while routes are added. */
  addReader(route: RouteOptions): void
  begin(request: FastifyRequest): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void>
}

interface Reader {
  readonly handler: RouteHandlerMethod
  /** The fields that the response would have. */
  write(value: unknown): string
}

/** A call that changes nothing, such as a GET, or a POST that only computes. */
function reads(request: FastifyRequest): boolean {
  return rightOfCall(request).reads
}

export function newUserCalls(): UserCalls {
  const readers = new Map<string, Reader>()

  /** The resource as its GET shows it, or null. An action never fails because of it. */
  async function readResource(request: FastifyRequest): Promise<unknown> {
    const read = resourcePaths(request).flatMap((path) => readers.get(path) ?? [])[0]
    if (!read) return null
    const like_get = Object.create(request, { query: { value: {} }, body: { value: undefined } })
    const reply = new Proxy({} as FastifyReply, { get: () => () => reply })
    try {
      return maskDetails(
        JSON.parse(read.write(await read.handler.call(request.server, like_get, reply))),
      )
    } catch {
      return null
    }
  }

  return {
    addReader: ({ method, url, schema, handler }) => {
      const is_list = 'cursor_direction' in queryFields(schema)
      const shown = (schema?.response as Record<string, object> | undefined)?.[200]
      if (method !== 'GET' || schema?.hide || is_list || !shown) return
      readers.set(url, { handler, write: serializerCompiler({ schema: shown }) })
    },
    begin: async (request) => {
      await requireConfirmation(request)
      if (reads(request)) return
      const input = maskDetails(request.body)
      const before = await readResource(request)
      const line = lineOf(request, 'begun', { input, before })
      request.audit_id = await inTransaction(request.service, async (tx) => {
        if (isUnconfirmedRefund(request)) await requireRefundsWithinLimit(tx, request)
        return appendAudit(tx, line)
      })
    },
    end: async (request, reply, payload) => {
      const { audit_id: action_id } = request
      if (!callerOf(request)?.user || reads(request)) return
      const { statusCode: status } = reply
      // Without a session, or too often: nothing was tried.
      if (action_id === null && (status === 401 || status === 429 || status >= 500)) return
      const after = bodyOf(reply, payload)
      const error_code = status >= 400 ? String(after?.code ?? '') : undefined
      const details = {
        status,
        ...(error_code === undefined ? { after: maskDetails(after) } : { error_code }),
      }
      const line = lineOf(request, action_id === null ? 'refused' : 'ended', details)
      const { id } = after ?? {}
      const resource_id = typeof id === 'string' && isUuid(id) ? id : line.resource_id
      const more = action_id === null ? {} : { action_id }
      await appendAudit(request.service, { ...line, ...more, resource_id })
    },
  }
}

/** The resource that a call is about: at its own path, or the one that a new part is created of. */
function resourcePaths({ method, routeOptions }: FastifyRequest): string[] {
  const parts = (routeOptions.url ?? '').split('/')
  const paths = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  const of_ids = paths.filter(
    (path) => /_id$/.test(path) && !/^\/\w+\/:(store|merchant)_id$/.test(path),
  )
  return method === 'POST' ? of_ids : [routeOptions.url ?? '', ...of_ids]
}

function lineOf(
  request: FastifyRequest,
  kind: NewAuditLine['kind'],
  details: AuditDetails,
): NewAuditLine {
  const { caller, headers, ip, routeOptions } = request
  const params = paramsOf(request)
  const { merchant_id, mode } = caller
  // Lines have real time, which no user can move. The objects they are about may be ahead of it.
  const ahead_ms = aheadOf(request.service, caller)
  const ids = Object.values(params).filter(isUuid)
  const path = (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (name, key) => {
    const value = params[key] ?? ''
    return isUuid(value) ? value : name
  })
  return {
    merchant_id,
    kind,
    user_id: caller.user?.id ?? '',
    session_id: caller.user?.session_id ?? null,
    action: routeOptions.schema?.operationId ?? '',
    resource_id: ids.at(-1) ?? null,
    details: {
      request_id: storedRequestId(request),
      ip_address: ip,
      user_agent: shownAgent(headers),
      mode,
      path,
      ...(ahead_ms === 0 ? {} : { ahead_ms }),
      ...details,
    },
  }
}

function bodyOf(reply: FastifyReply, payload: unknown): Record<string, unknown> | null {
  const is_json = String(reply.getHeader('content-type') ?? '').startsWith(json_type)
  if (!is_json || typeof payload !== 'string' || payload === '') return null
  return JSON.parse(payload)
}

/**
 * In the console some calls need a user who has shown a code or the password within the last minutes: a
 * screen that was left open is not enough.
 */
async function requireConfirmation(request: FastifyRequest): Promise<void> {
  const confirm = confirmationNeeded(request)
  if (confirm === null || (confirm === 'amount' && (await isWithinLimit(request)))) return
  fail('CONFIRMATION_REQUIRED')
}

/** The confirmation that a call needs; null if it needs none, or is confirmed. */
function confirmationNeeded(request: FastifyRequest): 'always' | 'amount' | null {
  const { caller, service } = request
  if (caller.user?.via !== 'cookie') return null
  const { confirmed_until } = caller.user
  const is_confirmed = confirmed_until && confirmed_until.getTime() > service.wall_clock.now()
  return is_confirmed ? null : rightOfCall(request).confirm
}

function isUnconfirmedRefund(request: FastifyRequest): boolean {
  const { url = '' } = request.routeOptions
  return /\/refunds$/.test(url) && confirmationNeeded(request) === 'amount'
}

/**
 * The refunds of the last minutes including this one, by the audit log. Refunds in a confirmed session and
 * refused ones do not count. The user is locked, so simultaneous refunds count one after the other.
 */
async function requireRefundsWithinLimit(tx: Transacting, request: FastifyRequest): Promise<void> {
  const { merchant_id, id } = await lockUser(tx, pathOf(request.caller))
  const confirmed_ms = request.caller.user?.confirmed_until?.getTime() ?? 0
  const since_ms = Math.max(tx.wall_clock.now() - login_limits.refund_window_ms, confirmed_ms)
  const { rows } = await sql<Money>`
    select currency, sum(amount)::bigint as amount from (
      select max(details #>> '{input,currency}') as currency,
        max((details #>> '{input,amount}')::bigint) as amount,
        coalesce(max((details ->> 'status')::integer), 0) as status
      from audit_log
      where merchant_id = ${merchant_id} and user_id = ${id} and id >= ${idAt(new Date(since_ms))}::uuid
        and action = ${request.routeOptions.schema?.operationId ?? ''}
      group by action_id) as refunds
    where amount is not null and status < 400 group by currency`.execute(tx.db)
  if (!isWithin(tx, [...rows, ...[moneyOf(request) ?? []].flat()])) fail('CONFIRMATION_REQUIRED')
}

interface Money {
  amount: number
  currency: string
}

async function isWithinLimit(request: FastifyRequest): Promise<boolean> {
  const money = moneyOf(request) ?? (await chargedMoney(request))
  // Without such a charge the call changes nothing.
  return !money || isWithin(request.service, [money])
}

/** By the dated table of exchange rates; an amount that it cannot convert is above the limit. */
function isWithin({ config }: Service, moneys: readonly Money[]): boolean {
  const yen = moneys.map(({ amount, currency }) => convertCurrency(amount, currency, 'JPY'))
  const sum = yen.reduce<number>((all, one) => all + (one ?? Number.POSITIVE_INFINITY), 0)
  return sum <= config.console_confirm_amount
}

function moneyOf({ body }: FastifyRequest): Money | null {
  const { amount, currency }: Partial<Money> = objectOf(body)
  return amount === undefined || currency === undefined ? null : { amount, currency }
}

/** A cancel, or a capture without an amount, is about the whole charge. */
async function chargedMoney(request: FastifyRequest): Promise<Money | null> {
  const { service, caller } = request
  const { charge_id = '' } = paramsOf(request)
  const found = await service.db
    .selectFrom('charges')
    .select(['requested_amount as amount', 'requested_currency as currency'])
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', charge_id)
    .executeTakeFirst()
  return found ?? null
}
