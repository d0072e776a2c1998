import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Receiver } from '../support/receiver/receiver.ts'
import type { TestMerchant, World } from '../support/world.ts'

/** Shops that pay and refund all the time, over connections that stay open. */
export interface ShopLoad {
  /** Requests that were answered. */
  count(): number
  /** Responses and failures that a client must not see. */
  readonly errors: string[]
  /** Ids of created objects, as the shops received them. */
  readonly charges: string[]
  readonly refunds: string[]
  stop(): Promise<void>
}

/** Pauses between payments of a shop: the result must not depend on the speed of the machine. */
const pause_ms = 250

const card = {
  cardholder: 'A B',
  card_number: '4242424242424242',
  exp_month: '12',
  exp_year: '2040',
}
const token = { payment_type: 'card', email: 'a@b.example', data: { ...card, cvv: '123' } }

export async function startLoad(
  world: World,
  receiver: Receiver,
  url: string,
  size: number,
): Promise<ShopLoad> {
  const errors: string[] = []
  const charges: string[] = []
  const refunds: string[] = []
  const agent = new Agent({ connections: size })
  let count = 0
  let stopped = false

  async function call(shop: TestMerchant, path: string, body?: object) {
    const method = body ? 'POST' : 'GET'
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        dispatcher: agent,
        headers: { authorization: shop.as_store, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      count += 1
      if (response.status < 300) return JSON.parse(text)
      errors.push(`${method} ${path}: ${response.status} ${text}`)
    } catch (error) {
      errors.push(`${method} ${path}: ${(error as Error).cause ?? error}`)
    }
    return null
  }

  async function pay(shop: TestMerchant): Promise<void> {
    const created = await call(shop, '/tokens', token)
    if (!created) return
    const money = { amount: 1000, currency: 'JPY' }
    const charge = await call(shop, '/charges', { transaction_token_id: created.id, ...money })
    if (!charge) return
    charges.push(charge.id)
    const path = `/stores/${shop.store_id}/charges/${charge.id}`
    let status = 'pending'
    for (let polls = 0; status === 'pending' && polls < 6; polls += 1) {
      status = (await call(shop, `${path}?polling=true`))?.status ?? 'pending'
    }
    if (status !== 'successful') return void errors.push(`${path} is ${status}`)
    const refund = await call(shop, `${path}/refunds`, { amount: 400, currency: 'JPY' })
    if (refund) refunds.push(refund.id)
  }

  const running = Array.from({ length: size }, async () => {
    const shop = await world.merchant()
    const hooks = { url: receiver.url, triggers: ['charge_finished', 'refund_finished'] }
    await call(shop, `/stores/${shop.store_id}/webhooks`, hooks)
    for (; !stopped; await sleep(pause_ms)) await pay(shop)
  })
  return {
    errors,
    charges,
    refunds,
    count: () => count,
    stop: async () => {
      stopped = true
      await Promise.all(running)
      await agent.close()
    },
  }
}
