import type { Caller } from '../../core/access/caller.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { cardNumberOf, openNumber } from '../../methods/card/open-card.ts'
import { atTimeOf, inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import { seal } from '../../vault/seal.ts'
import { refuseSecondToken } from './create/create-token.ts'
import { insertTokenAlone } from './create/insert-tokens.ts'
import { lockToken, retireToken } from './patch-token.ts'
import type { Token } from './token.ts'
import { emitToken } from './token-events.ts'
import { requireConfirmed } from './verify/confirm-token.ts'

/**
 * Makes a token for the same card that takes the place of this one: subscriptions continue with the new
 * one, and the old one can no longer be used. Its uses are counted from the beginning.
 */
export async function renewToken(
  service: Service,
  caller: Caller,
  store_id: string | null,
  token_id: string,
): Promise<Token & { previous_id: string }> {
  return inTransaction(service, async (base) => {
    const old = await lockToken(base, caller, store_id, token_id)
    const tx = atTimeOf(base, old)
    if (old.type === 'one_time') fail('INVALID_TOKEN_TYPE')
    requireConfirmed(old)
    await refuseWhileCharged(tx, old)
    const number = openNumber(tx, old)
    if (number === null || number === 'broken') fail('INVALID_TOKEN_TYPE')
    const { id, created_on } = newRow(tx)
    const { merchant_id } = old
    await retireToken(tx, old)
    const token: Token = {
      ...old,
      id,
      three_ds: storedThreeDs(old),
      card_number: seal(tx.keys.vault, cardNumberOf({ merchant_id, id }), number),
      cvv: null,
      active: true,
      uses: 0,
      // A token that was never used must still be used in time.
      expires_on: old.uses > 0 ? null : old.expires_on,
      last_used_on: null,
      created_on,
      updated_on: created_on,
      deleted_on: null,
      page_id: null,
      redirect_url: null,
      wipe_on: null,
      three_ds_expires_on: null,
      limit_keys: null,
      due_on: null,
      claims: 0,
    }
    await insertTokenAlone(tx, token).catch(refuseSecondToken)
    await tx.db
      .updateTable('subscriptions')
      .set({ transaction_token_id: id })
      .where('merchant_id', '=', merchant_id)
      .where('transaction_token_id', '=', old.id)
      .where('status', 'not in', ['canceled', 'completed'])
      .execute()
    await emitToken(tx, 'token_replaced', token, { previous_id: old.id })
    return { ...token, previous_id: old.id }
  })
}

/** A charge in progress needs the card of its own token. */
async function refuseWhileCharged(tx: Transacting, { merchant_id, id }: Token): Promise<void> {
  const charge = await tx.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('transaction_token_id', '=', id)
    .where('status', 'in', ['pending', 'awaiting'])
    .executeTakeFirst()
  if (charge) failField('token_id', 'UNFINISHED_CHARGES_EXIST_FOR_TOKEN')
}

/** An authentication that is under way belongs to the old token; one that succeeded is kept. */
function storedThreeDs({ three_ds }: Token): Token['three_ds'] {
  const status = three_ds.status === 'successful' ? three_ds.status : null
  return { ...three_ds, status, enabled: status !== null, redirect_id: null, error: null }
}
