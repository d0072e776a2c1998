import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { runAllDue } from '../../worker/worker.ts'

// The first message that a developer reads: it names the field, the allowed values, and the next step.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

const card = {
  cardholder: 'TARO',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
}
const token = { payment_type: 'card', email: 'taro@example.com', data: card }
const charge = { transaction_token_id: crypto.randomUUID(), amount: 100, currency: 'JPY' }
const online = (data: object) => ({ payment_type: 'online', data })

test.each<[string, string, unknown, string]>([
  ['GET', '/charges?limit=5', undefined, 'limit must be between 10 and 100 (received 5).'],
  ['GET', '/charges?limit=abc', undefined, 'limit must be an integer.'],
  [
    'GET',
    '/charges?cursor_direction=up',
    undefined,
    'cursor_direction must be one of asc or desc (received up).',
  ],
  [
    'POST',
    '/charges',
    { ...charge, amount: '100' },
    'amount must be an integer (received a string).',
  ],
  [
    'POST',
    '/charges',
    { ...charge, amount: 0 },
    'amount must be between 1 and 999999999999 (received 0).',
  ],
  [
    'POST',
    '/charges',
    { ...charge, currency: 'XXY' },
    'currency must be an active ISO-4217 currency code, for example JPY.',
  ],
  [
    'POST',
    '/charges',
    { ...charge, transaction_token_id: 'x' },
    'transaction_token_id must be a UUID.',
  ],
  [
    'POST',
    '/charges',
    { currency: 'JPY' },
    'transaction_token_id is required; amount is required.',
  ],
  ['POST', '/tokens', { ...token, email: 'taro' }, 'email must be an e-mail address.'],
  [
    'POST',
    '/tokens',
    { ...token, payment_type: 'cheque' },
    'payment_type must be one of card, apple_pay, qr_scan, qr_merchant, konbini, paidy, online or bank_transfer (received cheque).',
  ],
  [
    'POST',
    '/tokens',
    online({ brand: 'pay_pay_online', call_method: 'web' }),
    'data.call_method must be http_post for pay_pay_online.',
  ],
  [
    'POST',
    '/tokens',
    online({ brand: 'we_chat_online', call_method: 'web' }),
    'data.user_identifier is required for we_chat_online with web; ip_address is required for we_chat_online with web.',
  ],
  [
    'POST',
    '/tokens',
    { ...token, metadata: { 'svc-customer-id': 'x' } },
    'metadata.svc-customer-id must be a UUID.',
  ],
])('%s %s: the message says what to do', async (method, path, body, message) => {
  world.clock.advance(1000)
  const response = await world.call(method, path, {
    auth: shop.as_store,
    ...(body === undefined ? {} : { body }),
  })
  expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR', message })
  expect(response.headers['content-type']).toBe('application/json')
  for (const fault of response.body.errors) expect(Object.keys(fault)).toEqual(['field', 'reason'])
})

test('a message repeats no card number, secret or free text', async () => {
  const pan = '4242424242424242'
  const refused = [
    ['/charges', { ...charge, amount: Number(pan), currency: pan, metadata: pan }],
    ['/charges', { ...charge, amount: pan, capture: pan }],
    ['/tokens', { ...token, payment_type: pan }],
    [
      '/tokens',
      { ...token, type: pan, data: { ...card, cvv: 123, exp_month: 99, exp_year: 1999 } },
    ],
    ['/tokens', { ...token, type: 'sk_live_51Hs', email: 'x'.repeat(300) }],
  ] as const
  for (const [path, body] of refused) {
    const { status, body: reported } = await world.call('POST', path, { auth: shop.as_store, body })
    expect(status).toBe(400)
    const message = reported.message.replaceAll('999999999999', '')
    expect(message).not.toMatch(/\d{6}|123|1999|received (99|sk_)|xxx/)
  }
})

test('every wrong field is reported in one response, whichever rule it breaks', async () => {
  const body = {
    payment_type: 'card',
    email: 'nobody',
    type: 'recurring',
    metadata: { 'svc-customer-id': 'x' },
    data: { ...card, card_number: '4242424242424243', exp_year: 2001, cvv: '12345', three_ds: 1 },
  }
  const { body: reported } = await world.call('POST', '/tokens', { auth: shop.as_store, body })
  expect(reported.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    'data.card_number',
    'data.cvv',
    'data.exp_month',
    'data.exp_year',
    'data.three_ds',
    'email',
    'metadata.svc-customer-id',
  ])
  const hook = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body: { url: 'nowhere', triggers: ['charge_finished', 'charge_finish'] },
  })
  expect(hook.body.errors).toEqual([
    { field: 'url', reason: 'INVALID_FORMAT_URL' },
    { field: 'triggers.1', reason: 'INVALID_EVENT_FOR_STORE' },
  ])
  expect(hook.body.message).toContain('charge_updated')
  const plan = await world.call('POST', '/subscriptions', {
    auth: shop.as_store,
    body: {
      transaction_token_id: 'x',
      amount: 100,
      currency: 'JPY',
      subscription_plan: { plan_type: 'fixed_cycles' },
    },
  })
  expect(plan.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'transaction_token_id',
    'period',
    'subscription_plan.fixed_cycles',
  ])
})

test('broken JSON is reported by line and column, and nothing of it is repeated', async () => {
  const body = '{\n  "amount": 100,\n  "card": 4242424242424242x\n}'
  const response = await world.call('POST', '/charges', { auth: shop.as_store, body })
  expect(response.body).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'The body is not valid JSON: see line 3, column 27.',
  })
})

test('a malformed credential gets an error that says what is wrong with it', async () => {
  const [, secret, jwt] = /^Bearer ([^.]+)\.(.+)$/.exec(shop.as_store) ?? []
  const messageFor = async (auth: string) => {
    const { status, body } = await world.call('GET', '/me', { auth })
    return `${status} ${body.message}`
  }
  const form = 'send "Authorization: Bearer <secret>.<jwt>".'
  expect(await messageFor(`Basic ${btoa(`${secret}:`)}`)).toBe(
    `401 Basic authentication is not offered; ${form}`,
  )
  expect(await messageFor(`Bearer ${jwt}.${secret}`)).toBe(
    `401 The secret goes before the JWT; ${form}`,
  )
  expect(await messageFor(`Bearer ${secret}`)).toMatch(/^401 The JWT is missing/)
  expect(await messageFor(`${secret}.${jwt}`)).toMatch(/^401 The word Bearer is missing/)
  const { body } = await world.call('GET', '/charges', { auth: `Bearer ${jwt}` })
  expect(body).toMatchObject({
    code: 'INVALID_PERMISSIONS',
    message: `This call needs the secret of the application token: ${form}`,
  })
})

test('responses are application/json without a parameter; an empty one has no content type', async () => {
  const auth = shop.as_store
  expect((await world.call('GET', '/me', { auth })).headers['content-type']).toBe(
    'application/json',
  )
  expect((await world.call('GET', '/nowhere', { auth })).headers['content-type']).toBe(
    'application/json',
  )
  const created = await world.call('POST', '/tokens', { auth, body: token })
  const held = await world.call('POST', '/charges', {
    auth,
    body: { ...charge, transaction_token_id: created.body.id, capture: false },
  })
  await runAllDue(world.service)
  const captured = await world.call(
    'POST',
    `/stores/${shop.store_id}/charges/${held.body.id}/capture`,
    { auth, body: {} },
  )
  expect(captured).toMatchObject({ status: 200, text: '' })
  expect(captured.headers['content-type']).toBeUndefined()
})
