import { verify } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { payments } from '../../../../test/support/payments.ts'
import { hour_ms, minute_ms, useHooks } from '../../../../test/support/receiver/hooks.ts'
import { runAllDue } from '../../../worker/worker.ts'

const on = useHooks()

test('a delivery is a POST of id, event, data and created_on; data is what GET shows', async () => {
  await on.hook(['charge_finished'])
  const charge = await on.pay.settled()
  const [one] = on.receiver.received
  expect(on.receiver.received).toHaveLength(1)
  expect(one?.headers['content-type']).toBe('application/json')
  expect(one?.body).toEqual({
    id: one?.headers['webhook-id'],
    event: 'charge_finished',
    data: charge,
    created_on: expect.stringMatching(/^\d{4}-.*Z$/),
    resource_id: charge.id,
    sequence: 1,
  })
})

test('only what the triggers name is sent, to the store and to the merchant', async () => {
  await on.hook(['token_created'])
  await on.world.call('POST', '/webhooks', {
    auth: on.shop.as_merchant,
    body: { url: `${on.receiver.url}/merchant`, triggers: ['charge_finished'] },
  })
  await on.pay.settled()
  expect(on.receiver.received.map(({ path, body }) => [path, body.event]).sort()).toEqual([
    ['/hook', 'token_created'],
    ['/hook/merchant', 'charge_finished'],
  ])
})

test('a store does not get events of another store, nor a merchant those of another merchant', async () => {
  await on.hook(['charge_finished'])
  const other = payments(on.world, await on.world.merchant())
  await other.settled()
  const sibling = await on.world.call('POST', '/stores', {
    auth: on.shop.as_merchant,
    body: { name: 'Two' },
  })
  const created = await on.world.call('POST', `/stores/${sibling.body.id}/app_jwts`, {
    auth: on.shop.as_merchant,
    body: { mode: 'test' },
  })
  const as_store = `Bearer ${created.body.secret}.${created.body.jwt}`
  await payments(on.world, { ...on.shop, store_id: sibling.body.id, as_store }).settled()
  expect(on.receiver.received).toEqual([])
})

test('the name is sent as the webhook registered it', async () => {
  await on.hook(['token_three_d_s_updated'])
  const token = await on.pay.tokenId(
    { type: 'recurring' },
    { card_number: '4000000000003220', three_ds: { enabled: true } },
  )
  await on.work()
  expect(on.receiver.received.map(({ body }) => [body.event, body.data.id])).toEqual([
    ['token_three_d_s_updated', token],
  ])
})

test.each([
  ['spec', 'abc', 'Bearer abc'],
  ['spec', 'Basic abc', 'Basic abc'],
  ['spec', null, undefined],
  ['clients', 'abc', 'abc'],
])('Authorization of a delivery: COMPATIBILITY=%s, %s gives %s', async (setting, token, sent) => {
  const config = { ...on.world.service.config, compatibility: setting as 'spec' | 'clients' }
  await on.hook(['charge_finished'], { auth_token: token })
  await on.pay.charge()
  await runAllDue({ ...on.world.service, config })
  expect(on.receiver.received[0]?.headers.authorization).toBe(sent)
})

test('signatures verify with the library as it is; a changed body, id or time does not', async () => {
  const id = await on.hook(['charge_finished'])
  const { secret } = (await on.pay.get(`${on.path()}/${id}/secret`)).body
  expect(secret).toMatch(/^whsec_/)
  await on.pay.settled()
  const { headers, text } = on.first()
  // The library accepts no clock: the test signs the time again with its own.
  const sign = new StandardWebhook(secret)
  const at = new Date()
  const real = (changes: object = {}) => ({ ...headers, ...changes }) as Record<string, string>
  expect(() => sign.verify(text, real())).toThrow(/too old/)
  expect(headers['webhook-signature']).toBe(
    sign.sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1000),
      text,
    ),
  )
  const fresh = real({
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': sign.sign(String(headers['webhook-id']), at, text),
  })
  expect(sign.verify(text, fresh)).toEqual(JSON.parse(text))
  expect(() => sign.verify(`${text} `, fresh)).toThrow()
  expect(() => sign.verify(text, { ...fresh, 'webhook-id': 'other' })).toThrow()
  const later = String(Math.floor(at.getTime() / 1000) + 1)
  expect(() => sign.verify(text, { ...fresh, 'webhook-timestamp': later })).toThrow()
})

