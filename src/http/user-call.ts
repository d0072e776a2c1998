import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Caller } from '../core/caller.ts'
import { fail } from '../core/errors.ts'
import { isUuid } from '../core/ids.ts'
import { convertCurrency } from '../core/money/exchange-rates.ts'
import type { AuditDetails } from '../core/users.ts'
import { appendAudit, type NewAuditLine } from '../resources/audit/audit-chain.ts'
import { maskDetails } from '../resources/audit/mask-details.ts'
import { rightFor } from '../resources/users/user-rights.ts'
import { max_agent_length } from '../resources/users/user-session.ts'
import { json_type } from './error-handler.ts'
import { serializerCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The line of the audit log that says that this action began. */
    audit_id: string | null
  }
}

/** What is done around the calls of users: confirmation, and the audit log. */
export interface UserCalls {
  /** Notes how a resource is read, while routes are added. */
  addReader(route: RouteOptions): void
  begin(request: FastifyRequest): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void>
}

interface Reader {
  readonly handler: RouteHandlerMethod
  /** As the response would be written. */
  write(value: unknown): string
}

function reads({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
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
      const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
      const is_list = 'cursor_direction' in properties
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
      request.audit_id = await appendAudit(request.service, line)
    },
    end: async (request, reply, payload) => {
      const { caller, audit_id: action_id } = request
      if (!(caller as Caller | null)?.user || reads(request)) return
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
  const { caller, headers, ip, id: request_id, routeOptions, params } = request
  const { merchant_id, mode } = caller
  const ids = Object.values((params ?? {}) as Record<string, string>).filter(isUuid)
  const path = (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (name, key) => {
    const value = (params as Record<string, string>)[key] ?? ''
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
      request_id,
      ip_address: ip,
      user_agent: (headers['user-agent'] ?? '').slice(0, max_agent_length),
      mode,
      path,
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
  const { caller, method, routeOptions } = request
  const { confirm } = rightFor(method, routeOptions.url ?? '')
  if (caller.user?.via !== 'cookie' || confirm === null) return
  const { confirmed_until } = caller.user
  const { wall_clock } = request.service
  if (confirmed_until && confirmed_until.getTime() > wall_clock.now()) return
  if (confirm === 'amount' && (await isWithinLimit(request))) return
  fail('CONFIRMATION_REQUIRED')
}

interface Money {
  amount: number
  currency: string
}

/** By the dated table of exchange rates; an amount that it cannot convert is above the limit. */
async function isWithinLimit(request: FastifyRequest): Promise<boolean> {
  const money = moneyOf(request) ?? (await chargedMoney(request))
  // Without such a charge the call changes nothing.
  if (!money) return true
  const yen = convertCurrency(money.amount, money.currency, 'JPY')
  return yen !== null && yen <= request.service.config.console_confirm_amount
}

function moneyOf({ body }: FastifyRequest): Money | null {
  const { amount, currency } = (body ?? {}) as Partial<Money>
  return amount === undefined || currency === undefined ? null : { amount, currency }
}

/** A cancel, or a capture without an amount, is about the whole charge. */
async function chargedMoney({ service, caller, params }: FastifyRequest): Promise<Money | null> {
  const { charge_id = '' } = params as Record<string, string>
  const found = await service.db
    .selectFrom('charges')
    .select(['requested_amount as amount', 'requested_currency as currency'])
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', charge_id)
    .executeTakeFirst()
  return found ?? null
}
