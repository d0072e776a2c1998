import { beforeEach, expect, test } from 'vitest'
import { good_card, type Payments, payments } from '../../../../test/support/payments.ts'
import { simulatorOf } from '../../../../test/support/simulators.ts'
import { useWorld } from '../../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../../test/support/world.ts'

// 3-D Secure of a recurring token itself: begun when it is created or later, and what it saves the
// charges of the token.
const challenge_card = '4000000000003220'
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant({ domains: ['shop.example'] })
  pay = payments(world, shop)
})

const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
const stateOf = async (id: string) => (await pay.get(tokenPath(id))).body.data.three_ds
const issuerToken = (id: string) => pay.get(`${tokenPath(id)}/three_ds/issuer_token`)
const remove = (path: string) => {
  world.clock.advance(1000)
  return world.call('DELETE', path, { auth: shop.as_store })
}
const off = {
  enabled: false,
  status: null,
  redirect_endpoint: null,
  redirect_id: null,
  error: null,
  exempted: false,
}
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const on = { ...off, enabled: true, redirect_id: uuid }

const recurring = (card_number: string, three_ds: object = { enabled: true }) =>
  pay.token({ type: 'recurring', metadata: { order: 7 } }, { card_number, three_ds })

async function waiting(three_ds: object = { enabled: true }): Promise<string> {
  const made = await recurring(challenge_card, three_ds)
  expect(made.body.data.three_ds).toMatchObject({ enabled: true, status: 'pending' })
  await pay.work()
  expect((await stateOf(made.body.id)).status).toBe('awaiting')
  return made.body.id
}

/** The cardholder does something on the page of the challenge, or a program posts its form. */
async function post(address: string, form: Record<string, string>) {
  let open = true
  const posted = world
    .call('POST', new URL(address).pathname, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    .finally(() => {
      open = false
    })
  while (open) await pay.work()
  return (await posted).status
}

async function response(id: string, form?: Record<string, string>) {
  const { issuer_token, payload } = (await issuerToken(id)).body
  expect(await post(issuer_token, form ?? payload)).toBeLessThan(400)
  return stateOf(id)
}

async function eventsOf(id: string) {
  const { rows } = await world.store.pool.query(
    `select name, data -> 'data' -> 'three_ds' ->> 'status' as status from events
     where resource_id = $1 order by sequence`,
    [id],
  )
  return rows.map(({ name, status }) => `${name} ${status}`)
}

test('a card that is not asked is authenticated without its holder', async () => {
  const { id, data } = (await recurring(good_card)).body
  expect(data.three_ds).toEqual({ ...on, status: 'pending' })
  await pay.work()
  expect(await stateOf(id)).toEqual({ ...on, status: 'successful' })
  expect(await eventsOf(id)).toEqual(['token_created pending', 'token_three_ds_updated successful'])
})

test('a card that is asked waits for its holder: pending, awaiting, successful', async () => {
  const redirect_endpoint = 'https://shop.example/back?x=1'
  const id = await waiting({ enabled: true, redirect_endpoint })
  expect(await stateOf(id)).toEqual({ ...on, status: 'awaiting', redirect_endpoint })
  const { status, body } = await issuerToken(id)
  expect(status).toBe(200)
  expect(body).toEqual({
    payment_type: 'card',
    issuer_token: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/pay\/[\w-]{43}$/),
    call_method: 'http_post',
    payload: { resource_id: id, resource_type: 'transaction_token' },
    content_type: 'application/x-www-form-urlencoded; charset=UTF-8',
  })
  expect(await response(id)).toEqual({ ...on, status: 'successful', redirect_endpoint })
  expect(await eventsOf(id)).toEqual([
    'token_created pending',
    'token_three_ds_updated awaiting',
    'token_three_ds_updated successful',
  ])
  const query = 'select redirect_url from transaction_tokens where id = $1'
  const { rows } = await world.store.pool.query(query, [id])
  expect(rows).toEqual([{ redirect_url: `${redirect_endpoint}&order=7&svcTokenId=${id}` }])
})

test.each([
  ['failed', 359],
  ['abandoned', 358],
])('a cardholder who chooses %s fails the authentication with %i', async (outcome, code) => {
  const id = await waiting()
  const error = { code, message: expect.any(String), detail: expect.any(String) }
  expect(await response(id, { outcome })).toEqual({ ...on, status: 'failed', error })
  expect((await eventsOf(id)).at(-1)).toBe('token_three_ds_updated failed')
})

