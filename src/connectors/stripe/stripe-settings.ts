import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Credentials } from '../../providers/provider-operations.ts'
import { wrongSettings } from '../wrong-settings.ts'

const WebhookSecret = (description: string) =>
  Type.String({ pattern: '^whsec_[A-Za-z0-9+/=_-]{8,240}$', writeOnly: true, description })

/** The settings of an installation, merchant or store. */
export const StripeSettings = Type.Object(
  {
    secret_key: Type.String({
      pattern: '^(sk|rk)_(live|test)_[A-Za-z0-9]{8,240}$',
      writeOnly: true,
      description:
        'The secret key of the account, or a restricted one. With a test key no money moves.',
    }),
    webhook_secret: WebhookSecret('The signing secret of the webhook endpoint at Stripe.'),
    previous_webhook_secret: Type.Optional(
      WebhookSecret('The previous signing secret, while it is rolled.'),
    ),
    api_url: Type.Optional(
      Type.String({
        pattern: '^https?://(127\\.0\\.0\\.1|localhost|\\[::1\\]):[0-9]{1,5}$',
        description: 'Only for tests: a double of Stripe on this machine.',
      }),
    ),
  },
  { additionalProperties: false },
)

const validator = Compile(StripeSettings)

/** An account at Stripe, and where it is. */
export interface StripeAccount {
  readonly secret_key: string
  readonly webhook_secrets: readonly string[]
  readonly protocol: 'http' | 'https'
  readonly host: string
  readonly port: string
}

/** The parsed settings, or a text that describes their fault. */
export function readSettings(credentials: Credentials | undefined): StripeAccount | string {
  if (!credentials) return 'There are no settings: secret_key and webhook_secret are needed.'
  if (!validator.Check(credentials)) return wrongSettings(validator, credentials)
  const { secret_key, webhook_secret, previous_webhook_secret, api_url } = credentials
  const webhook_secrets = [
    webhook_secret,
    ...(previous_webhook_secret ? [previous_webhook_secret] : []),
  ]
  const { protocol, hostname, port } = new URL(api_url ?? 'https://api.stripe.com')
  return {
    secret_key,
    webhook_secrets,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? '80' : '443'),
  }
}
