import { day_ms, hour_ms, minute_ms } from './time/clock.ts'

/** An owner may do what a merchant's application token may; staff may not grant access. */
export const roles = ['owner', 'staff'] as const
export type Role = (typeof roles)[number]

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
