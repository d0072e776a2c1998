import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { event_rules } from '../../src/doctor/event-rules.ts'
import { emit } from '../../src/events/emit.ts'
import { checkLowWaterMark, feedEvents } from '../../src/events/feed-events.ts'
import { inTransaction } from '../../src/service.ts'
import { newWorld, type World } from '../support/world.ts'

// Many transactions commit events concurrently, in any order; every reader of the feed sees each of
// them once, and all see the same.
let world: World
let nodes: World[]

beforeAll(async () => {
  // Without the request log, which writes by itself.
  world = await newWorld({ has_made_up_events: true, settings: { REQUEST_LOG_DAYS: '0' } })
  nodes = [world, await world.another(), await world.another()]
})
afterAll(() => world.close())

interface Event {
  id: string
  event: string
  resource_id: string
  sequence: number
  store_id: string | null
  mode: string | null
  data: { value: number }
}

const node = (index: number) => nodes[index % nodes.length] ?? world

/** Pseudo-random numbers, the same in every run. */
function newChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Continues from a cursor, page by page, as a client does. */
function follower(auth: string, at: World, path = '/events', query: Record<string, string> = {}) {
  const seen: Event[] = []
  const next = async (): Promise<number> => {
    const cursor = seen.at(-1)?.id
    const { status, body, text } = await at.call('GET', path, {
      auth,
      query: { limit: '17', cursor_direction: 'asc', ...(cursor ? { cursor } : {}), ...query },
    })
    if (status === 429) return 0
    expect(status, text).toBe(200)
    seen.push(...body.items)
    return body.items.length
  }
  return { seen, next }
}

async function place(count = 1000): Promise<void> {
  while ((await feedEvents(world.service, count)) > 0);
}

const idsOf = (events: readonly Event[]) => events.map(({ id }) => id)

test('eight writers, three feeders, five readers: each event once, in one order', async () => {
  const shop = await world.merchant()
  const { id: merchant_id, store_id } = shop
  const tokens = await world.merchantTokens(shop, 5)
  const resources = Array.from({ length: 6 }, () => randomUUID())
  const committed = new Set<string>()
  const rolled_back = new Set<string>()
  let writing = true

  /** One transaction: locks a resource or two, writes their events, waits, commits or rolls back. */
  async function write(writer: number, chance: (below: number) => number): Promise<void> {
    const made: string[] = []
    const held = [...new Set([chance(6), chance(6)])].sort().map((index) => resources[index] ?? '')
    const fails = chance(5) === 0
    const work = inTransaction(node(writer).service, async (tx) => {
      made.length = 0
      for (const resource_id of held) {
        // Represents the row of the resource: its events are written by the holder of its lock.
        await sql`select pg_advisory_xact_lock(hashtext(${resource_id}))`.execute(tx.db)
        const event = {
          merchant_id,
          store_id,
          mode: 'test' as const,
          resource_id,
          data: { value: 1 },
        }
        made.push(await emit(tx, 'charge_updated', event))
      }
      const own = { merchant_id, store_id, mode: 'test' as const, resource_id: randomUUID() }
      made.push(await emit(tx, 'token_created', { ...own, data: { value: 2 } }))
      await sleep(chance(12))
      if (fails) throw new Error('rolled back')
    })
    const ended = await work.then(
      () => committed,
      () => rolled_back,
    )
    for (const id of made) ended.add(id)
  }

  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const chance = newChance(writer + 1)
    for (let round = 0; round < 25; round += 1) await write(writer, chance)
  })
  const placers = nodes.map(async ({ service }, index) => {
    while (writing) {
      await feedEvents(service, 1 + index * 10)
      await sleep(index)
    }
  })
  const followers = tokens.map((auth, index) => follower(auth, node(index)))
  const readers = followers.map(async ({ next }, index) => {
    while (writing) {
      if ((await next()) === 0) await sleep(5 * index)
      world.clock.advance(50)
    }
  })
  await Promise.all(writers)
  writing = false
  await Promise.all([...placers, ...readers])
  await place()
  for (const { next } of followers) {
    world.clock.advance(10_000)
    while ((await next()) > 0) world.clock.advance(100)
  }

  const mine = (events: readonly Event[]) =>
    events.filter(({ event }) => event === 'charge_updated' || event === 'token_created')
  const [first] = followers
  const order = idsOf(first?.seen ?? [])
  for (const { seen } of followers) {
    expect(idsOf(seen)).toEqual(order)
    expect(new Set(idsOf(mine(seen)))).toEqual(committed)
    expect(idsOf(mine(seen))).toHaveLength(committed.size)
  }
  expect(order.filter((id) => rolled_back.has(id))).toEqual([])
  expect(committed.size).toBeGreaterThan(300)
  expect(rolled_back.size).toBeGreaterThan(30)
  for (const resource_id of resources) {
    const sequences = first?.seen
      .filter((event) => event.resource_id === resource_id)
      .map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences?.map((_, index) => index + 1))
  }
  for (const { rule } of event_rules) expect(await rule(world.service.db)).toEqual([])
})

