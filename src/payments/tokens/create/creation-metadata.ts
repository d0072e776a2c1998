import type { Metadata } from '../../../core/text/metadata.ts'
import type { Transacting } from '../../../service.ts'
import type { Token } from '../token.ts'

/**
 * Keeps the metadata of the creation before a PATCH changes it for the first time. Only a recurring card
 * token can be authenticated later, so that it is needed.
 */
export async function keepCreationMetadata(
  tx: Transacting,
  { merchant_id, id, type, payment_type, metadata }: Token,
): Promise<void> {
  if (type !== 'recurring' || payment_type !== 'card') return
  await tx.db
    .insertInto('token_creation_metadata')
    .values({ merchant_id, id, metadata: JSON.stringify(metadata) })
    .onConflict((stored) => stored.columns(['merchant_id', 'id']).doNothing())
    .execute()
}

/** The metadata that a token was created with, whatever was patched since. */
export async function creationMetadata(
  tx: Transacting,
  { merchant_id, id, metadata }: Token,
): Promise<Metadata> {
  const stored = await tx.db
    .selectFrom('token_creation_metadata')
    .select('metadata')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return stored?.metadata ?? metadata
}
