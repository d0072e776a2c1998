import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { type BrowserWorld, newBrowserWorld, type ShopRequest } from '../browser-world.ts'

// Customers in a real browser: they open the page of a charge, act on it, and return to the shop.
let here: BrowserWorld
const { en } = hosted_texts

beforeAll(async () => {
  here = await newBrowserWorld()
  customer = await here.visitor({ scale: 2 })
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
  here.shop.requests.length = 0
})
afterAll(() => here.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
const online = { brand: 'alipay_online', call_method: 'http_get' }
const back = () => ({ redirect: { endpoint: `${here.shop.url}/back` } })

/** One browser for all: nothing is stored in it, as one of the tests shows. */
let customer: Page

async function open(address: string): Promise<Page> {
  await customer.goto(address)
  return customer
}

/** The customer is at the shop now; the request that the shop got. */
async function arrival(path: string): Promise<ShopRequest> {
  await customer.waitForURL(({ origin, pathname }) => origin === here.shop.url && pathname === path)
  const found = here.shop.requests.findLast(({ url }) => url.split('?')[0] === path)
  if (!found) throw new Error(`The shop was not asked for ${path}.`)
  return found
}

describe('online', () => {
  const metadata = {
    note: 'お茶 & cake?',
    count: 3,
    order: 'of the metadata',
    svcChargeId: 'forged',
    more: { size: 'L' },
  }

  test('a customer who pays arrives at the shop with exactly the agreed parameters', async () => {
    const endpoint = `${here.shop.url}/back?order=7&tag=a&tag=b&svcTokenId=forged#top`
    const charge = await here.waiting('online', online, { metadata, redirect: { endpoint } })
    const later = { note: 'changed', later: 'added' }
    await here.pay.patch(here.pay.chargePath(charge.id), { metadata: later })

    const page = await open(charge.page)
    expect(await heading(page)).toBe(en.online.heading('Alipay'))
    await press(page, en.online.pay('¥1,000'))
    const { method, url, headers } = await arrival('/back')
    const { note, count, more } = metadata
    const agreed = { note, count: String(count), more: JSON.stringify(more) }
    const ids = { svcChargeId: charge.id, svcTokenId: charge.token_id }
    const query = new URLSearchParams({ ...agreed, ...ids }).toString()
    expect(`${method} ${url}`).toBe(`GET /back?order=7&tag=a&tag=b&${query}`)
    expect(headers).not.toHaveProperty('referer')
    expect(headers).not.toHaveProperty('origin')
    await page.waitForURL(`${here.shop.url}${url}#top`)
    expect(here.shop.requests).toHaveLength(1)
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })

    // Going back, the customer sees that it is done, and the link to the shop again.
    await page.goto(charge.page)
    expect(await heading(page)).toBe(en.end.paid.heading)
    await page.getByRole('link', { name: en.back('Shop') }).click()
    await page.waitForURL(`${here.shop.url}/**`)
    expect(here.shop.requests).toHaveLength(2)
    expect(here.shop.requests[1]?.headers).not.toHaveProperty('referer')
  })

  test('a shop may redirect its customer to another place', async () => {
    here.shop.responses.set('/moved', { location: `${here.shop.other_url}/thanks` })
    const redirect = { endpoint: `${here.shop.url}/moved` }
    const charge = await here.waiting('online', online, { redirect })
    const page = await open(charge.page)
    await press(page, en.online.pay('¥1,000'))
    await page.waitForURL(`${here.shop.other_url}/thanks`)
  })

  test.each([
    ['declines', en.online.decline],
    ['cancels and goes back', en.online.cancel],
  ])('a customer who %s arrives at the shop, and the charge has failed', async (_, button) => {
    const charge = await here.waiting('online', online, back())
    const page = await open(charge.page)
    await press(page, button)
    const { url } = await arrival('/back')
    expect(url).toBe(`/back?svcChargeId=${charge.id}&svcTokenId=${charge.token_id}`)
    const settled = await here.chargeAfter(charge.id, 'awaiting')
    expect(settled).toMatchObject({ status: 'failed', error: { code: 340 } })
  })

  test.each([
    [en.online.pay('¥1,000'), en.end.paid.heading, 'successful'],
    [en.online.decline, en.end.declined.heading, 'failed'],
    [en.online.cancel, en.end.declined.heading, 'failed'],
  ])('without a way back, "%s" leads to "%s"', async (button, told, status) => {
    const charge = await here.waiting('online', online)
    const page = await open(charge.page)
    await press(page, button)
    await page.getByRole('heading', { name: told }).waitFor()
    expect(page.url()).toBe(charge.page)
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status })
  })

  test("a shop's page posts the form of the issuer token", async () => {
    const by_form = { brand: 'pay_pay_online', call_method: 'http_post' }
    const charge = await here.waiting('online', by_form, back())
    const { body } = await here.pay.get(`${here.pay.chargePath(charge.id)}/issuer_token`)
    expect(body).toMatchObject({ call_method: 'http_post', issuer_token: charge.page })
    here.shop.responses.set('/checkout', { html: formOf(body) })
    const page = await open(`${here.shop.url}/checkout`)
    await press(page, 'Go')
    await page.getByRole('heading', { name: en.online.heading('PayPay') }).waitFor()
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'awaiting' })
    await press(page, en.online.pay('¥1,000'))
    await arrival('/back')
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })
  })
})

