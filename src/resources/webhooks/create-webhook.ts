import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service } from '../../service.ts'
import { requirePlace } from '../resource-limit.ts'
import {
  type CreateWebhook,
  checkWebhook,
  normalUrl,
  recordWebhook,
  refuseSameUrl,
  sealAuthToken,
  type Webhook,
} from './webhook.ts'

/** Whose webhook it is: one store's, or the merchant's for all stores. */
export interface WebhookOwner {
  merchant_id: string
  store_id: string | null
}

export async function createWebhook(
  service: Service,
  owner: WebhookOwner,
  body: CreateWebhook,
): Promise<Webhook> {
  const level = owner.store_id ? 'store' : 'merchant'
  checkWebhook(service, level, body)
  return inTransaction(service, async (tx) => {
    await requirePlace(tx, `${level}_webhooks`, owner)
    const { id, created_on } = newRow(tx)
    const webhook = await tx.db
      .insertInto('webhooks')
      .values({
        ...owner,
        id,
        url: normalUrl(body.url),
        triggers: body.triggers,
        auth_token: sealAuthToken(tx, { ...owner, id }, body.auth_token),
        active: body.active,
        created_on,
        updated_on: created_on,
        deleted_on: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSameUrl)
    await emit(tx, 'webhook_created', { ...owner, resource_id: id, data: recordWebhook(webhook) })
    return webhook
  })
}
