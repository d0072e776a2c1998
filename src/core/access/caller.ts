import type { Role, SessionVia } from './users.ts'

export type Mode = 'test' | 'live'

/**
 * The caller of a request: an application token, or a user who logged in. The mode comes only from
 * here.
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
  /** The user who logged in; null for an application token. */
  readonly user: UserCaller | null
}

export interface UserCaller {
  readonly id: string
  readonly session_id: string
  readonly role: Role
  /** Without it a user sees test mode only. */
  readonly second_factor: boolean
  readonly is_operator: boolean
  readonly via: SessionVia
  /** The end of the period in which the user confirms nothing again. */
  readonly confirmed_until: Date | null
}
