import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ConsoleWorld, isLoaded, newConsoleWorld, violationsOf } from './console-world.ts'

// A dispute is answered beside what is known of the payment, with files that are checked before they are sent.
let here: ConsoleWorld
let page: Page
let charge_id: string
let dispute_id: string

beforeAll(async () => {
  here = await newConsoleWorld()
  const { pay } = here
  const token = { email: 'hanako@example.com', ip_address: '203.0.113.7' }
  const data = { cardholder: 'Hanako Sato' }
  const paid = async (amount: number) => {
    const metadata = { order_id: 'R-7781' }
    const { body } = await pay.charge({ amount, metadata }, { token, data })
    await here.chargeAfter(body.id, 'pending')
    return body.id as string
  }
  await paid(900)
  charge_id = await paid(12_800)
  dispute_id = (await pay.post(`/test/charges/${charge_id}/disputes`)).body.id
  const known = () => here.world.store.pool.query('select id from customers')
  while ((await known()).rows.length === 0) await new Promise((next) => setTimeout(next, 50))
  page = await here.open(`/disputes/${here.merchant.store_id}/${dispute_id}`, { language: 'ja-JP' })
  page.setDefaultTimeout(6000)
  await isLoaded(page)
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

test('the payment is beside the form, with the days left and a first draft of the evidence', async () => {
  await page.getByText(/回答期限まであと\d+日/).waitFor()
  const payment = page.getByRole('complementary', { name: '決済' })
  await payment.getByRole('link', { name: 'HANAKO SATO' }).waitFor()
  await payment.getByText('203.0.113.7').waitFor()
  await payment.getByText('¥900').waitFor()
  const customer = await page.getByLabel('顧客について分かること').inputValue()
  expect(customer).toContain('お名前: HANAKO SATO')
  expect(customer).toContain('メールアドレス: hanako@example.com')
  expect(customer).toContain('決済時のIPアドレス: 203.0.113.7')
  expect(await page.getByLabel('販売した商品').inputValue()).toBe('order_id: R-7781')
  expect(await page.getByLabel('決済が正当である理由').inputValue()).toContain('¥12,800')
  expect(await violationsOf(page)).toEqual([])
})

test('files are checked when they are chosen, and are there before anything is sent', async () => {
  const input = page.locator('input[type=file]')
  const pdf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes, 32)])
  const mimeType = 'application/pdf'
  await input.setInputFiles({ name: 'large.pdf', mimeType, buffer: pdf(6 * 1024 * 1024) })
  await page.getByText('large.pdfは6.0 MBです。ファイルは5MBまでです。').waitFor()
  await input.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: pdf(10) })
  await page.getByText('a.zipはPDF、PNG、JPEG、テキストではありません。').waitFor()
  await input.setInputFiles({ name: 'receipt.pdf', mimeType, buffer: pdf(4 * 1024 * 1024) })
  await page.getByText('PDF · 4.0 MB').waitFor()
  await page.getByRole('button', { name: '反証を提出' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('文章3件とファイル1件を送ります。').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: '反証を提出' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('メールアドレス: hanako@example.com').waitFor()
})
