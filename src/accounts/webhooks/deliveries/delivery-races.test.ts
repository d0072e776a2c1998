import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DeliveryFleet,
  newDeliveryFleet,
} from '../../../../test/support/fleet/delivery-fleet.ts'
import {
  newReceiver,
  type Received,
  type Receiver,
} from '../../../../test/support/receiver/receiver.ts'
import { feedEvents } from '../../../events/feed-events.ts'
import { inTransaction } from '../../../service.ts'
import { runKind } from '../../../worker/worker.ts'

// Three processes deliver concurrently while a webhook is changed, deleted or replayed. Events are
// created by the hundred, so that deliveries are always in progress.
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
const idOf = ({ body }: Received): string => body.id

/** How often each event was delivered. */
function timesEach(received: readonly Received[] = receiver.received): Map<string, number> {
  const times = new Map<string, number>()
  for (const one of received) times.set(idOf(one), (times.get(idOf(one)) ?? 0) + 1)
  return times
}

function expectOnce(ids: readonly string[]): void {
  expect([...timesEach().values()].filter((times) => times !== 1)).toEqual([])
  expect([...timesEach().keys()].sort()).toEqual([...ids].sort())
}

/** Responses that are held back until they are released, with a signal when a request has arrived. */
function hold(status = 200) {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  receiver.respond = async () => {
    await held
    return { status }
  }
  return letGo
}

async function arrived(count: number): Promise<void> {
  while (receiver.received.length < count) await sleep(5)
}

/** A receiver with a small random delay. */
function unsteady(): void {
  let count = 0
  receiver.respond = async () => {
    count += 7
    await sleep(count % 13)
    return { status: 200 }
  }
}

test('nothing fails: three processes deliver each of 200 events exactly once', async () => {
  unsteady()
  const id = await fleet.hook(receiver.url)
  const stop = fleet.start()
  const ids: string[] = []
  for (let round = 0; round < 10; round += 1) {
    const [some, more] = await Promise.all([fleet.emit(13), fleet.emit(7)])
    ids.push(...some, ...more)
    await sleep(round % 4)
  }
  await receiver.until(200)
  await fleet.quiet()
  await stop()
  expectOnce(ids)
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 200, failed: 0 })
  expect(await fleet.deliveryQueue(id)).toMatchObject({ due_on: null, sending: false })
})

test('events of one resource are delivered in their order, whichever process delivers them', async () => {
  unsteady()
  await fleet.hook(receiver.url)
  const stop = fleet.start()
  const resources = Array.from({ length: 8 }, () => crypto.randomUUID())
  for (let round = 0; round < 6; round += 1) {
    for (const resource of resources) await fleet.emit(1 + (round % 2), resource)
  }
  await receiver.until(8 * 9)
  await stop()
  for (const resource of resources) {
    const sequences = receiver.received
      .filter(({ body }) => body.resource_id === resource)
      .map(({ body }) => body.sequence)
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  }
})

test('never more than sixteen requests to one receiver are in progress, however many processes', async () => {
  let under_way = 0
  let most = 0
  receiver.respond = async () => {
    under_way += 1
    most = Math.max(most, under_way)
    await sleep(5)
    under_way -= 1
    return { status: 200 }
  }
  await fleet.hook(receiver.url)
  const ids = await fleet.emit(300)
  const stop = fleet.start()
  await receiver.until(300)
  await fleet.quiet()
  await stop()
  expect(most).toBe(16)
  expectOnce(ids)
})

test('eight webhooks are deleted while three processes deliver: nothing arrives after the response', async () => {
  const answered = new Map<string, number>()
  const late: string[] = []
  let count = 0
  receiver.respond = async ({ path }) => {
    if (answered.has(path)) late.push(path)
    count += 5
    await sleep(count % 17)
    return { status: 200 }
  }
  const paths = Array.from({ length: 8 }, (_, index) => `/hook/${index}`)
  const hooks = await Promise.all(
    paths.map((path) => fleet.hook(receiver.url.replace('/hook', path))),
  )
  await fleet.emit(120)
  const stop = fleet.start()
  await arrived(40)
  await Promise.all(
    hooks.map(async (id, index) => {
      await sleep(index * 11)
      const { status } = await fleet.call('DELETE', `/webhooks/${id}`, undefined, node(index))
      expect(status).toBe(204)
      answered.set(paths[index] ?? '', receiver.received.length)
    }),
  )
  await fleet.emit(20)
  await fleet.quiet()
  await stop()
  expect(late).toEqual([])
  // The deletions did meet deliveries: many were left undone.
  expect(receiver.received.length).toBeLessThan(8 * 120)
  expect(await fleet.call('GET', `/webhooks/${hooks[0]}`)).toMatchObject({ status: 404 })
})