function formOf({ issuer_token, payload }: { issuer_token: string; payload: object }): string {
  const fields = Object.entries(payload).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  return `<form method="post" action="${issuer_token}">${fields.join('')}<button>Go</button></form>`
}

const responses = [
  ['approves', en.three_ds.approve, null],
  ['declines', en.three_ds.decline, 359],
  ['leaves', en.three_ds.leave, 358],
] as const

describe('3-D Secure of a charge', () => {
  const card = { card_number: '4000000000003220' }

  test.each(responses)('a cardholder %s and is back at the shop', async (_, button, code) => {
    const redirect_three_ds = { endpoint: `${here.shop.url}/3ds?cart=1` }
    const metadata = { order: 'A-1' }
    const charge = await here.waiting('card', card, { metadata, redirect_three_ds })
    const path = `${here.pay.chargePath(charge.id)}/three_ds/issuer_token`
    here.shop.responses.set('/checkout', { html: formOf((await here.pay.get(path)).body) })
    const page = await open(`${here.shop.url}/checkout`)
    await press(page, 'Go')
    await page.getByText(en.three_ds.card_ending('Visa', '3220')).waitFor()
    await press(page, button)
    const { url } = await arrival('/3ds')
    const ids = `svcChargeId=${charge.id}&svcTokenId=${charge.token_id}`
    expect(url).toBe(`/3ds?cart=1&order=A-1&${ids}`)
    const settled = await here.chargeAfter(charge.id, 'awaiting', 'pending')
    expect(settled.status).toBe(code === null ? 'successful' : 'failed')
    expect(settled.error?.code ?? null).toBe(code)
  })

  test('a late cardholder sees it, and the charge has failed', async () => {
    const redirect_three_ds = { endpoint: `${here.shop.url}/3ds` }
    const charge = await here.waiting('card', card, { redirect_three_ds })
    const page = await open(charge.page)
    here.world.clock.advance(15 * minute_ms)
    await press(page, en.three_ds.approve)
    await page.getByRole('heading', { name: en.end.expired.heading }).waitFor()
    const settled = await here.chargeAfter(charge.id, 'awaiting')
    expect(settled).toMatchObject({ status: 'failed', error: { code: 327 } })
    await page.goto(charge.page)
    expect(await heading(page)).toBe(en.end.expired.heading)
    await page.getByRole('link', { name: en.back('Shop') }).click()
    await arrival('/3ds')
  })
})

describe('3-D Secure of a recurring token', () => {
  const threeDsOf = async (id: string) => {
    const { body } = await here.pay.get(`/stores/${here.merchant.store_id}/tokens/${id}`)
    return body.data.three_ds
  }

  test.each(responses)('a cardholder %s and is back at the shop', async (_, button, code) => {
    const token = await here.waitingToken(`${here.shop.url}/card?from=us`, { plan: 'gold' })
    here.shop.responses.set('/register', { html: formOf(token.form) })
    const page = await open(`${here.shop.url}/register`)
    await press(page, 'Go')
    await page.getByText(en.three_ds.question.no_money('Shop')).waitFor()
    await press(page, button)
    const { url, headers } = await arrival('/card')
    expect(url).toBe(`/card?from=us&plan=gold&svcTokenId=${token.id}`)
    expect(headers).not.toHaveProperty('referer')
    const three_ds = await threeDsOf(token.id)
    expect(three_ds.status).toBe(code === null ? 'successful' : 'failed')
    expect(three_ds.error?.code ?? null).toBe(code)
  })

  test('without a return URL the page shows the result', async () => {
    const token = await here.waitingToken()
    const page = await open(token.page)
    await press(page, en.three_ds.approve)
    await page.getByRole('heading', { name: en.end.authenticated.heading }).waitFor()
  })

  test('a late cardholder sees it, and the token is not authenticated', async () => {
    const token = await here.waitingToken(`${here.shop.url}/card`)
    const page = await open(token.page)
    here.world.clock.advance(15 * minute_ms)
    await press(page, en.three_ds.approve)
    await page.getByRole('heading', { name: en.end.expired.heading }).waitFor()
    await expect
      .poll(() => threeDsOf(token.id))
      .toMatchObject({
        status: 'failed',
        error: { code: 327 },
      })
    expect(here.shop.requests).toEqual([])
  })
})

test('a QR code on the page leads a wallet to where it pays', async () => {
  const charge = await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' })
  const page = await open(charge.page)
  const image = page.getByRole('img', { name: en.qr.image('PayPay') })
  const address = await here.scan(image)
  expect(address).toBe(`${charge.page}/wallet`)

  const phone = await here.visitor({ width: 390, height: 844, scale: 3 })
  await phone.goto(address)
  await press(phone, en.online.pay('¥1,000'))
  await phone.getByRole('heading', { name: en.end.paid.heading }).waitFor()
  expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })

  // The page looks by itself, too, and may be first.
  const look = page.getByRole('link', { name: en.check_now })
  const paid = page.getByRole('heading', { name: en.end.paid.heading })
  await Promise.race([look.click().catch(() => {}), paid.waitFor()])
  await paid.waitFor()
})

