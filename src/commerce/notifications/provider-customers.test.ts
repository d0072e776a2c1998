import { expect, test } from 'vitest'
import { useAcquirer } from '../../../test/support/acquirer/acquirer-world.ts'
import {
  acquirer_secret,
  challenged_card,
  three_ds_result,
} from '../../../test/support/acquirer/fake-acquirer.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { setCredentials } from '../../accounts/provider-credentials/provider-credentials.ts'
import type { Authorization } from '../../providers/provider-operations.ts'
import { inTransaction } from '../../service.ts'
import { storeNotification } from './store-notification.ts'

// Live charges of 1000 JPY, at a provider with its own names that repeats its effect when a request is
// repeated.
const on = useAcquirer()

async function waitingOnline(): Promise<string> {
  return on.pay.waiting('online', { brand: 'alipay_online', call_method: 'http_get' })
}

/** The page of a charge, as the path that its customer calls. */
async function pagePath(id: string, suffix = ''): Promise<string> {
  const { merchant_id, page_id } = await on.storedCharge(id)
  const key = Buffer.from((merchant_id + page_id).replaceAll('-', ''), 'hex').toString('base64url')
  return `/pay/${key}${suffix}`
}

test('the customer goes to the page of the provider, and what they bring back decides', async () => {
  const id = await waitingOnline()
  const token = await on.pay.get(`${on.pay.chargePath(id)}/issuer_token`)
  expect(token.body).toMatchObject({
    issuer_token: 'https://acquirer.example/pages/acq_1',
    call_method: 'http_post',
    payload: { session: 'acq_1' },
  })
  const page = await on.world.call('GET', await pagePath(id))
  expect(page.status).toBe(200)
  expect(page.text).toContain('action="https://acquirer.example/pages/acq_1"')
  expect(String(page.headers['content-security-policy'])).toContain(
    'form-action https://acquirer.example',
  )
  const operation = on.acquirer.calls[0]?.operation as Authorization
  const back = new URL(operation.returnUrl()).pathname
  expect(back).toBe(await pagePath(id, '/return'))
  const returning = on.world.call('GET', `${back}?answer=yes`)
  await returned(id)
  await on.pay.work()
  expect((await returning).status).toBeLessThan(400)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  const continued = on.acquirer.calls.find(({ kind }) => kind === 'continue')
  expect(continued?.operation).toMatchObject({
    provider_reference: 'acq_1',
    provider_data: { of: 'acq_1' },
    returned: { answer: 'yes' },
  })
  expect((await on.world.call('GET', `${back}?answer=no`)).status).toBeLessThan(400)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
})

