import type { Error as ErrorBody, ErrorCode } from './generated/api-types.ts'

/** Problems that the client finds itself; all other codes come from the service. */
export type ClientErrorCode =
  /** No response arrived: the service could not be reached, or the connection broke. */
  | 'CONNECTION_FAILED'
  /** It took longer than `timeout_ms`. */
  | 'TIMED_OUT'
  /** The response is not one of the service: a proxy in between may have sent it. */
  | 'UNREADABLE_RESPONSE'
  /** `waitUntil`: the resource has a status from which it cannot get to the wanted one. */
  | 'STATUS_UNREACHABLE'
  /** `verifyWebhook`: the message is forged, changed or too old. */
  | 'INVALID_SIGNATURE'

interface Details {
  status?: number
  body?: ErrorBody
  request_id?: string | null
  retry_after_ms?: number | null
  resource?: unknown
  cause?: unknown
}

/** Every error of the client. Decide by `code`. */
export class KaikeiError extends globalThis.Error {
  override readonly name = 'KaikeiError'
  readonly code: ErrorCode | ClientErrorCode
  /** The status of the HTTP response; null when there was none. */
  readonly status: number | null
  /** The wrong fields of the request, each with the reason. */
  readonly errors: ErrorBody['errors']
  /** Finds the request in the log of the service. */
  readonly request_id: string | null
  /** How long the service asked to wait. */
  readonly retry_after_ms: number | null
  /** The whole body of the error response. */
  readonly body: ErrorBody | null
  /** The resource as `waitUntil` read it last. */
  readonly resource: unknown

  constructor(code: ErrorCode | ClientErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.errors = details.body?.errors ?? []
    this.request_id = details.request_id ?? null
    this.retry_after_ms = details.retry_after_ms ?? null
    this.body = details.body ?? null
    this.resource = details.resource
  }
}
