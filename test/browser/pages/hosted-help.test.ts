import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/accounts/users/create-user.ts'
import { accountName } from '../../../src/methods/bank-transfer/bank-transfer-facts.ts'
import { password_texts } from '../../../src/pages/account/password-texts.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { faultsOf } from '../page-faults.ts'

// Functions of pages for a customer: they copy, print, update, speak two languages, and have the colors of
// the shop. All but the first three work without scripts.
let here: BrowserWorld
const { en, ja } = hosted_texts
const phone = { language: 'ja-JP', width: 390, height: 844 } as const
const lawson = {
  customer_name: '山田 花子',
  convenience_store: 'lawson',
  phone_number: { country_code: '81', local_number: '9012345678' },
}

beforeAll(async () => {
  here = await newBrowserWorld()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('every value of a bank transfer is copied exactly', async () => {
  const transfer = await here.waiting('bank_transfer', { brand: 'aozora_bank' }, { amount: 12_800 })
  const { body } = await here.pay.get(`${here.pay.chargePath(transfer.id)}/issuer_token`)
  const page = await here.visitor(phone)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(transfer.page)
  const { bank_transfer: names } = ja
  const wanted: [string, string][] = [
    [names.bank, accountName(body.bank_name, 'ja')],
    [names.bank_code, body.bank_code],
    [names.branch, accountName(body.branch_name, 'ja')],
    [names.branch_code, body.branch_code],
    [names.account_number, body.account_number],
    [names.account_holder, accountName(body.account_holder_name, 'ja')],
    [names.amount, '12800'],
  ]
  for (const [name, value] of wanted) {
    await page.getByRole('button', { name: ja.copy_what(name), exact: true }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(value)
  }
})

test('a page notices by itself that the payment has arrived', async () => {
  const charge = await here.waiting('konbini', lawson)
  const page = await here.visitor(phone)
  await page.goto(charge.page)
  await here.pay.post(`/test/charges/${charge.id}/deposits`, { amount: 1000 })
  await page.getByRole('heading', { name: ja.end.paid.heading }).waitFor()
})

test('without scripts a customer checks, reads and pays', async () => {
  const charge = await here.waiting('konbini', lawson)
  const page = await here.visitor({ ...phone, javaScript: false })
  await page.goto(charge.page)
  expect(await page.locator('button:visible').allInnerTexts()).toEqual([ja.konbini.test_pay.till])
  await page.getByRole('link', { name: ja.check_now }).click()
  await page.getByText(ja.not_yet.konbini).waitFor()
  await page.getByRole('button', { name: ja.konbini.test_pay.till }).click()
  await page.getByRole('heading', { name: ja.end.paid.heading }).waitFor()
  expect(await page.getByText(charge.id).isVisible()).toBe(true)
})

test('on paper there is what is needed at the till, and no button', async () => {
  const charge = await here.waiting('konbini', lawson)
  const page = await here.visitor(phone)
  await page.goto(charge.page)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('button:visible, .button:visible, .trial:visible').count()).toBe(0)
  await page.getByRole('img', { name: ja.konbini.barcode }).waitFor()
  await page.getByText(ja.expiry).waitFor()
})

test('the language is that of the browser until the customer chooses one', async () => {
  const { page: address } = await here.waiting('online', {
    brand: 'pay_pay_online',
    call_method: 'http_post',
  })
  const page = await here.visitor(phone)
  await page.goto(address)
  expect(await heading(page).innerText()).toBe(ja.online.heading('PayPay'))
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name: en.language }).click()
  expect(await heading(page).innerText()).toBe(en.online.heading('PayPay'))
  await page.getByRole('button', { name: en.online.decline }).click()
  await page.getByRole('heading', { name: en.end.declined.heading }).waitFor()
})

describe('the colors of a shop', () => {
  const configure = async (configuration: object) => {
    here.world.clock.advance(1000)
    const path = `/stores/${here.merchant.store_id}`
    const body = { configuration }
    const response = await here.world.call('PATCH', path, { auth: here.merchant.as_merchant, body })
    expect(response.status, response.text).toBe(200)
    return response
  }

  test.each(['#ffff00', '#fefefe', '#010101', '#7f7f7f'])('%s can be read', async (main_color) => {
    await configure({ checkout_configuration: { main_color } })
    const { page: address } = await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' })
    const page = await here.visitor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(address)
      const button = "document.querySelector('.button.main')"
      const shown = await page.evaluate(`getComputedStyle(${button}).backgroundColor`)
      const channels = (main_color.match(/\w\w/g) ?? []).map((hex) => Number.parseInt(hex, 16))
      expect(shown).toBe(`rgb(${channels.join(', ')})`)
      expect(await faultsOf(page)).toEqual([])
    }
    await configure({ checkout_configuration: { main_color: null } })
  })

  test('and its logo is loaded from the shop alone', async () => {
    const logo_url = `${here.shop.url}/logo.svg`
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"/>'
    here.shop.responses.set('/logo.svg', { svg })
    await configure({ logo_url })
    const { page: address } = await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' })
    const page = await here.visitor()
    const response = await page.goto(address)
    expect(response?.headers()['content-security-policy']).toContain(
      `img-src 'self' ${here.shop.url};`,
    )
    const found = here.shop.requests.find(({ url }) => url === '/logo.svg')
    expect(found?.headers).not.toHaveProperty('referer')
    await configure({ logo_url: null })
  })

  test('a color that is none is refused', async () => {
    const path = `/stores/${here.merchant.store_id}`
    const body = { configuration: { checkout_configuration: { main_color: 'red' } } }
    here.world.clock.advance(1000)
    const response = await here.world.call('PATCH', path, { auth: here.merchant.as_merchant, body })
    expect(response.body.errors[0].field).toBe('configuration.checkout_configuration.main_color')
  })
})

test('a password is typed twice, can be shown, and a difference is reported', async () => {
  const owner = { merchant_id: here.merchant.id, name: 'Taro', role: 'owner', lang: 'ja' } as const
  const { link } = await createUser(here.world.service, { ...owner, email: 'taro@shop.example' })
  const page = await here.visitor(phone)
  await page.goto(link)
  const texts = password_texts.ja
  const [first, second] = [
    page.getByLabel(texts.label, { exact: true }),
    page.getByLabel(texts.repeat),
  ]
  await first.fill('tulip-47-garden')
  await page.getByRole('button', { name: texts.show }).click()
  expect(await first.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: texts.hide }).click()
  expect(await first.getAttribute('type')).toBe('password')
  await second.fill('tulip-48-garden')
  await page.getByRole('button', { name: texts.button }).click()
  await page.getByText(texts.faults.repeat).waitFor()
  expect(await faultsOf(page)).toEqual([])
  for (const field of [first, second]) await field.fill('tulip-47-garden')
  await page.getByRole('button', { name: texts.button }).click()
  await page.getByRole('heading', { name: texts.done.heading }).waitFor()
})
