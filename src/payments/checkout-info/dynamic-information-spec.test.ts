import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Dynamic information, in the words of the specification. The rules of its fields are in another file.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const path = '/checkout_info/gateways/alipay_plus_online'
const question = { amount: 1000, currency: 'JPY', call_method: 'app', os_type: 'ios' }

test('service is the key of the gateway, service_name its name, brands an array of objects', async () => {
  const { status, body } = await pay.post(path, question)
  expect(status).toBe(200)
  expect(body.service).toBe('alipay_plus_online')
  expect(body.service_name).toBe('Alipay+')
  expect(body.brands).toBeInstanceOf(Array)
})

test('a brand has its key, its key at the gateway, a display name and extras', async () => {
  const { brands } = (await pay.post(path, question)).body
  expect(brands.length).toBeGreaterThan(0)
  for (const one of brands) {
    expect(one.brand).toMatch(/^[a-z_]+$/)
    expect(one.service_brand_name).toMatch(/^[A-Z_]+$/)
    expect(one.brand_display_name).toEqual(expect.any(String))
    expect(one.extras).toEqual(expect.any(Object))
  }
})

test('extras: logos with name, url, pattern, width, height; promotion names', async () => {
  const { brands } = (await pay.post(path, question)).body
  for (const { extras } of brands) {
    expect(extras.logos.length).toBeGreaterThan(0)
    for (const logo of extras.logos) {
      expect(logo).toEqual({
        name: expect.any(String),
        url: expect.stringMatching(/^https?:\/\//),
        pattern: expect.any(String),
        width: expect.any(Number),
        height: expect.any(Number),
      })
    }
    expect(extras.promotion_names).toEqual([expect.any(String)])
  }
})

test('it can be requested before payment: nothing is made', async () => {
  await pay.post(path, question)
  for (const list of ['/tokens', '/charges', '/transaction_history', '/events']) {
    expect((await pay.get(list)).body, list).toMatchObject({ items: [], has_more: false })
  }
})
