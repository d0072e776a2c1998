import { randomBytes } from 'node:crypto'
import Type, { type Static, type TProperties } from 'typebox'
import { base32, matchTotp, otpauthUrl } from '../../core/access/totp.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'
import { endSessions } from '../users/end-sessions.ts'
import { lockUser, recordUser, type User, type UserPath } from '../users/user.ts'
import { openSession, type SignInFrom } from './user-session.ts'

export const SecondFactor = {
  totp: Type.Optional(
    typedDigits(
      Type.String({
        pattern: '^\\d{6}$',
        description: 'The current code of the authenticator app; needed when the user has one.',
      }),
    ),
  ),
  recovery_code: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'A recovery code instead of `totp`; each works once.',
    }),
  ),
} satisfies TProperties
type SecondFactor = Static<ReturnType<typeof Type.Object<typeof SecondFactor>>>

const issuer = 'Kaikei'
const secret_bytes = 20
const recovery_codes = 10

export function hasSecondFactor(user: User): boolean {
  return user.totp_secret !== null
}

function contextOf({ merchant_id, id }: UserPath, column: string): SealContext {
  return { table: 'users', column, merchant_id, row_id: id }
}

/** A new secret for an authenticator app. It takes effect when a code of it was confirmed. */
export async function startTotp(service: Service, user: User) {
  const secret = randomBytes(secret_bytes)
  await service.db
    .updateTable('users')
    .set({
      totp_new_secret: seal(service.keys.vault, contextOf(user, 'totp_new_secret'), secret),
      updated_on: now(service),
    })
    .where('merchant_id', '=', user.merchant_id)
    .where('id', '=', user.id)
    .execute()
  return { secret: base32(secret), otpauth_url: otpauthUrl(secret, issuer, user.email) }
}

/**
 * From now on logging in needs a code. All sessions end, because none of them was confirmed with a
 * code; the confirming user continues in a new one.
 */
export async function confirmTotp(
  service: Service,
  path: UserPath,
  code: string,
  from: SignInFrom,
) {
  return inTransaction(service, async (tx) => {
    const user = await lockUser(tx, path)
    const { merchant_id, id, totp_new_secret } = user
    if (!totp_new_secret) fail('NOT_FOUND', { message: 'Ask for a secret first: POST /me/totp.' })
    const secret = unseal(tx.keys.vault, contextOf(user, 'totp_new_secret'), totp_new_secret)
    const totp_step = matchTotp(secret, code, tx.clock.now())
    if (totp_step === null)
      failField('totp', 'NOT_ALLOWED_VALUE', 'is not the current code of the authenticator app')
    const codes = Array.from({ length: recovery_codes }, newRecoveryCode)
    const changed = {
      totp_secret: seal(tx.keys.vault, contextOf(user, 'totp_secret'), secret),
      totp_new_secret: null,
      totp_step,
      recovery_hashes: codes.map((one) => hashRecoveryCode(tx, id, one)),
      updated_on: now(tx),
    }
    await changeUser(tx, user, changed)
    const data = recordUser({ ...user, ...changed })
    await emit(tx, 'totp_enabled', { merchant_id, resource_id: id, data })
    await endSessions(tx, user)
    const { jwt } = await openSession(tx, user, { ...from, second_factor: true })
    return { jwt, merchant_id, recovery_codes: codes }
  })
}

/** Accepts a code once: the row is locked, and a code that is not newer than the last was used. */
export async function checkSecondFactor(
  tx: Transacting,
  user: User,
  { totp, recovery_code }: SecondFactor,
): Promise<boolean> {
  const { totp_secret, totp_step, recovery_hashes, id } = user
  if (totp !== undefined && totp_secret) {
    const secret = unseal(tx.keys.vault, contextOf(user, 'totp_secret'), totp_secret)
    const step = matchTotp(secret, totp, tx.clock.now())
    if (step === null || step <= totp_step) return false
    await changeUser(tx, user, { totp_step: step })
    return true
  }
  const used = hashRecoveryCode(tx, id, recovery_code ?? '')
  const left = recovery_hashes.filter((hash) => !hash.equals(used))
  if (left.length === recovery_hashes.length) return false
  await changeUser(tx, user, { recovery_hashes: left })
  return true
}

/** For a user who lost phone and recovery codes: the operator removes the second factor. */
export async function removeTotp(service: Service, path: UserPath): Promise<void> {
  await inTransaction(service, async (tx) => {
    const user = await lockUser(tx, path)
    const gone = { totp_secret: null, totp_new_secret: null, recovery_hashes: [] }
    await changeUser(tx, user, { ...gone, updated_on: now(tx) })
    const { merchant_id, id: resource_id } = user
    const data = recordUser({ ...user, ...gone })
    await emit(tx, 'totp_removed', { merchant_id, resource_id, data })
    await endSessions(tx, user)
  })
}

async function changeUser(tx: Transacting, user: UserPath, change: Partial<User>): Promise<void> {
  await tx.db
    .updateTable('users')
    .set(change)
    .where('merchant_id', '=', user.merchant_id)
    .where('id', '=', user.id)
    .execute()
}

/** 80 random bits in four groups, to be written on paper. */
function newRecoveryCode(): string {
  const text = base32(randomBytes(10)).toLowerCase()
  return text.replaceAll(/(.{4})(?=.)/g, '$1-')
}

function hashRecoveryCode(service: Service, user_id: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z2-7]/g, '')
  return keyedHash(service.keys.fingerprint.newest, `recovery code ${user_id}`, plain)
}
