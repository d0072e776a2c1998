import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  timingSafeEqual,
} from 'node:crypto'
import { minute_ms } from '../time/clock.ts'

/**
 * Signatures of "Standard Webhooks", so that receivers can verify with any library of that name. The
 * prefix of a secret says what it is: `whsec_` a shared key, `whsk_` a private Ed25519 key whose public
 * half the receiver gets.
 */
export type SignatureType = 'hmac' | 'ed25519'

const shared_prefix = 'whsec_'
const private_prefix = 'whsk_'
const public_prefix = 'whpk_'

/** The DER prefix of the 32 bytes of a key. */
const private_der = Buffer.from('302e020100300506032b657004220420', 'hex')
const key_bytes = 32

export function newWebhookSecret(type: SignatureType): string {
  if (type === 'hmac') return shared_prefix + randomBytes(key_bytes).toString('base64')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const halves = [
    privateKey.export({ type: 'pkcs8', format: 'der' }),
    publicKey.export({ type: 'spki', format: 'der' }),
  ]
  return (
    private_prefix + Buffer.concat(halves.map((der) => der.subarray(-key_bytes))).toString('base64')
  )
}

/** Whether a text is a shared secret of a safe length. */
export function isWebhookSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false
  const { length } = keyOf(text, shared_prefix)
  return length >= 24 && length <= 64
}

export function signatureType(secret: string): SignatureType {
  return secret.startsWith(private_prefix) ? 'ed25519' : 'hmac'
}

/** The key that the receiver verifies with: the shared secret, or the public half of a private one. */
export function verificationKey(secret: string): string {
  if (signatureType(secret) === 'hmac') return secret
  return public_prefix + keyOf(secret, private_prefix).subarray(key_bytes).toString('base64')
}

export interface SignedMessage {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The value of the header `webhook-signature`: one signature for each secret. */
export function signMessage(secrets: readonly string[], message: SignedMessage): string {
  const content = `${message.id}.${message.timestamp}.${message.body}`
  return secrets.map((secret) => signatureOf(secret, content)).join(' ')
}

const tolerance_ms = 5 * minute_ms

/** Whether a signature matches the secret and is recent. Old signatures are replays. */
export function verifyMessage(
  secret: string,
  message: SignedMessage,
  signatures: string,
  now_ms: number,
): boolean {
  const age_ms = Math.abs(now_ms - message.timestamp * 1000)
  if (!(age_ms <= tolerance_ms)) return false
  const expected = Buffer.from(signMessage([secret], message))
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function signatureOf(secret: string, content: string): string {
  if (signatureType(secret) === 'hmac') {
    const key = keyOf(secret, shared_prefix)
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  }
  const seed = keyOf(secret, private_prefix).subarray(0, key_bytes)
  const der = Buffer.concat([private_der, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`
}

function keyOf(secret: string, prefix: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
