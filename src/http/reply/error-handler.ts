import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { FieldErrorBody } from '../../api/field-error.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import {
  type ErrorCode,
  errorName,
  errors,
  Failure,
  type FieldError,
} from '../../core/api/errors.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { UnconfirmedCommit } from '../../store/sql/connections/session.ts'
import { isRetryable, isUnavailable } from '../../store/sql/statements/database-errors.ts'
import { SealBroken } from '../../vault/seal.ts'
import { schemaFaults } from './schema-faults.ts'

/** Without a parameter: JSON is always UTF-8, and some clients compare the whole value. */
export const json_type = 'application/json'

/** The shape of every error response. */
export const ErrorBody = named(
  'Error',
  Type.Object({
    status: described(Type.Literal('error'), 'Always `error`.'),
    code: described(
      textOf('ErrorCode', Object.keys(errors), 'The fault of a request.'),
      'The fault, for programs.',
    ),
    name: described(
      Type.String({ examples: ['ValidationError'] }),
      'The code in another spelling.',
    ),
    message: described(Type.String(), 'The fault and the advice, for people. The text may change.'),
    errors: described(
      Type.Array(FieldErrorBody),
      'Every wrong field of the request, at most 50; empty when no field is at fault.',
    ),
    error: described(
      Type.Optional(
        named(
          'ErrorDetail',
          Type.Object({
            code: described(Type.Integer(), 'The code of the error of a payment, such as 311.'),
            message: described(Type.String(), 'The meaning.'),
          }),
          'The error of a payment.',
        ),
      ),
      'With `CHARGE_TOO_QUICK` only: the error that the charge would have had.',
    ),
  }),
  'The body of every error response.',
)

export function errorBody({ code, message, errors: fields, error }: Failure) {
  const reported = fields.map(({ field, reason }) => ({ field, reason }))
  const body = { status: 'error', code, name: errorName(code), message, errors: reported } as const
  return error ? { ...body, error } : body
}

const code_by_framework_code: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** The error as an entry of our table. Only an unexpected error is an UNKNOWN_ERROR. */
function asFailure(error: FastifyError, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error
  if (error.validation) {
    const part = error.validationContext ?? 'body'
    const faults = schemaFaults(error.validation as ErrorObject[], part)
    const more = part === 'body' ? faultsBeyondSchema(request, faults) : []
    return new Failure('VALIDATION_ERROR', { errors: [...faults, ...more] })
  }
  if (error instanceof SealBroken || error instanceof UnconfirmedCommit) {
    return new Failure('SERVICE_UNAVAILABLE', { retry_after_s: 1 })
  }
  if (isUnavailable(error) || isRetryable(error)) {
    return new Failure('SERVICE_UNAVAILABLE', { retry_after_s: 1 })
  }
  const known = code_by_framework_code[error.code]
  if (known) return new Failure(known)
  const { statusCode = 500 } = error
  if (statusCode >= 400 && statusCode < 500) return new Failure('INVALID_REQUEST')
  return new Failure('UNKNOWN_ERROR')
}

/** Faults beyond the schema. A field that a rule needs may be missing: then the rule is skipped. */
function faultsBeyondSchema(
  request: FastifyRequest,
  reported: readonly FieldError[],
): FieldError[] {
  const rules = request.routeOptions.config.bodyRules?.(request) ?? []
  const found = rules.flatMap((rule) => {
    try {
      rule()
      return []
    } catch (error) {
      return error instanceof Failure ? error.errors : []
    }
  })
  return found.filter(({ field }) => !reported.some((other) => isPartOf(field, other.field)))
}

function isPartOf(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`) || other.startsWith(`${field}.`)
}

export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const failure = asFailure(error, request)
  const [status] = errors[failure.code]
  if (status >= 500) {
    const level = failure.code === 'UNKNOWN_ERROR' ? 'error' : 'warn'
    request.log[level]({ request_id: request.id, err: error }, 'request failed')
  }
  if (failure.retry_after_s !== undefined) reply.header('retry-after', failure.retry_after_s)
  if (status === 413) reply.header('connection', 'close')
  return reply.code(status).send(errorBody(failure))
}

const code_by_parser_code: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'REQUEST_HEADER_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/**
 * Bytes that are not HTTP never become a request; they still get a response, and then the connection
 * closes.
 */
export function handleBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const failure = new Failure(code_by_parser_code[error.code ?? ''] ?? 'INVALID_REQUEST', {})
  const [status] = errors[failure.code]
  const body = JSON.stringify(errorBody(failure))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${json_type}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newUnguessableId()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
