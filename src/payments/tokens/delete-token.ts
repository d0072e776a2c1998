import { compatibilityOf } from '../../api/responses/compatibility.ts'
import { failField } from '../../core/api/errors.ts'
import { atTimeOf, inTransaction, type Service } from '../../service.ts'
import { lockToken, retireToken } from './patch-token.ts'
import { getToken, type TokenReader } from './token.ts'
import { emitToken } from './token-events.ts'

/**
 * The token stays readable and can no longer be used; its card data is destroyed. While a payer is
 * billed with it that is refused: the subscription has to get another token, or to end, first. Client
 * libraries expect that in test mode its subscriptions are suspended instead.
 */
export async function deleteToken(
  service: Service,
  caller: TokenReader,
  store_id: string,
  id: string,
): Promise<void> {
  return inTransaction(service, async (base) => {
    const found = await getToken(base, caller, store_id, id)
    const tx = atTimeOf(base, found)
    const { when_token_is_deleted } = compatibilityOf(tx.config)
    const suspends = when_token_is_deleted === 'suspend' && found.mode === 'test'
    if (suspends) await tx.effects.payers.lock(tx, found)
    const token = await lockToken(tx, caller, store_id, id)
    // One that was created meanwhile is seen now.
    const is_free = await tx.effects.payers.stop(tx, token, suspends ? 'suspend' : 'refuse')
    if (!is_free) failField('token_id', 'ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN')
    const retired = await retireToken(tx, token)
    if (retired.type === 'recurring') await emitToken(tx, 'recurring_token_deleted', retired)
  })
}