test('after a change of the secret both sign until the overlap is over', async () => {
  const id = await on.hook(['charge_finished'])
  const old = (await on.pay.get(`${on.path()}/${id}/secret`)).body.secret
  const changed = await on.pay.post(`${on.path()}/${id}/secret`, { overlap: 'PT1H' })
  expect(changed.status).toBe(201)
  expect(changed.body).toMatchObject({ type: 'hmac', previous_secret: old })
  expect(changed.body.secret).not.toBe(old)
  const signatures = async () => {
    await on.pay.settled()
    const { headers, text } = on.latest()
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const by = (secret: string) =>
      new StandardWebhook(secret).sign(String(headers['webhook-id']), at, text)
    const sent = String(headers['webhook-signature']).split(' ')
    return { sent, by_new: by(changed.body.secret), by_old: by(old) }
  }
  const during = await signatures()
  expect(during.sent).toEqual([during.by_new, during.by_old])
  on.world.clock.advance(hour_ms)
  const after = await signatures()
  expect(after.sent).toEqual([after.by_new])
  expect((await on.pay.get(`${on.path()}/${id}/secret`)).body.previous_secret).toBeNull()
  const long = await on.pay.post(`${on.path()}/${id}/secret`, { overlap: 'P8D' })
  expect(long.body.errors).toEqual([{ field: 'overlap', reason: 'INVALID_DURATION' }])
})

test('Ed25519: the receiver gets a public key only', async () => {
  const id = await on.hook(['charge_finished'])
  const { body } = await on.pay.post(`${on.path()}/${id}/secret`, {
    type: 'ed25519',
    overlap: 'PT0S',
  })
  expect(body.secret).toMatch(/^whpk_/)
  await on.pay.settled()
  const { headers, text } = on.first()
  const [version, signature = ''] = String(headers['webhook-signature']).split(',')
  expect(version).toBe('v1a')
  const raw = Buffer.from(body.secret.slice(5), 'base64')
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const public_key = { key, format: 'der', type: 'spki' } as const
  const valid = verify(
    null,
    Buffer.from(content),
    public_key as never,
    Buffer.from(signature, 'base64'),
  )
  expect(valid).toBe(true)
})

test('secret and auth_token are nowhere in the clear: database, log, events', async () => {
  const id = await on.hook(['charge_finished'], { auth_token: 'very-own-credential' })
  const { secret } = (await on.pay.get(`${on.path()}/${id}/secret`)).body
  await on.pay.settled()
  const { rows } = await on.world.store.pool.query(
    `select (select string_agg(w::text, '') from webhooks w)
       || (select string_agg(e::text, '') from events e)
       || (select string_agg(d::text, '') from webhook_deliveries d) as everything`,
  )
  for (const hidden of ['very-own-credential', secret, secret.slice(6)]) {
    expect(rows[0].everything).not.toContain(hidden)
    expect(on.world.log.join('')).not.toContain(hidden)
  }
})

test('a card number in the response of a receiver is not stored', async () => {
  on.receiver.respond = () => ({ status: 500, body: 'no order for card 4539 7061 4829 3172 (7)' })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  await on.work()
  const [item] = await on.log(id)
  expect(item.attempts[0]).toMatchObject({ status: 500, answer: 'no order for card [card] (7)' })
})

test('a receiver that fails: ten attempts with growing waits, then given up and disabled', async () => {
  on.receiver.respond = () => ({ status: 500, body: 'broken: see line 7' })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  const waits = [5_000, 5 * minute_ms, 30 * minute_ms, 2, 5, 10, 14, 20, 24].map((wait) =>
    wait <= 24 ? wait * hour_ms : wait,
  )
  for (const [index, wait_ms] of waits.entries()) {
    expect(on.receiver.received).toHaveLength(index + 1)
    const [item] = await on.log(id)
    expect(item.status).toBe('waiting')
    const in_ms = Date.parse(item.next_attempt_on) - Date.parse(item.attempts.at(-1).fired_on)
    expect(in_ms).toBeGreaterThanOrEqual(wait_ms * 0.9)
    expect(in_ms).toBeLessThanOrEqual(wait_ms * 1.1)
    await on.pass(wait_ms * 1.1 + 5_000)
  }
  expect(on.receiver.received).toHaveLength(10)
  expect(new Set(on.receiver.received.map(({ body }) => body.id)).size).toBe(1)
  expect(new Set(on.receiver.received.map(({ text }) => text)).size).toBe(1)
  const [item] = await on.log(id)
  expect(item).toMatchObject({ status: 'failed', successful: false, next_attempt_on: null })
  expect(item.error_message).toBe('The receiver answered 500.')
  expect(item.attempts).toHaveLength(10)
  expect(item.attempts[0]).toMatchObject({ status: 500, answer: 'broken: see line 7', error: null })
  expect(await on.read(id)).toMatchObject({
    active: false,
    disabled_reason: 'The receiver answered 500 to the last of 10 attempts.',
    disabled_on: expect.any(String),
  })
  const feed = await on.world.call('GET', '/events?event=webhook_disabled', {
    auth: on.shop.as_merchant,
  })
  expect(feed.body.items.map((event: { data: { id: string } }) => event.data.id)).toEqual([id])
  const { rows: mails } = await on.world.store.pool.query('select recipient from mails')
  expect(mails).toHaveLength(1)
  await on.pass(48 * hour_ms)
  expect(on.receiver.received).toHaveLength(10)
})

