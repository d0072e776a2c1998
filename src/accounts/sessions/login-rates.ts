import { createHash } from 'node:crypto'
import { addressSubject } from '../../core/access/address-subject.ts'
import { plainEmail } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { noteHits } from '../../core/limits/limit-hits.ts'
import type { CountKey } from '../../core/limits/request-counts.ts'
import type { Service } from '../../service.ts'

/** Counts an attempt of one address, and for one e-mail, before it costs anything. */
export async function takeTry(
  { counts }: Service,
  ip_address: string,
  email?: string,
): Promise<void> {
  const keys: CountKey[] = [['login_source', addressSubject(ip_address)]]
  if (email !== undefined) keys.push(['login_account', hashed(plainEmail(email))])
  const counted = await counts.take(keys)
  if (counted.allowed) return
  noteHits(keys, counted)
  fail('BAD_REQUEST', { retry_after_s: Math.ceil(counted.wait_ms / 1000) })
}

/** Fixed length, however long an e-mail is. */
function hashed(email: string): string {
  return createHash('sha256').update(email).digest('base64')
}
