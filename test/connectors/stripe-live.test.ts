import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stripe_connector } from '../../src/connectors/stripe/stripe-connector.ts'
import { setCredentials } from '../../src/resources/provider-credentials/provider-credentials.ts'
import { useAcquirer } from '../acquirer-world.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './stripe-double.ts'
import { live_challenged } from './stripe-double-rules.ts'

// Live payments of 1000 JPY through the whole service and the `stripe` connector, at our double.
const on = useAcquirer()
let double: StripeDouble

beforeAll(async () => {
  double = await startStripeDouble()
})
afterAll(() => double.close())
beforeEach(async () => {
  const { service } = on.world
  const parts = { log: service.log, now: () => on.world.clock.now() }
  on.useProviders(stripe_connector.open('stripe', parts))
  const settings = { secret_key, webhook_secret, api_url: double.url }
  await setCredentials(service, 'stripe', { merchant_id: on.shop.id, store_id: null }, settings)
})

const paymentsOf = (id: string) =>
  [...double.intents.values()].filter(({ metadata }) => metadata.kaikei_charge_id === id)

test('a charge is authorized, captured in part and refunded; both records agree', async () => {
  const { id, status } = await on.settled({ capture: false })
  expect(status).toBe('authorized')
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 600 })
  expect(paymentsOf(id)).toMatchObject([{ amount: 1000, received: 600, refunded: 200 }])
})

test.each([
  [true, 'successful'],
  [false, 'authorized'],
])(
  'with capture %s, a cardholder who passes the challenge has a charge that is %s',
  async (capture, status) => {
    const { id } = await on.settled({ capture }, { card_number: live_challenged })
    expect(await on.chargeNow(id)).toMatchObject({ status: 'awaiting' })
    const [payment] = paymentsOf(id)
    double.act(payment?.id ?? '', true)
    const message = double.event(payment?.id ?? '', on.world.service.wall_clock.now())
    const taken = await on.world.call('POST', `/callbacks/stripe/${on.shop.id}`, message)
    expect(taken.status).toBe(204)
    await on.pay.work()
    expect(await on.chargeNow(id)).toMatchObject({ status })
    expect(paymentsOf(id)).toMatchObject([{ amount: 1000, received: capture ? 1000 : 0 }])
    const rows = await on.rows(
      'select * from provider_operations where merchant_id = $1',
      on.shop.id,
    )
    expect(JSON.stringify(rows) + on.world.log.join('')).not.toContain(live_challenged)
  },
)
