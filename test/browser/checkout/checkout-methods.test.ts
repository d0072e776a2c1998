import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { paymentName } from '../../../src/methods/payment-names.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { chooseStore, openWay } from '../../support/pages/open-way.ts'
import { good_card } from '../../support/payments.ts'
import { type BrowserWorld, newBrowserWorld, type Visitor } from '../browser-world.ts'
import { faultsOf, widthOf } from '../page-faults.ts'

// Every payment method from the session to its end, as customers of two kinds see it.
let here: BrowserWorld
let shop: Checkouts

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

const customers = [
  ['ja', { language: 'ja-JP', width: 390, height: 844 }, '3,000円'],
  ['en', { width: 1280, height: 800 }, '¥3,000'],
] as const satisfies [string, Visitor, string][]

const order = { amount: 3000, currency: 'JPY', customer: { email: 'taro@example.com' } }

/** A customer on the page of a new session. */
async function arrive(visitor: Visitor, more: object) {
  const session = await shop.session({ ...order, ...more })
  const page = await here.visitor(visitor)
  await page.goto(session.url)
  return { session, page }
}

const choose = openWay

const press = (page: Page, name: string) =>
  page.locator('.way[open]').getByRole('button', { name, exact: true }).click()

/** Everybody can use the page, and it fits. */
async function check(page: Page, { width = 0 }: Visitor): Promise<void> {
  expect(await faultsOf(page)).toEqual([])
  expect(await widthOf(page)).toBeLessThanOrEqual(width)
}

describe.each(customers)('%s', (language, visitor, amount) => {
  const texts = checkout_texts[language]
  const hosted = hosted_texts[language]

  async function typeCard(page: Page, number = good_card): Promise<void> {
    await page.locator('#card_number').fill(number)
    await page.locator('#expiry').fill('12 / 30')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('TARO YAMADA')
  }

  /** The page looks the same after every payment: it is checked as a whole after some of them. */
  async function isDone(page: Page, session: { id: string }, checked?: 'checked'): Promise<void> {
    await page.getByRole('heading', { name: texts.done.heading }).waitFor()
    if (checked) await check(page, visitor)
    else expect(await widthOf(page)).toBeLessThanOrEqual(visitor.width)
    expect((await shop.read(session.id)).status).toBe('completed')
    await page.context().close()
  }

  test('a code that the customer shows is paid immediately', async () => {
    const { session, page } = await arrive(visitor, { payment_types: ['qr_scan'] })
    await choose(page, texts.qr_scan)
    await page.getByLabel(texts.fields.scanned_qr.label).fill('134567890123456789')
    await check(page, visitor)
    await press(page, texts.pay(amount))
    await isDone(page, session, 'checked')
  })

  test('a code that the customer scans: shown, paid in the wallet, and noticed', async () => {
    const { session, page } = await arrive(visitor, { payment_types: ['qr_merchant'] })
    const first = page.locator('.way').first()
    await first.locator('summary').click()
    await press(page, texts.show_code)
    await page.waitForURL('**/pay/**')
    await check(page, visitor)
    await page.getByRole('link', { name: hosted.qr.wallet }).click()
    await page.getByRole('button', { name: hosted.online.pay(amount), exact: true }).click()
    await isDone(page, session)
  })

  test('konbini: a number, paid at the till', async () => {
    const { session, page } = await arrive(visitor, { payment_types: ['konbini'] })
    await choose(page, texts.konbini)
    await chooseStore(page, 'seven_eleven')
    await page.getByLabel(texts.fields.customer_name.label).fill('山田太郎')
    await page.getByLabel(texts.fields.phone.label).fill('09012345678')
    await check(page, visitor)
    await press(page, texts.get_number)
    await page.waitForURL('**/pay/**')
    expect(await page.locator('body').innerText()).toContain(paymentName('seven_eleven', language))
    const { charge_id } = await shop.read(session.id)
    await shop.post(`/test/charges/${charge_id}/deposits`, { amount: 3000 })
    await here.chargeAfter(charge_id, 'awaiting', 'pending')
    await page.goto(session.url)
    await isDone(page, session, 'checked')
  })

  test('an online brand: left without paying, and paid with a card', async () => {
    const { session, page } = await arrive(visitor, { payment_types: ['online', 'card'] })
    const brand = paymentName('alipay_online', language)
    await choose(page, brand)
    await check(page, visitor)
    await press(page, texts.go_to(brand))
    await page.getByRole('button', { name: hosted.online.cancel, exact: true }).click()
    await page.locator('main[data-step="failed"]').waitFor()
    await check(page, visitor)
    await choose(page, texts.card)
    await typeCard(page)
    await press(page, texts.pay(amount))
    await isDone(page, session)
    expect(await shop.read(session.id)).toMatchObject({ attempts: 2, payment_type: 'card' })
  })

  test('Apple Pay is there on devices that have it, and nowhere else', async () => {
    const { session, page } = await arrive(visitor, { payment_types: ['apple_pay', 'card'] })
    const wallet = page.locator('[data-wallet="apple_pay"]')
    expect(await wallet.isVisible()).toBe(false)
    await page.addInitScript('window.ApplePaySession = { canMakePayments: () => true }')
    await page.reload()
    expect(await wallet.isVisible()).toBe(true)
    await choose(page, 'Apple Pay')
    await wallet.getByLabel(texts.fields.cardholder.label).fill('TARO YAMADA')
    await check(page, visitor)
    await press(page, texts.pay(amount))
    await isDone(page, session)
  })

  test('a stored card asks for its security code; a wrong one is reported', async () => {
    const customer = { email: 'taro@example.com', customer_id: crypto.randomUUID() }
    const stored = await arrive(visitor, { customer, token_type: 'recurring' })
    await choose(stored.page, texts.card)
    await typeCard(stored.page)
    await press(stored.page, texts.pay(amount))
    await isDone(stored.page, stored.session)

    here.world.clock.advance(minute_ms)
    const { session, page } = await arrive(visitor, { customer })
    await choose(page, '4242')
    await check(page, visitor)
    await page.locator('.way[open] [name="cvv"]').fill('12')
    await press(page, texts.pay(amount))
    expect(await page.locator('.way[open] .field .fault').innerText()).toBe(texts.fields.cvv.wrong)
    await page.locator('.way[open] [name="cvv"]').fill('123')
    await press(page, texts.pay(amount))
    await isDone(page, session)
  })

  test('a subscription says what is paid when, and begins', async () => {
    const { session, page } = await arrive(visitor, {
      customer: { email: `${language}@example.com` },
      token_type: 'subscription',
      subscription: { period: 'monthly' },
      payment_types: ['card'],
    })
    const { monthly = '' } = texts.periods
    expect(await page.locator('.summary').innerText()).toContain(
      texts.subscription(amount, monthly),
    )
    await typeCard(page)
    await check(page, visitor)
    await press(page, texts.subscribe(amount))
    await isDone(page, session, 'checked')
    expect((await shop.read(session.id)).subscription_id).not.toBeNull()

    const again = await arrive(visitor, {
      customer: { email: `${language}@example.com` },
      token_type: 'subscription',
      subscription: { period: 'monthly' },
      payment_types: ['card'],
    })
    await typeCard(again.page)
    await press(again.page, texts.subscribe(amount))
    await again.page.getByText(texts.faults.subscribed).waitFor()
    await again.page.context().close()
  })

  // The following tests check behaviour: one customer each.
  if (language === 'ja') {
    test('a slow network: the button says so, and a second press does nothing', async () => {
      const { session, page } = await arrive(visitor, { payment_types: ['card'] })
      await typeCard(page)
      let release = () => {}
      const held = new Promise<void>((go) => {
        release = go
      })
      await page.route('**/payments', async (route) => {
        await held
        await route.continue()
      })
      await press(page, texts.pay(amount))
      const button = page.locator('.way[open] button.main')
      expect(await button.innerText()).toBe(texts.busy)
      await button.click({ force: true })
      release()
      await isDone(page, session)
      expect((await shop.read(session.id)).attempts).toBe(1)
    })
    return
  }

  test('back from the shop the page shows what happened; it pays nothing twice', async () => {
    const success_url = `${here.shop.url}/thanks`
    const { session, page } = await arrive(visitor, { payment_types: ['card'], success_url })
    await typeCard(page)
    await press(page, texts.pay(amount))
    await page.waitForURL(`${here.shop.url}/**`)
    await page.goBack()
    await isDone(page, session)
    expect((await shop.read(session.id)).attempts).toBe(1)
  })
})

