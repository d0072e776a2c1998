import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { countActivity } from '../../../src/views/activity/count-activity.ts'
import { type ConsoleWorld, goTo, isLoaded, newConsoleWorld } from './console-world.ts'

// The values in the console are those of the API, also after a fault.
let here: ConsoleWorld
let page: Page
let charge_id: string

beforeAll(async () => {
  here = await newConsoleWorld()
  page = await here.open('/home')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

test('an empty Home leads to a payment link, which needs no program', async () => {
  await page.getByRole('link', { name: 'Create a payment link' }).click()
  await page.getByRole('dialog').waitFor()
  expect(page.url()).toContain('/checkout')
  await page.keyboard.press('Escape')
})

test("the chart's headline is the period's sum; methods are sorted and have their names", async () => {
  const paid = async (amount: number, data: object = {}) => {
    const { body } = await here.pay.charge({ amount }, { data })
    await here.chargeAfter(body.id, 'pending')
    return body.id as string
  }
  await paid(300)
  charge_id = await paid(5_000, { card_number: '3530111333300000' })
  await paid(1_000)
  await countActivity(here.world.service, 10_000)
  await page.goto(`${here.url}/console/test/home`)
  const chart = page.locator('figure.chart')
  await chart.getByText('Whole period').waitFor()
  await chart.getByText('¥6,300', { exact: true }).waitFor()
  const methods = page.locator('section', {
    has: page.getByRole('heading', { name: 'Payment methods' }),
  })
  expect(await methods.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Card · JCB\s+¥5,000/),
    expect.stringMatching(/^Card · Visa\s+¥1,300/),
  ])
})

test('the next payout on Home is that of the API, with its parts on its page', async () => {
  const { world, merchant } = here
  const auth = merchant.as_merchant
  const { body } = await world.call('GET', '/transfers/next', { auth, query: { mode: 'test' } })
  const [next] = body.payouts
  const amount = `¥${next.amount.toLocaleString('en-US')}`
  await page.getByRole('heading', { name: 'Next payout' }).waitFor()
  await page.getByText('The operator starts this payout.').waitFor()
  await page.getByRole('link', { name: 'Show breakdown' }).click()
  await page.getByRole('row', { name: new RegExp(`^Payout ${amount}`) }).waitFor()
  await page.getByRole('link', { name: 'Sales' }).click()
  await isLoaded(page)
  expect(await page.locator('main table[aria-busy=false] tbody tr').count()).toBe(3)
})

test('the account statement runs to the balance that the API has', async () => {
  const { world, merchant } = here
  const { body } = await world.call('GET', '/ledger_balances', {
    auth: merchant.as_merchant,
    query: { mode: 'test' },
  })
  const owed = body.balances.find((one: { account: string }) => one.account === 'merchant_payable')
  await goTo(page, '/ledger')
  const newest = page.locator('main table[aria-busy=false] tbody tr').first()
  const shown = `¥${(-owed.balance).toLocaleString('en-US')}`
  await newest.getByRole('cell', { name: shown, exact: true }).waitFor()
  await page.getByText('Your balance').waitFor()
  await page.getByRole('row', { name: /Sale.*JCB •••• 0000/ }).waitFor()
})

test('an advice of the API is shown as it is', async () => {
  const message = 'The page is not full after 20000 rows; narrow the list with from and to.'
  const errors = [{ field: 'from', reason: 'INVALID_TIME_PERIOD' }]
  const body = JSON.stringify({ status: 'error', code: 'VALIDATION_ERROR', message, errors })
  await page.route('**/console/api/transaction_history*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body }),
  )
  await goTo(page, '/payments?amount_from=5000')
  await page.getByText(message).waitFor()
  await page.unroute('**/console/api/transaction_history*')
})

test('a refund without a usable amount keeps its name and leads to the field', async () => {
  await goTo(page, `/payments/${here.merchant.store_id}/${charge_id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount (¥)').fill('much')
  const button = dialog.getByRole('button', { name: 'Refund the payment', exact: true })
  await button.click()
  expect(await page.evaluate('document.activeElement.inputMode')).toBe('decimal')
  await dialog.getByLabel('Amount (¥)').fill('700')
  await dialog.getByRole('button', { name: 'Refund ¥700', exact: true }).waitFor()
  await page.keyboard.press('Escape')
})

test('while the service is gone, a page says from when its data is', async () => {
  await goTo(page, `/payments/${here.merchant.store_id}/${charge_id}`)
  await isLoaded(page)
  await page.context().setOffline(true)
  const band = page.getByRole('status').filter({ hasText: /You see its state at \d\d:\d\d:\d\d/ })
  await band.waitFor()
  await page.getByRole('heading', { name: '¥5,000' }).waitFor()
  await page.context().setOffline(false)
  await band.getByRole('button', { name: 'Try again' }).click()
  await band.waitFor({ state: 'detached' })
  expect(here.troubles.splice(0).filter((one) => !/ERR_INTERNET_DISCONNECTED/.test(one))).toEqual(
    [],
  )
})
