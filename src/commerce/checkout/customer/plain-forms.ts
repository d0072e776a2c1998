import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { customersUrl } from '../../../api/hosted-links.ts'
import { Failure } from '../../../core/api/errors.ts'
import { cookiesNamed } from '../../../core/text/http/cookies.ts'
import { minute_ms, second_ms } from '../../../core/time/clock.ts'
import type { Service } from '../../../service.ts'

// Without scripts, a form is sent and the browser led back to its page. The page shows the faults at their
// fields, which its address names, and what was typed, which a cookie of the page keeps for a while.

/** Scripts of the page get JSON. A plain form is sent back to the page, which shows the new state. */
export const isForm = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')

const cookie = 'kaikei_typed'
const stored_ms = 15 * minute_ms
/** Browsers refuse cookies of more than 4 kB. */
const max_length = 3500

/** What is never kept: anyone who uses the browser next could pay with it. */
const secrets: ReadonlySet<string> = new Set(['card_number', 'cvv', 'scanned_qr', 'applepay_token'])

/** What was typed into a form, by the path of the field: `phone_number.local_number`. */
export type TypedValues = Readonly<Record<string, string>>

function valuesOf(body: unknown, path = ''): [string, string][] {
  if (typeof body === 'string' || typeof body === 'number') return [[path, String(body)]]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (secrets.has(name)) return []
    return valuesOf(value, path === '' || path === 'data' ? name : `${path}.${name}`)
  })
}

function writeCookie(service: Service, reply: FastifyReply, path: string, rest: string): void {
  const secure = customersUrl(service).startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `${cookie}=${rest}; Path=${path}; HttpOnly; SameSite=Lax${secure}`)
}

/** Keeps what was typed for the page at the path, without the number and the code of a card. */
export function keepTyped(request: FastifyRequest, reply: FastifyReply, path: string): void {
  const values = Object.fromEntries(valuesOf(request.body))
  const text = Buffer.from(JSON.stringify(values)).toString('base64url')
  if (text.length > max_length) return
  writeCookie(request.service, reply, path, `${text}; Max-Age=${stored_ms / second_ms}`)
}

export function forgetTyped(request: FastifyRequest, reply: FastifyReply, path: string): void {
  if (readCookie(request)) writeCookie(request.service, reply, path, '; Max-Age=0')
}

function readCookie({ headers }: FastifyRequest): string | null {
  return cookiesNamed(headers.cookie, cookie)[0] || null
}

/** What the customer typed last; a cookie that is not ours counts as none. */
export function readTyped(request: FastifyRequest): TypedValues {
  try {
    const text = Buffer.from(readCookie(request) ?? '', 'base64url').toString()
    return Object.fromEntries(valuesOf(JSON.parse(text)))
  } catch {
    return {}
  }
}

/** Codes that are about one field. */
const fields_of_codes: Readonly<Record<string, string>> = { CVV_REQUIRED: 'data.cvv' }

/** The address of the page with the code of what was wrong, and the fields that are missing or wrong. */
export function addressWithFault(path: string, error: FastifyError): string {
  const code = error instanceof Failure ? error.code : 'VALIDATION_ERROR'
  const missing = new Set<string>(fields_of_codes[code] ? [fields_of_codes[code]] : [])
  const wrong = new Set<string>()
  for (const { instancePath, params } of error.validation ?? []) {
    const { missingProperty }: { missingProperty?: string } = params
    const field = [...instancePath.split('/').slice(1), missingProperty].filter(Boolean).join('.')
    if (missingProperty === undefined) wrong.add(field)
    else missing.add(field)
  }
  for (const { field, reason } of error instanceof Failure ? error.errors : []) {
    if (reason === 'REQUIRED_VALUE') missing.add(field)
    else wrong.add(field)
  }
  const query = new URLSearchParams({ error: code })
  if (missing.size > 0) query.set('missing', [...missing].join(' '))
  if (wrong.size > 0) query.set('wrong', [...wrong].join(' '))
  return `${path}?${query}`
}
