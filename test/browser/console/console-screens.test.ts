import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addConnector } from '../../../src/accounts/connectors/connectors-store.ts'
import { type BookAcquirer, newBookAcquirer } from '../../support/acquirer/book-acquirer.ts'
import type { Visitor } from '../browser-world.ts'
import {
  type ConsoleWorld,
  goTo,
  isLoaded,
  isTooWide,
  newConsoleWorld,
  script,
  violationsOf,
} from './console-world.ts'

// Every screen as an owner who also operates the service sees it, in both languages, on a desktop and a
// phone, with stored texts that must not run; then the actions of the screens.
let here: ConsoleWorld
let page: Page
let subscription_id: string
let charge_id: string
let webhook_id: string
let customer_id: string
let payment_link_id: string
let checkout_session_id: string
let dispute_id: string
let acquirer: BookAcquirer

beforeAll(async () => {
  here = await newConsoleWorld()
  acquirer = await newBookAcquirer()
  await storeScripts()
  page = await here.enter(await here.operator(script), '/home')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(async () => {
  await here.close()
  await acquirer.die()
})

async function newSubscription(): Promise<string> {
  const { pay } = here
  const token = await pay.token({ type: 'subscription', email: 'sub@example.com' })
  const created = await pay.post('/subscriptions', {
    transaction_token_id: token.body.id,
    amount: 980,
    currency: 'JPY',
    period: 'monthly',
  })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

/** Puts the script into every text that a merchant, a customer or a server of the merchant can store. */
async function storeScripts(): Promise<void> {
  const { world, merchant, pay, shop } = here
  shop.responses.set('/hook', { html: script, status: 500 })
  const hook = await world.call('POST', '/webhooks', {
    auth: merchant.as_merchant,
    body: { url: localUrl('/hook'), triggers: ['charge_finished', 'refund_finished'] },
  })
  webhook_id = hook.body.id
  const paid = await pay.charge({ amount: 1200, metadata: { note: script } })
  charge_id = paid.body.id
  await here.chargeAfter(charge_id, 'pending')
  const back = { amount: 200, currency: 'JPY', message: script }
  const refund = await pay.post(`${pay.chargePath(charge_id)}/refunds`, back)
  expect(refund.status, refund.text).toBe(201)
  const phone_number = { country_code: 81, local_number: '09012345678' }
  const till = { customer_name: script, convenience_store: 'lawson', phone_number }
  await here.waiting('konbini', till)
  subscription_id = await newSubscription()
  const sold = { name: script, amount: 500, currency: 'JPY' }
  payment_link_id = (await pay.post('/payment_links', sold)).body.id
  const line_items = [{ name: script, description: script, quantity: 1, amount: 500 }]
  const session = { amount: 500, currency: 'JPY', line_items, metadata: { note: script } }
  checkout_session_id = (await pay.post('/checkout_sessions', session)).body.id
  const disputed = await pay.charge({ amount: 700 })
  await here.chargeAfter(disputed.body.id, 'pending')
  dispute_id = (await pay.post(`/test/charges/${disputed.body.id}/disputes`)).body.id
  const evidence = { explanation: script }
  await pay.patch(`/stores/${merchant.store_id}/disputes/${dispute_id}`, { evidence })
  const settings = { url: acquirer.url, account: 'main' }
  const owner = { merchant_id: merchant.id, store_id: merchant.store_id }
  await addConnector(world.service, { name: 'tokyo', kind: 'book', owner, settings })
  while ((await customers()).length === 0) await new Promise((next) => setTimeout(next, 50))
  // Names of stores and e-mails are checked when they arrive; a row that is stored already is not.
  const { pool } = world.store
  await pool.query('update merchants set name = $1', [script])
  await pool.query('update stores set name = $1', [script])
  await pool.query('update charges set cardholder = $1, email = $1', [script])
  await pool.query('update customers set name = $1, email = $1', [script])
}

async function customers(): Promise<unknown[]> {
  const { rows } = await here.world.store.pool.query('select id from customers')
  customer_id = rows[0]?.id
  return rows
}

/** The shop as the service reaches it: its name is known to the browser only. */
const localUrl = (path: string) => `http://127.0.0.1:${new URL(here.shop.url).port}${path}`

/** Every screen; `stored` where the script is shown beside the names in the frame. */
const screens = (): [path: string, stored?: 'stored'][] => [
  ['/home?period=month'],
  ['/payments', 'stored'],
  [`/payments/${here.merchant.store_id}/${charge_id}`, 'stored'],
  ['/subscriptions'],
  [`/subscriptions/${here.merchant.store_id}/${subscription_id}`, 'stored'],
  ['/checkout', 'stored'],
  ['/checkout?tab=sessions', 'stored'],
  ['/checkout?tab=appearance'],
  ['/checkout?tab=protection'],
  [`/checkout/links/${here.merchant.store_id}/${payment_link_id}`, 'stored'],
  [`/checkout/sessions/${here.merchant.store_id}/${checkout_session_id}`, 'stored'],
  ['/customers', 'stored'],
  [`/customers/${customer_id}`, 'stored'],
  ['/deposits', 'stored'],
  ['/disputes'],
  [`/disputes/${here.merchant.store_id}/${dispute_id}`, 'stored'],
  ['/ledger'],
  ['/ledger?tab=balances'],
  ['/ledger?tab=entries'],
  ['/ledger?tab=payouts'],
  ['/developers'],
  [`/developers/webhooks/${webhook_id}`],
  ['/developers?tab=deliveries'],
  ['/developers?tab=events'],
  ['/developers?tab=requests'],
  ['/developers?tab=keys'],
  ['/developers?tab=scenarios'],
  ['/time'],
  ['/settings'],
  ['/settings?tab=stores', 'stored'],
  [`/settings/stores/${here.merchant.store_id}`, 'stored'],
  ['/settings?tab=users', 'stored'],
  ['/settings?tab=security'],
  ['/settings?tab=audit', 'stored'],
  ['/settings?tab=routing'],
  ['/settings?tab=bank'],
  ['/operator'],
  ['/operator?tab=merchants', 'stored'],
  ['/operator?tab=payouts'],
  ['/operator?tab=connectors'],
  ['/operator?tab=routing'],
  ['/operator?tab=doctor'],
]

test.each<[name: string, narrower: number[], visitor: Visitor]>([
  ['a desktop, in English', [1100, 800], {}],
  ['a phone, in Japanese', [320], { language: 'ja-JP', width: 390, height: 844 }],
])(
  'every screen on %s: no error, nothing too wide, accessible, stored text shown as text',
  async (_name, narrower, visitor) => {
    const shown = await here.enter(await here.operator(script), '/home', visitor)
    const faults: string[] = []
    const size = shown.viewportSize() ?? { width: 0, height: 0 }
    for (const [index, [path, stored]] of screens().entries()) {
      await goTo(shown, path)
      await isLoaded(shown)
      const text = shown.locator('main').getByText(script).first()
      const is_text =
        !stored ||
        (await text.waitFor({ timeout: 60_000 }).then(
          () => true,
          () => false,
        ))
      if (!is_text) faults.push(`${path}: the stored text is not shown`)
      if ((await shown.getByRole('alert').count()) > 0) faults.push(`${path}: an error is shown`)
      for (const width of [...narrower, size.width]) {
        await shown.setViewportSize({ ...size, width })
        if (await isTooWide(shown)) faults.push(`${path}: too wide for ${width}`)
      }
      const found = await violationsOf(shown, index > 0 ? 'main' : undefined)
      faults.push(...found.map((one) => `${path}: ${one}`))
    }
    expect(faults).toEqual([])
    await shown.context().close()
  },
  240_000,
)

const go = (path: string) => goTo(page, path)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const inForm = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()

describe('actions', () => {
  test('a subscription: another amount, suspended, resumed, canceled', async () => {
    await go(`/subscriptions/${here.merchant.store_id}/${subscription_id}`)
    await button('Change amount').click()
    await page.getByLabel('Amount (¥)').fill('1,480')
    await button('Bill ¥1,480 from now on').click()
    await said('The amount was changed.')
    await page.getByRole('heading', { name: '¥1,480' }).waitFor()
    await button('Suspend').click()
    await inDialog('Suspend').click()
    await said('The subscription was suspended.')
    await button('Resume').click()
    await inDialog('Resume').click()
    await said('The subscription was resumed.')
    await button('Cancel subscription').click()
    await inDialog('Cancel subscription').click()
    await said('The subscription was canceled.')
    await page.getByText('This subscription has ended').waitFor()
  })

  test('a dispute: a file is added, the evidence is sent, and the audit log has it', async () => {
    await go('/disputes')
    await page.getByRole('link', { name: '¥700' }).first().click()
    await page.getByRole('heading', { name: '¥700' }).waitFor()
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Signed.') }
    await page.getByLabel('Add a file').setInputFiles(file)
    await button('Delete note.txt').waitFor()
    await page.getByLabel('Delivery').fill('winning_evidence')
    await button('Save draft').click()
    await said('Saved.')
    await button('Send to the bank').click()
    await inDialog('Send to the bank').click()
    await said('The evidence is being sent.')
    await page.getByText('Won', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Show the payment' }).click()
    await page.getByRole('heading', { name: 'Disputes' }).waitFor()
    await go('/settings?tab=audit')
    await button('Update dispute').first().waitFor()
  })

  test('the clock is moved, and shows what happened', async () => {
    await newSubscription()
    await go('/time')
    await page.getByText('Due on the way').waitFor()
    const move = page.getByRole('button', { name: /^Move to / })
    // The end of January in Tokyo, an hour before midnight; then a day that is chosen.
    await button('End of the month').click()
    await move.getByText(/Jan 31/).waitFor()
    await page.getByLabel('Day', { exact: true }).fill('2026-03-05')
    await move.getByText(/Mar 5/).waitFor()
    await page.getByLabel('Move to').fill('40')
    await button('Next billing').click()
    await move.click()
    await said('The clock was moved.')
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    const billed = page.getByRole('row', { name: /A subscription was billed.*¥/ }).first()
    await billed.waitFor()
    expect(await billed.getByRole('link').getAttribute('href')).toContain('/subscriptions/')
  })

  test('the ledger explains a balance, down to the payment', async () => {
    await go('/ledger?tab=balances')
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

  test('a connector is added after a test call, tried, disabled; its settings are shown nowhere', async () => {
    await go('/operator?tab=connectors')
    await button('Add connector').click()
    await inForm('Kind').selectOption('book')
    await inForm('Name').fill('world')
    await inForm('url').fill('nonsense')
    await inDialog('Test and add').click()
    await page.getByRole('dialog').getByText('Enter a value.').waitFor()
    await inForm('url').fill(acquirer.url)
    await inForm('account').fill('wrong')
    await inDialog('Test and add').click()
    await page.getByRole('alert').filter({ hasText: 'does not know the account' }).waitFor()
    await inForm('account').fill('main')
    await inDialog('Test and add').click()
    await said('world is configured.')
    await button('world').click()
    await inDialog('Test connection').click()
    await page.getByRole('dialog').getByText('The account main is open.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await inDialog('Disable').click()
    await said('world receives no new payments.')
    await page.getByText('Disabled', { exact: true }).waitFor()
    await button('world').click()
    await inDialog('Enable').click()
    await said('world receives new payments.')
    expect(await page.content()).not.toContain(acquirer.url)
  })

  test('rules are added, moved and removed, and say where a payment would go', async () => {
    await go('/operator?tab=routing')
    const rule = (name: string, text: string) =>
      page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: text }).first()
    for (const name of ['tokyo', 'world']) {
      await button('Add rule').click()
      await inForm('Connector').selectOption(name)
      if (name === 'world') {
        await inForm('From amount').fill('500')
        await inDialog('Add rule').click()
        await page.getByRole('dialog').getByText('Enter a value.').waitFor()
        expect(await violationsOf(page)).toEqual([])
        await inForm('Currency').fill('JPY')
      }
      await inDialog('Add rule').click()
      await rule(name, name === 'world' ? 'JPY · from ¥500' : 'Every payment').waitFor()
    }
    await button('Move rule 2 up').click()
    await rule('1', 'world').waitFor()
    await button('Check').click()
    await rule('world', 'Processes the payment · Rule 1').waitFor()
    await rule('tokyo', 'No settings · Rule 2').waitFor()
    await button('Remove rule 1').click()
    await said('The rule was removed.')
    await rule('1', 'tokyo').waitFor()
  })

  test('doctor runs, and its own audit line is there', async () => {
    await go('/operator?tab=doctor')
    await button('Run all checks').click()
    await page.getByText(/^Checked /).waitFor()
    await go('/settings?tab=audit')
    await page.getByRole('button', { name: 'Start data check' }).first().waitFor()
  })
})
