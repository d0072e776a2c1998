import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Caller } from '../core/caller.ts'
import type { Service } from '../service.ts'
import type { IdempotencyWriter } from './idempotency/stored-answer.ts'

/** Which callers may use a route. The default is the strictest: any token, but with its secret. */
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

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** `charge` routes have their own rate limit; `none` is for health probes. */
    rate?: 'standard' | 'charge' | 'none'
    /** Called all the time: it is logged when it fails. */
    probe?: true
    /** The handler can store its response itself: see `IdempotencyWriter`. */
    stores_answer?: true
    /** The sender signs the body: it is kept as it was sent. */
    signed?: true
    /** A page: it renders its own errors. */
    page?: true
    /** A route of the console, however its path is spelled: the cookie is the only credential. */
    console_only?: true
    /** Accepts forms, as browsers send them. */
    form?: true
    /**
     * Body rules without other dependencies, one by one. They are evaluated when the schema refuses the
     * body, so that one response names every wrong field; otherwise the handler applies them.
     */
    bodyRules?: (request: FastifyRequest) => readonly (() => unknown)[]
    /** Converts a body that is sent in another shape into that of the schema. */
    wrapBody?: (body: unknown) => unknown
    /** Reads a body by its schema before validation, and names what is ignored. */
    readKnownFields?: (body: unknown, query: unknown) => string | null
    /** Whether its JSON may be compressed; by default, when its schema has no field with a secret. */
    compresses?: boolean
    /** The route only refuses: its path has other methods. */
    refuses?: true
  }
  /** What the API description says of a route. `hide` leaves it out. */
  interface FastifySchema {
    hide?: boolean
    tags?: readonly string[]
    summary?: string
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

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Adds the routes of one resource. */
export type RouteModule = (http: Http) => void
