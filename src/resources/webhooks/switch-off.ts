import { emit } from '../../events/emit.ts'
import { now, type Transacting } from '../../service.ts'
import { recordWebhook, type Webhook } from './webhook.ts'

/**
 * The service switches a webhook off by itself. What waits for it stays where it is and goes on when
 * the webhook is switched on again. What an address answered says nothing about the next one.
 */
export async function switchOff(tx: Transacting, webhook: Webhook, reason: string): Promise<void> {
  const { merchant_id, store_id, id, url } = webhook
  const at = now(tx)
  const changed = await tx.db
    .updateTable('webhooks')
    .set({ active: false, disabled_reason: reason, disabled_on: at, updated_on: at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('url', '=', url)
    .where('active', '=', true)
    .where('deleted_on', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!changed) return
  const data = recordWebhook(changed)
  await emit(tx, 'webhook_disabled', { merchant_id, store_id, resource_id: id, data })
  tx.log.warn({ merchant_id, webhook_id: id, reason }, 'a webhook was switched off')
}
