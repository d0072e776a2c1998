import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { konbini_names } from '../../../src/methods/konbini/konbini-facts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { widthOf } from '../page-faults.ts'
import { newStrictShop, type StrictShop } from './strict-shop.ts'

// Pages on small phones, with the largest amounts and numbers.
let here: BrowserWorld
let shop: Checkouts
let strict: StrictShop
const { en, ja } = checkout_texts
const largest = 999_999_999_999

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
  strict = await newStrictShop(here)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

/** Numbers of ten digits or more, with commas or in groups, that begin on one line and end on another. */
const broken_numbers = `(() => {
  const tops = (node, from, to) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))
  }
  const broken = []
  const look = (text, lines) => {
    if (new Set(lines).size > 1) broken.push(text)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: text, index } of node.data.matchAll(/\\d(?:[\\d,.]*\\d)?/g)) {
      if (text.length > 3) look(text, tops(node, index, index + text.length))
    }
  }
  for (const number of document.querySelectorAll('.digits')) {
    const parts = [...number.querySelectorAll('span')]
    const digits = parts.map(({ textContent }) => textContent).join('')
    if (digits.length <= 13) look(digits, parts.flatMap((one) => [...one.getClientRects()].map(({ top }) => Math.round(top))))
  }
  return broken
})()`

async function check(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(broken_numbers), page.url()).toEqual([])
  expect(await widthOf(page), page.url()).toBeLessThanOrEqual(width)
  const ends = await page
    .locator('.whole')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(Math.max(0, ...ends), page.url()).toBeLessThanOrEqual(width - 16)
}

describe.each([
  [390, 'ja-JP', 'JPY'],
  [320, 'ja-JP', 'JPY'],
  [320, 'en-US', 'USD'],
  [360, 'ja-JP', 'USD'],
] as const)('%i px wide, %s, %s', (width, language, currency) => {
  const visitor = { width, height: 844, language }

  test('no number breaks on a checkout, a link, a receipt', async () => {
    const page = await here.visitor(visitor)
    const texts = language === 'ja-JP' ? ja : en
    const session = await shop.session({
      amount: largest,
      currency,
      line_items: [{ name: 'A'.repeat(60), quantity: 1, amount: largest }],
      customer: { email: 'taro@example.com' },
      payment_types: ['card'],
    })
    await page.goto(session.url)
    await check(page, width)
    await page.locator('#card_number').fill('4242424242424242')
    await page.locator('#expiry').fill('12 / 30')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('TARO YAMADA')
    await page.locator('.way[open] button.main').click()
    await page.getByRole('heading', { name: texts.done.heading }).waitFor()
    await check(page, width)
    const amount_choice = { min: 1, max: largest, suggested: largest }
    for (const amounts of [{ amount: largest }, { amount_choice }]) {
      const link = await shop.post('/payment_links', { name: 'Gift', currency, ...amounts })
      await page.goto(link.body.url)
      await check(page, width)
    }
    await page.context().close()
  })
})

describe.each([390, 320])('%i px wide', (width) => {
  const phone_number = { country_code: '81', local_number: '09012345678' }
  const at_store = { customer_name: '山田太郎', phone_number }
  const challenge = { card_number: '4000000000003220' }
  const waiting = [
    ...konbini_names.map(
      (chain) => ['konbini', { ...at_store, convenience_store: chain }] as const,
    ),
    ['bank_transfer', { brand: 'aozora_bank' }] as const,
    ['online', { brand: 'pay_pay_online', call_method: 'http_post' }] as const,
    ['qr_merchant', { brand: 'pay_pay_merchant' }] as const,
    ['card', challenge] as const,
  ]

  test('no number breaks on the pages of waiting payments', async () => {
    const page = await here.visitor({ width, height: 844, language: 'ja-JP' })
    for (const [payment_type, data] of waiting) {
      const { page: address } = await here.waiting(payment_type, data, { amount: largest })
      await page.goto(address)
      await check(page, width)
    }
    await page.context().close()
  })
})

