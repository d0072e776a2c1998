import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { signAppToken } from '../../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../../src/accounts/app-tokens/create-app-token.ts'
import { runAllDue } from '../../../src/worker/worker.ts'
import { type Payments, payments } from '../payments.ts'
import { type ApiResponse, newWorld, type TestMerchant, type World } from '../world.ts'

export interface Request {
  method: string
  path: string
  body?: object
}

/** Three processes on one database, and enough credentials that rate limits do not matter. */
export interface Fleet {
  world: World
  nodes: World[]
  shop: TestMerchant
  pay: Payments
  /** A separate merchant for the next test. */
  newShop(): Promise<void>
  /** Sends all at the same time, over every node and with several credentials. */
  together(requests: Request[]): Promise<ApiResponse[]>
  /**
   * The same, while a row they all need is locked: the lock is released when about as many wait for it
   * as there are connections. So they do meet, and a test in which they did not would fail.
   */
  meetingAt(lock: { sql: string; values: unknown[] }, requests: Request[]): Promise<ApiResponse[]>
  /** Every node processes what is due, at the same time. */
  workTogether(): Promise<void>
}

const tokens_of_store = 6
/** Nine of the ten connections of each node; on a busy machine some may be late. */
const meeting = { max: 27, min: 10 }
/** New charges share statements: one per node waits for the row. */
const sharing = { max: 3, min: 3 }

export async function newFleet(): Promise<Fleet> {
  const world = await newWorld()
  const nodes = [world, await world.another(), await world.another()]
  await Promise.all(nodes.map(openConnections))
  let tokens: string[] = []
  const fleet: Fleet = {
    world,
    nodes,
    shop: await world.merchant(),
    pay: undefined as unknown as Payments,
    newShop: async () => {
      fleet.shop = await world.merchant()
      fleet.pay = payments(world, fleet.shop)
      tokens = await storeTokens(world, fleet.shop)
    },
    together: (requests) =>
      Promise.all(
        requests.map(({ method, path, body }, index) => {
          const node = nodes[index % nodes.length] ?? world
          const auth = tokens[Math.floor(index / nodes.length) % tokens.length] ?? ''
          return answered(node, method, path, { auth, ...(body ? { body } : {}) })
        }),
      ),
    meetingAt: async ({ sql, values }, requests) => {
      const holder = new pg.Client(world.store.connection)
      await holder.connect()
      try {
        await holder.query('begin')
        const { rowCount } = await holder.query(`${sql} for update`, values)
        expect(rowCount).toBe(1)
        const responses = fleet.together(requests)
        const shared = requests.every(({ path }) => path === '/charges')
        await waitUntilBlocked(holder, requests.length, shared ? sharing : meeting)
        await holder.query('commit')
        return await responses
      } finally {
        await holder.end()
      }
    },
    workTogether: async () => {
      await Promise.all(nodes.map(({ service }) => runAllDue(service)))
    },
  }
  await fleet.newShop()
  return fleet
}

/**
 * On a slow machine a request may wait too long for its row or its connection: it is rolled back,
 * answered with 503, and sent again as a client would.
 */
async function answered(node: World, ...[method, path, options]: Parameters<World['call']>) {
  for (let attempt = 0; ; attempt += 1) {
    const response = await node.call(method, path, options)
    if (response.status !== 503 || attempt === 20) return response
    node.clock.advance(1000)
  }
}

/** So that a race is one of requests, not of opening connections. */
async function openConnections({ store }: World): Promise<void> {
  const sleeping = Array.from({ length: 10 }, () => store.pool.query('select pg_sleep(0.2)'))
  await Promise.all(sleeping)
}

async function storeTokens({ service }: World, { id, store_id }: TestMerchant): Promise<string[]> {
  const created = Array.from({ length: tokens_of_store }, async () => {
    const store = { id: store_id, mode: 'test' as const, domains: [] }
    const { token, secret } = await createAppToken(service, {
      merchant_id: id,
      creator_id: id,
      store,
    })
    return `Bearer ${secret}.${await signAppToken(service, token)}`
  })
  return Promise.all(created)
}

/** The sessions of a process give up on a lock after five seconds; they meet well before that. */
async function waitUntilBlocked(
  client: pg.Client,
  requests: number,
  { max, min }: typeof meeting,
): Promise<void> {
  const wanted = Math.min(requests, max)
  let blocked = 0
  for (let attempt = 0; attempt < 1500; attempt += 1) {
    await sleep(20)
    const { rows } = await client.query(
      `select count(*)::integer as blocked from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    blocked = rows[0].blocked
    // On a slow machine those that came first have given up before the last comes.
    if (blocked >= (attempt < 120 ? wanted : min)) break
  }
  expect(blocked, 'requests that wait for each other').toBeGreaterThanOrEqual(min)
}

/** How many responses of each kind there were: `201`, or `400 NAME`. */
export function tally(responses: ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of responses) {
    const name = status < 300 ? `${status}` : `${status} ${body?.code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