test.each([
  ['active', { active: false }],
  ['url', { url: 'http://127.0.0.1:9/' }],
])('after the answer to a change of %s nothing goes to the old address', async (_, change) => {
  for (let round = 0; round < 2; round += 1) {
    await fleet.newShop()
    receiver.received.length = 0
    let answered = false
    const late: string[] = []
    receiver.respond = async (request) => {
      if (answered) late.push(idOf(request))
      await sleep(15)
      return { status: 200 }
    }
    const id = await fleet.hook(receiver.url)
    await fleet.emit(150)
    const stop = fleet.start()
    await arrived(10 + 21 * round)
    const changed = await fleet.call('PATCH', `/webhooks/${id}`, change, node(round))
    answered = true
    expect(changed.status).toBe(200)
    await sleep(50)
    await stop()
    expect(late).toEqual([])
    expect(receiver.received.length).toBeLessThan(150)
    await fleet.call('DELETE', `/webhooks/${id}`)
  }
})

test('a URL that is changed ten times: each event arrives once, at one of them', async () => {
  unsteady()
  const id = await fleet.hook(receiver.url)
  const stop = fleet.start()
  const ids: string[] = []
  for (let round = 0; round < 10; round += 1) {
    ids.push(...(await fleet.emit(10)))
    const url = `${receiver.url}/${round}`
    const { status } = await fleet.call('PATCH', `/webhooks/${id}`, { url }, node(round))
    expect(status).toBe(200)
  }
  await receiver.until(100)
  await fleet.quiet()
  await stop()
  expectOnce(ids)
})

test('while secrets change each delivery is signed by the previous or the new secret', async () => {
  unsteady()
  const id = await fleet.hook(receiver.url)
  const secrets = [(await fleet.call('GET', `/webhooks/${id}/secret`)).body.secret]
  const stop = fleet.start()
  // The request from which on the secret must be among those that sign.
  const since: number[] = [0]
  for (let round = 0; round < 6; round += 1) {
    await fleet.emit(15)
    await arrived(8 * (round + 1))
    const path = `/webhooks/${id}/secret`
    const { body } = await fleet.call('POST', path, { overlap: 'PT1H' }, node(round))
    secrets.push(body.secret)
    since.push(receiver.received.length)
  }
  await receiver.until(90)
  await stop()
  const signedBy = ({ headers, text }: Received): number[] => {
    const sent = String(headers['webhook-signature']).split(' ')
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const by = secrets.map((secret) =>
      new StandardWebhook(secret).sign(String(headers['webhook-id']), at, text),
    )
    return by.flatMap((signature, index) => (sent.includes(signature) ? [index] : []))
  }
  for (const [index, request] of receiver.received.entries()) {
    const newest_known = since.filter((from) => from <= index).length - 1
    const [older = -1, newer = older] = signedBy(request)
    // One change may have been in progress; a receiver that knows the newest or the previous one is
    // fine.
    expect([newest_known - 1, newest_known, newest_known + 1]).toContain(newer)
    expect(newer - older).toBeLessThanOrEqual(1)
  }
})

test('new events that arrive during a delivery batch are not lost', async () => {
  for (let round = 0; round < 3; round += 1) {
    await fleet.newShop()
    receiver.received.length = 0
    const letGo = hold()
    const id = await fleet.hook(receiver.url)
    const ids = await fleet.emit(5)
    const stop = fleet.start()
    await arrived(5)
    // They have their positions, and the queue is busy.
    ids.push(...(await fleet.emit(3)))
    await sleep(round * 20)
    letGo()
    ids.push(...(await fleet.emit(2)))
    await receiver.until(10)
    await fleet.quiet()
    await stop()
    expectOnce(ids)
    expect(await fleet.deliveryQueue(id)).toMatchObject({ due_on: null, sending: false })
  }
})

