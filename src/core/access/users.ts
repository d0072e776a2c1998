import { day_ms, hour_ms, minute_ms, second_ms } from '../time/time-units.ts'

/** The permissions of each role are a table: `src/core/access/rights.ts`. */
export const roles = ['owner', 'developer', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

/** How the token of a session is sent: in the header `Authorization`, or in the cookie of the console. */
export type SessionVia = 'token' | 'cookie'

export const mail_languages = ['en', 'ja'] as const
export type MailLanguage = (typeof mail_languages)[number]

/** The limits of logging in. */
export const login_limits = {
  /** This many wrong passwords or codes lock an account for this long. */
  max_attempts: 10,
  lock_ms: 30 * minute_ms,
  token_ms: hour_ms,
  /** A token that expires sooner than this is replaced by a new one. */
  renew_ms: 30 * minute_ms,
  idle_ms: 15 * minute_ms,
  /** However active, a session ends and the password is asked for again. */
  session_ms: 12 * hour_ms,
  /** A user who has just shown a code or the password again is not asked for it meanwhile. */
  confirmed_ms: 5 * minute_ms,
  /** Refunds of one user within this time count together: to split a large one avoids no confirmation. */
  refund_window_ms: 10 * minute_ms,
  /** Requests that were sent with the cookie before its session was replaced still arrive. */
  replaced_session_ms: 10 * second_ms,
  /** A link that signs in, printed by the first start. */
  first_console_link_ms: 15 * minute_ms,
  console_link_ms: 10 * minute_ms,
  reset_link_ms: hour_ms,
  operator_link_ms: day_ms,
  resets_a_day: 5,
} as const

/** How often logging in may be attempted from one address, and for one e-mail. */
export const login_rates = {
  source: { per_minute: 30, burst: 30 },
  account: { per_minute: 10, burst: 10 },
} as const

/** The normal form of an e-mail by which a user is found. */
export function plainEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

/** A line of the audit log: an action before it runs, its outcome, or a single event. */
export const audit_kinds = ['begun', 'ended', 'refused', 'signed_in', 'sign_in_failed'] as const
export type AuditKind = (typeof audit_kinds)[number]

/**
 * The details of a line of the audit log besides actor, action and time. Secrets and card numbers are
 * masked.
 */
export interface AuditDetails {
  readonly request_id?: string
  readonly ip_address?: string
  readonly user_agent?: string
  readonly mode?: string | null
  readonly path?: string
  /** How far test mode was ahead of real time. */
  readonly ahead_ms?: number
  readonly input?: unknown
  readonly before?: unknown
  readonly status?: number
  readonly error_code?: string
  readonly after?: unknown
}