test('an event of a transaction that commits late is behind what was read before', async () => {
  const shop = await world.merchant()
  const { seen, next } = follower(shop.as_merchant, world)
  await place()
  while ((await next()) > 0);
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let begun = () => {}
  const early = new Promise<string>((resolve) => {
    begun = resolve as () => void
  })
  const event = { merchant_id: shop.id, mode: 'test' as const, data: {} }
  const slow = inTransaction(node(1).service, async (tx) => {
    const id = await emit(tx, 'token_created', { ...event, resource_id: randomUUID() })
    ;(begun as (id: string) => void)(id)
    await held
  })
  const slow_id = await early
  world.clock.advance(5_000)
  const fast_id = await inTransaction(node(2).service, (tx) =>
    emit(tx, 'token_created', { ...event, resource_id: randomUUID() }),
  )
  await place()
  await next()
  expect(seen.at(-1)?.id).toBe(fast_id)
  commit()
  await slow
  await place()
  await next()
  expect(idsOf(seen).slice(-2)).toEqual([fast_id, slow_id])
  expect(slow_id < fast_id).toBe(true)
})

/** Events of two stores in both modes, and of the merchant itself. */
async function mixture() {
  const shop = await world.merchant()
  const live = await world.merchant({ mode: 'live', verified: true })
  const other = await world.merchant()
  const made: Record<string, string> = {}
  for (const [name, store_id, mode] of [
    ['here_test', shop.store_id, 'test'],
    ['here_live', shop.store_id, 'live'],
    ['here_both', shop.store_id, null],
    ['elsewhere', randomUUID(), 'test'],
    ['no_store', null, null],
  ] as const) {
    made[name] = await inTransaction(world.service, (tx) =>
      emit(tx, 'token_created', {
        merchant_id: shop.id,
        store_id,
        mode,
        resource_id: randomUUID(),
        data: { name },
      }),
    )
  }
  await place()
  const seenBy = async (auth: string, path = '/events') => {
    const { body } = await world.call('GET', path, { auth, query: { event: 'token_created' } })
    const ids = body.items?.map(({ id }: Event) => id) ?? []
    return Object.keys(made).filter((name) => ids.includes(made[name]))
  }
  return { shop, live, other, made, seenBy }
}