test('events that get their positions just when a batch completes are not lost', async () => {
  const letGo = hold()
  const id = await fleet.hook(receiver.url)
  const ids = await fleet.emit(1)
  await runKind(node(0).service, 'events')
  const batch = runKind(node(0).service, 'webhook_lanes')
  await arrived(1)
  ids.push(...(await fleet.emit(3)))
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  const feeding = inTransaction(node(1).service, async (tx) => {
    await feedEvents(tx, 100)
    // The batch completes now: it does not see uncommitted rows, and waits for the lock on its queue.
    letGo()
    await held
  })
  await Promise.race([batch, sleep(300)])
  commit()
  await Promise.all([feeding, batch])
  expect((await fleet.deliveryQueue(id)).due_on).not.toBeNull()
  await runKind(node(2).service, 'webhook_lanes')
  await fleet.quiet()
  expectOnce(ids)
})

test('a process that stalls loses its lease; its late results do no harm', async () => {
  const letGo = hold()
  const id = await fleet.hook(receiver.url)
  const ids = await fleet.emit(6)
  await runKind(node(0).service, 'events')
  const stalled = runKind(node(0).service, 'webhook_lanes')
  await arrived(6)
  expect(await runKind(node(1).service, 'webhook_lanes')).toBe(0)
  fleet.world.clock.advance(31_000)
  const overtaking = runKind(node(1).service, 'webhook_lanes')
  await arrived(12)
  expect([...timesEach().values()]).toEqual([2, 2, 2, 2, 2, 2])
  letGo()
  await Promise.all([stalled, overtaking])
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(6)
  await fleet.quiet()
  expect(await fleet.counts(id)).toEqual({ waiting: 0, delivered: 6, failed: 0 })
  expect([...timesEach().keys()].sort()).toEqual([...ids].sort())
})

test('a process that lost its lease does not complete the batch of the other', async () => {
  const responses: (() => void)[] = []
  receiver.respond = async () => {
    await new Promise<void>((resolve) => responses.push(resolve))
    return { status: 200 }
  }
  const id = await fleet.hook(receiver.url)
  await fleet.emit(1)
  await runKind(node(0).service, 'events')
  const stalled = runKind(node(0).service, 'webhook_lanes')
  await arrived(1)
  fleet.world.clock.advance(31_000)
  const overtaking = runKind(node(1).service, 'webhook_lanes')
  await arrived(2)
  responses[0]?.()
  await stalled
  expect(await fleet.deliveryQueue(id)).toMatchObject({ sending: true })
  let answered = false
  const deleting = fleet.call('DELETE', `/webhooks/${id}`).then(() => {
    answered = true
  })
  await sleep(100)
  expect(answered).toBe(false)
  responses[1]?.()
  await Promise.all([overtaking, deleting])
  expect(await fleet.deliveryQueue(id)).toMatchObject({ sending: false })
})

test('a webhook that is disabled and enabled during a batch loses nothing', async () => {
  const letGo = hold()
  const id = await fleet.hook(receiver.url)
  const ids = await fleet.emit(40)
  const stop = fleet.start()
  await arrived(16)
  const off = fleet.call('PATCH', `/webhooks/${id}`, { active: false }, node(1))
  await sleep(60)
  const on = fleet.call('PATCH', `/webhooks/${id}`, { active: true }, node(2))
  await sleep(60)
  letGo()
  expect((await off).status).toBe(200)
  expect((await on).status).toBe(200)
  await receiver.until(40)
  await fleet.quiet()
  await stop()
  expectOnce(ids)
})

test('a receiver responds 410 while its webhook gets another URL: the new one stays enabled', async () => {
  const letGo = hold(410)
  const id = await fleet.hook(receiver.url)
  await fleet.emit(1)
  const stop = fleet.start()
  await arrived(1)
  const patch = { url: `${receiver.url}/new`, active: true }
  const changing = fleet.call('PATCH', `/webhooks/${id}`, patch, node(1))
  await sleep(100)
  letGo()
  expect((await changing).body).toMatchObject(patch)
  await fleet.quiet()
  await stop()
  expect((await fleet.call('GET', `/webhooks/${id}`)).body).toMatchObject({
    ...patch,
    disabled_reason: null,
  })
})
