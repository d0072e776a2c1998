import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signAppToken } from '../../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../../src/accounts/app-tokens/create-app-token.ts'
import { createStore } from '../../../src/accounts/stores/create-store.ts'
import { startWorker, type Worker } from '../../../src/worker/worker.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'

// One merchant's receivers accept a request and do not respond; they fill every delivery slot of the
// worker. Another merchant's event must arrive while all of them are still waiting.
const slow_webhooks = 100
const world = useWorld()
let receiver: Server
let url: string
let worker: Worker
const silent = new Set<ServerResponse>()
const arrived: string[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/quick')) {
      arrived.push(request.url)
      response.end()
      return
    }
    silent.add(response)
    response.on('close', () => silent.delete(response))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  worker = startWorker(world.service)
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await worker.stop()
})

/** The maximum per store. */
const per_store = 20

async function addWebhooks({ as_merchant }: TestMerchant, store_id: string, paths: string[]) {
  for (const path of paths) {
    world.clock.advance(1000)
    const body = { url: url + path, triggers: ['token_created'] }
    const created = await world.call('POST', `/stores/${store_id}/webhooks`, {
      auth: as_merchant,
      body,
    })
    expect(created.status).toBe(201)
  }
}

/** A merchant with several stores, each with its receivers; returns what creates a token in each. */
async function addStores(merchant: TestMerchant): Promise<string[]> {
  const { service } = world
  const auths: string[] = []
  for (let number = 0; number < slow_webhooks / per_store; number += 1) {
    const { id } = await createStore(service, merchant.id, { name: `Shop ${number}` })
    const paths = Array.from({ length: per_store }, (_, index) => `/slow/${number}/${index}`)
    await addWebhooks(merchant, id, paths)
    const { token, secret } = await createAppToken(service, {
      merchant_id: merchant.id,
      creator_id: merchant.id,
      store: { id, mode: 'test', domains: [] },
    })
    auths.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
  }
  return auths
}

async function createToken(auth: string) {
  const body = {
    payment_type: 'card',
    email: 'taro@example.com',
    data: {
      cardholder: 'TARO',
      card_number: '4242424242424242',
      exp_month: 12,
      exp_year: 2030,
      cvv: '123',
    },
  }
  expect((await world.call('POST', '/tokens', { auth, body })).status).toBe(201)
}

/** Whether the event of one merchant arrives while every slot waits for receivers of another. */
async function arrivesMeanwhile(): Promise<boolean> {
  const slow = await world.merchant()
  const quick = await world.merchant()
  const auths = await addStores(slow)
  await addWebhooks(quick, quick.store_id, ['/quick'])
  for (const auth of auths) await createToken(auth)
  for (let looks = 0; silent.size < 64; looks += 1) {
    if (looks === 500) return false
    await sleep(20)
  }
  const waiting = [...silent]
  const count = arrived.length
  await createToken(quick.as_store)
  await vi.waitFor(() => expect(arrived.length).toBe(count + 1))
  return waiting.every((response) => silent.has(response))
}

test('silent receivers of one merchant delay no delivery of another', async () => {
  // They time out after three seconds, which a busy machine may need for the other event as well.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await arrivesMeanwhile()) return
  }
  throw new Error('the event always waited until a slot was free')
})
