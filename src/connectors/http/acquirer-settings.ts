import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Credentials } from '../../providers/provider-operations.ts'
import { wrongSettings } from '../wrong-settings.ts'
import type { SigningKey } from './messages/sign-message.ts'

const Key = (description: string) => Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description })
const Secret = (description: string) =>
  Type.String({ minLength: 32, maxLength: 255, writeOnly: true, description })

/** The settings of an installation, merchant or store. */
export const AcquirerSettings = Type.Object(
  {
    base_url: Type.String({
      maxLength: 255,
      description:
        'The address of the acquirer, such as `https://acquirer.example`; `http` only on this machine.',
    }),
    key_id: Key(
      'The id of the key that signs requests; the acquirer may sign notifications with it.',
    ),
    secret: Secret('The secret of that key, 32 to 255 characters.'),
    previous_key_id: Type.Optional(
      Key('While keys are rotated: the key before, with which notifications may still be signed.'),
    ),
    previous_secret: Type.Optional(Secret('The secret of the key before.')),
  },
  { additionalProperties: false },
)

const validator = Compile(AcquirerSettings)

/** The address of an acquirer, and the shared keys. The first key signs requests. */
export interface AcquirerAddress {
  readonly origin: string
  /** The path before `/v1`. */
  readonly prefix: string
  readonly key: SigningKey
  readonly keys: readonly SigningKey[]
}

/** The parsed settings, or a text that describes their fault. */
export function readSettings(credentials: Credentials | undefined): AcquirerAddress | string {
  if (!credentials) return 'There are no settings: base_url, key_id and secret are needed.'
  if (!validator.Check(credentials)) return wrongSettings(validator, credentials)
  const url = readBaseUrl(credentials.base_url)
  if (typeof url === 'string') return url
  const key = { id: credentials.key_id, secret: credentials.secret }
  const { origin, pathname } = url
  const keys = [key, ...previousKey(credentials)]
  return { origin, prefix: pathname.replace(/\/+$/, ''), key, keys }
}

function previousKey({ previous_key_id, previous_secret }: Static<typeof AcquirerSettings>) {
  if (previous_key_id === undefined || previous_secret === undefined) return []
  return [{ id: previous_key_id, secret: previous_secret }]
}

const loopback = ['127.0.0.1', 'localhost', '[::1]']

function readBaseUrl(text: string): URL | string {
  if (!URL.canParse(text)) return 'base_url must be an address that begins with https://.'
  const url = new URL(text)
  const { protocol, hostname, search, hash, username, password } = url
  if (search || hash || username || password) {
    return 'base_url must have no user, query or fragment.'
  }
  const is_allowed = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname))
  return is_allowed ? url : 'base_url must begin with https://; http is for this machine only.'
}