test('without an action of the customer it fails with 327 after 15 minutes', async () => {
  const created_ms = world.clock.now() + 1000
  const id = await waiting()
  const { issuer_token } = (await issuerToken(id)).body
  const stateAt = async (at_ms: number) => {
    world.clock.advance(at_ms - world.clock.now())
    await pay.work()
    return (await world.call('GET', tokenPath(id), { auth: shop.as_store })).body.data.three_ds
  }
  const ends_ms = created_ms + 15 * 60_000
  expect(await stateAt(ends_ms - 1)).toMatchObject({ status: 'awaiting', error: null })
  expect(await stateAt(ends_ms)).toMatchObject({ status: 'failed', error: { code: 327 } })
  await post(issuer_token, { outcome: 'successful' })
  expect((await stateOf(id)).status).toBe('failed')
})

test('answered in the last moment counts', async () => {
  const created_ms = world.clock.now() + 1000
  const id = await waiting()
  world.clock.advance(created_ms + 15 * 60_000 - 2002 - world.clock.now())
  expect((await response(id)).status).toBe('successful')
})

test('a page that was used is not used again', async () => {
  const id = await waiting()
  const { issuer_token } = (await issuerToken(id)).body
  await response(id)
  expect(await post(issuer_token, { outcome: 'failed' })).toBeGreaterThanOrEqual(400)
  expect((await stateOf(id)).status).toBe('successful')
  const errors = [{ field: 'token_id', reason: 'ISSUER_TOKEN_EMPTY' }]
  expect(await issuerToken(id)).toMatchObject({ status: 400, body: { errors } })
})

test('three_ds.enabled true is only allowed when the token type is recurring', async () => {
  const errors = [{ field: 'data.three_ds.enabled', reason: 'NOT_ALLOWED_VALUE' }]
  for (const type of ['one_time', 'subscription']) {
    const refused = await pay.token({ type }, { three_ds: { enabled: true } })
    expect(refused).toMatchObject({ status: 400, body: { errors } })
    const plain = await pay.token({ type }, { three_ds: { enabled: false } })
    expect(plain.body.data.three_ds).toEqual(off)
  }
})

test.each(['javascript:alert(1)', 'https://a:b@shop.example/', 'shop.example', '//shop.example'])(
  '%s is no address to come back to',
  async (redirect_endpoint) => {
    const reason = 'INVALID_FORMAT_URL'
    const made = await recurring(good_card, { enabled: true, redirect_endpoint })
    const field = 'data.three_ds.redirect_endpoint'
    expect(made).toMatchObject({ status: 400, body: { errors: [{ field, reason }] } })
    const id = await pay.tokenId({ type: 'recurring' })
    const begun = await pay.post(`${tokenPath(id)}/three_ds`, { redirect_endpoint })
    const errors = [{ field: 'redirect_endpoint', reason }]
    expect(begun).toMatchObject({ status: 400, body: { errors } })
  },
)

test('POST three_ds begins the authentication of a recurring token, once', async () => {
  const id = await pay.tokenId({ type: 'recurring' }, { card_number: challenge_card })
  expect(await stateOf(id)).toEqual(off)
  expect((await issuerToken(id)).body.errors[0].reason).toBe('ISSUER_TOKEN_EMPTY')
  const redirect_endpoint = 'https://shop.example/back'
  const begun = await pay.post(`${tokenPath(id)}/three_ds`, { redirect_endpoint })
  expect(begun.status).toBe(200)
  expect(begun.body.data.three_ds).toEqual({ ...on, status: 'pending', redirect_endpoint })
  const again = async () => (await pay.post(`${tokenPath(id)}/three_ds`)).body.errors
  const errors = [{ field: 'data.three_ds.enabled', reason: 'CHANGE_PROHIBITED' }]
  expect(await again()).toEqual(errors)
  await pay.work()
  expect(await again()).toEqual(errors)
  expect((await response(id)).status).toBe('successful')
  expect(await again()).toEqual(errors)
  expect(await eventsOf(id)).toEqual([
    'token_created null',
    'token_three_ds_updated pending',
    'token_three_ds_updated awaiting',
    'token_three_ds_updated successful',
  ])
})

