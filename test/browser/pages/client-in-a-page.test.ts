import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Kaikei } from '../../../client/src/kaikei-client.ts'
import { expected } from '../../clients/client-scenario.ts'
import { bundleModule } from '../../support/rules/bundle-module.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'

// The client in Chromium: all of it on a page of the service's own origin, and on a page of a shop with
// what the JWT alone may do.
let world: BrowserWorld

beforeAll(async () => {
  world = await newBrowserWorld()
})
afterAll(() => world.close())

/** Loads a module in the page; its exports become global there. */
async function load(page: Page, path: string): Promise<void> {
  const code = JSON.stringify(await bundleModule(path))
  await page.evaluate(
    `import(URL.createObjectURL(new Blob([${code}], { type: 'text/javascript' })))
      .then((module) => void Object.assign(globalThis, module))`,
  )
}

test('a payment from its token to its refund', async () => {
  const { jwt, secret } = world.merchant
  const page = await world.visitor()
  await page.route(`${world.url}/empty`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Empty</title>' }),
  )
  await page.goto(`${world.url}/empty`)
  await load(page, 'test/clients/client-scenario.ts')
  const options = JSON.stringify({ base_url: world.url, jwt, secret })
  expect(await page.evaluate(`runScenario(${options})`)).toEqual(expected)
  expect(world.troubles.filter((text) => !/status of 400/.test(text))).toEqual([])
})

test('a page of the shop creates a token with the JWT alone and waits for the charge', async () => {
  const { jwt, secret } = await world.world.merchant({ domains: ['shop.example'] })
  const page = await world.visitor()
  await page.goto(world.shop.url)
  await load(page, 'client/src/kaikei-client.ts')
  const options = JSON.stringify({ base_url: world.url, jwt })
  await page.evaluate(`globalThis.kaikei = new Kaikei(${options})`)
  const token_id = await page.evaluate<string>(
    `kaikei.tokens.create({ payment_type: 'card', email: 'taro@example.com', data: {
      cardholder: 'Taro', card_number: '4242424242424242', exp_month: 12, exp_year: 2030, cvv: '123',
    } }).then(({ id }) => id)`,
  )
  const server = new Kaikei({ base_url: world.url, jwt, secret })
  const body = { transaction_token_id: token_id, amount: 1000, currency: 'JPY' }
  const { id } = await server.charges.create(body)
  const status = await page.evaluate<string>(
    `kaikei.charges.waitUntil('${id}', 'successful').then(({ status }) => status)`,
  )
  expect(status).toBe('successful')
  const refused = await page.evaluate<string[]>(
    `kaikei.tokens.create({ payment_type: 'card', email: 'taro@example.com', data: {
      cardholder: 'Taro', card_number: '4242424242424241', exp_month: 12, exp_year: 2030, cvv: '123',
    } }).catch(({ code, errors, request_id }) => [code, errors[0].reason, typeof request_id])`,
  )
  expect(refused).toEqual(['VALIDATION_ERROR', 'INVALID_CARD_NUMBER', 'string'])
})
