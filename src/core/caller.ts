import type { Role } from './users.ts'

export type Mode = 'test' | 'live'

/**
 * Who makes a request: an application token, or a person who signed in. The mode comes from nowhere
 * else.
 */
export interface Caller {
  /** The application token, or the user. */
  readonly token_id: string
  readonly merchant_id: string
  /** Null for a user and for a merchant's token, which sees all stores of the merchant. */
  readonly store_id: string | null
  readonly mode: Mode | null
  readonly domains: readonly string[]
  /** False when only the JWT was sent, as a browser does. */
  readonly with_secret: boolean
  /** Who signed in; null for an application token. */
  readonly user: UserCaller | null
}

export interface UserCaller {
  readonly id: string
  readonly session_id: string
  readonly role: Role
  /** Without it a user sees test mode only. */
  readonly second_factor: boolean
}
