import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startWorker } from '../../src/worker/worker.ts'
import { newWorld } from '../support/world.ts'
import { type PhpRequests, type PhpResponse, parse, phpRequests } from './php-requests.ts'

type Body = PhpResponse['body']

/** The common steps of the test suites of the public PHP client, request by request as it writes them. */
export interface PhpFlows {
  readonly php: PhpRequests
  /** The path of the store. */
  readonly store: string
  /** A time ahead, with the offset of Tokyo. */
  at(ahead_ms: number): string
  awaited(path: string, from: string): Promise<Body>
  awaitedToken(path: string, part: 'cvv_authorize' | 'three_ds'): Promise<Body>
  createToken(payload: object): Promise<Body>
  createCharge(token: { id: string }, more?: object): Promise<Body>
  /** A charge that is no longer pending. */
  charged(more?: object, payload?: object): Promise<Body>
  createSubscription(token: { id: string }, more: object): Promise<Body>
  /** A subscription that is no longer unverified. */
  subscribed(more?: object, payload?: object): Promise<Body>
  close(): Promise<void>
}

export const hour_ms = 3_600_000
const good_card = '4916741415383284'

export function taken({ status, body, text }: PhpResponse, wanted = 200): Body {
  expect(status, text).toBe(wanted)
  return body
}

export function refused({ status, body, text }: PhpResponse, wanted = 400): Body {
  expect(status, text).toBe(wanted)
  parse('error', body)
  return body
}

export const address = {
  line1: 'test line 1',
  line2: 'test line 2',
  state: 'tokyo',
  city: 'test city',
  country: 'jp',
  zip: '101-1111',
}
export const phone_number = { country_code: '81', local_number: '12910298309128' }
let customers = 0

/** Unset fields of `data` are null. */
export function cardPayment(type: string, data: object = {}, more: object = {}): object {
  customers += 1
  return {
    email: `php${customers}@test.example`,
    payment_type: 'card',
    type,
    metadata: { customer_id: 'PHP TEST' },
    ...more,
    data: {
      cardholder: 'PHP test',
      card_number: good_card,
      exp_month: '02',
      exp_year: '2030',
      cvv: '123',
      phone_number,
      cvv_authorize: null,
      three_ds: null,
      ...address,
      ...data,
    },
  }
}

/** The service as client libraries use it: over HTTP, with a worker, and a clock that advances quickly. */
export async function startPhpFlows(): Promise<PhpFlows> {
  const world = await newWorld({ settings: { COMPATIBILITY: 'clients' } })
  const ticking = setInterval(() => world.clock.advance(200), 20)
  const shop = await world.merchant()
  const worker = startWorker(world.service)
  const { url } = await world.listen()
  const php = phpRequests(url, shop.as_store)
  const store = `/stores/${shop.store_id}`

  /** Polls as its `awaitResult` does; a status that is not pending is returned immediately. */
  async function awaited(path: string, from: string): Promise<Body> {
    for (let asked = 0; ; asked += 1) {
      const body = taken(await php.get(path, { polling: 'true' }))
      if (body.status !== from) return body
      if (asked === 600) throw new Error(`${path} is still ${from}`)
      await sleep(50)
    }
  }

  async function awaitedToken(path: string, part: 'cvv_authorize' | 'three_ds'): Promise<Body> {
    for (let asked = 0; ; asked += 1) {
      const body = taken(await php.get(path, { polling: 'true' }))
      if (body.data[part].status !== 'pending') return body
      if (asked === 5) throw new Error(`${path} is still pending`)
    }
  }

  async function createToken(payload: object): Promise<Body> {
    const token = taken(await php.post('/tokens', payload), 201)
    parse('token', token)
    if (token.data.card) parse('card', token.data)
    return token
  }

  /** The client reads the token before it charges it. */
  async function createCharge(token: { id: string }, more: object = {}): Promise<Body> {
    parse('token', taken(await php.get(`${store}/tokens/${token.id}`)))
    const money = { amount: '1000', currency: 'JPY' }
    const payload = { ...money, transaction_token_id: token.id, ...more }
    const charge = taken(await php.post('/charges', payload), 201)
    parse('charge', charge)
    return charge
  }

  async function charged(more: object = {}, payload = cardPayment('one_time')): Promise<Body> {
    const { id } = await createCharge(await createToken(payload), more)
    const charge = await awaited(`${store}/charges/${id}`, 'pending')
    parse('charge', charge)
    return charge
  }

  async function createSubscription(token: { id: string }, more: object): Promise<Body> {
    const payload = { amount: '10000', currency: 'JPY', transaction_token_id: token.id, ...more }
    const subscription = taken(await php.post('/subscriptions', payload), 201)
    parse('subscription', subscription)
    return subscription
  }

  async function subscribed(more: object = {}, payload = cardPayment('subscription')) {
    const wanted = { period: 'biweekly', initial_amount: '1000', ...more }
    const { id } = await createSubscription(await createToken(payload), wanted)
    const subscription = await awaited(`${store}/subscriptions/${id}`, 'unverified')
    parse('subscription', subscription)
    return subscription
  }

  return {
    php,
    store,
    at: (ahead_ms) => {
      const local = new Date(world.clock.now() + ahead_ms + 9 * hour_ms)
      return local.toISOString().replace(/\.\d+Z$/, '+09:00')
    },
    awaited,
    awaitedToken,
    createToken,
    createCharge,
    charged,
    createSubscription,
    subscribed,
    close: async () => {
      clearInterval(ticking)
      await worker.stop()
      await world.close()
    },
  }
}
