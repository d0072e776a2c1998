import type { Caller } from '../../core/access/caller.ts'
import type { RouteRight } from '../../core/access/rights.ts'
import type { ErrorCode } from '../../core/api/errors.ts'
import type { Service } from '../../service.ts'
import type { IdempotencyWriter } from '../idempotency/stored-response.ts'

/** The callers that may use a route. The default is the strictest: any token, but with its secret. */
export interface Access {
  /**
   * `any`: store and merchant tokens. `store` and `merchant`: only that kind. `user`: only users who
   * logged in; nothing of it is stored for replay. `operator`: of them, those of the installation.
   * `public`: no credential at all. Users may call what merchant tokens may, within their rights.
   */
  readonly level?: 'any' | 'store' | 'merchant' | 'user' | 'operator' | 'public'
  /** Whether the JWT alone suffices: never, from the token's domains, or from anywhere. */
  readonly without_secret?: 'never' | 'from_domains' | 'anywhere'
}

/** The deviations of a route from usual requests and responses. */
export interface RouteConfig {
  /** `charge` routes have their own rate limit; `none` is for health probes. */
  readonly rate?: 'standard' | 'charge' | 'none'
  /** How early it is refused under load; by default as a list or any other request. */
  readonly admit_as?: 'list' | 'other' | 'long' | 'money' | 'probe'
  /** Called all the time: it is logged when it fails. */
  readonly probe?: true
  /** The handler can store its response itself: see `IdempotencyWriter`. */
  readonly stores_response?: true
  /** The sender signs the body, so its bytes are kept unchanged. */
  readonly signed?: true
  /** A page: it renders its own errors. */
  readonly page?: true
  /** A route of the console, however its path is spelled: the cookie is the only credential. */
  readonly console_only?: true
  /** Accepts forms, as browsers send them. */
  readonly form?: true
  /** Converts a body that is sent in another shape into that of the schema. */
  readonly wrapBody?: (body: unknown) => unknown
  /** The longest body, where it is not that of other operations. */
  readonly body_bytes?: number
  /** Whether its JSON can be compressed. By default only if its schema has no field with a secret. */
  readonly compresses?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {
    access?: Access
    /** The right that users need; a public route has none. */
    right?: RouteRight
    client?: string | null
    /** The codes of this operation and few others. */
    errors?: readonly ErrorCode[]
    bodyRules?: (request: FastifyRequest) => readonly (() => unknown)[]
    /** Reads a body by its schema before validation, and names what is ignored. */
    readKnownFields?: (body: unknown, query: unknown) => string | null
    /** The route only refuses: its path has other methods. */
    refuses?: true
  }
  /** The API description of a route. `hide` leaves it out. */
  interface FastifySchema {
    hide?: boolean
    tags?: readonly string[]
    summary?: string
    description?: string
    operationId?: string
  }
  interface FastifyRequest {
    /** The service for this request: inside a transaction when a retry must be safe. */
    service: Service
    caller: Caller
    /** SHA-256 of the body as it was sent, when the request has an Idempotency-Key. */
    body_hash: Buffer | null
    /** Set when the handler must store its response with what it writes. */
    idempotency_writer: IdempotencyWriter | null
    /** The path whose other methods were meant, when no route takes the request. */
    known_path: string | null
    /** The raw body, where a signature covers it. */
    raw_body: Buffer | null
  }
}
