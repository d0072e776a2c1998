import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import {
  openCredentials,
  openInstallationSettings,
} from '../../accounts/provider-credentials/provider-credentials.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import { pathIds } from '../../core/api/common-fields.ts'
import { fail } from '../../core/api/errors.ts'
import { Id } from '../../core/api/schemas.ts'
import { notification_policy } from '../../core/limits/retry-policies.ts'
import type { Notified, Provider } from '../../providers/provider.ts'
import { inTransaction, type Service } from '../../service.ts'
import { findByProviderReference, findNotified, storeNotification } from './store-notification.ts'

const NotifiedSchema = Compile(
  Type.Array(
    Type.Union([
      Type.Object({
        merchant_id: Id,
        resource_type: Type.Enum(['charge', 'transaction_token']),
        resource_id: Id,
      }),
      Type.Object({ provider_reference: Type.String({ minLength: 1, maxLength: 255 }) }),
    ]),
    { maxItems: 1000 },
  ),
)

interface Received {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whose own address was called; null: that of the whole installation. */
  readonly merchant_id: string | null
}

/** What a notification is about, once the provider has verified that it is its own. */
async function readNotification(
  service: Service,
  provider: Provider,
  { body, headers, merchant_id }: Received,
): Promise<readonly Notified[]> {
  const now_ms = service.wall_clock.now()
  // A merchant's address serves its stores too: any of their secrets may have signed.
  const is_connector = service.providers.connectors.has(provider.name)
  const secrets = merchant_id
    ? await openCredentials(service, provider, merchant_id)
    : [is_connector ? await openInstallationSettings(service, provider.name) : null]
  const read = await Promise.all(
    secrets.map((credentials) => provider.readNotification({ body, headers, now_ms, credentials })),
  )
  const notified = read.find((one) => one !== null)
  if (!notified) {
    fail('INVALID_CREDENTIALS', { message: 'The signature of the callback is not valid.' })
  }
  if (!NotifiedSchema.Check(notified)) {
    fail('VALIDATION_ERROR', { message: 'The callback does not say what it is about.' })
  }
  return notified
}

/**
 * A provider says that something happened. Its signature is verified, and even then the notification is only
 * a hint to inquire, so that a repeated one, or one that names a foreign payment, changes nothing. It is
 * stored before it is acknowledged.
 */
async function receiveNotification(
  service: Service,
  name: string,
  received: Received,
): Promise<void> {
  const senders = service.providers.all.filter(({ callback_name }) => callback_name === name)
  const provider = senders[0] ?? fail('NOT_FOUND')
  const names = senders.map((sender) => sender.name)
  const { merchant_id } = received
  for (const notified of await readNotification(service, provider, received)) {
    const resources =
      'provider_reference' in notified
        ? await findByReference(service, names, notified.provider_reference, merchant_id)
        : [await findNotified(service, names, notified)]
    for (const resource of resources) {
      // A merchant's own credentials speak for that merchant alone.
      if (!resource || (merchant_id !== null && resource.merchant_id !== merchant_id)) continue
      await inTransaction(service, (tx) => storeNotification(tx, resource))
    }
  }
}

/** A notification may be faster than the response to the call that it is about: it is looked up twice. */
async function findByReference(...search: Parameters<typeof findByProviderReference>) {
  const found = await findByProviderReference(...search)
  if (found.length > 0) return found
  await sleep(notification_policy.look_again_ms)
  return findByProviderReference(...search)
}

const provider = Type.String({ maxLength: 64, description: 'The name of the payment provider.' })
const no_body = Buffer.alloc(0)

const of_provider = {
  client: null,
  tag: 'callbacks',
  summary: 'Receive a signed notification of a payment provider',
  text: 'The body and its signature are those of the provider.',
  right: 'public',
  admit_as: 'long',
  signed: true,
  errors: ['INVALID_CREDENTIALS'],
  body: Type.Unknown(),
  responses: { 204: Type.Null() },
} as const

export const callbackRoutes: readonly Route[] = [
  operation({
    at: 'POST /callbacks/:provider',
    id: 'receiveNotification',
    ...of_provider,
    params: Type.Object({ provider }),
    handle: ({ service, params, headers, raw_body }) => {
      const received = { body: raw_body ?? no_body, headers, merchant_id: null }
      return receiveNotification(service, params.provider, received)
    },
  }),

  // For providers at which each merchant has an account of its own, with a secret of its own.
  operation({
    at: 'POST /callbacks/:provider/:merchant_id',
    id: 'receiveMerchantNotification',
    ...of_provider,
    params: Type.Object({ provider, ...pathIds('merchant_id') }),
    handle: ({ service, params, headers, raw_body }) => {
      const { merchant_id } = params
      const received = { body: raw_body ?? no_body, headers, merchant_id }
      return receiveNotification(service, params.provider, received)
    },
  }),
]