test('a merchant sees all of its own, a store its own of its mode', async () => {
  const { shop, live, other, made, seenBy } = await mixture()
  expect(await seenBy(shop.as_merchant)).toEqual(Object.keys(made))
  const of_store = ['here_test', 'here_both']
  expect(await seenBy(shop.as_store)).toEqual(of_store)
  const path = `/stores/${shop.store_id}/events`
  expect(await seenBy(shop.as_store, path)).toEqual(of_store)
  expect(await seenBy(shop.as_merchant, path)).toEqual(['here_test', 'here_live', 'here_both'])
  for (const stranger of [live, other]) {
    expect(await seenBy(stranger.as_merchant)).toEqual([])
    expect(await seenBy(stranger.as_store)).toEqual([])
    expect((await world.call('GET', path, { auth: stranger.as_merchant })).status).toBe(404)
    for (const id of Object.values(made)) {
      const one = await world.call('GET', `/events/${id}`, { auth: stranger.as_merchant })
      expect(one.status).toBe(404)
    }
  }
  for (const [name, id] of Object.entries(made)) {
    const as_store = await world.call('GET', `/events/${id}`, { auth: shop.as_store })
    expect([name, as_store.status]).toEqual([name, of_store.includes(name) ? 200 : 404])
    const as_merchant = await world.call('GET', `/events/${id}`, { auth: shop.as_merchant })
    expect(as_merchant.body).toMatchObject({ id, data: { name } })
    world.clock.advance(1000)
  }
})

test('filters by names and by resource; pages in both directions; an unknown cursor is 404', async () => {
  const shop = await world.merchant()
  const resource_id = randomUUID()
  const ids: string[] = []
  for (let made = 0; made < 36; made += 1) {
    const name = (['charge_updated', 'charge_finished', 'token_created'] as const)[made % 3]
    const event = { merchant_id: shop.id, resource_id: made % 8 === 0 ? resource_id : randomUUID() }
    ids.push(
      await inTransaction(world.service, (tx) =>
        emit(tx, name ?? 'token_created', { ...event, data: { value: made } }),
      ),
    )
  }
  await place()
  const get = async (query: Record<string, string>) => {
    world.clock.advance(1000)
    return world.call('GET', '/events', { auth: shop.as_merchant, query })
  }
  const values = async (query: Record<string, string>) => {
    const { body } = await get(query)
    const mine = body.items.filter(({ id }: Event) => ids.includes(id))
    return mine.map(({ data }: Event) => data.value)
  }
  const down = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n)
  const asc = { cursor_direction: 'asc' }
  const updated = Array.from({ length: 12 }, (_, n) => n * 3)
  expect(await values({ event: 'charge_updated', limit: '20', ...asc })).toEqual(updated)
  const both = await values({ event: 'charge_updated, charge_finished', limit: '10' })
  expect(both).toEqual([34, 33, 31, 30, 28, 27, 25, 24, 22, 21])
  expect(await values({ resource_id, ...asc })).toEqual([0, 8, 16, 24, 32])
  expect(await values({ resource_id, event: 'charge_finished' })).toEqual([16])
  expect(await values({ event: 'nothing_like_it' })).toEqual([])
  expect(await values({ limit: '10' })).toEqual(down(35, 10))
  expect(await values({ limit: '10', cursor: ids[25] ?? '' })).toEqual(down(24, 10))
  const last = await get({ limit: '11', cursor: ids[24] ?? '', ...asc })
  expect([last.body.items.length, last.body.has_more]).toEqual([11, false])
  const more = await get({ limit: '10', cursor: ids[24] ?? '', ...asc })
  expect([more.body.items.length, more.body.has_more]).toEqual([10, true])
  expect((await get({ cursor: randomUUID() })).status).toBe(404)
  const other = await world.merchant()
  const foreign = { auth: other.as_merchant, query: { cursor: ids[3] ?? '' } }
  expect((await world.call('GET', '/events', foreign)).status).toBe(404)
  expect((await get({ cursor: 'x' })).status).toBe(400)
})

