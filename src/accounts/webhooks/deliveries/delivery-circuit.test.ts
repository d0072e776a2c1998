import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DeliveryFleet,
  newDeliveryFleet,
} from '../../../../test/support/fleet/delivery-fleet.ts'
import { newReceiver, type Receiver } from '../../../../test/support/receiver/receiver.ts'
import { runKind } from '../../../worker/worker.ts'

// A failing receiver is paused for longer and longer; other receivers are not affected.
let fleet: DeliveryFleet
let receiver: Receiver

beforeAll(async () => {
  fleet = await newDeliveryFleet(2)
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

/** Everything that is due at this moment, on both nodes. */
async function work(): Promise<void> {
  for (let count = 1; count > 0; ) {
    count = 0
    for (const { service } of fleet.nodes) {
      count += await runKind(service, 'events')
      count += await runKind(service, 'webhook_lanes')
    }
  }
}

const sent = () => receiver.received.length
const pass = async (ms: number) => {
  fleet.world.clock.advance(ms)
  await work()
}

test('after five consecutive failures the circuit opens; then one attempt tests the receiver', async () => {
  receiver.respond = () => ({ status: 500 })
  const id = await fleet.hook(receiver.url)
  await fleet.emit(40)
  await work()
  // One batch was in progress when the circuit opened.
  expect(sent()).toBe(16)
  expect(await fleet.deliveryQueue(id)).toMatchObject({ failures: 5, sending: false })
  await pass(8_000)
  expect(sent()).toBe(16)
  for (const [index, rest_ms] of [11_000, 22_000, 44_000, 88_000].entries()) {
    await pass(index === 0 ? rest_ms - 8_000 : rest_ms)
    expect(sent()).toBe(17 + index)
    expect(await fleet.deliveryQueue(id)).toMatchObject({ failures: 6 + index })
  }
})

test('a success closes the circuit: everything that waited is sent immediately', async () => {
  receiver.respond = () => ({ status: 500 })
  const id = await fleet.hook(receiver.url)
  await fleet.emit(40)
  await work()
  receiver.respond = () => ({ status: 200 })
  await pass(11_000)
  // The sixteen that failed wait for their own time; one of all others was sent first, alone.
  expect(await fleet.deliveryQueue(id)).toMatchObject({ failures: 0 })
  expect(sent()).toBe(16 + 40)
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 40, failed: 0 })
})

test('the test attempt of an open circuit is sent alone, and nothing follows before its response', async () => {
  receiver.respond = () => ({ status: 500 })
  const id = await fleet.hook(receiver.url)
  await fleet.emit(20)
  await work()
  const before = sent()
  let response = () => {}
  const held = new Promise<void>((resolve) => {
    response = resolve
  })
  receiver.respond = async () => {
    await held
    return { status: 200 }
  }
  fleet.world.clock.advance(11_000)
  const stop = fleet.start()
  while (sent() === before) await sleep(5)
  await fleet.emit(5)
  await sleep(150)
  expect(sent()).toBe(before + 1)
  response()
  await receiver.until(before + 25)
  await fleet.quiet()
  await stop()
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 25, failed: 0 })
})

test('new events do not shorten an open circuit, and are sent after it', async () => {
  receiver.respond = () => ({ status: 500 })
  await fleet.hook(receiver.url)
  await fleet.emit(16)
  await work()
  expect(sent()).toBe(16)
  for (let round = 0; round < 5; round += 1) {
    await fleet.emit(2)
    await pass(1_500)
  }
  expect(sent()).toBe(16)
  receiver.respond = () => ({ status: 200 })
  await pass(5_000)
  expect(sent()).toBe(16 + 26)
})

test('four failures and a success: the circuit stays closed', async () => {
  let count = 0
  receiver.respond = () => {
    count += 1
    return { status: count % 5 === 0 ? 200 : 503 }
  }
  const id = await fleet.hook(receiver.url)
  for (let round = 0; round < 5; round += 1) {
    await fleet.emit(1)
    await work()
  }
  expect(sent()).toBe(5)
  expect(await fleet.deliveryQueue(id)).toMatchObject({ failures: 0 })
})