test('a page that is not in the domains shows a message in the fields, and gets an event', async () => {
  const fields = { card_number: '#card_number', expiry: '#expiry' }
  const given = JSON.stringify({ app_token: strict.merchant.jwt, fields, locale: 'ja' })
  const places = '<div id="card_number"></div><div id="expiry"></div>'
  const page = await strict.visit(places, { origin: here.shop.other_url, width: 390 })
  const event = await page.evaluate<{ code: string; message: string }>(
    `new Promise((resolve) => {
      window.fields = Kaikei.fields(${given})
      fields.addEventListener('refused', ({ detail }) => resolve(detail))
    })`,
  )
  expect(event).toMatchObject({ code: 'INVALID_DOMAIN' })
  expect(event.message).toContain(here.shop.other_url)
  for (const name of Object.keys(fields)) {
    const frame = page.frameLocator(`#${name} iframe`)
    await frame.getByText(ja.refused).waitFor()
    const text = await frame.locator('p').boundingBox()
    const box = await page.locator(`#${name} iframe`).boundingBox()
    expect(text?.height).toBeGreaterThan(10)
    await expect
      .poll(async () => (await page.locator(`#${name} iframe`).boundingBox())?.height ?? 0)
      .toBeGreaterThanOrEqual(Math.floor(text?.height ?? 0))
    expect(box).not.toBeNull()
  }
  const code = await page.evaluate('fields.createToken({}).catch(({ code }) => code)')
  expect(code).toBe('INVALID_DOMAIN')
  await page.context().close()
})

test('a session on a page that is not in the domains becomes a link, and says why', async () => {
  const session = await strict.session()
  const page = await strict.visit('', { origin: here.shop.other_url })
  const event = await page.evaluate<{ code: string }>(
    `new Promise((resolve) => {
      addEventListener('kaikei-refused', ({ detail }) => resolve(detail))
      const element = document.createElement('kaikei-checkout')
      element.setAttribute('session', ${JSON.stringify(session.url)})
      document.querySelector('main').append(element)
    })`,
  )
  expect(event).toMatchObject({ code: 'INVALID_DOMAIN' })
  expect(await page.locator('kaikei-checkout a').getAttribute('href')).toBe(session.url)
  await page.context().close()
})

test('a payment that could not be processed does not send the customer to the bank', async () => {
  const session = await shop.session({
    customer: { email: 'taro@example.com' },
    payment_types: ['card'],
  })
  await shop.payByCard(session.url, { card_number: '4000000000000119' })
  await expect
    .poll(async () => {
      here.world.clock.advance(1000)
      return (await shop.state(session.url)).error
    })
    .toBe('technical')
  const page = await here.visitor({ width: 390, height: 844 })
  await page.goto(session.url)
  const reported = await page.getByRole('alert').first().innerText()
  expect(reported).toContain(en.errors.technical)
  expect(reported).not.toMatch(/bank/i)
  await page.context().close()
})

test('the page of a bank transfer has Japanese names in Japanese, and English ones in English', async () => {
  const { page: address } = await here.waiting('bank_transfer', { brand: 'aozora_bank' })
  const japanese = await here.visitor({ width: 390, height: 844, language: 'ja-JP' })
  await japanese.goto(address)
  const rows = await japanese.locator('.rows').innerText()
  for (const name of ['あおぞら銀行', 'テスト支店', 'カイケイテスト']) expect(rows).toContain(name)
  expect(rows).not.toMatch(/[A-Za-z]{2}/)
  const copied = await japanese.locator('.rows .copy').first().getAttribute('value')
  expect(copied).toBe('あおぞら銀行')
  await japanese.context().close()
  const english = await here.visitor({ width: 390, height: 844 })
  await english.goto(address)
  expect(await english.locator('.rows').innerText()).toContain('Aozora Bank')
  await english.context().close()
})

test('chains whose stores have closed are not offered on pages; the API keeps them', async () => {
  const session = await shop.session({ payment_types: ['konbini'] })
  const page = await here.visitor({ width: 390, height: 844, language: 'ja-JP' })
  await page.goto(session.url)
  const offered = await page
    .locator('[name="convenience_store"]')
    .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
  expect(offered.toSorted()).toEqual(
    konbini_names.filter((name) => !['circle_k', 'sunkus'].includes(name)).toSorted(),
  )
  const data = {
    customer_name: '山田太郎',
    convenience_store: 'circle_k',
    phone_number: { country_code: '81', local_number: '09012345678' },
  }
  const created = await shop.post('/tokens', {
    payment_type: 'konbini',
    email: 'taro@example.com',
    data,
  })
  expect(created.status, created.text).toBe(201)
  await page.context().close()
})
