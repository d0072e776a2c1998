import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import { addConnector } from '../../../src/accounts/connectors/connectors-store.ts'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import { http_connector } from '../../../src/connectors/http/http-connector.ts'
import { useAcquirer } from '../../support/acquirer/acquirer-world.ts'
import { checkouts } from '../../support/pages/checkouts.ts'

// Apple Pay in live mode at the example acquirer: the wallet's token goes through the service unopened.
const on = useAcquirer()
let acquirer: ExampleAcquirer

const tokenOf = (data: string) => ({
  paymentData: {
    version: 'EC_v1',
    data,
    signature: 'MIAGCSqGSIb3',
    header: { publicKeyHash: 'x' },
  },
  paymentMethod: { displayName: 'Visa 1881', network: 'Visa', type: 'credit' },
  transactionIdentifier: 'f2b5',
})
const body = (applepay_token: string, more: object = {}) => ({
  payment_type: 'apple_pay',
  email: 'taro@example.com',
  data: { applepay_token, cardholder: 'Taro Yamada' },
  ...more,
})

beforeAll(async () => {
  acquirer = await startExampleAcquirer()
  const { settings } = acquirer
  await addConnector(on.world.service, { name: 'example', kind: 'http', owner: null, settings })
})
afterAll(() => acquirer.stop())
beforeEach(async () => {
  const { service, clock } = on.world
  await acquirer.control('/controls/clock', { now_ms: clock.now() })
  on.useProviders(http_connector.open('example', { log: service.log, now: () => clock.now() }))
  const owner = { merchant_id: on.shop.id, store_id: null }
  await setCredentials(service, 'example', owner, acquirer.settings)
})

test('a token of Apple Pay in live mode is passed on unopened, and shows what the wallet says of the card', async () => {
  const sealed = 'encrypted-by-apple'
  const json = JSON.stringify(tokenOf(sealed))
  for (const text of [json, Buffer.from(json).toString('base64')]) {
    const token = await on.pay.post('/tokens', body(text))
    expect(token.status, token.text).toBe(201)
    expect(token.body.data.card).toMatchObject({
      brand: 'visa',
      last_four: '1881',
      card_type: 'credit',
      exp_month: null,
      exp_year: null,
      card_bin: null,
    })
    const made = await on.pay.post('/charges', {
      transaction_token_id: token.body.id,
      amount: 1000,
      currency: 'JPY',
    })
    await on.pay.work()
    const charge = await on.chargeNow(made.body.id)
    expect(charge).toMatchObject({ status: 'successful', charged_amount: 1000 })
    expect(token.text + made.text + on.world.log.join('')).not.toContain(sealed)
  }
})

test('a token that the acquirer declines fails the charge with its code', async () => {
  const token = await on.pay.post('/tokens', body(JSON.stringify(tokenOf('declined'))))
  const made = await on.pay.post('/charges', {
    transaction_token_id: token.body.id,
    amount: 1000,
    currency: 'JPY',
  })
  await on.pay.work()
  const charge = await on.chargeNow(made.body.id)
  expect(charge).toMatchObject({ status: 'failed', error: { code: 306 } })
})

test('live mode takes a token of Apple Pay once, and no other text', async () => {
  const json = JSON.stringify(tokenOf('encrypted'))
  const recurring = await on.pay.post('/tokens', body(json, { type: 'recurring' }))
  expect(recurring.body.errors).toEqual([{ field: 'type', reason: 'ONE_TIME_ONLY_ALLOWED' }])
  for (const text of ['test', '{}', '{"paymentData": {}}']) {
    const refused = await on.pay.post('/tokens', body(text))
    expect(refused.body.errors).toMatchObject([{ field: 'data.applepay_token' }])
  }
  const wrong = body(json)
  Object.assign(wrong.data, { phone_number: { country_code: '81', local_number: 'CALL-ME' } })
  expect((await on.pay.post('/tokens', wrong)).body.errors).toMatchObject([
    { field: 'data.phone_number' },
  ])
})

test('the expiry of a card in a wallet cannot be changed', async () => {
  const { body: token } = await on.pay.post('/tokens', body(JSON.stringify(tokenOf('encrypted'))))
  const path = `/stores/${on.shop.store_id}/tokens/${token.id}`
  const changed = await on.pay.patch(path, { data: { exp_month: 5, exp_year: 2031 } })
  expect(changed.body.errors).toMatchObject([{ reason: 'ONLY_FOR_CARD_PAYMENT' }, {}])
})

test('the page of a session gets a merchant session from the acquirer, for an address of Apple only', async () => {
  const shop = checkouts(on.world, on.shop)
  const session = await shop.session({ payment_types: ['apple_pay', 'card'], amount: 1250 })
  const state = await shop.state(session.url)
  expect(state.methods.map((one: { payment_type: string }) => one.payment_type)).toContain(
    'apple_pay',
  )
  expect(state.apple_pay).toMatchObject({
    countryCode: 'JP',
    currencyCode: 'JPY',
    merchantCapabilities: ['supports3DS'],
    total: { amount: '1250' },
  })
  const validation_url = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'
  const given = await shop.send(session.url, 'apple_pay', { validation_url })
  expect(given.body.session).toMatchObject({ validation_url, domainName: '127.0.0.1' })
  for (const url of [
    'https://apple-pay-gateway.apple.com.evil.example/',
    'http://127.0.0.1/',
    'x',
  ]) {
    const refused = await shop.send(session.url, 'apple_pay', { validation_url: url })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'validation_url' }] } })
  }
  const paid = await shop.send(session.url, 'payments', body(JSON.stringify(tokenOf('encrypted'))))
  expect(paid.status, paid.text).toBe(200)
  await on.pay.work()
  expect(await shop.read(session.id)).toMatchObject({ status: 'completed' })
  const ended = await shop.send(session.url, 'apple_pay', { validation_url })
  expect(ended.body.code).toBe('CHECKOUT_SESSION_ENDED')
})

test('an acquirer that does not answer gives no session; a recurring session has no Apple Pay', async () => {
  const shop = checkouts(on.world, on.shop)
  const session = await shop.session({ payment_types: ['apple_pay'] })
  const validation_url = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'
  const owner = { merchant_id: on.shop.id, store_id: null }
  const wrong = { ...acquirer.settings, secret: 'another secret of at least 32 characters' }
  await setCredentials(on.world.service, 'example', owner, wrong)
  on.world.clock.advance(60_000)
  const none = await shop.send(session.url, 'apple_pay', { validation_url })
  expect(none).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  const recurring = await on.pay.post('/checkout_sessions', {
    amount: 1000,
    currency: 'JPY',
    payment_types: ['apple_pay'],
    token_type: 'recurring',
  })
  expect(recurring.status).toBe(400)
})
