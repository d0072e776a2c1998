import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleWorld, newConsoleWorld, script, violationsOf } from './console-world.ts'

// The list of payments and the screen of one, used as support staff do: by mouse, and by keyboard only.
let here: ConsoleWorld
let page: Page
let charge_id: string

beforeAll(async () => {
  here = await newConsoleWorld()
  page = await here.open('/payments')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const chargeOf = async (amount: number, more: object = {}, options: object = {}) => {
  const created = await here.pay.charge({ amount, ...more }, options)
  expect(created.status, created.text).toBe(201)
  return here.chargeAfter(created.body.id, 'pending')
}
const row = (money: string, of = page) => of.getByRole('row', { name: money })
/** Presses the tab key until what has this name has the focus. */
async function tabTo(of: Page, name: string): Promise<void> {
  const named = `(document.activeElement.labels?.[0] ?? document.activeElement).textContent`
  do await of.keyboard.press('Tab')
  while ((await of.evaluate(named)) !== name)
}
const screenOf = (id: string) => `/payments/${here.merchant.store_id}/${id}`

describe('the list', () => {
  test('says what will be here, then shows payments as they happen', async () => {
    await page.getByText('Payments will appear here').waitFor()
    expect(await violationsOf(page)).toEqual([])
    const cardholder = 'Alexandrina Konstantinopolitanskaya von Hohenzollern-Sigm'
    await chargeOf(3000, { metadata: { note: script } }, { data: { cardholder } })
    charge_id = (await chargeOf(12_800)).id
    await row('¥12,800').waitFor()
  })

  test('j and k move, enter opens, Escape leaves the search', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '¥12,800' }).waitFor()
    await page.goBack()
    await row('¥3,000').waitFor()
    const field = page.getByRole('searchbox')
    await field.fill('alexandrina')
    await row('¥12,800').waitFor({ state: 'detached' })
    expect(await row('¥3,000').count()).toBe(1)
    expect(page.url()).toContain('search=alexandrina')
    await field.press('Escape')
    await row('¥12,800').waitFor()
    expect(await field.evaluate((one) => one.matches(':focus'))).toBe(false)
    await field.fill('alexandrina')
    await row('¥12,800').waitFor({ state: 'detached' })
  })

  test('filters combine, are in the address, and are saved as a view', async () => {
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByLabel('Failed').check()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Nothing matches these filters').waitFor()
    expect(page.url()).toContain('status=failed')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name of the view').fill(script)
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'All payments' }).click()
    await row('¥12,800').waitFor()
    await page.getByRole('button', { name: script }).click()
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Delete this view' }).click()
    await page.getByRole('button', { name: script }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove filter Status' }).click()
    await row('¥12,800').waitFor()
  })

  test('an amount is a filter; the CSV has exactly the rows and columns that are shown', async () => {
    await page.getByRole('button', { name: 'Amount', exact: true }).click()
    await page.getByLabel('At least').fill('3,000')
    await page.getByLabel('At most').fill('3,000')
    await page.getByRole('button', { name: 'Apply' }).click()
    await row('¥12,800').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'CSV' }).click()
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save file' }).click()
    const file = await (await started).path()
    const [names, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\r\n')
    expect(names).toMatch(/^\uFEFFAmount,Currency,Amount \(decimal\),Status,Type,Customer/)
    expect(names).toMatch(/,Gross,Fee,Net,Payout ID,Payout status,Paid out on$/)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatch(/^3000,JPY,3000,Successful,Payment,/)
    expect(rows[0]).toMatch(/,\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d,/)
    await page.getByText('1 rows were saved.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear all' }).click()
  })

  test('in Japanese and Shift_JIS, what the encoding lacks is named and shown as 〓', async () => {
    await chargeOf(4500, { metadata: { note: '𠮷野 🍵' } })
    const ja = await here.open('/payments?amount_from=4500&amount_to=4500', { language: 'ja-JP' })
    await row('¥4,500', ja).waitFor()
    await ja.getByRole('button', { name: '表示項目' }).click()
    await ja.getByRole('menuitemcheckbox', { name: 'メタデータ' }).click()
    await ja.keyboard.press('Escape')
    await ja.getByRole('button', { name: 'CSV' }).click()
    await ja.getByLabel('文字コード').selectOption('cp932')
    const started = ja.waitForEvent('download')
    await ja.getByRole('button', { name: 'ファイルを保存する' }).click()
    const bytes = readFileSync(await (await started).path())
    const text = new TextDecoder('shift_jis').decode(bytes)
    expect(text).toMatch(/^金額,通貨,金額（小数）,状態,種別,顧客名/)
    expect(text).toMatch(/\r\n4500,JPY,4500,成功,決済,/)
    expect(text).toContain('〓野 〓')
    await ja
      .getByText('Shift_JISにない文字が2個あり、〓に置き換えました：2行目のメタデータ')
      .waitFor()
    expect(await violationsOf(ja)).toEqual([])
    // The days of last month, in the zone of the merchant: nothing was sold then.
    await ja.getByLabel('期間').selectOption('last_month')
    const empty = ja.waitForEvent('download')
    await ja.getByRole('button', { name: 'ファイルを保存する' }).click()
    await empty
    await ja.getByText('0件を保存しました。').waitFor()
    await ja.close()
  })

  test('columns are chosen and remembered', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Metadata' }).click()
    await page.keyboard.press('Escape')
    // Stored text is shown as text.
    await page.getByRole('cell', { name: script }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Metadata' }).waitFor()
  })

  test('in Japanese on a phone it is a list with two lines', async () => {
    const phone = await here.open('/payments', { language: 'ja-JP', width: 390, height: 844 })
    await phone.getByRole('link', { name: /¥12,800/ }).waitFor()
    expect(await phone.getByRole('table').count()).toBe(0)
    expect(await violationsOf(phone)).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - innerWidth'
    expect(await phone.evaluate(overflow)).toBeLessThanOrEqual(0)
    await phone.getByRole('link', { name: /¥12,800/ }).click()
    await phone.getByRole('button', { name: '返金', exact: true }).click()
    await phone.getByText('下4桁4242のカードに¥12,800を返金します。').waitFor()
    expect(await violationsOf(phone)).toEqual([])
    expect(await phone.evaluate(overflow)).toBeLessThanOrEqual(0)
    await phone.context().close()
  })
})

