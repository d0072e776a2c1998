import { requirePlace } from '../../api/resource-limit.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import {
  type CreateWebhook,
  checkWebhook,
  levelOf,
  normalUrl,
  recordWebhook,
  refuseSameUrl,
  sealAuthToken,
  type Webhook,
  type WebhookOwner,
} from './webhook.ts'
import { newSealedSecret } from './webhook-secret.ts'

export async function createWebhook(
  service: Service,
  owner: WebhookOwner,
  body: CreateWebhook,
): Promise<Webhook> {
  const level = levelOf(owner)
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
        secret: newSealedSecret(tx, { ...owner, id }),
        previous_secret: null,
        previous_secret_until: null,
        disabled_reason: null,
        disabled_on: null,
        created_on,
        updated_on: created_on,
        deleted_on: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSameUrl)
    await createDeliveryQueues(tx, webhook)
    await emit(tx, 'webhook_created', { ...owner, resource_id: id, data: recordWebhook(webhook) })
    return webhook
  })
}

/** One queue per mode, so that test deliveries never delay live ones. */
async function createDeliveryQueues(
  tx: Transacting,
  { merchant_id, id: webhook_id }: Webhook,
): Promise<void> {
  const queue = { merchant_id, webhook_id, due_on: null, fresh_on: null, rests_until: null }
  await tx.db
    .insertInto('webhook_lanes')
    .values([
      { ...queue, id: newUnguessableId(), mode: 'test' },
      { ...queue, id: newUnguessableId(), mode: 'live' },
    ])
    .execute()
}
