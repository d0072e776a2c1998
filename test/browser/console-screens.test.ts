import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeConsoleLink } from '../../src/resources/users/console-link.ts'
import { inTransaction } from '../../src/service.ts'
import { newUser, password } from '../console-users.ts'
import type { Visitor } from './browser-world.ts'
import { type ConsoleWorld, newConsoleWorld, violationsOf } from './console-world.ts'

// Every screen as an owner who also operates the service sees it, in both languages, on a desktop and a
// phone; then the actions of the screens.
let here: ConsoleWorld
let page: Page
let subscription_id: string
const script = '<script>alert(1)</script><img src=x onerror=alert(2)>'

beforeAll(async () => {
  here = await newConsoleWorld()
  const { pay } = here
  const paid = await pay.charge({ amount: 1200, metadata: { note: script } })
  await here.chargeAfter(paid.body.id, 'pending')
  const phone_number = { country_code: 81, local_number: '09012345678' }
  const till = { customer_name: script, convenience_store: 'lawson', phone_number }
  await here.waiting('konbini', till)
  const token = await pay.token({ type: 'subscription', email: 'sub@example.com' })
  const made = await pay.post('/subscriptions', {
    transaction_token_id: token.body.id,
    amount: 980,
    currency: 'JPY',
    period: 'monthly',
  })
  expect(made.status, made.text).toBe(201)
  subscription_id = made.body.id
  page = await signedIn()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

/** A browser that a link of the operator has signed in: it may do everything. */
async function signedIn(visitor: Visitor = {}): Promise<Page> {
  const { world, merchant, url } = here
  const user = await newUser(world, merchant, { name: script })
  await world.store.pool.query('update users set is_operator = true where id = $1', [user.id])
  const link = await inTransaction(world.service, (tx) =>
    makeConsoleLink(tx, user as never, url, 60_000),
  )
  const opened = await here.visitor(visitor)
  await opened.goto(link)
  await opened.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const screens = () => [
  '/home?period=month',
  '/subscriptions',
  `/subscriptions/${here.merchant.store_id}/${subscription_id}`,
  '/customers',
  '/deposits',
  '/ledger',
  '/ledger?tab=entries',
  '/ledger?tab=payouts',
  '/developers',
  '/developers?tab=deliveries',
  '/developers?tab=events',
  '/developers?tab=requests',
  '/developers?tab=keys',
  '/developers?tab=scenarios',
  '/time',
  '/settings',
  '/settings?tab=stores',
  `/settings/stores/${here.merchant.store_id}`,
  '/settings?tab=users',
  '/settings?tab=security',
  '/settings?tab=audit',
  '/settings?tab=bank',
  '/operator',
  '/operator?tab=merchants',
  '/operator?tab=payouts',
  '/operator?tab=doctor',
]

test.each<[string, Visitor]>([
  ['a desktop, in English', {}],
  ['a phone, in Japanese', { language: 'ja-JP', width: 390, height: 844 }],
])(
  'every screen on %s: no error, nothing too wide, accessible',
  async (_name, visitor) => {
    const shown = await signedIn(visitor)
    const faults: string[] = []
    for (const path of screens()) {
      await shown.evaluate(`history.pushState(null, '', '/console/test${path}')`)
      await shown.getByRole('heading', { level: 1 }).waitFor()
      await shown
        .locator('[role=status][aria-label], [aria-busy=true]')
        .first()
        .waitFor({ state: 'detached' })
      if ((await shown.getByRole('alert').count()) > 0) faults.push(`${path}: an error is shown`)
      const is_wide = await shown.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (is_wide) faults.push(`${path}: too wide`)
      faults.push(...(await violationsOf(shown)).map((one) => `${path}: ${one}`))
    }
    expect(faults).toEqual([])
  },
  240_000,
)

const go = (path: string) => page.goto(`${here.url}/console/test${path}`)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()

describe('actions', () => {
  test('a subscription: another amount, suspended, resumed, canceled', async () => {
    await go(`/subscriptions/${here.merchant.store_id}/${subscription_id}`)
    await button('Change amount').click()
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Amount (JPY)').fill('1,480')
    await button('Bill ¥1,480 from now on').click()
    await said('The amount was changed.')
    await page.getByRole('heading', { name: '¥1,480' }).waitFor()
    await button('Suspend').click()
    await inDialog('Suspend').click()
    await said('The subscription is suspended.')
    await button('Resume').click()
    await inDialog('Resume').click()
    await said('The subscription goes on.')
    await button('Cancel subscription').click()
    await inDialog('Cancel subscription').click()
    await said('The subscription is canceled.')
    await page.getByText('This subscription has ended').waitFor()
  })

  test('a webhook: added, tested, switched off, deleted', async () => {
    here.shop.answers.set('/hook', { html: 'thanks' })
    await go('/developers')
    await button('Add webhook').first().click()
    await page.getByLabel('URL').fill('nonsense')
    await inDialog('Add webhook').click()
    await page.locator('.field-error').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('URL').fill(`${here.shop.url}/hook`)
    await inDialog('Add webhook').click()
    await said('The webhook was added.')
    await page.getByRole('link', { name: `${here.shop.url}/hook` }).click()
    await button('Send a test delivery').click()
    // The name of the shop is known to the browser only.
    await said(/Answered|No answer/)
    await button('Switch off').click()
    await said('The webhook was switched off.')
    await button('Delete').click()
    await inDialog('Delete').click()
    await said('The webhook was deleted.')
  })

  test('the clock is moved, and shows what happened', async () => {
    await go('/time')
    await page.getByText('What becomes due on the way').waitFor()
    await page.getByLabel('Move to').fill('40')
    await page.getByRole('button', { name: /^Move to / }).click()
    await said('The clock was moved.')
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByText('charge finished').first().waitFor()
  })

  test('the ledger explains a balance, down to the payment', async () => {
    await go('/ledger')
    await page.getByText('Debits and credits are equal.').first().waitFor()
    await page.getByRole('link', { name: 'Payable to you' }).first().click()
    await page
      .getByRole('row', { name: /Capture Payable to you/ })
      .first()
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: '¥' }).waitFor()
    expect(page.url()).toContain('/payments/')
  })

  test('doctor runs, and its own audit line is there', async () => {
    await go('/operator?tab=doctor')
    await button('Run all checks').click()
    // A screen that was left open is not enough for what an operator does.
    await page.getByLabel('Password', { exact: true }).fill(password)
    await inDialog('Confirm').click()
    await page.getByText(/^Checked /).waitFor()
    await go('/settings?tab=audit')
    await page.getByRole('button', { name: 'startDoctorRun' }).first().waitFor()
  })
})
