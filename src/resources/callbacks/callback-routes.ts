import Type from 'typebox'
import { fail } from '../../core/errors.ts'
import { Id } from '../../core/schemas.ts'
import { verifyMessage } from '../../core/webhook-signature.ts'
import { atTimeOf, type Service } from '../../service.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { receiveNotice } from '../receive-notice.ts'
import type { RouteModule } from '../route.ts'

const CallbackNotice = Type.Object({
  merchant_id: Id,
  resource_type: Type.Enum(['charge', 'transaction_token']),
  resource_id: Id,
})

/** Who may call, and the secret each signs with. Connectors of live mode add theirs. */
const secrets: Readonly<Record<string, (service: Service) => string>> = {
  simulator: ({ keys }) => {
    const key = keyedHash(keys.fingerprint.newest, 'callbacks', 'simulator')
    return `whsec_${key.toString('base64')}`
  },
}

/** The secret that a provider signs its callbacks with; null: there is no such provider. */
export function callbackSecret(service: Service, provider: string): string | null {
  return Object.hasOwn(secrets, provider) ? (secrets[provider]?.(service) ?? null) : null
}

/**
 * A provider says that something happened. It has to prove who it is, and even then nothing is
 * believed but that one should look, so that a message that is repeated, or that names what it
 * should not know of, changes nothing.
 */
export const callbackRoutes: RouteModule = (http) => {
  http.post(
    '/callbacks/:provider',
    {
      config: { access: { level: 'public' }, signed: true },
      schema: {
        tags: ['callbacks'],
        summary: 'Take a signed notice of a payment provider',
        params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
        headers: Type.Object({
          'webhook-id': Type.Optional(Type.String({ maxLength: 128 })),
          'webhook-timestamp': Type.Optional(Type.String({ maxLength: 16 })),
          'webhook-signature': Type.Optional(Type.String({ maxLength: 1024 })),
        }),
        body: CallbackNotice,
        response: { 204: Type.Null() },
      },
    },
    async ({ service, params, headers, body, raw_body }, reply) => {
      const secret = callbackSecret(service, params.provider) ?? fail('NOT_FOUND')
      const signed = {
        id: headers['webhook-id'] ?? '',
        timestamp: Number(headers['webhook-timestamp']),
        body: raw_body?.toString() ?? '',
      }
      const signature = headers['webhook-signature'] ?? ''
      if (!verifyMessage(secret, signed, signature, service.wall_clock.now())) {
        fail('INVALID_CREDENTIALS', { message: 'The signature of the callback is not valid.' })
      }
      const { merchant_id } = body
      await receiveNotice(atTimeOf(service, { merchant_id, mode: 'test' }), body)
      reply.code(204)
      return null
    },
  )
}
