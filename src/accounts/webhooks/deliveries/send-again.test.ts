import { expect, test } from 'vitest'
import { hour_ms, minute_ms, useHooks } from '../../../../test/support/receiver/hooks.ts'

const on = useHooks()

test('deliveries of a disabled webhook continue when it is enabled again', async () => {
  on.receiver.respond = () => ({ status: 500 })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  await on.pay.patch(`${on.path()}/${id}`, { active: false })
  on.receiver.respond = () => ({ status: 200 })
  await on.pay.settled()
  await on.pass(hour_ms)
  expect(on.receiver.received).toHaveLength(1)
  await on.pay.patch(`${on.path()}/${id}`, { active: true })
  await on.work()
  expect(on.receiver.received).toHaveLength(2)
  expect(await on.log(id)).toHaveLength(1)
})

test('enabling it again sends what was missed from a chosen point, and nothing twice', async () => {
  const id = await on.hook(['charge_finished'])
  const before = await on.pay.settled()
  await on.pay.patch(`${on.path()}/${id}`, { active: false })
  const early = await on.pay.settled()
  on.world.clock.advance(minute_ms)
  const from = new Date(on.world.clock.now()).toISOString()
  const late = [await on.pay.settled(), await on.pay.settled()]
  const alone = await on.pay.patch(`${on.path()}/${id}`, { resend_from: from })
  expect(alone.body.errors).toEqual([{ field: 'resend_from', reason: 'FORBIDDEN_PARAMETER' }])
  await on.pay.patch(`${on.path()}/${id}`, { active: true, resend_from: from })
  await on.work()
  const got = () => on.receiver.received.map(({ body }) => body.data.id)
  expect(got()).toEqual([before.id, ...late.map(({ id: charge }) => charge)])
  await on.pay.patch(`${on.path()}/${id}`, { active: true, resend_from: '2026-01-01' })
  await on.work()
  expect(got().slice(3)).toEqual([early.id])
})

test('a delivery is sent again by its id, with all attempts', async () => {
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  const [item] = await on.log(id)
  expect(item).toMatchObject({ status: 'delivered', successful: true, webhook_id: id })
  const again = await on.pay.post(`${on.path()}/${id}/events/${item.id}/redeliver`)
  expect(again.status).toBe(202)
  expect(again.body).toMatchObject({ id: item.id, status: 'waiting' })
  await on.work()
  expect(on.receiver.received.map(({ body }) => body.id)).toEqual([item.id, item.id])
  const one = await on.pay.get(`${on.path()}/${id}/events/${item.id}`)
  expect(one.body.attempts).toHaveLength(2)
  await on.pay.patch(`${on.path()}/${id}`, { active: false })
  const off = await on.pay.post(`${on.path()}/${id}/events/${item.id}/redeliver`)
  expect([off.status, off.body.code]).toEqual([400, 'WEBHOOK_INACTIVE'])
})

test('an event of a trigger that the webhook did not have can be sent by its id', async () => {
  const id = await on.hook(['charge_finished'])
  await on.pay.tokenId()
  await on.work()
  const feed = (await on.pay.get('/events?event=token_created')).body.items
  const sent = await on.pay.post(`${on.path()}/${id}/events/${feed[0].id}/redeliver`)
  expect(sent.status).toBe(202)
  await on.work()
  expect(on.receiver.received.map(({ body }) => body.event)).toEqual(['token_created'])
})

test('a test delivery goes once to another URL, without the credential, for test mode only', async () => {
  const id = await on.hook(['charge_finished'], { auth_token: 'secret-thing' })
  await on.pay.settled()
  const [item] = await on.log(id)
  const url = `${on.receiver.url}/test-delivery`
  const sent = await on.pay.post(`${on.path()}/${id}/events/${item.id}/redeliver`, { url })
  expect(sent.status, sent.text).toBe(200)
  expect(sent.body).toMatchObject({ id: item.id, status: 200, error: null })
  expect(on.receiver.received[1]).toMatchObject({
    path: '/hook/test-delivery',
    text: on.receiver.received[0]?.text,
  })
  expect(on.receiver.received[1]?.headers.authorization).toBeUndefined()
  await on.world.store.pool.query(
    "update webhook_deliveries set mode = 'live' where event_id = $1",
    [item.id],
  )
  const live = await on.pay.post(`${on.path()}/${id}/events/${item.id}/redeliver`, { url })
  expect(live.body.errors).toEqual([{ field: 'url', reason: 'FORBIDDEN_PARAMETER' }])
})