test('a reader that waits for a next event does not query the database until it has come', async () => {
  const shop = await world.merchant()
  await place()
  const [reader, writer] = [node(1), node(2)]
  const { seen, next } = follower(shop.as_merchant, reader)
  while ((await next()) > 0);
  world.clock.advance(10_000)
  await reader.call('GET', '/stores', { auth: shop.as_merchant })
  await reader.app.request_log?.flush()
  let asked = 0
  const count = () => {
    asked += 1
  }
  reader.store.pool.on('acquire', count)
  const query = { cursor_direction: 'asc', polling: 'true', event: 'token_created' }
  const waiting = reader.call('GET', '/events', {
    auth: shop.as_merchant,
    query: { ...query, cursor: seen.at(-1)?.id ?? '' },
  })
  let answered = false
  void waiting.then(() => {
    answered = true
  })
  // Its first look is over when no more queries follow.
  await vi.waitFor(async () => {
    const before = asked
    await sleep(300)
    expect([asked > 0, asked]).toEqual([true, before])
  })
  asked = 0
  await sleep(1500)
  expect([asked, answered]).toEqual([0, false])
  const id = await inTransaction(writer.service, (tx) =>
    emit(tx, 'token_created', { merchant_id: shop.id, resource_id: randomUUID(), data: {} }),
  )
  // Positioned by another process than the one that waits.
  await feedEvents(writer.service, 1000)
  const { body } = await waiting
  reader.store.pool.off('acquire', count)
  expect(idsOf(body.items)).toEqual([id])
  expect(asked).toBeLessThanOrEqual(4)
})

test('the queue is read from its low-water mark: a late commit is not skipped', async () => {
  const shop = await world.merchant()
  const { id: merchant_id } = shop
  const write = (value: number) =>
    inTransaction(world.service, (tx) =>
      emit(tx, 'token_created', { merchant_id, resource_id: randomUUID(), data: { value } }),
    )
  const floor = async () => {
    const { rows } = await world.store.pool.query('select floor, next_floor from event_feed_end')
    return rows[0]
  }
  const [token = ''] = await world.merchantTokens(shop, 1)
  const { seen, next } = follower(token, world)
  let commit = () => {}
  const reported = new Promise<void>((resolve) => {
    commit = resolve
  })
  const written: string[] = []
  const late = inTransaction(world.service, async (tx) => {
    const data = { value: 0 }
    written.push(await emit(tx, 'token_created', { merchant_id, resource_id: randomUUID(), data }))
    await reported
  })
  await expect.poll(() => written).toHaveLength(1)
  const before = await floor()
  for (let value = 1; value <= 5; value += 1) {
    written.push(await write(value))
    await place()
  }
  // Nothing is skipped for good while a transaction that was open at the time is in progress.
  const while_open = await floor()
  expect(while_open.floor).toBeLessThanOrEqual(before.next_floor)
  await next()
  commit()
  await late
  await place()
  for (let value = 6; value <= 8; value += 1) {
    written.push(await write(value))
    await place()
  }
  await next()
  const [first, ...others] = written
  const found = idsOf(seen).filter((id) => written.includes(id))
  expect(found).toEqual([...others.slice(0, 5), first, ...others.slice(5)])
  // Transactions of other databases of the server count too: in time they end.
  await expect
    .poll(async () => {
      await write(9)
      await place()
      return (await floor()).floor
    })
    .toBeGreaterThan(while_open.next_floor)
})

test('a copied database whose sequences restart is read from the beginning', async () => {
  const shop = await world.merchant()
  await place()
  const rule = event_rules.find(({ check }) => check.startsWith('nothing waits where'))
  const faults = async () => (await rule?.rule(world.service.db))?.length
  await world.store.pool.query('update event_feed_end set floor = 1000000, next_floor = 1000000')
  const of_shop = { merchant_id: shop.id, resource_id: randomUUID(), data: { value: 1 } }
  const id = await inTransaction(world.service, (tx) => emit(tx, 'token_created', of_shop))
  const isFed = async () => {
    const query = 'select 1 from event_feed where event_id = $1'
    await place()
    return (await world.store.pool.query(query, [id])).rows.length === 1
  }
  expect(await isFed()).toBe(false)
  expect(await faults()).toBe(1)
  await checkLowWaterMark(world.service)
  expect(await isFed()).toBe(true)
  expect(await faults()).toBe(0)
  const { rows } = await world.store.pool.query('select floor from event_feed_end')
  await checkLowWaterMark(world.service)
  expect((await world.store.pool.query('select floor from event_feed_end')).rows).toEqual(rows)
})
