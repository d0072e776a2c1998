import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { type FieldError, fail, failField } from '../../core/errors.ts'
import { webhookUrlFault } from '../../core/public-address.ts'
import { Id, Instant, nullable, PageOf } from '../../core/schemas.ts'
import { type TriggerLevel, triggersOf } from '../../events/event-names.ts'
import type { Service } from '../../service.ts'
import { violatedIndex } from '../../store/open-store.ts'
import type { WebhookTable } from '../../store/tables.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

export type Webhook = Selectable<WebhookTable>

const Url = Type.String({ format: 'url', description: 'Where events are posted to' })
const Triggers = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Names of events',
})
/** It becomes a header: visible ASCII with single spaces, nothing that could end the line. */
const AuthToken = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$',
})

export const CreateWebhook = Type.Object({
  url: Url,
  triggers: Triggers,
  auth_token: Type.Optional(nullable(AuthToken)),
  active: Type.Boolean({ default: true }),
})
export type CreateWebhook = Static<typeof CreateWebhook>

export const PatchWebhook = Type.Object({
  url: Type.Optional(Url),
  triggers: Type.Optional(Triggers),
  auth_token: Type.Optional(nullable(AuthToken)),
  active: Type.Optional(Type.Boolean()),
})
export type PatchWebhook = Static<typeof PatchWebhook>

export const WebhookView = Type.Object({
  id: Id,
  merchant_id: Id,
  store_id: nullable(Id),
  triggers: Type.Array(Type.String()),
  url: Type.String(),
  auth_token: nullable(Type.String()),
  active: Type.Boolean(),
  is_integration: Type.Boolean(),
  created_on: Instant,
  updated_on: Instant,
})
export const WebhookPage = PageOf(WebhookView)

function authTokenOf({ merchant_id, id }: Pick<Webhook, 'merchant_id' | 'id'>): SealContext {
  return { table: 'webhooks', column: 'auth_token', merchant_id, row_id: id }
}

export function sealAuthToken(
  service: Service,
  webhook: Pick<Webhook, 'merchant_id' | 'id'>,
  auth_token: string | null | undefined,
): Buffer | null {
  return auth_token ? seal(service.keys.vault, authTokenOf(webhook), auth_token) : null
}

export function viewWebhook(service: Service, webhook: Webhook) {
  const { auth_token } = webhook
  return {
    ...recordWebhook(webhook),
    auth_token: auth_token
      ? unseal(service.keys.vault, authTokenOf(webhook), auth_token).toString()
      : null,
  }
}

/** The webhook without its credential, for the record. */
export function recordWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    merchant_id: webhook.merchant_id,
    store_id: webhook.store_id,
    triggers: webhook.triggers,
    url: webhook.url,
    active: webhook.active,
    is_integration: false,
    created_on: webhook.created_on.toISOString(),
    updated_on: webhook.updated_on.toISOString(),
  }
}

/** The URL may be reached from here and every trigger exists at this level. */
export function checkWebhook(service: Service, level: TriggerLevel, change: PatchWebhook): void {
  const errors: FieldError[] = []
  const fault = change.url && webhookUrlFault(change.url, service.config.webhook_targets)
  if (fault) errors.push({ field: 'url', reason: 'INVALID_FORMAT_URL' })
  const allowed = triggersOf(level)
  const reason = level === 'store' ? 'INVALID_EVENT_FOR_STORE' : 'INVALID_EVENT_FOR_MERCHANT'
  change.triggers?.forEach((trigger, index) => {
    if (!allowed.includes(trigger)) errors.push({ field: `triggers.${index}`, reason })
  })
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors, ...(fault ? { message: fault } : {}) })
}

/** The same address twice in one place would only deliver everything twice. */
export function refuseSameUrl(error: unknown): never {
  if (violatedIndex(error) === 'webhooks_by_url') fail('WEBHOOK_URL_EXISTS')
  throw error
}

/** Written out, other scripts take up to nine characters for one. */
const longest_url = 2048

/** A URL is stored as it was parsed, so that it cannot mean something else later. */
export function normalUrl(text: string): string {
  if (!URL.canParse(text)) failField('url', 'INVALID_FORMAT_URL')
  const { href } = new URL(text)
  if (href.length > longest_url) failField('url', 'INVALID_FORMAT_LENGTH')
  return href
}
