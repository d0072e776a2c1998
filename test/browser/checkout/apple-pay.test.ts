import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import { addConnector } from '../../../src/accounts/connectors/connectors-store.ts'
import { checkout_texts } from '../../../src/pages/checkout/texts/checkout-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { faultsOf } from '../page-faults.ts'

// Apple Pay in live mode at the example acquirer. The wallet of the browser is simulated.
let here: BrowserWorld
let acquirer: ExampleAcquirer
let shop: Checkouts

beforeAll(async () => {
  here = await newBrowserWorld()
  acquirer = await startExampleAcquirer()
  const { service, clock } = here.world
  const { settings } = acquirer
  await addConnector(service, { name: 'example', kind: 'http', owner: null, settings })
  await acquirer.control('/controls/clock', { now_ms: clock.now() })
  shop = checkouts(here.world, await here.world.merchant({ mode: 'live', verified: true }))
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(async () => {
  await here.close()
  await acquirer.stop()
})

/** A browser with a wallet; `data` is what Apple encrypted. */
const walletWith = (data: string) => `window.ApplePaySession = class {
  static STATUS_SUCCESS = 0
  static STATUS_FAILURE = 1
  static canMakePayments() { return true }
  constructor(version, request) { window.asked = { version, request } }
  begin() { this.onvalidatemerchant({ validationURL: 'https://apple-pay-gateway.apple.com/start' }) }
  completeMerchantValidation(session) {
    window.session = session
    this.onpaymentauthorized({ payment: {
      token: {
        paymentData: { version: 'EC_v1', data: '${data}', signature: 'MIAG' },
        paymentMethod: { displayName: 'JCB 0505', network: 'JCB', type: 'credit' },
      },
      billingContact: { givenName: 'Taro', familyName: 'Yamada' },
      shippingContact: { emailAddress: 'taro@example.com' },
    } })
  }
  completePayment(status) { window.completed = status }
  abort() { window.aborted = true }
}`

async function arrive(data: string) {
  const session = await shop.session({ amount: 1250, payment_types: ['apple_pay', 'card'] })
  const page = await here.visitor()
  await page.addInitScript(walletWith(data))
  await page.goto(session.url)
  const button = page.locator('.wallets').getByRole('button', { name: 'Apple Pay' })
  await page.locator('.wallets summary').click()
  return { session, page, button }
}

test('the wallet is asked for the amount, opens with the session of the acquirer, and pays', async () => {
  const { session, page, button } = await arrive('encrypted')
  expect(await faultsOf(page)).toEqual([])
  await button.click()
  await page.getByRole('heading', { name: checkout_texts.en.done.heading }).waitFor()
  const paid = await shop.read(session.id)
  expect(paid).toMatchObject({ status: 'completed', payment_type: 'apple_pay' })
  expect(await page.locator('main').innerText()).toContain('0505')
})

test('a token that the acquirer declines says so on the page', async () => {
  const { page, button } = await arrive('declined')
  await button.click()
  await page.getByText(checkout_texts.en.errors.declined).waitFor()
})

test('a session that the acquirer refuses closes the wallet and says so', async () => {
  const { page, button } = await arrive('encrypted')
  await acquirer.control('/controls/clock', { now_ms: 0 })
  await button.click()
  await page.locator('.wallets form > .fault').waitFor()
  expect(await page.evaluate('window.aborted')).toBe(true)
  await acquirer.control('/controls/clock', { now_ms: here.world.clock.now() })
  // The refused request is an error in the browser's log.
  expect(here.troubles.splice(0).join()).toContain('503')
})
