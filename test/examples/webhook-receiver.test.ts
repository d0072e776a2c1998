import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { newWebhookSecret, signMessage } from '../../src/core/access/webhook-signature.ts'
import { useHooks } from '../support/receiver/hooks.ts'

const on = useHooks()
let child: ChildProcess | null = null
afterEach(() => {
  child?.kill()
})

/** Starts the example unchanged, and returns where it listens; its output is collected. */
async function startExample(secret: string): Promise<{ url: string; lines: string[] }> {
  const script = fileURLToPath(
    new URL('../../examples/webhook-receiver/receiver.mjs', import.meta.url),
  )
  const started = spawn(process.execPath, [script], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  const lines: string[] = []
  return new Promise((resolve) => {
    started.stdout.on('data', (text) => {
      lines.push(...String(text).trim().split('\n'))
      const url = /receiver at (\S+)/.exec(lines[0] ?? '')?.[1]
      if (url) resolve({ url, lines })
    })
  })
}

function post(url: string, secret: string, message: object, age_s = 0, changes: object = {}) {
  const body = JSON.stringify(message)
  const timestamp = Math.floor(Date.now() / 1000) - age_s
  const id = 'id' in message ? String(message.id) : ''
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage([secret], { id, timestamp, body }),
      ...changes,
    },
  }).then(async (response) => [response.status, (await response.text()).trim()])
}

const message = (id: string, sequence: number) => ({
  id,
  event: 'charge_updated',
  resource_id: 'r',
  sequence,
  data: { status: 'authorized' },
})

test('the example verifies, de-duplicates by id, orders by sequence and refuses replays', async () => {
  const secret = newWebhookSecret('hmac')
  const { url } = await startExample(secret)
  expect(await post(url, secret, message('a', 1))).toEqual([200, 'taken'])
  expect(await post(url, secret, message('a', 1))).toEqual([200, 'seen before'])
  expect(await post(url, secret, message('c', 3))).toEqual([200, 'taken'])
  expect(await post(url, secret, message('b', 2))).toEqual([200, 'overtaken'])
  expect(await post(url, secret, message('d', 4), 299)).toEqual([200, 'taken'])
  const refused = [401, 'The signature is not valid.']
  expect(await post(url, secret, message('e', 5), 302)).toEqual(refused)
  expect(await post(url, secret, message('e', 5), -302)).toEqual(refused)
  expect(await post(url, newWebhookSecret('hmac'), message('e', 5))).toEqual(refused)
  expect(await post(url, secret, message('e', 5), 0, { 'webhook-id': 'f' })).toEqual(refused)
  const both = signMessage([newWebhookSecret('hmac'), secret], {
    id: 'e',
    timestamp: Math.floor(Date.now() / 1000),
    body: JSON.stringify(message('e', 5)),
  })
  expect(await post(url, secret, message('e', 5), 0, { 'webhook-signature': both })).toEqual([
    200,
    'taken',
  ])
})

test('the example accepts what the service sends', async () => {
  const secret = newWebhookSecret('hmac')
  const { url, lines } = await startExample(secret)
  await on.hook(['charge_finished'])
  const charge = await on.pay.settled()
  const sent = on.first()
  const body = sent.text
  const timestamp = Math.floor(Date.now() / 1000)
  const id = String(sent.headers['webhook-id'])
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage([secret], { id, timestamp, body }),
    },
  })
  expect(response.status).toBe(200)
  await expect.poll(() => lines.at(-1)).toBe(`charge_finished ${charge.id} 1 successful`)
})