test('a webhook that is enabled again starts with a closed circuit', async () => {
  receiver.respond = () => ({ status: 500 })
  const id = await fleet.hook(receiver.url)
  await fleet.emit(30)
  await work()
  receiver.respond = () => ({ status: 200 })
  await fleet.call('PATCH', `/webhooks/${id}`, { active: true })
  await work()
  // The fourteen that were never attempted; the others have their own time.
  expect(sent()).toBe(16 + 14)
  await pass(6_000)
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 30, failed: 0 })
})

test('deliveries that waited for days get all attempts again; the shared feed does not wait for that', async () => {
  receiver.respond = () => ({ status: 500 })
  const id = await fleet.hook(receiver.url)
  await fleet.emit(3)
  await work()
  fleet.world.clock.advance(6 * 86_400_000)
  const rounds = async () => {
    const query = 'select attempts, round_on from webhook_deliveries where webhook_id = $1'
    const { rows } = await fleet.world.store.pool.query(query, [id])
    return rows.filter(({ attempts }) => attempts === 0).length
  }
  expect(await rounds()).toBe(0)
  const batch = await fleet.world.store.pool.connect()
  await batch.query('begin')
  const one = 'select from webhook_deliveries where webhook_id = $1 limit 1 for update'
  await batch.query(one, [id])
  const resend_from = new Date(fleet.world.clock.now() - 3_600_000).toISOString()
  const patched = await fleet.call('PATCH', `/webhooks/${id}`, { active: true, resend_from })
  await batch.query('commit')
  batch.release()
  expect(patched.status, patched.text).toBe(200)
  expect(await rounds()).toBe(2)
})

test('a resource with a long queue does not block the others of its webhook', async () => {
  await fleet.hook(receiver.url)
  const resource_id = crypto.randomUUID()
  await fleet.emit(100, resource_id)
  await fleet.emit(12)
  await runKind(fleet.world.service, 'events')
  await runKind(fleet.world.service, 'webhook_lanes')
  // One batch: the first of the long queue, and everything else.
  expect(sent()).toBe(13)
  await work()
  const of_long = receiver.received.filter(({ body }) => body.resource_id === resource_id)
  const sequences = of_long.map(({ body }) => body.sequence)
  expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})

test('a dead and a silent receiver among thirty: the others do not wait for them', async () => {
  const shops = []
  for (let created = 0; created < 2; created += 1) {
    await fleet.newShop()
    shops.push(fleet.shop)
  }
  const each = 24
  const receivers = await Promise.all(Array.from({ length: 30 }, newReceiver))
  const [dead, silent, ...healthy] = receivers
  await dead?.close()
  let response = () => {}
  const held = new Promise<void>((resolve) => {
    response = resolve
  })
  if (silent) {
    silent.respond = async () => {
      await held
      return { status: 200 }
    }
  }
  // A merchant has at most twenty webhooks: fifteen each.
  const hooks = []
  for (const [index, { url }] of receivers.entries()) {
    fleet.shop = shops[index % 2] ?? fleet.shop
    const path = `/stores/${fleet.shop.store_id}/webhooks`
    const created = await fleet.world.call('POST', path, {
      auth: fleet.shop.as_merchant,
      body: { url, triggers: ['token_created'] },
    })
    expect(created.status, created.text).toBe(201)
    hooks.push(created.body.id)
    fleet.world.clock.advance(100)
  }
  for (const shop of shops) {
    fleet.shop = shop
    await fleet.emit(each)
  }
  const stop = fleet.start()
  await Promise.all(healthy.map((one) => one.until(each)))
  // All of that happened before the silent one had responded to a single request.
  expect(silent?.received.length).toBeLessThanOrEqual(17)
  for (const id of hooks.slice(0, 2)) {
    expect(await fleet.counts(id)).toEqual({ waiting: each, delivered: 0, failed: 0 })
  }
  response()
  for (let minutes = 0; minutes < 20; minutes += 1) {
    await fleet.quiet()
    fleet.world.clock.advance(60_000)
    await work()
  }
  await stop()
  expect(await fleet.counts(hooks[1])).toEqual({ waiting: 0, delivered: each, failed: 0 })
  await Promise.all(receivers.slice(1).map((one) => one.close()))
})
