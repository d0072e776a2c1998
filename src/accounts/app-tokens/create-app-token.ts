import { requirePlace } from '../../api/resource-limit.ts'
import type { Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { randomText } from '../../core/ids.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service } from '../../service.ts'
import { type AppToken, hashSecret, recordAppToken, secret_length } from './app-token.ts'

export interface NewAppToken {
  merchant_id: string
  creator_id: string
  /** A store's token has all three; a merchant's token none. */
  store?: { id: string; mode: Mode; domains: string[] }
  expires_on?: Date
  /** The name shown to people. */
  name?: string | null
}

/** The secret exists in clear only in the response; the database stores a keyed hash. */
export async function createAppToken(
  service: Service,
  wanted: NewAppToken,
): Promise<{ token: AppToken; secret: string }> {
  const { merchant_id, creator_id, store, expires_on, name = null } = wanted
  return inTransaction(service, async (tx) => {
    const resource = store ? 'store_app_tokens' : 'merchant_app_tokens'
    await requirePlace(tx, resource, { merchant_id, store_id: store?.id ?? null })
    if (store?.mode === 'live') await requireVerified(tx, merchant_id)
    const secret = randomText(secret_length)
    const key = tx.keys.signing.newest
    const { id, created_on } = newRow(tx)
    const token = await tx.db
      .insertInto('app_tokens')
      .values({
        merchant_id,
        id,
        store_id: store?.id ?? null,
        mode: store?.mode ?? null,
        domains: store?.domains ?? [],
        creator_id,
        secret_key_id: key.id,
        secret_hash: hashSecret(key, id, secret),
        signing_key_id: key.id,
        name,
        created_on,
        deleted_on: null,
        due_on: expires_on ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { store_id, mode } = token
    const data = recordAppToken(token)
    await emit(tx, 'app_token_created', { merchant_id, store_id, mode, resource_id: id, data })
    return { token, secret }
  })
}

async function requireVerified(service: Service, merchant_id: string): Promise<void> {
  const { verified } = await service.db
    .selectFrom('merchants')
    .select('verified')
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow()
  if (!verified) fail('LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED')
}
