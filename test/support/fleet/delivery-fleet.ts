import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { event_rules } from '../../../src/doctor/event-rules.ts'
import { emit } from '../../../src/events/emit.ts'
import { inTransaction } from '../../../src/service.ts'
import { due_kinds } from '../../../src/worker/due-kinds.ts'
import { startWorker } from '../../../src/worker/worker.ts'
import { type ApiResponse, newWorld, type TestMerchant, type World } from '../world.ts'

/** Several processes that deliver events of one merchant; events are created without payments. */
export interface DeliveryFleet {
  world: World
  nodes: World[]
  shop: TestMerchant
  newShop(): Promise<void>
  /** Commits this many events, each of its own resource unless one is named; returns their ids. */
  emit(count: number, resource_id?: string): Promise<string[]>
  hook(url: string, body?: object): Promise<string>
  call(method: string, path: string, body?: object, node?: World): Promise<ApiResponse>
  /** Every process works, as in production, until the returned function is called. */
  start(nodes?: World[]): () => Promise<void>
  /** Waits until every event has its position and nothing is due any more. */
  quiet(): Promise<void>
  /** The state of the deliveries of a webhook. */
  counts(webhook_id: string): Promise<{ waiting: number; delivered: number; failed: number }>
  deliveryQueue(
    webhook_id: string,
  ): Promise<{ due_on: Date | null; sending: boolean; failures: number }>
  /** The findings of the event rules, and the errors of all processes. */
  faults(): Promise<unknown[]>
}

const kinds = due_kinds.filter(({ name }) => /^(events|webhook_lanes|webhook_replays)$/.test(name))
const tokens_of_merchant = 8

export async function newDeliveryFleet(size = 3): Promise<DeliveryFleet> {
  const world = await newWorld()
  const nodes = [world]
  while (nodes.length < size) nodes.push(await world.another())
  let tokens: string[] = []
  let calls = 0
  const rows = async (query: string, ...values: unknown[]) =>
    (await world.store.pool.query(query, values)).rows

  const fleet: DeliveryFleet = {
    world,
    nodes,
    shop: await world.merchant(),
    newShop: async () => {
      fleet.shop = await world.merchant()
      tokens = await world.merchantTokens(fleet.shop, tokens_of_merchant)
    },
    emit: async (count, resource_id) => {
      const { id: merchant_id, store_id } = fleet.shop
      const node = nodes[count % nodes.length] ?? world
      return inTransaction(node.service, async (tx) => {
        const ids: string[] = []
        for (let made = 0; made < count; made += 1) {
          const resource = resource_id ?? randomUUID()
          const data = { id: resource, made }
          const event = {
            merchant_id,
            store_id,
            mode: 'test' as const,
            resource_id: resource,
            data,
          }
          ids.push(await emit(tx, 'token_created', event))
        }
        return ids
      })
    },
    hook: async (url, body = {}) => {
      const made = await fleet.call('POST', '/webhooks', {
        url,
        triggers: ['token_created'],
        ...body,
      })
      expect(made.status, made.text).toBe(201)
      return made.body.id
    },
    call: (method, path, body, node = world) => {
      calls += 1
      const auth = tokens[calls % tokens.length] ?? ''
      return node.call(method, path, { auth, ...(body ? { body } : {}) })
    },
    start: (working = nodes) => {
      const workers = working.map(({ service }) => startWorker(service, undefined, kinds))
      return async () => {
        await Promise.all(workers.map((worker) => worker.stop()))
      }
    },
    quiet: async () => {
      for (let looks = 0; looks < 2400; looks += 1) {
        const at = new Date(world.clock.now())
        const [{ busy }] = await rows(
          `select (select count(*) from event_queue) + (select count(*) from webhook_replays
             where due_on is not null) + (select count(*) from webhook_lanes
             where sending or due_on <= $1) as busy`,
          at,
        )
        if (busy === 0) return
        await sleep(25)
      }
      throw new Error(`Not quiet: ${JSON.stringify(await rows('select * from webhook_lanes'))}`)
    },
    counts: async (webhook_id) => {
      const [found] = await rows(
        `select count(*) filter (where next_on is not null)::integer as waiting,
           count(*) filter (where delivered_on is not null)::integer as delivered,
           count(*) filter (where next_on is null and delivered_on is null)::integer as failed
         from webhook_deliveries where webhook_id = $1`,
        webhook_id,
      )
      return found
    },
    deliveryQueue: async (webhook_id) => {
      const found = await rows(
        `select due_on, sending, failures from webhook_lanes where webhook_id = $1 and mode = 'test'`,
        webhook_id,
      )
      return found[0]
    },
    faults: async () => {
      const broken = []
      for (const { rule, check } of event_rules) {
        for (const one of await rule(world.service.db)) broken.push({ check, one })
      }
      const lines = nodes.flatMap(({ log }) => log)
      const trouble = lines.filter((line) => /"level":"(warn|error)"/.test(line))
      return [...broken, ...trouble.filter((line) => !line.includes('a webhook was deactivated'))]
    },
  }
  await fleet.newShop()
  return fleet
}