test('a convenience store page shows code, bars and expiry, and its test form pays', async () => {
  const data = {
    customer_name: '山田 花子',
    convenience_store: 'family_mart',
    phone_number: { country_code: '81', local_number: '9012345678' },
  }
  const charge = await here.waiting('konbini', data)
  const { body } = await here.pay.get(`${here.pay.chargePath(charge.id)}/issuer_token`)
  expect(body).toMatchObject({ issuer_token: charge.page, call_method: 'http_get' })
  const { payment_code, barcode, expires_on } = body.payload

  const page = await open(charge.page)
  const text = await page.getByRole('main').innerText()
  expect(text.replaceAll(/\s/g, '')).toContain(payment_code)
  expect(text).toContain('山田 花子')
  const bars = page.getByRole('img', { name: en.konbini.barcode })
  expect(await here.scan(bars)).toBe(barcode)
  expect(await page.locator('time').getAttribute('datetime')).toBe(expires_on)

  await press(page, en.konbini.test_pay.till)
  await page.getByRole('heading', { name: en.end.paid.heading }).waitFor()
  expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })
})

describe('bank transfer', () => {
  const waiting = (match_amount: string) =>
    here.waiting('bank_transfer', { brand: 'aozora_bank', match_amount })

  async function transfer(page: Page, amount: number): Promise<void> {
    await page.getByLabel(en.bank_transfer.test_amount('JPY')).fill(String(amount))
    await page.getByLabel(en.bank_transfer.test_name).fill('ヤマダ ハナコ')
    await press(page, en.bank_transfer.test_transfer)
    await page.waitForLoadState()
  }

  async function deposits({ id }: { id: string }) {
    const rows = here.world.service.db.selectFrom('deposits').selectAll()
    const found = await rows.where('charge_id', '=', id).orderBy('id').execute()
    return found.map(({ amount, return_amount, name }) => [amount, return_amount, name])
  }

  test('one deposit of the amount pays', async () => {
    const charge = await waiting('exact')
    const { body } = await here.pay.get(`${here.pay.chargePath(charge.id)}/issuer_token`)
    const page = await open(charge.page)
    await page.getByText(body.account_number, { exact: true }).waitFor()
    await page.getByText(en.bank_transfer.rule.exact('¥1,000')).waitFor()
    await transfer(page, 1000)
    expect(await heading(page)).toBe(en.end.paid.heading)
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })
    expect(await deposits(charge)).toEqual([[1000, 0, 'ヤマダ ハナコ']])
  })

  test('two deposits pay together, and in between the page shows what is missing', async () => {
    const charge = await waiting('disabled')
    const page = await open(charge.page)
    await transfer(page, 400)
    expect(await page.getByRole('status').innerText()).toMatch(/¥400[\s\S]*¥600/)
    const amount = page.getByLabel(en.bank_transfer.test_amount('JPY'))
    expect(await amount.inputValue()).toBe('600')
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'awaiting' })
    await transfer(page, 600)
    expect(await heading(page)).toBe(en.end.paid.heading)
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })
  })

  test('a surplus is returned: all of it, or what exceeds the amount', async () => {
    const strict = await waiting('exact')
    const page = await open(strict.page)
    await transfer(page, 1200)
    expect(await heading(page)).toBe(en.bank_transfer.heading)
    expect(await page.getByRole('status').innerText()).toMatch(/¥1,200 .*¥200 too much.*¥1,200/s)
    expect(await here.chargeAfter(strict.id)).toMatchObject({ status: 'awaiting' })
    expect(await deposits(strict)).toEqual([[1200, 1200, 'ヤマダ ハナコ']])

    const lenient = await waiting('disabled')
    await page.goto(lenient.page)
    await transfer(page, 1200)
    expect(await heading(page)).toBe(en.end.paid.heading)
    await page.getByText('was ¥200 too much').waitFor()
    const paid = await here.chargeAfter(lenient.id)
    expect(paid).toMatchObject({ status: 'successful', charged_amount: 1000 })
    expect(await deposits(lenient)).toEqual([[1200, 200, 'ヤマダ ハナコ']])
  })

  test('an invalid amount is not sent', async () => {
    const charge = await waiting('exact')
    const page = await open(charge.page)
    await here.unchanged(async () => {
      for (const amount of ['0', '-5', '1.5', '']) {
        await page.getByLabel(en.bank_transfer.test_amount('JPY')).fill(amount)
        await press(page, en.bank_transfer.test_transfer)
      }
    })
    expect(await heading(page)).toBe(en.bank_transfer.heading)
  })
})

test('nothing stays in the browser', async () => {
  const page = await open(`${here.url}/pay/nobody`)
  expect(await page.context().cookies()).toEqual([])
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
})
