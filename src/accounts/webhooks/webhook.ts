import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named, shownAs } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, failField, failIfAny, oneOf } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf } from '../../core/api/schemas.ts'
import { webhookUrlFault } from '../../core/typed/public-address.ts'
import { type TriggerLevel, triggersOf } from '../../events/event-names.ts'
import type { Service } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import type { WebhookTable } from '../../store/tables/accounts/webhook-tables.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

export type Webhook = Selectable<WebhookTable>

const Url = Type.String({ format: 'url', description: 'The URL that receives events.' })
/** A name that is none is refused with its own reason; the description has the names. */
export const Trigger = shownAs(
  Type.String({ maxLength: 64 }),
  named('Trigger', Type.Enum(triggersOf('merchant')), 'An event that a webhook can be sent.'),
)
const Triggers = Type.Array(Trigger, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The names of the events that are sent.',
})
/** It becomes a header: visible ASCII with single spaces, nothing that could end the line. */
const AuthToken = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$',
  description:
    'Sent in the `Authorization` header of each delivery, after `Bearer` unless it names a scheme.',
})

export const CreateWebhook = named(
  'CreateWebhook',
  Type.Object({
    url: Url,
    triggers: Triggers,
    auth_token: Type.Optional(nullable(AuthToken)),
    active: described(Type.Boolean({ default: true }), 'Whether events are sent.'),
  }),
  'A new webhook.',
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const PatchWebhook = named(
  'UpdateWebhook',
  Type.Object({
    url: Type.Optional(Url),
    triggers: Type.Optional(Triggers),
    auth_token: Type.Optional(nullable(AuthToken)),
    active: described(
      Type.Optional(Type.Boolean()),
      'Whether events are sent. `true` also activates a webhook that the service has ' +
        'deactivated.',
    ),
    resend_from: Type.Optional(
      Type.String({
        format: 'instant',
        description: 'With `active: true`: also sends the events missed since this time.',
      }),
    ),
  }),
  'Changes to a webhook. Absent fields stay unchanged.',
)
export type PatchWebhook = Static<typeof PatchWebhook>

export const WebhookView = named(
  'Webhook',
  Type.Object({
    id: described(Id, 'The id of the webhook.'),
    merchant_id: common.merchant_id,
    store_id: described(
      nullable(Id),
      'The store whose events are sent; null: events of the whole merchant.',
    ),
    triggers: described(Type.Array(Trigger), 'The names of the events that are sent.'),
    url: described(Type.String(), 'The URL that receives events.'),
    auth_token: described(
      nullable(Type.String()),
      'Sent in the `Authorization` header of each delivery; null without one.',
    ),
    active: described(Type.Boolean(), 'Whether events are sent.'),
    is_integration: described(
      Type.Boolean(),
      'Whether it belongs to another service: always false.',
    ),
    disabled_reason: nullable(
      Type.String({ description: 'Why the service has deactivated it; null if it has not.' }),
    ),
    disabled_on: described(
      nullable(Instant),
      'The time when the service deactivated it; null if it did not.',
    ),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'A URL that events are posted to.',
)
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

export function authTokenText(service: Service, webhook: Webhook): string | null {
  const { auth_token } = webhook
  return auth_token && unseal(service.keys.vault, authTokenOf(webhook), auth_token).toString()
}

export function viewWebhook(service: Service, webhook: Webhook) {
  return { ...recordWebhook(webhook), auth_token: authTokenText(service, webhook) }
}

const { auth_token: _, ...recorded } = WebhookView.properties
/** The webhook without its credential, for events. */
export const WebhookRecord = named(
  'WebhookRecord',
  Type.Object(recorded),
  'The fields of a webhook in events, without its `auth_token`.',
)

export function recordWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    merchant_id: webhook.merchant_id,
    store_id: webhook.store_id,
    triggers: webhook.triggers,
    url: webhook.url,
    active: webhook.active,
    is_integration: false,
    disabled_reason: webhook.disabled_reason,
    disabled_on: webhook.disabled_on?.toISOString() ?? null,
    created_on: webhook.created_on.toISOString(),
    updated_on: webhook.updated_on.toISOString(),
  }
}

/** The owner of a webhook: one store, or the merchant for all stores. */
export interface WebhookOwner {
  merchant_id: string
  store_id: string | null
}

export function levelOf({ store_id }: WebhookOwner): TriggerLevel {
  return store_id ? 'store' : 'merchant'
}

/** The webhooks that an owner has. */
export function webhooksOf(service: Service, { merchant_id, store_id }: WebhookOwner) {
  return allWebhooksOf(service, merchant_id).where('store_id', 'is not distinct from', store_id)
}

/** The webhooks of the merchant itself and of all its stores. */
export function allWebhooksOf({ db }: Service, merchant_id: string) {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('deleted_on', 'is', null)
}

/** Whether the circuit of a webhook is open in a mode (null: in any), or has switched it off. */
export function isPaused(mode: Mode | null, at: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select from webhook_lanes l
    where l.merchant_id = webhooks.merchant_id and l.webhook_id = webhooks.id
      ${mode ? sql`and l.mode = ${mode}` : sql``}
      and (l.rests_until > ${at} or (webhooks.disabled_on is not null and not webhooks.active)))`
}

export async function requireWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
  lock?: 'for update',
): Promise<Webhook> {
  const found = webhooksOf(service, owner).where('id', '=', id)
  const webhook = await (lock ? found.forUpdate() : found).executeTakeFirst()
  return webhook ?? fail('NOT_FOUND')
}

/** The URL is reachable from here and every trigger exists at this level. */
export function checkWebhook(service: Service, level: TriggerLevel, change: PatchWebhook): void {
  const errors: FieldError[] = []
  if (change.resend_from && change.active !== true) {
    const rule = 'needs "active": true beside it'
    errors.push({ field: 'resend_from', reason: 'FORBIDDEN_PARAMETER', rule })
  }
  const fault = change.url && urlFault(service, change.url)
  if (fault) errors.push({ field: 'url', reason: 'INVALID_FORMAT_URL', rule: fault })
  failIfAny([...errors, ...triggerFaults(level, change.triggers ?? [])])
}

export function triggerFaults(level: TriggerLevel, triggers: readonly string[]): FieldError[] {
  const allowed: readonly string[] = triggersOf(level)
  const reason = level === 'store' ? 'INVALID_EVENT_FOR_STORE' : 'INVALID_EVENT_FOR_MERCHANT'
  const rule = oneOf(allowed)
  return triggers.flatMap((trigger, index) =>
    allowed.includes(trigger) ? [] : [{ field: `triggers.${index}`, reason, rule }],
  )
}

/** The fault of a URL to post events to; our own address is no receiver. */
export function urlFault({ config, address }: Service, url: string): string | null {
  const fault = webhookUrlFault(url, config.webhook_targets)
  if (fault || config.webhook_targets === 'any') return fault
  const host = bareHost(url)
  const own = [address.base_url, address.checkout_url].map((one) => one && bareHost(one))
  const is_ours = own.includes(host) || host === config.host
  return is_ours ? 'must not be an address of this service' : null
}

/** A name with a point at its end is the same name. */
function bareHost(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')
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
  if (href.length > longest_url)
    failField('url', 'INVALID_FORMAT_LENGTH', `must have at most ${longest_url} characters`)
  return href
}
