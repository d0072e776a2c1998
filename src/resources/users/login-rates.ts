import { createHash } from 'node:crypto'
import { addressSubject } from '../../core/address-subject.ts'
import { newBuckets } from '../../core/bucket.ts'
import { fail } from '../../core/errors.ts'
import { login_rates, plainEmail } from '../../core/users.ts'
import type { Service } from '../../service.ts'

/** Counts tries of one address and of one e-mail, before they cost anything. */
export type TakeTry = (service: Service, ip_address: string, email?: string) => void

export function newLoginRates(): TakeTry {
  const sources = newBuckets(login_rates.source)
  const accounts = newBuckets(login_rates.account)
  return ({ wall_clock }, ip_address, email) => {
    const source = addressSubject(ip_address)
    const now_ms = wall_clock.monotonic()
    const account = email === undefined ? null : hashed(plainEmail(email))
    const waits_ms = [
      sources.wait(source, now_ms),
      account === null ? 0 : accounts.wait(account, now_ms),
    ]
    const wait_ms = Math.max(...waits_ms)
    if (wait_ms > 0) fail('BAD_REQUEST', { retry_after_s: Math.ceil(wait_ms / 1000) })
    sources.take(source, now_ms)
    if (account !== null) accounts.take(account, now_ms)
  }
}

/** Of one length, however long an e-mail is. */
function hashed(email: string): string {
  return createHash('sha256').update(email).digest('base64')
}
