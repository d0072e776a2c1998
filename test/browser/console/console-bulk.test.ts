import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ConsoleWorld, isLoaded, newConsoleWorld, violationsOf } from './console-world.ts'

// Work with many payments at a time: sums, periods, selected rows.
let here: ConsoleWorld
let page: Page

beforeAll(async () => {
  here = await newConsoleWorld()
  const { pay } = here
  const paid = async (amount: number, more: object = {}, data: object = {}) => {
    const { body } = await pay.charge({ amount, ...more }, { data })
    await here.chargeAfter(body.id, 'pending')
    return body.id as string
  }
  await paid(1000)
  await paid(2500)
  await paid(700, {}, { card_number: '4000000000009995' })
  const refunded = await paid(300)
  await pay.post(`${pay.chargePath(refunded)}/refunds`, { amount: 300, currency: 'JPY' })
  await paid(4000, { capture: false })
  page = await here.open('/payments?type=charge', { language: 'ja-JP' })
  await isLoaded(page)
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const totals = () => page.getByRole('region', { name: '合計' })
const select = (name: string) => page.getByRole('checkbox', { name: `${name}を選択` }).check()

test('the totals cover all filtered rows, and a failed row shows its reason', async () => {
  await totals().getByText('5件').waitFor()
  expect(await totals().innerText()).toContain('¥3,800')
  await page.getByText('残高または利用可能額が不足しています。').first().waitFor()
  await page.getByRole('button', { name: '作成日', exact: true }).click()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: '昨日' }).click()
  await page.getByText('条件に合う決済はありません').waitFor()
  await page.getByRole('button', { name: '絞り込みを解除' }).last().click()
  await totals().getByText('件').waitFor()
})

test('selected payments are refunded once, and every row is reported', async () => {
  const { pool } = here.world.store
  await select('¥1,000')
  await select('¥2,500')
  await select('¥700')
  await select('¥4,000')
  await page.getByRole('button', { name: '返金する' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2件、合計¥3,500を顧客に返金します。 2件は対象外です。').waitFor()
  await dialog.getByText('対象外（成功した決済ではありません）').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  // One of them cannot be reached at first: the others are not refunded again with it.
  let failures = 0
  await page.route('**/refunds', (route) => {
    failures += 1
    if (failures === 2) return route.fulfill({ status: 400, json: { code: 'VALIDATION_ERROR' } })
    return route.continue()
  })
  await dialog.getByRole('button', { name: '2件・¥3,500を返金する' }).click()
  await dialog.getByText('2件中1件を受け付けました。').waitFor()
  await page.unroute('**/refunds')
  await dialog.getByRole('button', { name: '1件を再試行' }).click()
  await dialog.getByText('2件中2件を受け付けました。').waitFor()
  await dialog.locator('footer').getByRole('button').click()
  await expect
    .poll(
      async () => (await pool.query(`select amount from refunds where status = 'successful'`)).rows,
    )
    .toHaveLength(3)
  // A stale page that sends the same again changes nothing.
  const { rows } = await pool.query('select sum(amount)::integer as sum from refunds')
  expect(rows).toEqual([{ sum: 3800 }])
})

test('an authorized payment is captured from the list', async () => {
  await page.goto(`${here.url}/console/test/payments?status=authorized`)
  await isLoaded(page)
  await select('¥4,000')
  await page.getByRole('button', { name: '売上を確定する' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '1件・¥4,000を確定する' }).click()
  await dialog.getByText('1件中1件を受け付けました。').waitFor()
  await dialog.locator('footer').getByRole('button').click()
  await expect
    .poll(async () => {
      const { rows } = await here.world.store.pool.query(
        `select status from charges where requested_amount = 4000`,
      )
      return rows[0].status
    })
    .toBe('successful')
})

test('the header of the table and the band of test mode stay in view', async () => {
  await page.setViewportSize({ width: 1440, height: 400 })
  await page.goto(`${here.url}/console/test/payments`)
  await isLoaded(page)
  await page.evaluate('scrollTo(0, 330)')
  const topOf = (selector: string) => page.locator(selector).first().boundingBox()
  const band = await topOf('.test-band')
  const head = await topOf('.table th')
  expect(band?.y).toBeGreaterThan(0)
  expect(head?.y).toBeCloseTo((band?.y ?? 0) + (band?.height ?? 0), 0)
})