test.each([301, 302, 307, 308, 410])('%i disables the webhook immediately', async (status) => {
  const elsewhere = `${on.receiver.url}/elsewhere`
  on.receiver.respond = () => ({ status, headers: { location: elsewhere } })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  expect(on.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await on.read(id)).toMatchObject({
    active: false,
    disabled_reason: expect.stringContaining(String(status)),
  })
  expect((await on.log(id))[0].status).toBe('failed')
})

test.each([503, 504, 599])('%i is retried and never disables the webhook', async (status) => {
  on.receiver.respond = () => ({ status })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  for (const hours of [1, 1, 1, 3, 6, 11, 16, 23, 27, 27]) await on.pass(hours * hour_ms)
  expect(on.receiver.received).toHaveLength(10)
  expect((await on.log(id))[0].status).toBe('failed')
  expect((await on.read(id)).active).toBe(true)
})

test.each([429, 503])(
  '%i with Retry-After: it waits as long as it was asked to',
  async (status) => {
    on.receiver.respond = () => ({ status, headers: { 'retry-after': '1800' } })
    const id = await on.hook(['charge_finished'])
    await on.pay.settled()
    on.receiver.respond = () => ({ status: 204 })
    await on.pay.settled()
    await on.pass(29 * minute_ms)
    expect(on.receiver.received).toHaveLength(1)
    await on.pass(2 * minute_ms)
    expect(on.receiver.received).toHaveLength(3)
    expect((await on.log(id)).map((item: { status: string }) => item.status)).toEqual([
      'delivered',
      'delivered',
    ])
  },
)

test('events of one resource are delivered one after the other, in their order', async () => {
  await on.hook(['charge_updated', 'charge_finished'])
  await on.pay.patch(`${on.path()}/${(await on.pay.get(on.path())).body.items[0].id}`, {
    active: true,
  })
  const held = await on.pay.charge({ capture: false })
  await on.work()
  await on.pay.post(`${on.pay.chargePath(held.body.id)}/capture`, { amount: 1000, currency: 'JPY' })
  await on.work()
  expect(on.receiver.received.map(({ body }) => [body.event, body.sequence])).toEqual([
    ['charge_updated', 1],
    ['charge_finished', 2],
  ])
})

test('after the response to a deletion no delivery starts any more', async () => {
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  on.receiver.respond = async () => {
    await slow
    return { status: 200 }
  }
  const id = await on.hook(['token_created'])
  for (let created = 0; created < 40; created += 1) await on.pay.tokenId()
  const working = on.work()
  // A delivery batch is in progress.
  while (on.receiver.received.length === 0) await new Promise((next) => setTimeout(next, 5))
  let answered = false
  const deleting = on.world
    .call('DELETE', `${on.path()}/${id}`, { auth: on.shop.as_store })
    .then(() => {
      answered = true
    })
  await new Promise((next) => setTimeout(next, 100))
  expect(answered).toBe(false)
  finish()
  await deleting
  const begun = on.receiver.received.length
  await working
  await on.pass(hour_ms)
  expect(on.receiver.received).toHaveLength(begun)
  expect(begun).toBeLessThan(40)
})

test('the waits use the test clock of the merchant', async () => {
  on.receiver.respond = () => ({ status: 500 })
  const id = await on.hook(['charge_finished'])
  await on.pay.settled()
  const moved = await on.world.call('POST', '/test/clock', {
    auth: on.shop.as_store,
    body: { advance: 'P4D' },
  })
  expect(moved.status, moved.text).toBe(200)
  expect(on.receiver.received).toHaveLength(10)
  const [item] = await on.log(id)
  const times = item.attempts.map(({ fired_on }: { fired_on: string }) => Date.parse(fired_on))
  expect(times[9] - times[0]).toBeGreaterThan(66 * hour_ms)
  expect(times[9] - times[0]).toBeLessThan(85 * hour_ms)
  expect((await on.read(id)).active).toBe(false)
})
