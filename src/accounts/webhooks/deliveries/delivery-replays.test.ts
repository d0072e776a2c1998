import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DeliveryFleet,
  newDeliveryFleet,
} from '../../../../test/support/fleet/delivery-fleet.ts'
import { newReceiver, type Receiver } from '../../../../test/support/receiver/receiver.ts'
import { emit } from '../../../events/emit.ts'
import { feedEvents } from '../../../events/feed-events.ts'
import { inTransaction } from '../../../service.ts'
import { runKind } from '../../../worker/worker.ts'

// Past events are sent again while new ones happen.
let fleet: DeliveryFleet
let receiver: Receiver

beforeAll(async () => {
  fleet = await newDeliveryFleet()
})
afterAll(() => fleet.world.close())

beforeEach(async () => {
  await fleet.newShop()
  receiver = await newReceiver()
  for (const { log } of fleet.nodes) log.length = 0
  return () => receiver.close()
})
afterEach(async () => {
  expect(await fleet.faults()).toEqual([])
})

const node = (index: number) => fleet.nodes[index % fleet.nodes.length] ?? fleet.world

/** How often each of these events arrived, and how many arrived that often. */
function tally(ids: readonly string[]): Record<number, number> {
  const times = new Map(ids.map((id) => [id, 0]))
  for (const { body } of receiver.received) {
    const count = times.get(body.id)
    if (count !== undefined) times.set(body.id, count + 1)
  }
  const found: Record<number, number> = {}
  for (const count of times.values()) found[count] = (found[count] ?? 0) + 1
  return found
}

test('a replay sends past events once more; new events are sent once', async () => {
  const id = await fleet.hook(receiver.url)
  const stop = fleet.start()
  const old = await fleet.emit(520)
  await receiver.until(520)
  await fleet.quiet()
  const replay = await fleet.call('POST', `/webhooks/${id}/replays`, { which: 'all' })
  expect(replay.body).toMatchObject({ status: 'running', count: 520 })
  const fresh: string[] = []
  for (let round = 0; round < 20; round += 1) {
    fresh.push(...(await fleet.emit(3)))
    await sleep(15)
  }
  await receiver.until(1040 + 60)
  await fleet.quiet()
  await stop()
  expect(tally(old)).toEqual({ 2: 520 })
  expect(tally(fresh)).toEqual({ 1: 60 })
  const over = await fleet.call('GET', `/webhooks/${id}/replays/${replay.body.id}`)
  expect(over.body).toMatchObject({ status: 'finished', count: 520, queued: 520 })
})

test('ten replays of a webhook run at the same time, however many are requested', async () => {
  const id = await fleet.hook(receiver.url)
  const path = `/webhooks/${id}/replays`
  const asked = Array.from({ length: 14 }, (_, index) =>
    fleet.call('POST', path, { which: 'all' }, node(index)),
  )
  const codes = (await Promise.all(asked)).map(({ status, body }) => body.code ?? status)
  expect(codes.filter((code) => code === 202)).toHaveLength(10)
  expect(codes.filter((code) => code === 'RESOURCE_LIMIT_REACHED')).toHaveLength(4)
  while ((await runKind(fleet.world.service, 'webhook_replays')) > 0);
  expect((await fleet.call('POST', path, { which: 'all' })).status).toBe(202)
  while ((await runKind(fleet.world.service, 'webhook_replays')) > 0);
})

test('a test delivery replay ends although new events happen: it covers the events that existed', async () => {
  receiver.respond = async () => {
    await sleep(20)
    return { status: 200 }
  }
  const id = await fleet.hook(`${receiver.url}/unused`, { active: false })
  const stop = fleet.start()
  const old = await fleet.emit(50)
  await fleet.quiet()
  const body = { url: `${receiver.url}/test-delivery` }
  const replay = await fleet.call('POST', `/webhooks/${id}/replays`, body)
  expect(replay.body.count).toBe(50)
  const fresh: string[] = []
  for (let round = 0; round < 30; round += 1) {
    fresh.push(...(await fleet.emit(1)))
    await sleep(15)
  }
  await fleet.quiet()
  await stop()
  expect([tally(old), tally(fresh)]).toEqual([{ 1: 50 }, { 0: 30 }])
  const over = await fleet.call('GET', `/webhooks/${id}/replays/${replay.body.id}`)
  expect(over.body).toMatchObject({ status: 'finished', delivered: 50, failed: 0 })
})

