import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { runAllDue } from '../../../src/worker/worker.ts'
import { type Payments, payments } from '../payments.ts'
import { newWorld, type TestMerchant, type World } from '../world.ts'
import { newReceiver, type Received, type Receiver } from './receiver.ts'

export const minute_ms = 60_000
export const hour_ms = 60 * minute_ms

const nothing: Received = { headers: {}, text: '', body: null, path: '' }

/** The steps of tests about webhooks: a shop, its receiver, a webhook, and its deliveries. */
export interface Hooks {
  world: World
  shop: TestMerchant
  pay: Payments
  receiver: Receiver
  path(): string
  hook(triggers: string[], body?: object): Promise<string>
  work(): Promise<void>
  /** Advances the clock and processes what is due then. */
  pass(ms: number): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  log(id: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  read(id: string): Promise<any>
  first(): Received
  latest(): Received
}

/** One world for the file; a new shop and a new receiver for each test. */
export function useHooks(): Hooks {
  const path = () => `/stores/${hooks.shop.store_id}/webhooks`
  const work = () => runAllDue(hooks.world.service)
  const hooks = {
    path,
    work,
    hook: async (triggers, body = {}) => {
      const asked = { url: hooks.receiver.url, triggers, ...body }
      const created = await hooks.pay.post(path(), asked)
      expect(created.status, created.text).toBe(201)
      return created.body.id
    },
    pass: async (ms) => {
      hooks.world.clock.advance(ms)
      await work()
    },
    log: async (id) => (await hooks.pay.get(`${path()}/${id}/events`)).body.items,
    read: async (id) => (await hooks.pay.get(`${path()}/${id}`)).body,
    first: () => hooks.receiver.received[0] ?? nothing,
    latest: () => hooks.receiver.received.at(-1) ?? nothing,
  } as Hooks

  beforeAll(async () => {
    hooks.world = await newWorld()
  })
  afterAll(() => hooks.world.close())
  beforeEach(async () => {
    hooks.shop = await hooks.world.merchant()
    hooks.pay = payments(hooks.world, hooks.shop)
    hooks.receiver = await newReceiver()
    return () => hooks.receiver.close()
  })
  return hooks
}