test('a ping is sent immediately, also to a disabled webhook, and returns its result', async () => {
  const id = await on.hook(['charge_finished'], { active: false })
  const sent = await on.pay.post(`${on.path()}/${id}/ping`)
  expect(sent.status, sent.text).toBe(200)
  expect(sent.body).toMatchObject({ status: 200, error: null, duration_ms: expect.any(Number) })
  expect(on.receiver.received[0]?.body).toMatchObject({ event: 'webhook_ping', data: { id } })
  on.receiver.respond = () => ({ status: 410, body: 'away' })
  const gone = await on.pay.post(`${on.path()}/${id}/ping`)
  expect(gone.body).toMatchObject({ status: 410, answer: 'away' })
  await on.receiver.close()
  const dead = await on.pay.post(`${on.path()}/${id}/ping`)
  expect(dead.body).toMatchObject({ status: null, error: 'The connection was refused.' })
})

test('the log has filters', async () => {
  const id = await on.hook(['charge_finished', 'token_created'])
  const first = await on.pay.settled()
  on.receiver.respond = () => ({ status: 503 })
  on.world.clock.advance(minute_ms)
  const from = new Date(on.world.clock.now()).toISOString()
  await on.pay.settled()
  const found = async (query: string) => {
    const { body } = await on.pay.get(`${on.path()}/${id}/events?${query}`)
    return body.items.length
  }
  expect(await found('')).toBe(4)
  expect(await found('status=delivered')).toBe(2)
  expect(await found('status=waiting')).toBe(2)
  expect(await found('status=failed')).toBe(0)
  expect(await found('event=charge_finished')).toBe(2)
  expect(await found(`resource_id=${first.id}`)).toBe(1)
  expect(await found(`created_on.from=${from}`)).toBe(2)
  expect(await found(`created_on.to=${from}`)).toBe(2)
  expect((await on.pay.get(`${on.path()}/${id}/events?status=no`)).status).toBe(400)
})

test('a bulk replay counts first, then sends by time, trigger, resource and whether it failed', async () => {
  const id = await on.hook(['charge_finished', 'token_created'])
  const first = await on.pay.settled()
  on.world.clock.advance(minute_ms)
  const from = new Date(on.world.clock.now()).toISOString()
  on.receiver.respond = () => ({ status: 307 })
  await on.pay.settled()
  on.receiver.respond = () => ({ status: 200 })
  await on.pay.patch(`${on.path()}/${id}`, { active: true })
  await on.work()
  on.receiver.received.length = 0
  const replay = (body: object) => on.pay.post(`${on.path()}/${id}/replays`, body)
  const count = async (body: object) => (await replay({ ...body, preview: true })).body.count
  expect(await count({})).toBe(4)
  expect(await count({ from })).toBe(2)
  expect(await count({ to: from })).toBe(2)
  expect(await count({ triggers: ['charge_finished'] })).toBe(2)
  expect(await count({ resource_id: first.id })).toBe(1)
  const failed = await count({ which: 'failed' })
  expect(failed).toBeGreaterThan(0)
  expect(on.receiver.received).toEqual([])
  const begun = await replay({ which: 'failed' })
  expect(begun.status, begun.text).toBe(202)
  expect(begun.body).toMatchObject({ status: 'running', count: failed, which: 'failed' })
  await on.work()
  expect(on.receiver.received).toHaveLength(failed)
  const over = await on.pay.get(`${on.path()}/${id}/replays/${begun.body.id}`)
  expect(over.body).toMatchObject({ status: 'finished', queued: failed })
  expect(await count({ which: 'failed' })).toBe(0)
  const bad = await replay({ from, to: from, triggers: ['transfer_created'] })
  expect(bad.body.errors).toEqual([
    { field: 'triggers.0', reason: 'INVALID_EVENT_FOR_STORE' },
    { field: 'to', reason: 'INCOHERENT_DATE_RANGE' },
  ])
  const range = await replay({ from, to: from })
  expect(range.body.errors).toEqual([{ field: 'to', reason: 'INCOHERENT_DATE_RANGE' }])
})

test('a replay can be sent as test deliveries to another URL; the queue of the webhook is not used', async () => {
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  await on.pay.settled()
  on.receiver.received.length = 0
  const url = `${on.receiver.url}/test-delivery`
  const { body } = await on.pay.post(`${on.path()}/${id}/replays`, { url })
  await on.work()
  expect(on.receiver.received.map(({ path }) => path)).toEqual([
    '/hook/test-delivery',
    '/hook/test-delivery',
  ])
  const over = await on.pay.get(`${on.path()}/${id}/replays/${body.id}`)
  expect(over.body).toMatchObject({
    status: 'finished',
    count: 2,
    delivered: 2,
    failed: 0,
    queued: 0,
  })
  const attempts = (await on.log(id)).map((item: { attempts: object[] }) => item.attempts.length)
  expect(attempts).toEqual([1, 1])
})
