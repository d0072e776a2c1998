import { createHmac, verify } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import {
  newWebhookSecret,
  type SignedMessage,
  signatureType,
  signMessage,
  verificationKey,
} from './webhook-signature.ts'

const message: SignedMessage = { id: 'msg_1', timestamp: 1_800_000_000, body: '{"a":1}' }

/** A receiver's verification with a public key, using only functions of Node. */
function isSignedBy(public_key: string, signature: string, { id, timestamp, body }: SignedMessage) {
  const raw = Buffer.from(public_key.slice('whpk_'.length), 'base64')
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
  const key = { key: der, format: 'der' as const, type: 'spki' as const }
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  return verify(null, content, key, Buffer.from(signature.replace(/^v1a,/, ''), 'base64'))
}

test('the example of the standard has the signature that the standard says', () => {
  // From the specification of Standard Webhooks.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const signature = signMessage([secret], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  })
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test.each([
  ['plain', '{"a":1}'],
  ['empty', ''],
  ['other scripts', '{"name":"山田 太郎 🐈"}'],
  ['points in it', 'a.b.c'],
  ['large', JSON.stringify({ text: 'x'.repeat(100_000) })],
])('signatures of a shared secret are those of the library: %s', (_, body) => {
  const secret = newWebhookSecret('hmac')
  const expected = new StandardWebhook(secret).sign(
    message.id,
    new Date(message.timestamp * 1000),
    body,
  )
  expect(signMessage([secret], { ...message, body })).toBe(expected)
})

const changes: [what: string, change: Partial<SignedMessage>][] = [
  ['id', { id: 'msg_2' }],
  ['time', { timestamp: message.timestamp + 1 }],
  ['body', { body: '{"a":2}' }],
  ['a space in the body', { body: '{"a":1} ' }],
]

test.each(changes)('a changed %s has another signature, whatever the kind', (_, change) => {
  const shared = newWebhookSecret('hmac')
  expect(signMessage([shared], { ...message, ...change })).not.toBe(signMessage([shared], message))
  const secret = newWebhookSecret('ed25519')
  const signature = signMessage([secret], message)
  expect(isSignedBy(verificationKey(secret), signature, message)).toBe(true)
  expect(isSignedBy(verificationKey(secret), signature, { ...message, ...change })).toBe(false)
})

test('each secret is its own: another one neither signs the same nor verifies', () => {
  const [one, two] = [newWebhookSecret('ed25519'), newWebhookSecret('ed25519')]
  expect(isSignedBy(verificationKey(two), signMessage([one], message), message)).toBe(false)
  const many = Array.from({ length: 100 }, (_, index) =>
    newWebhookSecret(index % 2 === 0 ? 'hmac' : 'ed25519'),
  )
  expect(new Set(many).size).toBe(100)
})

test('during a change there is one signature for each secret, the newest first', () => {
  const secrets = [newWebhookSecret('ed25519'), newWebhookSecret('hmac')]
  const [first = '', second = '', ...more] = signMessage(secrets, message).split(' ')
  expect(more).toEqual([])
  expect([first.slice(0, 4), second.slice(0, 3)]).toEqual(['v1a,', 'v1,'])
  expect(isSignedBy(verificationKey(secrets[0] ?? ''), first, message)).toBe(true)
  expect(second).toBe(signMessage([secrets[1] ?? ''], message))
})

test('a shared secret has 32 bytes and is shown as it is', () => {
  const secret = newWebhookSecret('hmac')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  expect(key).toHaveLength(32)
  expect(signatureType(secret)).toBe('hmac')
  expect(verificationKey(secret)).toBe(secret)
  const content = `${message.id}.${message.timestamp}.${message.body}`
  const by_hand = createHmac('sha256', key).update(content).digest('base64')
  expect(signMessage([secret], message)).toBe(`v1,${by_hand}`)
})

test('a private key has both halves, and only the public one is ever shown', () => {
  const secret = newWebhookSecret('ed25519')
  const halves = Buffer.from(secret.replace(/^whsk_/, ''), 'base64')
  expect(halves).toHaveLength(64)
  expect(signatureType(secret)).toBe('ed25519')
  const shown = verificationKey(secret)
  expect(shown).toBe(`whpk_${halves.subarray(32).toString('base64')}`)
  expect(shown).not.toContain(halves.subarray(0, 32).toString('base64').slice(0, 20))
})
