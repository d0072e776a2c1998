import { emit } from '../../events/emit.ts'
import { now, type Transacting } from '../../service.ts'
import { queueMail } from '../mails/mail.ts'
import { viewMerchant } from '../merchants/merchant.ts'
import { recordWebhook, type Webhook } from './webhook.ts'

/**
 * The service disables a webhook by itself. Its pending deliveries stay and continue when the webhook
 * is enabled again. The response of one URL says nothing about the next one.
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
  await notifyMerchant(tx, changed)
  tx.log.warn({ merchant_id, webhook_id: id, reason }, 'a webhook was deactivated')
}

/** A mail to the merchant, unless it opted out. */
async function notifyMerchant(tx: Transacting, { merchant_id, url }: Webhook): Promise<void> {
  const merchant = await tx.db
    .selectFrom('merchants')
    .selectAll()
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow()
  const { configuration } = viewMerchant(merchant)
  if (configuration.user_transactions_configuration.notify_on_webhook_disabled === false) return
  const to = merchant.notification_email ?? merchant.email
  const lang = configuration.language?.startsWith('ja') ? 'ja' : 'en'
  await queueMail(tx, { merchant_id, to, lang, name: 'webhook_disabled', link: url })
}
