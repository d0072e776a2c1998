import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { payments } from '../../support/payments.ts'
import type { TestMerchant } from '../../support/world.ts'
import { type ConsoleWorld, goTo, isLoaded, newConsoleWorld } from './console-world.ts'

// A merchant with two stores: every list of the console shows what the API has, for all stores and for each.
let here: ConsoleWorld
let page: Page
let second: TestMerchant
const hooks: Record<string, string> = {}

beforeAll(async () => {
  here = await newConsoleWorld()
  const { world, merchant } = here
  const auth = merchant.as_merchant
  const created = await world.call('POST', '/stores', { auth, body: { name: 'Second store' } })
  expect(created.status, created.text).toBe(201)
  const store_id: string = created.body.id
  const token = await world.call('POST', `/stores/${store_id}/app_jwts`, {
    auth,
    body: { mode: 'test', domains: [] },
  })
  expect(token.status, token.text).toBe(201)
  second = { ...merchant, store_id, as_store: `Bearer ${token.body.secret}.${token.body.jwt}` }
  // The stores differ in how much they have: rows of the wrong one are seen by their number.
  await fill(merchant, 1)
  await fill(second, 2)
  await addWebhook('/webhooks', 'of-merchant')
  page = await here.enter(await here.operator(), '/payments')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const localUrl = (path: string) => `http://127.0.0.1:${new URL(here.shop.url).port}${path}`

async function addWebhook(path: string, name: string): Promise<void> {
  const { status, text, body } = await here.world.call('POST', path, {
    auth: here.merchant.as_merchant,
    body: { url: localUrl(`/${name}`), triggers: ['charge_finished'] },
  })
  expect(status, text).toBe(201)
  hooks[name] = body.id
}

async function fill(shop: TestMerchant, count: number): Promise<void> {
  const { world } = here
  const pay = payments(world, shop)
  const { store_id } = shop
  for (let index = 0; index < count; index += 1) {
    await addWebhook(`/stores/${store_id}/webhooks`, `hook-${store_id}-${index}`)
    const paid = await pay.charge({ amount: 1000 }, { token: { email: `${store_id}@example.com` } })
    await finished(store_id, paid.body.id)
    const dispute = await pay.post(`/test/charges/${paid.body.id}/disputes`)
    expect(dispute.status, dispute.text).toBe(201)
    const transaction_token_id = await pay.tokenId({
      type: 'subscription',
      email: `${index}@${store_id}.example`,
    })
    const plan = { amount: 980, currency: 'JPY', period: 'monthly' }
    const created = await pay.post('/subscriptions', { transaction_token_id, ...plan })
    expect(created.status, created.text).toBe(201)
    await pay.post('/payment_links', { name: 'Tea', amount: 500, currency: 'JPY' })
    const line_items = [{ name: 'Tea', quantity: 1, amount: 500 }]
    await pay.post('/checkout_sessions', { amount: 500, currency: 'JPY', line_items })
  }
}

async function finished(store_id: string, id: string): Promise<void> {
  const auth = here.merchant.as_merchant
  for (;;) {
    const { body } = await here.world.call('GET', `/stores/${store_id}/charges/${id}`, { auth })
    if (body.status !== 'pending') return
    await new Promise((next) => setTimeout(next, 20))
  }
}

/** The lists of the API, page by page, for programs. */
async function countOf(path: string): Promise<number> {
  const query = { limit: '100', mode: 'test' }
  const { status, text, body } = await here.world.call('GET', path, {
    auth: here.merchant.as_merchant,
    query,
  })
  expect(status, text).toBe(200)
  return body.items.length
}

type Scope = 'all' | TestMerchant

/** The list under each store, and what all stores have: with that of the merchant itself where it has some. */
const inPath = (name: string) => (scope: Scope) =>
  countOf(scope === 'all' ? `/${name}` : `/stores/${scope.store_id}/${name}`)
const inQuery = (name: string) => (scope: Scope) =>
  countOf(scope === 'all' ? `/${name}` : `/${name}?store_id=${scope.store_id}`)
const summed = (name: string) => async (scope: Scope) => {
  const of = inPath(name)
  if (scope !== 'all') return of(scope)
  return (await of('all')) + (await of(here.merchant)) + (await of(second))
}

const lists: readonly [path: string, count: (scope: Scope) => Promise<number>][] = [
  ['/payments', inPath('transaction_history')],
  ['/subscriptions', inPath('subscriptions')],
  ['/checkout', inPath('payment_links')],
  ['/checkout?tab=sessions', inPath('checkout_sessions')],
  ['/disputes', inPath('disputes')],
  ['/customers', inQuery('customers')],
  ['/deposits', inQuery('deposits')],
  ['/ledger?tab=entries', inQuery('ledger_entries')],
  ['/developers', summed('webhooks')],
  ['/developers?tab=keys', summed('app_jwts')],
  ['/developers?tab=deliveries', inQuery('deliveries')],
]

const rows = () => page.locator('main table[aria-busy=false] tbody tr').count()

async function choose(scope: Scope): Promise<void> {
  await page.locator('.store-button').click()
  const index = scope === 'all' ? 0 : scope === second ? 'Second store' : 1
  const options = page.getByRole('menuitemradio')
  const option = typeof index === 'string' ? options.filter({ hasText: index }) : options.nth(index)
  const is_first = scope !== 'all' && scope !== second
  await (is_first ? options.filter({ hasNotText: /All stores|Second/ }) : option).first().click()
}

test.each(['all', 'first', 'second'] as const)(
  'every list under %s is what the API lists',
  async (name) => {
    const scope: Scope = name === 'all' ? 'all' : name === 'first' ? here.merchant : second
    await choose(scope)
    const wrong: string[] = []
    for (const [path, count] of lists) {
      await goTo(page, path)
      await isLoaded(page)
      const expected = Math.min(await count(scope), 50)
      await expect
        .poll(rows, { timeout: 15_000 })
        .toBe(expected)
        .catch(async () => wrong.push(`${path}: ${await rows()} rows, ${expected} in the API`))
    }
    expect(wrong).toEqual([])
  },
  240_000,
)

test("a webhook's deliveries are its own from the first moment, whatever store is chosen", async () => {
  await choose('all')
  await goTo(page, '/developers?tab=deliveries')
  await isLoaded(page)
  const all = await rows()
  let response = () => {}
  const may_response = new Promise<void>((resolve) => {
    response = resolve
  })
  await page.route('**/console/api/deliveries*webhook_id*', async (route) => {
    await may_response
    await route.continue()
  })
  const name = `hook-${second.store_id}-1`
  await goTo(page, `/developers/webhooks/${hooks[name]}/${second.store_id}`)
  await page.getByRole('heading', { name: localUrl(`/${name}`) }).waitFor()
  expect(await rows()).toBe(0)
  response()
  await isLoaded(page)
  await expect.poll(rows).toBeGreaterThan(0)
  expect(await rows()).toBeLessThan(all)
  await page.unroute('**/console/api/deliveries*webhook_id*')
  const own = await rows()
  await choose(here.merchant)
  await expect.poll(rows).toBe(own)
})
