import Type, { type Static } from 'typebox'
import {
  newWebhookSecret,
  type SignatureType,
  signatureType,
  verificationKey,
} from '../../core/access/webhook-signature.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { readDuration } from '../../core/time/durations.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'
import { requireWebhook, type Webhook, type WebhookOwner } from './webhook.ts'

export const WebhookSecretView = named(
  'WebhookSecret',
  Type.Object({
    type: described(
      Type.Enum(['hmac', 'ed25519']),
      'The signing method: a shared secret or a key pair.',
    ),
    secret: Type.String({
      description: 'The key that verifies signatures: `whsec_…`, or a public key `whpk_…`.',
    }),
    previous_secret: nullable(
      Type.String({
        description: 'The secret before, which signs as well until it expires; otherwise null.',
      }),
    ),
    previous_secret_expires_on: described(
      nullable(Instant),
      'The time when the previous secret stops signing; null if there is none.',
    ),
  }),
  'The signing secret or public key of a webhook.',
)

export const ChangeSecret = named(
  'ChangeWebhookSecret',
  Type.Object({
    type: described(
      Type.Optional(Type.Enum(['hmac', 'ed25519'])),
      'The signature of future deliveries. Default: unchanged.',
    ),
    overlap: Type.String({
      format: 'duration',
      default: 'PT24H',
      description: 'The time in which the previous secret signs too, at most a week.',
    }),
  }),
  'The rotation of a webhook secret.',
)
export type ChangeSecret = Static<typeof ChangeSecret>

type SecretColumn = 'secret' | 'previous_secret'

function placeOf({ merchant_id, id }: WebhookKey, column: SecretColumn): SealContext {
  return { table: 'webhooks', column, merchant_id, row_id: id }
}

type WebhookKey = Pick<Webhook, 'merchant_id' | 'id'>

export function newSealedSecret(
  service: Service,
  webhook: WebhookKey,
  type: SignatureType = 'hmac',
): Buffer {
  return seal(service.keys.vault, placeOf(webhook, 'secret'), newWebhookSecret(type))
}

function openSecret(service: Service, webhook: Webhook, column: SecretColumn): string | null {
  const sealed = webhook[column]
  return sealed && unseal(service.keys.vault, placeOf(webhook, column), sealed).toString()
}

/** Every secret that signs now, the newest first. Real time, because receivers have no other. */
export function secretsOf(service: Service, webhook: Webhook): string[] {
  const until_ms = webhook.previous_secret_until?.getTime() ?? 0
  const columns: SecretColumn[] =
    until_ms > service.wall_clock.now() ? ['secret', 'previous_secret'] : ['secret']
  return columns.flatMap((column) => openSecret(service, webhook, column) ?? [])
}

export function viewSecret(service: Service, webhook: Webhook): Static<typeof WebhookSecretView> {
  const [secret = '', previous] = secretsOf(service, webhook)
  const { previous_secret_until } = webhook
  return {
    type: signatureType(secret),
    secret: verificationKey(secret),
    previous_secret: previous === undefined ? null : verificationKey(previous),
    previous_secret_expires_on:
      previous === undefined ? null : (previous_secret_until?.toISOString() ?? null),
  }
}

/** A webhook from before signatures existed gets its secret when it is first needed. */
export async function withSecret(service: Service, webhook: Webhook): Promise<Webhook> {
  if (webhook.secret) return webhook
  const { merchant_id, id } = webhook
  return service.db
    .updateTable('webhooks')
    .set((column) => ({
      secret: column.fn.coalesce('secret', column.val(newSealedSecret(service, webhook))),
    }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const longest_overlap_ms = 7 * 24 * hour_ms

/** A new secret signs immediately; during the overlap the previous one signs too. */
export async function changeSecret(
  service: Service,
  owner: WebhookOwner,
  id: string,
  { type, overlap }: ChangeSecret,
): Promise<Webhook> {
  const overlap_ms = readDuration(overlap)
  if (overlap_ms === null || overlap_ms > longest_overlap_ms) {
    failField('overlap', 'INVALID_DURATION', 'must be at most one week: P7D')
  }
  return inTransaction(service, async (tx) => {
    const webhook = await withSecret(tx, await requireWebhook(tx, owner, id, 'for update'))
    const old = openSecret(tx, webhook, 'secret') ?? ''
    const place = placeOf(webhook, 'previous_secret')
    return tx.db
      .updateTable('webhooks')
      .set({
        secret: newSealedSecret(tx, webhook, type ?? signatureType(old)),
        previous_secret: overlap_ms === 0 ? null : seal(tx.keys.vault, place, old),
        previous_secret_until: new Date(tx.wall_clock.now() + overlap_ms),
        updated_on: now(tx),
      })
      .where('merchant_id', '=', owner.merchant_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
