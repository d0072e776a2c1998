import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Caller } from '../core/caller.ts'
import type { Service } from '../service.ts'
import type { IdempotencyWriter } from './idempotency/stored-answer.ts'

/** Who may call a route. Nothing said means the strictest: any token, but with its secret. */
export interface Access {
  /**
   * `any`: store and merchant tokens. `store` and `merchant`: only that kind.
   * `user`: only who has signed in; nothing of it is stored to be repeated. `public`: no credential
   * at all. Users may call what merchant tokens may, within their rights.
   */
  readonly level?: 'any' | 'store' | 'merchant' | 'user' | 'public'
  /** Whether the JWT alone suffices: never, from the token's domains, or from anywhere. */
  readonly without_secret?: 'never' | 'from_domains' | 'anywhere'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** `charge` routes have a rate of their own; `none` is for probes of the machine. */
    rate?: 'standard' | 'charge' | 'none'
    /** The handler can keep its answer itself: see `IdempotencyWriter`. */
    stores_answer?: true
    /** The sender signs the body: it is kept as it was sent. */
    signed?: true
    /** A page: it shows its own errors. */
    page?: true
    /** Its forms are taken, as browsers send them. */
    form?: true
    /**
     * Rules of the body that need nothing else, one by one. They are asked when the schema refuses
     * the body, so that one response names every wrong field; else the handler applies them.
     */
    bodyRules?: (request: FastifyRequest) => readonly (() => unknown)[]
    /** Reads a body by its schema before validation, and names what is ignored. */
    /** Puts a body that is sent in another shape into that of the schema. */
    wrapBody?: (body: unknown) => unknown
    readKnownFields?: (body: unknown, query: unknown) => string | null
    /** The methods a path has, when this route only refuses the others. */
    refuses?: string[]
  }
  interface FastifyRequest {
    /** The service this request works with: inside a transaction when a retry must be safe. */
    service: Service
    caller: Caller
    /** SHA-256 of the body as it was sent, when the request has an Idempotency-Key. */
    body_hash: Buffer | null
    /** Set when the handler shall keep its answer with what it writes. */
    idempotency_writer: IdempotencyWriter | null
    /** The body as it was sent, where a signature is about it. */
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
