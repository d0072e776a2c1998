import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Posts to a hosted page directly, not by its own buttons.
const world = useWorld()
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  pay = payments(world, await world.merchant())
})

const konbini = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '09012345678' },
  convenience_store: 'lawson',
}
const online = { brand: 'pay_pay_online', call_method: 'http_post' }

const chargeOf = async (id: string) => (await pay.get(pay.chargePath(id))).body

async function post(id: string, payload: string, type = 'application/x-www-form-urlencoded') {
  const { issuer_token } = (await pay.get(`${pay.chargePath(id)}/issuer_token`)).body
  let open = true
  const posted = world
    .call('POST', new URL(issuer_token).pathname, {
      body: payload,
      headers: { 'content-type': type, accept: 'text/html' },
    })
    .finally(() => {
      open = false
    })
  while (open) await pay.work()
  return (await posted).status
}

test.each(['failed', 'abandoned'])(
  'a customer at a convenience store who has %s does not pay',
  async (outcome) => {
    const id = await pay.waiting('konbini', konbini)
    expect(await post(id, `outcome=${outcome}`)).toBe(303)
    expect(await chargeOf(id)).toMatchObject({ status: 'failed', error: { code: 340 } })
  },
)

test('a bank transfer without an amount pays what is missing', async () => {
  const data = { brand: 'aozora_bank', match_amount: 'maximum' }
  const id = await pay.waiting('bank_transfer', data)
  await post(id, 'amount=400')
  expect((await chargeOf(id)).status).toBe('awaiting')
  await post(id, 'outcome=successful')
  expect(await chargeOf(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('an amount in the form of a shop that opens the page of a brand pays nothing', async () => {
  const id = await pay.waiting('online', online)
  expect(await post(id, 'amount=1000&name=Taro')).toBe(200)
  expect((await chargeOf(id)).status).toBe('awaiting')
})

test.each([
  '{"outcome":{"toString":1,"valueOf":1}}',
  '{"outcome":["successful"]}',
  '{"amount":{"valueOf":5},"name":{}}',
  '"successful"',
  '[1]',
  'null',
])('%s chooses nothing', async (body) => {
  const id = await pay.waiting('online', online)
  expect(await post(id, body, 'application/json')).toBe(200)
  expect((await chargeOf(id)).status).toBe('awaiting')
})
