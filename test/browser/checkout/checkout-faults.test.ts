import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paymentName } from '../../../src/methods/payment-names.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { chooseStore, openWay } from '../../support/pages/open-way.ts'
import { type BrowserWorld, newBrowserWorld, type Visitor } from '../browser-world.ts'
import { faultsOf } from '../page-faults.ts'

// The customer's view after a fault, and after going back.
let here: BrowserWorld
let shop: Checkouts
const { en } = checkout_texts
const phone: Visitor = { width: 390, height: 844 }

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

async function arrive(more: object = {}, visitor = phone) {
  const session = await shop.session({ amount: 3000, currency: 'JPY', ...more })
  const page = await here.visitor(visitor)
  await page.goto(session.url)
  return { session, page }
}

const choose = openWay
const press = (page: Page, name: string) =>
  page.locator('.way[open]').getByRole('button', { name, exact: true }).click()
const opened = (page: Page) => page.locator('.way[open] summary').innerText()
const isChoosing = (page: Page) =>
  page.locator('main[data-step="choose"], main[data-step="failed"]').waitFor()

async function typeCard(page: Page, number: string): Promise<void> {
  await page.locator('#card_number').fill(number)
  await page.locator('#expiry').fill('12 / 30')
  await page.locator('#card-cvv').fill('123')
  await page.locator('#cardholder').fill('TARO YAMADA')
  await page.locator('.way[open] [name="email"]').fill('taro@example.com')
}

/** The texts at the fields, by the name of the field. */
const faults = (page: Page) =>
  page
    .locator('.field .fault:visible')
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map(({ id, textContent }) => [id.replace(/-fault$/, ''), textContent]),
      ),
    )

describe('turning around', () => {
  test('the brand that was chosen stays open, not the first one of its kind', async () => {
    const { page, session } = await arrive({ payment_types: ['online', 'konbini'] })
    const name = paymentName('pay_pay_online', 'en')
    await choose(page, name)
    await press(page, en.go_to(name))
    await page.waitForURL('**/pay/**')
    await page.goto(session.url)
    await page.getByRole('button', { name: en.elsewhere.change }).click()
    await isChoosing(page)
    expect(await opened(page)).toContain(name)
    expect(await page.locator('.way[open] [name="brand"]').getAttribute('value')).toBe(
      'pay_pay_online',
    )
    await press(page, en.go_to(name))
    await page.getByRole('button', { name: hosted_texts.en.online.cancel, exact: true }).click()
    await page.locator('main[data-step="failed"]').waitFor()
    expect(await opened(page)).toContain(name)
    await page.context().close()
  })

  test('the stored card that was declined stays open', async () => {
    const customer = { email: 'taro@example.com', customer_id: crypto.randomUUID() }
    const metadata = { 'svc-customer-id': customer.customer_id }
    const stored = []
    for (const card_number of ['4242424242424242', '4000000000000002', '5555555555554444']) {
      stored.push(await shop.tokenId({ type: 'recurring', metadata }, { card_number }))
    }
    const { page } = await arrive({ customer })
    await choose(page, '0002')
    await page.locator('.way[open] [name="cvv"]').fill('123')
    await press(page, en.pay('¥3,000'))
    await page.getByText(en.errors.declined).waitFor()
    await page.reload()
    expect(await opened(page)).toContain('0002')
    await page.context().close()
  })

  test.each([true, false])(
    'a number for a store is given up only when confirmed (scripts: %s)',
    async (javaScript) => {
      const { page, session } = await arrive(
        { payment_types: ['konbini', 'card'] },
        { ...phone, javaScript },
      )
      await choose(page, en.konbini)
      await chooseStore(page, 'lawson')
      await page.locator('#customer_name').fill('山田太郎')
      await page.locator('#phone').fill('09012345678')
      await page.locator('.way[open] [name="email"]').fill('taro@example.com')
      await press(page, en.get_number)
      if (javaScript) await page.waitForURL('**/pay/**')
      await expect.poll(async () => (await shop.read(session.id)).status).toBe('processing')
      const { charge_id } = await shop.read(session.id)
      await here.chargeAfter(charge_id, 'pending')
      const statusOf = async () => (await shop.get(shop.chargePath(charge_id))).body.status
      await page.goto(session.url)
      const { give_up } = en.elsewhere
      const ask = () => page.getByRole('link', { name: en.elsewhere.change }).click()
      await ask()
      await page.getByRole('heading', { name: give_up.konbini.heading }).waitFor()
      const { instructions } = await shop.state(session.url)
      const digits = (await page.locator('.work').innerText()).replaceAll(/\D/g, '')
      expect(digits).toContain(instructions.payment_code)
      if (javaScript) expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: give_up.konbini.keep }).click()
      await page.getByRole('heading', { name: en.elsewhere.heading }).waitFor()
      expect(await statusOf()).toBe('awaiting')
      await ask()
      await page.getByRole('button', { name: give_up.konbini.confirm }).click()
      await expect.poll(statusOf).toBe('canceled')
      // The page is on its way back itself, which may interrupt this visit.
      const visit = () => page.goto(session.url).then(Boolean, () => false)
      await expect.poll(visit).toBe(true)
      await isChoosing(page)
      expect(await opened(page)).toContain(en.konbini)
      await page.context().close()
    },
  )
})

