import { type ChargeEffect, now, type Transacting } from '../../../service.ts'
import { lockRow } from '../../../store/sql/reads/find-row.ts'
import type { Charge } from '../../../store/tables/rows.ts'
import { settleTokenAttempt } from '../create/admit-token.ts'
import type { Token } from '../token.ts'
import { emitToken } from '../token-events.ts'

/**
 * Begins the authorization a token was created with; until it is done it cannot be charged. The
 * charge has a currency in any case.
 */
export async function authorizeCvv(tx: Transacting, token: Token): Promise<Token> {
  const { id: charge_id } = await tx.effects.checkCard(tx, token)
  const cvv_authorize = { ...token.cvv_authorize, status: 'pending', charge_id }
  return updateToken(tx, token, { cvv_authorize: JSON.stringify(cvv_authorize) })
}

/** Begins the check of a security code that was sent later. */
export async function checkCvv(tx: Transacting, token: Token): Promise<Token> {
  const { id: charge_id, created_on } = await tx.effects.checkCard(tx, token)
  const check = { status: 'pending', charge_id, date: created_on.toISOString() }
  return updateToken(tx, token, { cvv_authorize_check: JSON.stringify(check) })
}

type Change = { cvv_authorize: string } | { cvv_authorize_check: string }

async function updateToken(tx: Transacting, token: Token, change: Change): Promise<Token> {
  return tx.db
    .updateTable('transaction_tokens')
    .set({ ...change, updated_on: now(tx) })
    .where('merchant_id', '=', token.merchant_id)
    .where('id', '=', token.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes the result of the check into the token that it was made for. */
async function finishCvvCheck(tx: Transacting, charge: Charge): Promise<void> {
  const token = await lockRow(tx, 'transaction_tokens', {
    merchant_id: charge.merchant_id,
    id: charge.transaction_token_id,
  })
  if (!token) return
  const status = charge.status === 'successful' ? 'current' : 'failed'
  const { cvv_authorize, cvv_authorize_check } = token
  const first = cvv_authorize.charge_id === charge.id
  if (!first && cvv_authorize_check.charge_id !== charge.id) return
  const changed = await updateToken(
    tx,
    token,
    first
      ? { cvv_authorize: JSON.stringify({ ...cvv_authorize, status }) }
      : { cvv_authorize_check: JSON.stringify({ ...cvv_authorize_check, status }) },
  )
  if (first) await settleTokenAttempt(tx, changed)
  const name = first ? 'token_cvv_auth_updated' : 'token_cvv_auth_check_updated'
  await emitToken(tx, name, changed)
}

export const cvv_effect: ChargeEffect = {
  applies: ({ type }) => type === 'cvv_auth',
  run: finishCvvCheck,
}
