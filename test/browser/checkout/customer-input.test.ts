import type { Frame, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { chooseStore } from '../../support/pages/open-way.ts'
import { type BrowserWorld, newBrowserWorld, type Visitor } from '../browser-world.ts'
import { newStrictShop, type StrictShop } from '../pages/strict-shop.ts'

// Typing by customers, as keyboards, Japanese input methods, clipboards and browsers enter it.
let here: BrowserWorld
let shop: Checkouts
let strict: StrictShop
const { ja } = checkout_texts
const phone: Visitor = { language: 'ja-JP', width: 390, height: 844 }

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
  strict = await newStrictShop(here)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

const order = { amount: 3000, currency: 'JPY', customer: { email: 'taro@example.com' } }

async function arrive(more: object, visitor = phone) {
  const session = await shop.session({ ...order, ...more })
  const page = await here.visitor(visitor)
  await page.goto(session.url)
  return { session, page }
}

const press = (page: Page, name: string) =>
  page.locator('.way[open]').getByRole('button', { name, exact: true }).click()

const isDone = (page: Page) => page.getByRole('heading', { name: ja.done.heading }).waitFor()

/**
 * Types with an input method: the text is composed letter by letter, underlined, and then accepted. A frame of
 * another site has a session of its own.
 */
async function compose(page: Page, of: Page | Frame, input: Locator, text: string): Promise<void> {
  await input.focus()
  const session = await page.context().newCDPSession(of)
  for (let length = 1; length <= text.length; length += 1) {
    const part = text.slice(0, length)
    const at = { selectionStart: length, selectionEnd: length }
    await session.send('Input.imeSetComposition', { text: part, ...at })
  }
  await session.send('Input.insertText', { text })
  await session.detach()
}

const months = Array.from({ length: 12 }, (_, at) => at + 1)
const padded = (month: number) => String(month).padStart(2, '0')

/** Every way in which people write a month of 2030, and what the field must show for it. */
const expiries = months.flatMap((month) => {
  const typed = [
    `${month}/30`,
    `${padded(month)}/30`,
    `${padded(month)}30`,
    `${month}30`,
    `${month}/2030`,
    `${padded(month)} / 2030`,
    `${month}-30`,
  ]
  return [...new Set(typed)].map((text) => [text, `${padded(month)} / 30`] as const)
})
/** January without its zero and without a slash is known when the field is left. */
const of_january = [
  ['128', '01 / 28'],
  ['12030', '01 / 30'],
  ['3/28', '03 / 28'],
  ['12/8', '12 / 8'],
] as const

async function typeAll(input: Locator, other: Locator): Promise<string[]> {
  const wrong = []
  for (const [typed, shown] of [...expiries, ...of_january]) {
    await input.fill('')
    await input.pressSequentially(typed)
    await other.focus()
    const value = await input.inputValue()
    if (value !== shown) wrong.push(`${typed}: ${value}`)
  }
  return wrong
}

async function correctInTheMiddle(input: Locator): Promise<void> {
  await input.fill('')
  await input.pressSequentially('328')
  await input.press('Home')
  await input.press('ArrowRight')
  await input.press('ArrowRight')
  await input.press('Backspace')
  await input.pressSequentially('9')
  expect(await input.inputValue()).toBe('09 / 28')
  await input.press('Home')
  await input.press('Delete')
  await input.press('Delete')
  await input.pressSequentially('12')
  expect(await input.inputValue()).toBe('12 / 28')
  await input.press('End')
  await input.press('Backspace')
  await input.press('Backspace')
  await input.pressSequentially('31')
  expect(await input.inputValue()).toBe('12 / 31')
  // From the end to the beginning, one key for each character that was typed.
  for (let at = 0; at < 4; at += 1) await input.press('Backspace')
  expect(await input.inputValue()).toBe('')
  await input.pressSequentially('7/29')
  expect(await input.inputValue()).toBe('07 / 29')
}

/** Fills in the whole value, like a paste or the browser. */
async function enterAtOnce(page: Page, input: Locator): Promise<void> {
  for (const text of [
    '3/30',
    '03/30',
    '0330',
    '03 / 2030',
    '2030-03',
    '2030/03',
    '０３／３０',
    ' 03/30 ',
  ]) {
    await input.fill('')
    await input.focus()
    await page.keyboard.insertText(text)
    expect(await input.inputValue(), `pasted ${text}`).toBe('03 / 30')
    await input.evaluate((field, value) => {
      const element = field as unknown as { value: string; dispatchEvent(event: Event): void }
      element.value = value
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }, text)
    expect(await input.inputValue(), `filled with ${text}`).toBe('03 / 30')
  }
}

describe('the expiry of a card, on the page', () => {
  test('every month is understood with and without zero and slash', async () => {
    const { page } = await arrive({ payment_types: ['card'] })
    expect(await typeAll(page.locator('#expiry'), page.locator('#card_number'))).toEqual([])
    await page.context().close()
  })

  test('it can be corrected in the middle, and emptied', async () => {
    const { page } = await arrive({ payment_types: ['card'] })
    await correctInTheMiddle(page.locator('#expiry'))
    await page.context().close()
  })

  test('it can be pasted, and filled in by the browser', async () => {
    const { page } = await arrive({ payment_types: ['card'] })
    await enterAtOnce(page, page.locator('#expiry'))
    await page.context().close()
  })

  test('3/28 is charged as March 2028; a year more than 20 ahead is a fault at its field', async () => {
    const { session, page } = await arrive({ payment_types: ['card'] })
    await page.locator('#card_number').fill('4242424242424242')
    await page.locator('#card-cvv').fill('123')
    await page.locator('#cardholder').fill('TARO YAMADA')
    await page.locator('#expiry').pressSequentially('02/83')
    await press(page, ja.pay('3,000円'))
    expect(await page.locator('#expiry-fault').innerText()).toBe(ja.fields.expiry.wrong)
    expect((await shop.read(session.id)).attempts).toBe(0)
    await page.locator('#expiry').fill('')
    await page.locator('#expiry').pressSequentially('3/28')
    await press(page, ja.pay('3,000円'))
    await isDone(page)
    const { charge_id } = await shop.read(session.id)
    const { transaction_token_id } = (await shop.get(shop.chargePath(charge_id))).body
    const path = `/stores/${here.merchant.store_id}/tokens/${transaction_token_id}`
    const { card } = (await shop.get(path)).body.data
    expect(card).toMatchObject({ exp_month: 3, exp_year: 2028 })
    await page.context().close()
  })
})

const form = `<form action="/order"><label>Name <input id="first"></label>
<div id="card_number"></div><div id="expiry"></div><div id="cvv"></div><div id="cardholder"></div></form>`
const names = ['card_number', 'expiry', 'cvv', 'cardholder']

async function mount(): Promise<{ page: Page; frames: Record<string, Frame> }> {
  const page = await strict.visit(form)
  const fields = Object.fromEntries(names.map((name) => [name, `#${name}`]))
  const given = JSON.stringify({ app_token: strict.merchant.jwt, fields })
  await page.evaluate(`window.fields = Kaikei.fields(${given}); fields.ready`)
  const found = page
    .frames()
    .map((frame) => [new URL(frame.url()).pathname.split('/').at(-1), frame])
  return { page, frames: Object.fromEntries(found) }
}

function inputOf(frames: Record<string, Frame>, name: string): { frame: Frame; input: Locator } {
  const frame = frames[name]
  if (!frame) throw new Error(`no frame ${name}`)
  return { frame, input: frame.locator('input') }
}

describe('the expiry of a card, in a field of the shop', () => {
  test('is read as on the page', async () => {
    const { page, frames } = await mount()
    const { input } = inputOf(frames, 'expiry')
    expect(await typeAll(input, page.locator('#first'))).toEqual([])
    await correctInTheMiddle(input)
    await enterAtOnce(page, input)
    await page.context().close()
  })
})

describe('a Japanese input method', () => {
  test('a card: number, expiry and code are composed in full width, and charged', async () => {
    const { session, page } = await arrive({ payment_types: ['card'] })
    const typed = {
      '#card_number': ['４２４２　４２４２４２４２ー４２４２', '4242 4242 4242 4242'],
      '#expiry': ['３／３０', '03 / 30'],
      '#card-cvv': ['１２３', '123'],
    }
    for (const [name, [text = '', shown]] of Object.entries(typed)) {
      await compose(page, page, page.locator(name), text)
      expect(await page.locator(name).inputValue()).toBe(shown)
    }
    await page.locator('#cardholder').fill('山田太郎')
    await press(page, ja.pay('3,000円'))
    await isDone(page)
    expect((await shop.read(session.id)).status).toBe('completed')
    await page.context().close()
  })

  test('a card in fields of the shop becomes a token', async () => {
    const { page, frames } = await mount()
    const typed = {
      card_number: ['３７８２ー８２２４６３ー１０００５', '3782 822463 10005'],
      expiry: ['１２／３０', '12 / 30'],
      cvv: ['７３９１', '7391'],
      cardholder: ['山田太郎', '山田太郎'],
    }
    for (const [name, [text = '', shown]] of Object.entries(typed)) {
      const { frame, input } = inputOf(frames, name)
      await compose(page, frame, input, text)
      await expect.poll(() => input.inputValue()).toBe(shown)
    }
    const id = await page.evaluate<string>("fields.createToken({ email: 'taro@example.com' })")
    const token = await strict.get(`/stores/${strict.merchant.store_id}/tokens/${id}`)
    expect(token.body.data.card).toMatchObject({ last_four: '0005', exp_month: 12, exp_year: 2030 })
    await page.context().close()
  })

  test('a phone number for the convenience store', async () => {
    const { session, page } = await arrive({ payment_types: ['konbini'] })
    await chooseStore(page, 'lawson')
    await page.locator('#customer_name').fill('山田太郎')
    await compose(page, page, page.locator('#phone'), '０９０ー１２３４ー５６７８')
    await page.locator('#customer_name').focus()
    expect(await page.locator('#phone').inputValue()).toBe('090-1234-5678')
    await press(page, ja.get_number)
    await page.waitForURL('**/pay/**')
    expect((await shop.read(session.id)).status).toBe('processing')
    await page.context().close()
  })

  test('the number below the code of a wallet', async () => {
    const { page } = await arrive({ payment_types: ['qr_scan'] })
    await compose(
      page,
      page,
      page.locator('#scanned_qr'),
      '１３４５　６７８９　０１２３　４５６７　８９',
    )
    await press(page, ja.pay('3,000円'))
    await isDone(page)
    await page.context().close()
  })

  test('the amount of a link', async () => {
    const amount_choice = { min: 100, max: 10_000 }
    const link = await shop.post('/payment_links', { name: 'Tea', currency: 'JPY', amount_choice })
    const page = await here.visitor(phone)
    await page.goto(link.body.url)
    await compose(page, page, page.locator('#amount'), '１，２００')
    await page.getByRole('button', { name: ja.link.go }).click()
    await page.waitForURL('**/checkout/**')
    expect(await page.locator('.summary .amount').innerText()).toBe('1,200円')
    await page.context().close()
  })

  test('the amount of a transfer that a tester makes', async () => {
    const { page: address } = await here.waiting('bank_transfer', { brand: 'aozora_bank' })
    const page = await here.visitor(phone)
    await page.goto(address)
    await page.locator('#amount').fill('')
    await compose(page, page, page.locator('#amount'), '１，０００　')
    await page.getByRole('button', { name: hosted_texts.ja.bank_transfer.test_transfer }).click()
    await page.getByRole('heading', { name: hosted_texts.ja.end.paid.heading }).waitFor()
    await page.context().close()
  })

  test('without scripts, everything is read by the service', async () => {
    const { session, page } = await arrive(
      { payment_types: ['card'] },
      { ...phone, javaScript: false },
    )
    await page.locator('#card_number').fill('４２４２４２４２４２４２４２４２')
    await page.locator('#expiry').fill('３／３０')
    await page.locator('#card-cvv').fill('１２３')
    await page.locator('#cardholder').fill('山田太郎')
    await press(page, ja.pay('3,000円'))
    await page.waitForLoadState('networkidle')
    const { charge_id } = await shop.read(session.id)
    expect((await here.chargeAfter(charge_id, 'pending')).status).toBe('successful')
    await page.context().close()
  })
})