describe.each([true, false])('faults at their fields (scripts: %s)', (javaScript) => {
  const visitor = { ...phone, javaScript }

  /** Without scripts, the customer looks again until the payment has its result. */
  async function isFailed(page: Page, session: { id: string; url: string }): Promise<void> {
    if (!javaScript) {
      await expect.poll(async () => (await shop.read(session.id)).status).toBe('open')
      await expect
        .poll(async () => {
          here.world.clock.advance(1000)
          await page.goto(session.url)
          return page.locator('main').getAttribute('data-step')
        })
        .toBe('failed')
    }
    await page.getByText(en.failed).waitFor()
  }

  test.each([
    ['4000000000000127', 'card-cvv', 'wrong_cvv'],
    ['4000000000000069', 'expiry', 'card_expired'],
  ] as const)('a card that is declined with %s has its fault at %s', async (number, id, error) => {
    const { page, session } = await arrive({ payment_types: ['card', 'konbini'] }, visitor)
    await choose(page, en.card)
    await typeCard(page, number)
    await press(page, en.pay('¥3,000'))
    await isFailed(page, session)
    expect(await faults(page)).toEqual({ [id]: en.errors[error] })
    expect(await page.locator(`#${id}`).getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#expiry').inputValue()).toBe('12 / 30')
    expect(await page.locator('#cardholder').inputValue()).toBe('TARO YAMADA')
    expect(await page.locator('.way[open] [name="email"]').inputValue()).toBe('taro@example.com')
    expect(await page.locator('#card-cvv').inputValue()).toBe('')
    if (javaScript) {
      expect(await page.evaluate('document.activeElement.id')).toBe(id)
      expect(await faultsOf(page)).toEqual([])
    }
    await page.context().close()
  })

  test('the amount of a link stays as it was typed, with its fault below', async () => {
    const amount_choice = { min: 500, max: 10_000, suggested: 2500 }
    const body = { name: 'Donation', amount_choice, currency: 'USD', payment_types: ['card'] }
    const created = await shop.post('/payment_links', body)
    const page = await here.visitor(visitor)
    for (const typed of ['4.99', '1000', 'ten']) {
      await page.goto(created.body.url)
      await page.locator('#amount').fill(typed)
      await page.getByRole('button', { name: en.link.go }).click()
      await page.locator('#amount-fault:visible').waitFor()
      expect(await faults(page)).toEqual({ amount: en.fields.amount.wrong })
      expect(await page.locator('#amount').inputValue()).toBe(typed)
    }
    await page.locator('#amount').fill('7.50')
    await page.getByRole('button', { name: en.link.go }).click()
    await page.waitForURL('**/checkout/**')
    expect(await page.locator('.summary .amount').innerText()).toBe('$7.50')
    await page.context().close()
  })
})

describe('without scripts', () => {
  const visitor = { ...phone, javaScript: false }

  test('nothing that was typed is lost but the number and the code of a card', async () => {
    const { page, session } = await arrive({ payment_types: ['card', 'konbini'] }, visitor)
    await choose(page, en.card)
    await typeCard(page, '4242424242424241')
    await page.locator('#expiry').fill('13/99')
    await press(page, en.pay('¥3,000'))
    await page.locator('#card_number-fault').waitFor()
    expect(await faults(page)).toEqual({
      card_number: en.fields.card_number.wrong,
      expiry: en.fields.expiry.wrong,
    })
    expect(await page.locator('#card_number').inputValue()).toBe('')
    expect(await page.locator('#card-cvv').inputValue()).toBe('')
    expect(await page.locator('#expiry').inputValue()).toBe('13 / 99')
    expect(await page.locator('#cardholder').inputValue()).toBe('TARO YAMADA')
    expect(await page.locator('.way[open] [name="email"]').inputValue()).toBe('taro@example.com')
    expect(page.url()).not.toMatch(/TARO|taro|4242/)

    await page.locator('#card_number').fill('4242424242424242')
    await page.locator('#expiry').fill('3/30')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('')
    await press(page, en.pay('¥3,000'))
    await page.locator('#cardholder-fault').waitFor()
    expect(await faults(page)).toEqual({ cardholder: en.fields.cardholder.missing })
    await page.locator('#card_number').fill('4242424242424242')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('TARO YAMADA')
    await press(page, en.pay('¥3,000'))
    await expect.poll(async () => (await shop.read(session.id)).status).toBe('completed')
    await page.goto(session.url)
    const cookies = await page.context().cookies(session.url)
    expect(cookies.filter(({ name }) => name === 'kaikei_typed')).toEqual([])
    await page.context().close()
  })

  test('of a convenience store: chain, name, phone number and e-mail stay', async () => {
    const { page } = await arrive({ payment_types: ['card', 'konbini'] }, visitor)
    await choose(page, en.konbini)
    await chooseStore(page, 'lawson')
    await page.locator('#customer_name').fill('山田太郎')
    await page.locator('#phone').fill('090-1234')
    await page.locator('.way[open] [name="email"]').fill('taro@example.com')
    await press(page, en.get_number)
    await page.locator('#phone-fault').waitFor()
    expect(await faults(page)).toEqual({ phone: en.fields.phone.wrong })
    expect(await page.locator('[name="convenience_store"]:checked').getAttribute('value')).toBe(
      'lawson',
    )
    expect(await page.locator('#customer_name').inputValue()).toBe('山田太郎')
    expect(await page.locator('#phone').inputValue()).toBe('090-1234')
    expect(await page.locator('.way[open] [name="email"]').inputValue()).toBe('taro@example.com')
    await page.context().close()
  })
})
