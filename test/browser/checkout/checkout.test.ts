import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hour_ms } from '../../../src/core/time/clock.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { chooseStore, openWay } from '../../support/pages/open-way.ts'
import { good_card } from '../../support/payments.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { axe_source } from '../page-faults.ts'

// Customers pay a checkout session in a real browser, on phones and desktops, with and without scripts.
let here: BrowserWorld
let shop: Checkouts
let customer: Page
const { en, ja } = checkout_texts

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
  customer = await here.visitor()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
  here.shop.requests.length = 0
})
afterAll(() => here.close())

const order = () => ({
  amount: 12_800,
  currency: 'JPY',
  line_items: [
    { name: 'A vase', quantity: 1, amount: 9800, description: '24 cm' },
    { name: 'Chopstick rest', quantity: 3, amount: 1000 },
  ],
  success_url: `${here.shop.url}/thanks?session={CHECKOUT_SESSION_ID}`,
  cancel_url: `${here.shop.url}/cart`,
})

const open = async (url: string, page = customer) => {
  await page.goto(url)
  return page
}
const choose = openWay
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

async function typeCard(page: Page, number = good_card, texts = en): Promise<void> {
  await page.getByLabel(texts.fields.card_number.label, { exact: true }).pressSequentially(number)
  await page.getByLabel(texts.fields.expiry.label).pressSequentially('1230')
  await page.getByLabel(texts.fields.cvv.label, { exact: true }).fill('123')
  await page.locator('#cardholder').fill('TARO YAMADA')
  await page.locator('.way[open] [name="email"]').fill('taro@example.com')
}
const press = (page: Page, name: string) =>
  page.locator('.way[open], main').getByRole('button', { name, exact: true }).last().click()

const atShop = (page: Page, path: string) =>
  page.waitForURL(({ origin, pathname }) => origin === here.shop.url && pathname === path)