test('POST three_ds is for recurring tokens of cards', async () => {
  const reasonOf = async (id: string) => (await pay.post(`${tokenPath(id)}/three_ds`)).body.errors
  const once = await pay.tokenId()
  expect(await reasonOf(once)).toEqual([{ field: 'type', reason: 'NOT_ALLOWED_VALUE' }])
  const wallet = { payment_type: 'paidy', email: 'customer@example.com', type: 'recurring' }
  const paidy = await pay.post('/tokens', { ...wallet, data: { paidy_token: 'tok_1' } })
  const errors = [{ field: 'payment_type', reason: 'ONLY_FOR_CARD_PAYMENT' }]
  expect(await reasonOf(paidy.body.id)).toEqual(errors)
  const gone = await pay.tokenId({ type: 'recurring' })
  await remove(tokenPath(gone))
  expect((await pay.post(`${tokenPath(gone)}/three_ds`)).status).toBe(404)
})

test('DELETE three_ds forgets it, and an open challenge leads nowhere', async () => {
  const id = await waiting({ enabled: true, redirect_endpoint: 'https://shop.example/' })
  const { issuer_token } = (await issuerToken(id)).body
  const ended = await remove(`${tokenPath(id)}/three_ds`)
  expect(ended.status).toBe(200)
  expect(ended.body.data.three_ds).toEqual(off)
  expect(await post(issuer_token, { outcome: 'successful' })).toBe(404)
  world.clock.advance(16 * 60_000)
  await pay.work()
  expect(await stateOf(id)).toEqual(off)
  const errors = [{ field: 'data.three_ds.enabled', reason: 'CHANGE_PROHIBITED' }]
  const second = await remove(`${tokenPath(id)}/three_ds`)
  expect(second).toMatchObject({ status: 400, body: { errors } })
  expect((await pay.post(`${tokenPath(id)}/three_ds`)).status).toBe(200)
  await pay.work()
  expect((await issuerToken(id)).body.issuer_token).not.toBe(issuer_token)
  expect((await response(id)).status).toBe('successful')
})

test('a JWT alone reads the form from the domains of its token, and changes nothing', async () => {
  const id = await waiting()
  const path = `${tokenPath(id)}/three_ds`
  const call = async (method: string, at: string, origin: string) => {
    const body = method === 'POST' ? { body: {} } : {}
    const options = { auth: `Bearer ${shop.jwt}`, headers: { origin }, ...body }
    return (await world.call(method, at, options)).status
  }
  expect(await call('GET', `${path}/issuer_token`, 'https://shop.example')).toBe(200)
  expect(await call('GET', `${path}/issuer_token`, 'https://evil.example')).toBe(401)
  expect(await call('POST', path, 'https://shop.example')).toBe(403)
  expect(await call('DELETE', path, 'https://shop.example')).toBe(403)
  const other = payments(world, await world.merchant())
  expect((await other.get(`${path}/issuer_token`)).status).toBe(404)
  expect((await other.post(path)).status).toBe(404)
})

test('in live mode there is nobody to ask: it ends in error 504', async () => {
  shop = await world.merchant({ mode: 'live', verified: true })
  pay = payments(world, shop)
  const { body } = await recurring('4539578763621486')
  await pay.work()
  const error = { code: 504, message: expect.any(String), detail: expect.any(String) }
  expect(await stateOf(body.id)).toEqual({ ...on, status: 'error', error })
})

/** Whether the charge asks again although the token was authenticated itself. */
const modes: [mode: string, status: string][] = [
  ['normal', 'successful'],
  ['if_available', 'successful'],
  ['require', 'awaiting'],
  ['force', 'awaiting'],
]

async function charge(transaction_token_id: string, three_ds_mode: string) {
  world.clock.advance(30_000)
  const body = { transaction_token_id, amount: 1000, currency: 'JPY', three_ds_mode }
  const made = await pay.post('/charges', body)
  expect(made.status, made.text).toBe(201)
  await pay.work()
  return (await pay.get(pay.chargePath(made.body.id))).body.status
}

test.each(modes)(
  'a charge in mode %s of a token that was authenticated is %s',
  async (mode, status) => {
    const id = await waiting()
    expect(await charge(id, mode)).toBe('awaiting')
    await response(id)
    expect(await charge(id, mode)).toBe(status)
    await remove(`${tokenPath(id)}/three_ds`)
    expect(await charge(id, mode)).toBe('awaiting')
  },
)