describe('one entry for each brand', () => {
  const both = { payment_types: ['card', 'online', 'qr_merchant', 'konbini', 'bank_transfer'] }
  const titles = (page: Page) => page.locator('.way:visible summary').allInnerTexts()
  const kindOf = async (page: Page) => {
    await openWay(page, 'PayPay')
    return page.locator('.way[open] [name="payment_type"]').getAttribute('value')
  }

  test('a desktop shows the QR code, a phone opens the app; the card form is open', async () => {
    const { page, session } = await arrive({ width: 1280, height: 800 }, both)
    const shown = (await titles(page)).map((title) => title.trim().split('\n').at(-1))
    expect(shown).toEqual([...new Set(shown)])
    expect(shown.filter((title) => title === 'Bank transfer')).toHaveLength(1)
    expect(await page.locator('#card_number').isVisible()).toBe(true)
    expect(await kindOf(page)).toBe('qr_merchant')
    await page.setExtraHTTPHeaders({ 'sec-ch-ua-mobile': '?1' })
    await page.goto(session.url)
    expect(await kindOf(page)).toBe('online')
    await page.context().close()
  })

  test('a code that a till scans is offered only where the shop names it', async () => {
    const { page } = await arrive({ width: 1280, height: 800 }, {})
    expect((await titles(page)).join(' ')).not.toContain(checkout_texts.en.qr_scan)
    await page.context().close()
  })

  test('a test card fills the form and the payment ends as its button says', async () => {
    const { page } = await arrive({ width: 390, height: 844 }, { payment_types: ['card'] })
    await page.locator('[data-card="4000000000009995"]').click()
    await press(page, checkout_texts.en.pay('¥3,000'))
    await page.getByText(checkout_texts.en.errors.insufficient_funds).waitFor()
    await page.context().close()
  })
})
