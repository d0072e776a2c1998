import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { announce, inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { stillClaimed } from '../../store/due/due-work.ts'
import { credentialName } from '../credentials/cached-credentials.ts'
import { type AppToken, recordAppToken } from './app-token.ts'

export interface AppTokenPath {
  merchant_id: string
  store_id: string | null
  id: string
}

/** Ends a token everywhere: every process is notified when this commits. */
export async function deleteAppToken(service: Service, path: AppTokenPath): Promise<void> {
  return inTransaction(service, async (tx) => {
    if (!(await endAppToken(tx, path))) fail('NOT_FOUND')
  })
}

/** False: it has ended already. */
export async function endAppToken(tx: Transacting, path: AppTokenPath): Promise<boolean> {
  const { merchant_id, store_id, id } = path
  const token = await tx.db
    .updateTable('app_tokens')
    .set({ deleted_on: now(tx), due_on: null })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('store_id', 'is not distinct from', store_id)
    .where('deleted_on', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!token) return false
  await emit(tx, 'app_token_deleted', {
    merchant_id,
    store_id,
    mode: token.mode,
    resource_id: id,
    data: recordAppToken(token),
  })
  await announce(tx, 'revoked', credentialName(merchant_id, id))
  return true
}

/** Ends every token of a store that is being deleted. */
export async function deleteStoreAppTokens(
  tx: Transacting,
  merchant_id: string,
  store_id: string,
): Promise<void> {
  const tokens = await tx.db
    .selectFrom('app_tokens')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', store_id)
    .where('deleted_on', 'is', null)
    .execute()
  for (const { id } of tokens) await endAppToken(tx, { merchant_id, store_id, id })
}

/** Ends an expired token. It is refused from that instant; this frees its slot. */
export async function deleteExpiredAppToken(service: Service, token: AppToken): Promise<void> {
  await inTransaction(service, async (tx) => {
    const claimed = await tx.db
      .selectFrom('app_tokens')
      .select('id')
      .where(stillClaimed(token))
      .forUpdate()
      .executeTakeFirst()
    if (claimed) await endAppToken(tx, token)
  })
}
