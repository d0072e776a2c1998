import type { Transacting } from '../../../service.ts'
import { run } from '../../../store/sql/statements/statement.ts'
import type { Charge } from '../charge.ts'

/**
 * What is set in a token `t` when one of its charges is decided. The security code served its
 * authorization; nothing of it is kept. Nor is the number of a card that can be charged only once: a
 * capture or refund needs the reference alone. Then there is nothing left to do at its time.
 */
export function purgeOf(once: string): string {
  const is_over = `(${once} or t.type = 'recurring')`
  return `cvv = null,
    card_number = case when ${once} then null else t.card_number end,
    due_on = case when ${is_over} and t.due_on = t.wipe_on then null else t.due_on end,
    wipe_on = case when ${is_over} then null else t.wipe_on end`
}

/** Whether there is anything to purge in a token `t`. */
export function needsPurge(once: string): string {
  return `(t.cvv is not null or (${once} and t.card_number is not null))`
}

const purge_token = `
  update transaction_tokens t set ${purgeOf('$3::boolean')}
  where t.merchant_id = $1 and t.id = $2 and ${needsPurge('$3')}`

/** The card of a token that its subscription no longer uses was stored for this charge only. */
const purge_ended = `
  update transaction_tokens set card_number = null
  where merchant_id = $1 and id = $2 and not active and card_number is not null`

/** A token that was only checked is still purged when its time is over. */
export async function purgeCard(tx: Transacting, charge: Charge): Promise<void> {
  const { merchant_id, transaction_token_id, transaction_token_type, type } = charge
  const once = transaction_token_type === 'one_time' && type === 'normal'
  await run(tx.db, purge_token, [merchant_id, transaction_token_id, once])
  if (transaction_token_type === 'subscription') {
    await run(tx.db, purge_ended, [merchant_id, transaction_token_id])
  }
}