describe('a payment', () => {
  test('is refunded in parts with the keyboard only', async () => {
    const keyboard = await here.open(screenOf(charge_id))
    await keyboard.getByRole('heading', { name: '¥12,800' }).waitFor()
    await tabTo(keyboard, 'Refund')
    await keyboard.keyboard.press('Enter')
    await keyboard.getByRole('dialog', { name: 'Refund the payment' }).waitFor()
    expect(await violationsOf(keyboard)).toEqual([])
    await tabTo(keyboard, 'Amount (¥)')
    await keyboard.keyboard.type('2800')
    await keyboard
      .getByText('¥2,800 is refunded to the card ending 4242; ¥10,000 remains.')
      .waitFor()
    await keyboard.keyboard.press('Enter')
    await keyboard.getByText('¥2,800 is being refunded.').waitFor()
    await keyboard.getByText('Partially refunded').waitFor()
    await keyboard.getByText('Refund: Pending → Successful').waitFor()
    await keyboard.context().close()
  })

  test('says why something is not possible, and what happened', async () => {
    await page.goto(`${here.url}/console/test${screenOf(charge_id)}`)
    await page.getByText('This payment has already been captured.').waitFor()
    await page.getByText('card_simulator: Authorization, Approved').click()
    await page.getByText('"raw_code"').waitFor()
  })

  test('an authorized one is captured in part', async () => {
    const { id } = await chargeOf(5000, { capture: false })
    await page.goto(`${here.url}/console/test${screenOf(id)}`)
    await page.getByRole('button', { name: 'Capture', exact: true }).click()
    await page.getByLabel('Amount (¥)').fill('5001')
    await page.getByText('This exceeds the remaining amount.').waitFor()
    await page.getByLabel('Amount (¥)').fill('4000')
    await page.getByText('¥4,000 is collected; the hold on ¥1,000 is released.').waitFor()
    await page.getByRole('button', { name: 'Capture ¥4,000' }).click()
    await page.getByText('Payment: Authorized → Successful').waitFor()
  })

  test('another one is canceled', async () => {
    const { id } = await chargeOf(700, { capture: false })
    await page.goto(`${here.url}/console/test${screenOf(id)}`)
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByText('The hold on ¥700 is released.').waitFor()
    await page.getByRole('button', { name: 'Cancel the payment' }).click()
    await page.getByText('Payment: Authorized → Canceled').waitFor()
  })

  test('its metadata is edited, and shown as text', async () => {
    await page.goto(`${here.url}/console/test${screenOf(charge_id)}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Key', { exact: true }).fill('order')
    await page.getByLabel('Value order').fill(script)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The metadata was saved.').waitFor()
    await page.getByText(script).first().waitFor()
  })

  test('a large refund asks for the password, and then happens as it was typed', async () => {
    const { id } = await chargeOf(150_000)
    await page.goto(`${here.url}/console/test${screenOf(id)}`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: 'Refund ¥150,000' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByLabel('Password').fill('tulip-47-garden')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('¥150,000 is being refunded.').waitFor()
  })

  test('a viewer sees it without actions; an unknown one is said to be none', async () => {
    const viewer = await here.open(screenOf(charge_id), { role: 'viewer' })
    await viewer
      .getByText('Only these roles can do this: Owner, Developer, Staff. Your role is Viewer.')
      .waitFor()
    expect(await viewer.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0)
    await viewer.goto(`${here.url}/console/test${screenOf(here.merchant.id)}`)
    await viewer.getByText('Not found').waitFor()
    await viewer.context().close()
  })
})

describe('the files', () => {
  const place = fileURLToPath(new URL('../../../dist/web/console/', import.meta.url))
  interface Chunk {
    file: string
    css?: string[]
    imports?: string[]
  }
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(`${place}files.json`, 'utf8'))

  /** Every file that a chunk needs, without those that are loaded later. */
  function filesOf(name: string, found = new Set<string>()): Set<string> {
    const chunk = chunks[name]
    if (!chunk || found.has(chunk.file)) return found
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
    for (const other of chunk.imports ?? []) filesOf(other, found)
    return found
  }
  const sizeOf = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(place + file)).length, 0)

  test('the first screen has at most 180 kB gzipped, another one at most 36 kB more', () => {
    const shell = filesOf('main.tsx')
    const first = filesOf('screens/home/home-screen.tsx', new Set(shell))
    expect(sizeOf(first)).toBeLessThan(180_000)
    const later = Object.keys(chunks).filter((name) => /^screens\/.*-screen\.tsx$/.test(name))
    for (const name of later) {
      const own = [...filesOf(name, new Set(shell))].filter((file) => !shell.has(file))
      expect(sizeOf(own), name).toBeLessThan(36_000)
    }
  })

  test('files are kept for good and compressed; the page allows only its own', async () => {
    const response = await here.world.call('GET', '/console/anything/at/all')
    expect(response.headers['content-security-policy']).toContain(
      "style-src 'self'; script-src 'self'",
    )
    const [, path = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(response.text) ?? []
    const headers = { 'accept-encoding': 'gzip' }
    const file = await here.world.call('GET', path, { headers })
    expect(file.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(await here.world.call('GET', '/console/assets/none.js')).toMatchObject({ status: 404 })
  })
})
