import { fail } from '../../core/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import type { WebhookOwner } from './create-webhook.ts'
import {
  checkWebhook,
  normalUrl,
  type PatchWebhook,
  recordWebhook,
  refuseSameUrl,
  sealAuthToken,
  type Webhook,
} from './webhook.ts'

export async function patchWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
  patch: PatchWebhook,
): Promise<Webhook> {
  checkWebhook(service, owner.store_id ? 'store' : 'merchant', patch)
  const { url, triggers, auth_token, active } = patch
  return changeWebhook(service, owner, id, 'webhook_updated', {
    ...(url === undefined ? {} : { url: normalUrl(url) }),
    ...(triggers === undefined ? {} : { triggers }),
    ...(active === undefined ? {} : { active }),
    ...(auth_token === undefined
      ? {}
      : { auth_token: sealAuthToken(service, { ...owner, id }, auth_token) }),
  })
}

/** Nothing is sent to a deleted webhook any more; its place is free at once. */
export async function deleteWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
): Promise<void> {
  const deleted_on = now(service)
  await changeWebhook(service, owner, id, 'webhook_deleted', { deleted_on, active: false })
}

async function changeWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
  event: 'webhook_updated' | 'webhook_deleted',
  change: Partial<Webhook>,
): Promise<Webhook> {
  return inTransaction(service, async (tx) => {
    const webhook = await tx.db
      .updateTable('webhooks')
      .set({ ...change, updated_on: now(tx) })
      .where('merchant_id', '=', owner.merchant_id)
      .where('store_id', 'is not distinct from', owner.store_id)
      .where('id', '=', id)
      .where('deleted_on', 'is', null)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseSameUrl)
    if (!webhook) fail('NOT_FOUND')
    await emit(tx, event, { ...owner, resource_id: id, data: recordWebhook(webhook) })
    return webhook
  })
}