test('events are sent again by id and by replay while batches are in progress: no process fails', async () => {
  receiver.respond = async () => {
    await sleep(5)
    return { status: 200 }
  }
  const id = await fleet.hook(receiver.url)
  const ids = await fleet.emit(200)
  const stop = fleet.start()
  await receiver.until(20)
  const again = ids.slice(0, 60).map(async (event_id, index) => {
    await sleep(index * 8)
    const path = `/webhooks/${id}/events/${event_id}/redeliver`
    return (await fleet.call('POST', path, {}, node(index))).status
  })
  const replays = Array.from({ length: 4 }, async (_, index) => {
    await sleep(index * 90)
    return (await fleet.call('POST', `/webhooks/${id}/replays`, {}, node(index))).status
  })
  expect(new Set(await Promise.all([...again, ...replays]))).toEqual(new Set([202]))
  await fleet.quiet()
  await stop()
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 200, failed: 0 })
  expect(tally(ids)[0]).toBeUndefined()
})

test('an event is sent again just when its batch completes: no deadlock', async () => {
  let response = () => {}
  const answered = new Promise<void>((resolve) => {
    response = resolve
  })
  receiver.respond = async () => {
    await answered
    return { status: 200 }
  }
  const id = await fleet.hook(receiver.url)
  const [event_id] = await fleet.emit(1)
  await runKind(node(0).service, 'events')
  const batch = runKind(node(0).service, 'webhook_lanes')
  while (receiver.received.length === 0) await sleep(5)
  const holder = await fleet.world.store.pool.connect()
  await holder.query('begin')
  await holder.query('select from webhook_lanes where webhook_id = $1 for update', [id])
  response()
  // The batch waits for the lock on its queue, and the redelivery comes after it. Longer than a second,
  // so that the database checks for a deadlock from the side of the batch.
  await sleep(200)
  const again = fleet.call('POST', `/webhooks/${id}/events/${event_id}/redeliver`, {}, node(1))
  await sleep(1300)
  await holder.query('commit')
  holder.release()
  await batch
  expect((await again).status).toBe(202)
  const stop = fleet.start()
  await fleet.quiet()
  await stop()
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 1, failed: 0 })
})

test('an event committed before a webhook is enabled again with resend_from is not lost', async () => {
  const id = await fleet.hook(receiver.url, { active: false })
  const from = new Date(fleet.world.clock.now()).toISOString()
  const [event_id = ''] = await fleet.emit(1)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let fed = () => {}
  const feeding = new Promise<void>((resolve) => {
    fed = resolve
  })
  // A process assigns positions to events and sees the disabled webhook; then it stalls.
  const stalled = inTransaction(node(0).service, async (tx) => {
    await feedEvents(tx, 1000)
    fed()
    await held
  })
  await feeding
  const patch = { active: true, resend_from: from }
  const changing = fleet.call('PATCH', `/webhooks/${id}`, patch, node(1))
  await Promise.race([changing, sleep(200)])
  const replayed = runKind(node(1).service, 'webhook_replays')
  await Promise.race([replayed, sleep(200)])
  letGo()
  await Promise.all([stalled, replayed])
  expect((await changing).status).toBe(200)
  const stop = fleet.start()
  await fleet.quiet()
  await stop()
  expect(tally([event_id])).toEqual({ 1: 1 })
})

test('an event name is sent again as the webhook spells it', async () => {
  const { id: merchant_id, store_id } = fleet.shop
  const event_id = await inTransaction(fleet.world.service, (tx) => {
    const resource_id = crypto.randomUUID()
    const event = { merchant_id, store_id, mode: 'test' as const, resource_id, data: {} }
    return emit(tx, 'token_three_ds_updated', event)
  })
  await runKind(fleet.world.service, 'events')
  const triggers = ['token_three_d_s_updated']
  const id = await fleet.hook(receiver.url, { triggers })
  await fleet.call('POST', `/webhooks/${id}/events/${event_id}/redeliver`, {})
  await runKind(fleet.world.service, 'webhook_lanes')
  await fleet.call('POST', `/webhooks/${id}/replays`, {})
  await runKind(fleet.world.service, 'webhook_replays')
  await runKind(fleet.world.service, 'webhook_lanes')
  await fleet.call('POST', `/webhooks/${id}/replays`, { url: `${receiver.url}/test-delivery` })
  await runKind(fleet.world.service, 'webhook_replays')
  expect(receiver.received.map(({ path, body }) => [path, body.event])).toEqual([
    ['/hook', 'token_three_d_s_updated'],
    ['/hook', 'token_three_d_s_updated'],
    ['/hook/test-delivery', 'token_three_d_s_updated'],
  ])
})
