import { sql } from 'kysely'
import { fail } from '../../core/api/errors.ts'
import { now, type Transacting } from '../../service.ts'

interface LinkKey {
  readonly merchant_id: string
  readonly payment_link_id: string
}

/** Keeps a use of a link for a payment that begins, if one is left: it is never sold too often. */
export async function reserveUse(
  tx: Transacting,
  { merchant_id, payment_link_id }: LinkKey,
): Promise<void> {
  const { rows } = await sql`
    update payment_links set reserved = reserved + 1
    where merchant_id = ${merchant_id} and id = ${payment_link_id} and active
      and (expires_on is null or expires_on > ${now(tx)})
      and (max_uses is null or uses + reserved < max_uses)
    returning 1`.execute(tx.db)
  if (rows.length === 0) fail('PAYMENT_LINK_CLOSED')
}

/** The payment has ended: its use counts, or is free again. */
export async function settleUse(
  tx: Transacting,
  { merchant_id, payment_link_id }: LinkKey,
  is_paid: boolean,
): Promise<void> {
  await sql`update payment_links set reserved = reserved - 1, uses = uses + ${is_paid ? 1 : 0}
    where merchant_id = ${merchant_id} and id = ${payment_link_id}`.execute(tx.db)
}
