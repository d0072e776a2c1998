import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { atTimeOf, inTransaction, now, type Service } from '../../service.ts'
import { type Charge, type ChargePath, getCharge, wordsOf } from './charge.ts'

export async function patchCharge(
  service: Service,
  caller: Caller,
  path: ChargePath,
  change: Metadata | undefined,
): Promise<Charge> {
  return inTransaction(service, async (base) => {
    const before = await getCharge(base, caller, path, true)
    const tx = atTimeOf(base, before)
    const metadata = mergeMetadata(before.metadata, change)
    return tx.db
      .updateTable('charges')
      .set({
        metadata: JSON.stringify(metadata),
        search_words: wordsOf(before, metadata),
        // While something is under way this instant says since when, and stays.
        ...(before.pending_action ? {} : { updated_on: now(tx) }),
      })
      .where('merchant_id', '=', before.merchant_id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