/** Waits until a request has stored what the customer came back with. */
async function returned(id: string): Promise<void> {
  const query = 'select 1 from provider_notifications where resource_id = $1'
  while ((await on.rows(query, id)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a challenge is answered at the bank of the card; its result goes with the authorization', async () => {
  const created = await on.pay.charge({}, { data: { card_number: challenged_card } })
  const { id } = created.body
  await on.pay.work()
  const token = await on.pay.get(`${on.pay.chargePath(id)}/three_ds/issuer_token`)
  expect(token.body).toMatchObject({
    issuer_token: 'https://acquirer.example/pages/acq_1',
    call_method: 'http_post',
    payload: { session: 'acq_1' },
  })
  on.acquirer.decide('acq_1', true)
  await notify('acq_1')
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
  const authorization = on.acquirer.calls.find(({ kind }) => kind === 'authorize')
  expect(authorization?.operation).toMatchObject({ three_ds: three_ds_result })
  expect(await on.storedCharge(id)).toMatchObject({ provider_reference: 'acq_2' })
})

async function notify(id: string, secret = acquirer_secret, path = '/callbacks/acquirer') {
  return on.world.call('POST', path, on.acquirer.notification(id, secret))
}

test('a notification is a hint: repeated, early, forged or of nothing it changes nothing', async () => {
  const id = await waitingOnline()
  for (let n = 0; n < 3; n += 1) expect((await notify('acq_1')).status).toBe(204)
  expect((await notify('acq_99')).status).toBe(204)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('awaiting')
  on.acquirer.decide('acq_1', true)
  expect((await notify('acq_1', 'another secret')).status).toBe(401)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('awaiting')
  for (let n = 0; n < 3; n += 1) await notify('acq_1')
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(on.acquirer.payments).toHaveLength(1)
  await notify('acq_1')
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('a provider without notifications is inquired every minute', async () => {
  on.use({ notifications: false })
  const id = await waitingOnline()
  on.acquirer.decide('acq_1', true)
  on.world.clock.advance(61_000)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
})

test('a merchant with an account of its own there speaks for its own payments alone', async () => {
  const id = await waitingOnline()
  const other = await on.world.merchant({ mode: 'live', verified: true })
  for (const [owner, notification_secret] of [
    [on.shop, 'ours'],
    [other, 'theirs'],
  ] as const) {
    const credentials = { merchant_id: owner.id, store_id: null }
    await setCredentials(on.world.service, 'acquirer', credentials, { notification_secret })
  }
  on.acquirer.decide('acq_1', true)
  const path = (owner: TestMerchant) => `/callbacks/acquirer/${owner.id}`
  expect((await notify('acq_1', 'theirs', path(on.shop))).status).toBe(401)
  expect((await notify('acq_1', 'theirs', path(other))).status).toBe(204)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('awaiting')
  expect((await notify('acq_1', 'ours', path(on.shop))).status).toBe(204)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
})

test('the secret of a store speaks for its merchant, in whatever form the notification is sent', async () => {
  const id = await waitingOnline()
  const { id: merchant_id, store_id } = on.shop
  const credentials = { account: 'of the store', notification_secret: 'of the store' }
  await setCredentials(on.world.service, 'acquirer', { merchant_id, store_id }, credentials)
  on.acquirer.decide('acq_1', true)
  const { body, headers } = on.acquirer.notification('acq_1', 'of the store')
  const path = `/callbacks/acquirer/${merchant_id}`
  for (const type of ['application/x-www-form-urlencoded', 'text/xml; charset=utf-8']) {
    const sent = { body: JSON.stringify(body), headers: { ...headers, 'content-type': type } }
    expect((await on.world.call('POST', path, sent)).status).toBe(204)
  }
  // Only one unclaimed hint is kept.
  expect(
    await on.rows('select from provider_notifications where resource_id = $1', id),
  ).toHaveLength(1)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
})

test('a notification that is faster than the response to its call is followed after it', async () => {
  const arrival = on.acquirer.delay('authorize')
  const token = await on.pay.post('/tokens', {
    payment_type: 'online',
    email: 'customer@example.com',
    data: { brand: 'alipay_online', call_method: 'http_get' },
  })
  const money = { amount: 1000, currency: 'JPY' }
  const { id } = (await on.pay.post('/charges', { transaction_token_id: token.body.id, ...money }))
    .body
  const working = on.pay.work()
  await arrival.sent
  const { id: merchant_id } = on.shop
  await inTransaction(on.world.service, (tx) =>
    storeNotification(tx, { merchant_id, mode: 'live', resource_type: 'charge', resource_id: id }),
  )
  await on.pay.work()
  arrival.release()
  await working
  on.acquirer.decide('acq_1', true)
  expect((await on.chargeNow(id)).status).toBe('awaiting')
  on.world.clock.advance(1000)
  await on.pay.work()
  expect((await on.chargeNow(id)).status).toBe('successful')
})

test('deposits have names of the bank: each is posted once, and what is left goes back', async () => {
  const id = await on.pay.waiting('bank_transfer', {
    brand: 'aozora_bank',
    match_amount: 'disabled',
  })
  const paid_on = new Date(on.world.clock.now())
  const money = { currency: 'JPY', paid_on, name: 'YAMADA' }
  on.acquirer.deposit('acq_1', { reference: 'bank-7/1', amount: 400, ...money })
  await notify('acq_1')
  await notify('acq_1')
  await on.pay.work()
  on.acquirer.deposit('acq_1', { reference: 'bank-7/2', amount: 700, ...money })
  await notify('acq_1')
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  const query = 'select amount, name from deposits where charge_id = $1 order by id'
  expect(await on.rows(query, id)).toEqual([
    { amount: 400, name: 'YAMADA' },
    { amount: 700, name: 'YAMADA' },
  ])
})
