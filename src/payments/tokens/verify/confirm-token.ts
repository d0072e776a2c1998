import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import Type from 'typebox'
import { queueMail } from '../../../accounts/mails/mail.ts'
import { operation, type Route } from '../../../api/routes/operation.ts'
import type { Caller } from '../../../core/access/caller.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { fail, failField } from '../../../core/api/errors.ts'
import { minute_ms } from '../../../core/time/clock.ts'
import { atTimeOf, inTransaction, now, type Service, type Transacting } from '../../../service.ts'
import { type Key, keyedHash, sameBytes } from '../../../vault/key-ring.ts'
import { storeRules } from '../../store-rules/store-rules.ts'
import { getToken, type Token, TokenView, viewToken } from '../token.ts'
import { emitToken } from '../token-events.ts'

const code_life_ms = 30 * minute_ms
const max_attempts = 5
/** The maximum number of pending codes to one address; browsers can request them. */
const max_codes = 5

function hashCode(key: Key, { id }: { id: string }, code: string): Buffer {
  return keyedHash(key, `token confirmation ${id}`, code)
}

/** Mails a new code to the customer of a token, in the caller's transaction. */
export async function sendConfirmation(tx: Transacting, token: Token): Promise<void> {
  const { merchant_id, id, store_id } = token
  const recipient = token.email?.toLowerCase() ?? ''
  // Concurrent requests for one address count each other's attempts.
  await sql`select pg_advisory_xact_lock(hashtextextended(${recipient}, 0))`.execute(tx.db)
  const { count } = await tx.db
    .selectFrom('token_confirmations')
    .select(({ fn }) => fn.sum<number>('sent').as('count'))
    .where('merchant_id', '=', merchant_id)
    .where('recipient', '=', recipient)
    .where('expires_on', '>', now(tx))
    .executeTakeFirstOrThrow()
  if (count >= max_codes) {
    fail('RESOURCE_LIMIT_REACHED', { message: 'This address got many codes; wait half an hour.' })
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const created = {
    recipient,
    code_hash: hashCode(tx.keys.fingerprint.newest, token, code),
    attempts: 0,
    expires_on: new Date(tx.clock.now() + code_life_ms),
  }
  await tx.db
    .insertInto('token_confirmations')
    .values({ merchant_id, id, ...created })
    .onConflict((before) =>
      before
        .columns(['merchant_id', 'id'])
        .doUpdateSet((row) => ({ ...created, sent: row('token_confirmations.sent', '+', 1) })),
    )
    .execute()
  const { configuration } = await storeRules(tx, merchant_id, store_id, true)
  const lang = /^(ja|$)/i.test(String(configuration.language ?? '')) ? 'ja' : 'en'
  // Mails go out by our time, wherever the merchant's test mode is.
  const at_our_time = { ...tx, clock: tx.wall_clock }
  await queueMail(at_our_time, {
    merchant_id,
    to: recipient,
    lang,
    name: 'token_confirmation',
    code,
  })
}

interface TokenPath {
  store_id: string
  token_id: string
}

/**
 * A try counts before anybody knows whether it is right, and stays counted when the request is
 * refused.
 */
async function countAttempt(service: Service, caller: Caller, path: TokenPath): Promise<void> {
  const { merchant_id, id } = await getToken(service, caller, path.store_id, path.token_id)
  await sql`update token_confirmations set attempts = attempts + 1
    where merchant_id = ${merchant_id} and id = ${id}`.execute(service.db)
}

/** From now on the token can be charged. The code is gone with it. */
async function confirmToken(
  service: Service,
  caller: Caller,
  { store_id, token_id }: TokenPath,
  code: string,
): Promise<Token> {
  return inTransaction(service, async (base) => {
    const tx = atTimeOf(base, await getToken(base, caller, store_id, token_id))
    const { merchant_id } = caller
    const confirmation = await tx.db
      .deleteFrom('token_confirmations')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', token_id)
      .where('expires_on', '>', now(tx))
      .where('attempts', '<=', max_attempts)
      .returningAll()
      .executeTakeFirst()
    const is_right = tx.keys.fingerprint
      .all()
      .some(
        (key) =>
          confirmation && sameBytes(hashCode(key, confirmation, code), confirmation.code_hash),
      )
    if (!is_right) {
      const rule = `is wrong, was tried ${max_attempts} times, or is too old`
      failField('confirmation_code', 'WRONG_CONFIRMATION_CODE', rule)
    }
    const token = await tx.db
      .updateTable('transaction_tokens')
      .set({ confirmed: true, updated_on: now(tx) })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', token_id)
      .where('active', '=', true)
      .returningAll()
      .executeTakeFirst()
    if (!token) fail('NOT_FOUND')
    await emitToken(tx, 'token_updated', token)
    return token
  })
}

/** Refuses to bill a customer whose address was to be confirmed and was not. */
export function requireConfirmed({ confirmed }: Token): void {
  if (confirmed !== false) return
  failField(
    'transaction_token_id',
    'TOKEN_MUST_BE_CONFIRMED',
    'must be confirmed by the customer with the code from the mail first',
  )
}

const ConfirmToken = named(
  'ConfirmToken',
  Type.Object({
    confirmation_code: described(
      Type.String({ minLength: 1, maxLength: 32 }),
      'The code from the mail to the customer.',
    ),
  }),
  'The code with which a customer confirms a token.',
)

export const confirmTokenRoutes: readonly Route[] = [
  operation({
    at: 'POST /stores/:store_id/tokens/:token_id/confirm',
    id: 'confirmToken',
    client: 'tokens.confirm',
    tag: 'transaction tokens',
    summary: "Confirm a transaction token with the code from the customer's mail",
    text:
      'For tokens that were created with `use_confirmation`. After five wrong codes the ' +
      'code no longer works.',
    right: 'payments',
    access: { without_secret: 'from_domains' },
    errors: ['RESOURCE_LIMIT_REACHED'],
    body: ConfirmToken,
    responses: { 200: TokenView },
    preHandler: ({ service, caller, params }) => countAttempt(service, caller, params),
    handle: async ({ service, caller, params, body }) => {
      const token = await confirmToken(service, caller, params, body.confirmation_code)
      return viewToken(token, caller.with_secret)
    },
  }),
]