test('an authentication that failed saves nothing: the charge asks', async () => {
  const id = await waiting()
  await response(id, { outcome: 'failed' })
  expect(await charge(id, 'normal')).toBe('awaiting')
})

test('the security code of the token is gone after its time, whatever the challenge does', async () => {
  const id = await waiting()
  const query = 'select card_number, cvv from transaction_tokens where id = $1'
  const sealed = async () => (await world.store.pool.query(query, [id])).rows[0]
  expect(await sealed()).toEqual({ card_number: expect.any(Buffer), cvv: expect.any(Buffer) })
  world.clock.advance(5 * 60_000)
  await pay.work()
  expect(await sealed()).toEqual({ card_number: expect.any(Buffer), cvv: null })
  expect((await stateOf(id)).status).toBe('awaiting')
  expect((await response(id)).status).toBe('successful')
  await remove(tokenPath(id))
  expect(await sealed()).toEqual({ card_number: null, cvv: null })
})

test('a security code that arrives while the issuer is asked has an end of its own', async () => {
  const made = await pay.token({ type: 'recurring', email: 'x+delay-60@example.com' })
  const { id } = made.body
  world.clock.advance(5 * 60_000)
  await pay.work()
  await pay.post(`${tokenPath(id)}/three_ds`)
  const card = simulatorOf(world.service, 'card')
  const { authenticate } = card
  const whileAsked: typeof authenticate = async (operation) => {
    await pay.patch(tokenPath(id), { data: { cvv: '321' } })
    return authenticate(operation)
  }
  Object.assign(card, { authenticate: whileAsked })
  await pay.work()
  Object.assign(card, { authenticate })
  const query = 'select cvv, wipe_on - updated_on as left from transaction_tokens where id = $1'
  const { rows } = await world.store.pool.query(query, [id])
  expect(rows).toEqual([{ cvv: expect.any(Buffer), left: expect.objectContaining({ minutes: 5 }) }])
})

test('an issuer that is silent when the time is over is asked again, and then it is over', async () => {
  const id = await waiting()
  const card = simulatorOf(world.service, 'card')
  const { inquire } = card
  world.clock.advance(15 * 60_000)
  Object.assign(card, { inquire: () => Promise.reject(new Error('No answer.')) })
  await pay.work()
  expect((await stateOf(id)).status).toBe('awaiting')
  Object.assign(card, { inquire })
  world.clock.advance(60_000)
  await pay.work()
  expect(await stateOf(id)).toMatchObject({ status: 'failed', error: { code: 327 } })
})

test('the redirect of a token carries the metadata of its creation, not what was patched later', async () => {
  const redirect_endpoint = 'https://shop.example/back'
  const redirectOf = async (id: string) => {
    const query = 'select redirect_url from transaction_tokens where id = $1'
    return (await world.store.pool.query(query, [id])).rows[0].redirect_url
  }
  const made = await pay.tokenId({ type: 'recurring', metadata: { order: 7 } })
  for (const metadata of [{ order: 8 }, { later: 'x' }]) {
    expect((await pay.patch(tokenPath(made), { metadata })).status).toBe(200)
  }
  await pay.post(`${tokenPath(made)}/three_ds`, { redirect_endpoint })
  expect(await redirectOf(made)).toBe(`${redirect_endpoint}?order=7&svcTokenId=${made}`)
  const begun = (await recurring(challenge_card, { enabled: true, redirect_endpoint })).body.id
  await pay.patch(tokenPath(begun), { metadata: { order: 9 } })
  expect(await redirectOf(begun)).toBe(`${redirect_endpoint}?order=7&svcTokenId=${begun}`)
  // A token that replaces another is created with what that one had.
  await pay.work()
  const renewed = (await pay.post(`${tokenPath(made)}/renew`)).body.id
  await remove(`${tokenPath(renewed)}/three_ds`)
  await pay.post(`${tokenPath(renewed)}/three_ds`, { redirect_endpoint })
  const { searchParams } = new URL(await redirectOf(renewed))
  const known = { order: '8', later: 'x', svcTokenId: renewed }
  expect(Object.fromEntries(searchParams)).toEqual(known)
})

test('exempted is false in rows that have null', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const query = `update transaction_tokens set three_ds = jsonb_set(three_ds, '{exempted}', 'null')
    where id = $1`
  await world.store.pool.query(query, [id])
  expect(await stateOf(id)).toEqual(off)
})
