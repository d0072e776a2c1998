import { expect, test } from 'vitest'
import {
  newWebhookSecret,
  type SignatureType,
  signMessage,
  verificationKey,
} from '../../src/core/access/webhook-signature.ts'
import { type ReceivedHeaders, verifyWebhook } from './kaikei-client.ts'

// Messages are signed by the code of the service, and verified as a receiver does.
const message = { id: 'e-1', event: 'charge_finished', data: { note: '注文 1' }, sequence: 1 }
const body = JSON.stringify(message)

function sign(secrets: string[], age_s = 0): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000) - age_s
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(secrets, { id: message.id, timestamp, body }),
  }
}

const types: SignatureType[] = ['hmac', 'ed25519']
const refused = { name: 'KaikeiError', code: 'INVALID_SIGNATURE' }

test.each(types)('a message signed with %s is returned as an event', async (type) => {
  const secret = newWebhookSecret(type)
  const key = verificationKey(secret)
  const headers = sign([secret])
  expect(await verifyWebhook(body, headers, key)).toEqual(message)
  expect(await verifyWebhook(new TextEncoder().encode(body), headers, key)).toEqual(message)
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), key)).toEqual(message)
  const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])
  expect(await verifyWebhook(body, Object.fromEntries(upper), key)).toEqual(message)
})

test.each(types)('a forged or changed message with %s is refused', async (type) => {
  const secret = newWebhookSecret(type)
  const key = verificationKey(secret)
  const headers = sign([secret])
  const forged: [string, ReceivedHeaders][] = [
    [body.replace('1', '2'), headers],
    [body, { ...headers, 'webhook-id': 'e-2' }],
    [body, { ...headers, 'webhook-signature': 'v1,' }],
    [body, { ...headers, 'webhook-signature': 'v1,%%% v1a,%%% nonsense' }],
    [
      body,
      { ...headers, 'webhook-signature': headers['webhook-signature']?.replace(/^v1a?/, 'v2') },
    ],
    [body, { ...headers, 'webhook-signature': undefined }],
    [body, sign([newWebhookSecret(type)])],
    [body, {}],
  ]
  for (const [text, other] of forged) {
    await expect(verifyWebhook(text, other, key), JSON.stringify(other)).rejects.toMatchObject(
      refused,
    )
  }
})

test('a message is refused when its time is more than five minutes off', async () => {
  const secret = newWebhookSecret('hmac')
  expect(await verifyWebhook(body, sign([secret], 290), secret)).toEqual(message)
  expect(await verifyWebhook(body, sign([secret], -290), secret)).toEqual(message)
  for (const age_s of [310, -310]) {
    const old = verifyWebhook(body, sign([secret], age_s), secret)
    await expect(old).rejects.toMatchObject(refused)
  }
  const later = verifyWebhook(body, sign([secret], 310), secret, { tolerance_s: 600 })
  expect(await later).toEqual(message)
  const unreadable = { ...sign([secret]), 'webhook-timestamp': 'now' }
  await expect(verifyWebhook(body, unreadable, secret)).rejects.toMatchObject(refused)
})

test('while a secret is being changed one of two suffices', async () => {
  const [old_secret, new_secret] = [newWebhookSecret('hmac'), newWebhookSecret('hmac')]
  const both = sign([new_secret, old_secret])
  expect(await verifyWebhook(body, both, old_secret)).toEqual(message)
  expect(await verifyWebhook(body, both, new_secret)).toEqual(message)
  const receiver_first = verifyWebhook(body, sign([old_secret]), [new_secret, old_secret])
  expect(await receiver_first).toEqual(message)
})

test('a secret in another form is a mistake of the program', async () => {
  const headers = sign([newWebhookSecret('hmac')])
  await expect(verifyWebhook(body, headers, 'my secret!')).rejects.toThrow(/begins with "whsec_"/)
})