async function hasFaults(page: Page): Promise<string[]> {
  await page.evaluate(`${axe_source}; 0`)
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe('by card', () => {
  test('on a phone in Japanese: paid, and back at the shop with the number of the session', async () => {
    const session = await shop.session(order())
    const page = await here.visitor({ language: 'ja-JP', width: 390, height: 844 })
    await open(session.url, page)
    expect(await heading(page)).toBe(ja.pay_to('Shop'))
    await choose(page, ja.card)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await hasFaults(page)).toEqual([])
    await typeCard(page, good_card, ja)
    await press(page, ja.pay('12,800円'))
    await atShop(page, '/thanks')
    expect(here.shop.requests.at(-1)?.url).toBe(`/thanks?session=${session.id}`)
    expect(here.shop.requests.at(-1)?.headers).not.toHaveProperty('referer')
    const after = await shop.read(session.id)
    expect(after).toMatchObject({ status: 'completed', payment_type: 'card', attempts: 1 })

    await open(session.url, page)
    expect(await heading(page)).toBe(ja.done.heading)
    expect(await page.locator('main').innerText()).toContain(after.charge_id)
    expect(await hasFaults(page)).toEqual([])
    await page.context().close()
  })

  test('faults are shown beside their fields on blur, and nothing is sent', async () => {
    const session = await shop.session(order())
    const page = await open(session.url)
    await choose(page, en.card)
    const number = page.locator('#card_number')
    await number.pressSequentially('4242 4242 4242 424')
    expect(await page.locator('#card_number-fault').isVisible()).toBe(false)
    await page.keyboard.press('Tab')
    expect(await page.locator('#card_number-fault').innerText()).toBe(en.fields.card_number.wrong)
    await number.press('End')
    await number.pressSequentially('2')
    expect(await page.locator('#card_number-fault').isVisible()).toBe(false)
    expect(await number.inputValue()).toBe('4242 4242 4242 4242')
    await press(page, en.pay('¥12,800'))
    expect(await page.locator('#expiry-fault').innerText()).toBe(en.fields.expiry.missing)
    expect(await page.evaluate('document.activeElement.id')).toBe('expiry')
    expect(await hasFaults(page)).toEqual([])
    expect((await shop.read(session.id)).attempts).toBe(0)
  })

  test('a fault that the click on the button reveals does not move the button away from it', async () => {
    const page = await open((await shop.session(order())).url)
    await choose(page, en.card)
    await page.locator('#card_number').fill('4242')
    await page.getByRole('button', { name: en.pay('¥12,800') }).hover()
    await page.mouse.down()
    expect(await page.evaluate('document.activeElement.id')).not.toBe('card_number')
    expect(await page.locator('#card_number-fault').isVisible()).toBe(false)
    await page.mouse.up()
    await page.getByText(en.fields.expiry.missing).waitFor()
    expect(await page.locator('#card_number-fault').innerText()).toBe(en.fields.card_number.wrong)
  })

  test('four digits in another order for American Express, and its code of four digits', async () => {
    const page = await open((await shop.session(order())).url)
    await choose(page, en.card)
    await page.locator('#card_number').pressSequentially('378282246310005')
    expect(await page.locator('#card_number').inputValue()).toBe('3782 822463 10005')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').focus()
    expect(await page.locator('#card-cvv-fault').innerText()).toBe(en.fields.cvv.wrong)
  })

  test('with the keyboard only: declined with a reason, and paid with another card', async () => {
    const session = await shop.session({ ...order(), customer: { email: 'taro@example.com' } })
    const page = await open(session.url)
    const focused = () => page.evaluate('document.activeElement.id')
    while ((await focused()) !== 'card_number') await page.keyboard.press('Tab')
    // A field that is full leads to the next one.
    for (const text of ['4000000000009995', '1230', '123', 'TARO YAMADA']) {
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await page.getByText(en.failed).waitFor()
    const reported = await page.getByRole('alert').first().innerText()
    expect(reported).toContain(en.failed)
    expect(reported).toContain(en.errors.insufficient_funds)
    expect(await hasFaults(page)).toEqual([])
    expect(await page.locator('#cardholder').inputValue()).toBe('TARO YAMADA')
    await page.locator('#card_number').fill(good_card)
    await page.locator('#card-cvv').fill('123')
    await press(page, en.pay('¥12,800'))
    await atShop(page, '/thanks')
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed', attempts: 2 })
  })

  test('3-D Secure inside the page: the customer confirms at the bank and sees the receipt', async () => {
    const session = await shop.session({ ...order(), success_url: null })
    const page = await open(session.url)
    await choose(page, en.card)
    await typeCard(page, '4000000000003220')
    await press(page, en.pay('¥12,800'))
    const bank = page.frameLocator('iframe.bank')
    await bank.getByRole('heading', { name: hosted_texts.en.three_ds.heading }).waitFor()
    expect(page.url()).toBe(session.url)
    expect(await hasFaults(page)).toEqual([])
    expect(await bank.locator('footer').isVisible()).toBe(false)
    const shown =
      (await page.locator('main').innerText()) + (await bank.locator('main').innerText())
    expect(shown.match(/12,800/g)).toHaveLength(1)
    await bank.getByRole('button', { name: hosted_texts.en.three_ds.approve }).click()
    await page.getByRole('heading', { name: en.done.heading }).waitFor()
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed' })
  })

  test('3-D Secure declined: the customer sees it, and can pay with another card', async () => {
    const session = await shop.session(order())
    const page = await open(session.url)
    await choose(page, en.card)
    await typeCard(page, '4000000000003220')
    await press(page, en.pay('¥12,800'))
    const bank = page.frameLocator('iframe.bank')
    await bank.getByRole('button', { name: hosted_texts.en.three_ds.decline }).click()
    await page.getByText(en.errors.not_authenticated).waitFor()
    await typeCard(page)
    await press(page, en.pay('¥12,800'))
    await atShop(page, '/thanks')
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed', attempts: 2 })
  })

  test('two clicks, two tabs and a reload are one payment', async () => {
    const session = await shop.session({ ...order(), success_url: null })
    const tabs = await Promise.all([here.visitor(), here.visitor()])
    for (const tab of tabs) {
      await open(session.url, tab)
      await choose(tab, en.card)
      await typeCard(tab)
    }
    await Promise.all(
      tabs.map((tab) => tab.getByRole('button', { name: en.pay('¥12,800') }).dblclick()),
    )
    for (const tab of tabs) {
      await tab.getByRole('heading', { name: en.done.heading }).waitFor()
      await tab.reload()
      expect(await heading(tab)).toBe(en.done.heading)
      await tab.context().close()
    }
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed', attempts: 1 })
  })

  test('without a connection it says so, keeps what was typed, and charges once', async () => {
    const session = await shop.session(order())
    const page = await here.visitor()
    await open(session.url, page)
    await choose(page, en.card)
    await typeCard(page)
    await page.context().setOffline(true)
    await press(page, en.pay('¥12,800'))
    await page.getByText(en.offline).waitFor()
    here.troubles.length = 0
    await page.context().setOffline(false)
    expect(await page.locator('#cardholder').inputValue()).toBe('TARO YAMADA')
    await press(page, en.pay('¥12,800'))
    await atShop(page, '/thanks')
    expect(await shop.read(session.id)).toMatchObject({ attempts: 1 })
    await page.context().close()
  })
})

describe('elsewhere', () => {
  test('konbini: a number for the chain; or another way after all', async () => {
    const session = await shop.session(order())
    const page = await open(session.url)
    await choose(page, en.konbini)
    await chooseStore(page, 'lawson')
    await page.getByLabel(en.fields.customer_name.label).fill('山田太郎')
    await page.getByLabel(en.fields.phone.label).fill('090-1234-5678')
    await page.locator('.way[open] [name="email"]').fill('taro@example.com')
    await press(page, en.get_number)
    await page.waitForURL('**/pay/**')
    expect(await shop.read(session.id)).toMatchObject({
      status: 'processing',
      payment_type: 'konbini',
    })
    await open(session.url)
    expect(await page.getByRole('link', { name: en.elsewhere.go }).isVisible()).toBe(true)
    await page.getByRole('link', { name: en.elsewhere.change }).click()
    await press(page, en.elsewhere.give_up.konbini.confirm)
    await page.locator('main[data-step="choose"], main[data-step="failed"]').waitFor()
    await choose(page, en.card)
    await typeCard(page)
    await press(page, en.pay('¥12,800'))
    await atShop(page, '/thanks')
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed', payment_type: 'card' })
  })

  test('an online brand: the customer pays there and returns', async () => {
    const session = await shop.session({ ...order(), payment_types: ['online'] })
    const page = await open(session.url)
    await choose(page, 'Alipay')
    await press(page, en.go_to('Alipay'))
    await page
      .getByRole('button', { name: hosted_texts.en.online.pay('¥12,800'), exact: true })
      .click()
    await page.getByRole('heading', { name: en.done.heading }).waitFor()
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed' })
  })

  test('bank transfer: the account is shown, and the page knows when the money is there', async () => {
    const session = await shop.session({ ...order(), payment_types: ['bank_transfer'] })
    const page = await open(session.url)
    await choose(page, en.bank_transfer)
    await page.locator('.way[open] [name="email"]').fill('taro@example.com')
    await press(page, en.get_account)
    await page.waitForURL('**/pay/**')
    const { charge_id } = await shop.read(session.id)
    await shop.post(`/test/charges/${charge_id}/deposits`, { amount: 12_800 })
    await here.chargeAfter(charge_id, 'awaiting', 'pending')
    await open(session.url)
    await page.getByRole('heading', { name: en.done.heading }).waitFor()
  })
})

describe('ends', () => {
  test('expired, canceled and unknown say what to do', async () => {
    const expired = await shop.session({ ...order(), customer: null })
    const canceled = await shop.session(order())
    await shop.post(`/stores/${here.merchant.store_id}/checkout_sessions/${canceled.id}/cancel`, {})
    const page = await open(canceled.url)
    expect(await heading(page)).toBe(en.canceled.heading)
    await page.getByRole('link', { name: en.back }).click()
    await atShop(page, '/cart')
    here.world.clock.advance(25 * hour_ms)
    await open(expired.url)
    expect(await heading(page)).toBe(en.expired.heading)
    expect(await hasFaults(page)).toEqual([])
    await page.goto(`${here.url}/checkout/${'A'.repeat(43)}`)
    expect(await heading(page)).toBe(en.nobody.heading)
    here.troubles.length = 0
  })
})

describe('without scripts', () => {
  test('a card is paid with a plain form; faults are shown', async () => {
    const session = await shop.session({ ...order(), customer: { email: 'taro@example.com' } })
    const page = await here.visitor({ javaScript: false })
    await open(session.url, page)
    await choose(page, en.card)
    await page.locator('#card_number').fill('4242 4242 4242 4241')
    await page.locator('#expiry').fill('12/30')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('TARO YAMADA')
    await press(page, en.pay('¥12,800'))
    expect(await page.getByRole('alert').first().innerText()).toBe(en.faults.input)
    await page.waitForLoadState('networkidle')
    await page.locator('#card_number').fill('4242 4242 4242 4242')
    await page.locator('#card-cvv').fill('123')
    await press(page, en.pay('¥12,800'))
    await page.waitForLoadState('networkidle')
    await here.chargeAfter((await shop.read(session.id)).charge_id, 'pending')
    await open(session.url, page)
    expect(await heading(page)).toBe(en.done.heading)
    await page.waitForLoadState('networkidle')
    await page.context().close()
  })
})

describe('payment links', () => {
  test('a fixed amount: one click leads to a session of the visitor', async () => {
    const created = await shop.post('/payment_links', {
      name: 'Donation',
      amount: 3000,
      currency: 'JPY',
    })
    expect(created.status, created.text).toBe(201)
    const page = await open(created.body.url)
    expect(await heading(page)).toBe('Donation')
    expect(await hasFaults(page)).toEqual([])
    await page.getByRole('button', { name: en.link.go }).click()
    await page.waitForURL('**/checkout/**')
    expect(await page.locator('.summary .amount').innerText()).toBe('¥3,000')
  })

  test('a chosen amount, in the unit that people use', async () => {
    const amount_choice = { min: 500, max: 10_000, suggested: 2500 }
    const body = { name: 'Donation', amount_choice, currency: 'USD', payment_types: ['card'] }
    const created = await shop.post('/payment_links', body)
    expect(created.status, created.text).toBe(201)
    const page = await open(created.body.url)
    const amount = page.getByLabel(en.fields.amount.label)
    expect(await amount.inputValue()).toBe('25.00')
    await amount.fill('4.99')
    await page.getByRole('button', { name: en.link.go }).click()
    await page.getByText(en.fields.amount.wrong).waitFor()
    await page.getByLabel(en.fields.amount.label).fill('7.5')
    await page.getByRole('button', { name: en.link.go }).click()
    await page.waitForURL('**/checkout/**')
    expect(await page.locator('.summary .amount').innerText()).toBe('$7.50')
  })

  test('one that is closed says so', async () => {
    const body = { name: 'Donation', amount: 3000, currency: 'JPY', active: false }
    const page = await open((await shop.post('/payment_links', body)).body.url)
    expect(await heading(page)).toBe(en.link.closed.heading)
  })
})
