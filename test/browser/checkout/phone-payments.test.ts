import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkout_words } from '../../support/pages/checkout-page-texts.ts'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import { openWay } from '../../support/pages/open-way.ts'
import { good_card } from '../../support/payments.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'

// Ten payments on a phone, each counted in taps: what a finger does, without the keys that are typed.
let here: BrowserWorld
let shop: Checkouts
const { en } = checkout_words
const phone = {
  width: 390,
  height: 844,
  scale: 3,
  headers: { 'sec-ch-ua-mobile': '?1' },
}

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = checkouts(here.world, here.merchant)
})
afterEach(() => expect(here.troubles.splice(0)).toEqual([]))
afterAll(() => here.close())

interface Hand {
  page: Page
  tap(selector: string): Promise<void>
  /** With the keyboard of the phone, into the field that has the focus. */
  type(text: string): Promise<void>
  pay(): Promise<void>
}

/** The card fields follow one another by themselves, up to the name. */
async function typeCard({ tap, type }: Hand, number: string): Promise<void> {
  await tap('#card_number')
  await type(number)
  await type('1230')
  await type('123')
  await type('TARO YAMADA')
}

const payBy = (number: string) => async (hand: Hand) => {
  await typeCard(hand, number)
  await hand.pay()
}

const choose = (title: string) => async (hand: Hand) => {
  await openWay(hand.page, title)
  await hand.tap('.way[open] button.main')
}

const declined = '4000000000000002'
const done = `h1:has-text("${en.done.heading}")`
const payments: Record<
  string,
  { do(hand: Hand): Promise<void>; ends: string; max_taps: number; opens?: true }
> = {
  'a card': { do: payBy(good_card), ends: done, max_taps: 2 },
  'a declined card': {
    do: payBy(declined),
    ends: `.notice:has-text("${en.errors.declined}")`,
    max_taps: 2,
  },
  'a declined card, then another': {
    do: async (hand) => {
      await typeCard(hand, declined)
      await hand.pay()
      await hand.page.locator('.notice').waitFor()
      await hand.page.locator('#card_number').fill('')
      await hand.tap('#card_number')
      await hand.type(good_card)
      await hand.tap('#card-cvv')
      await hand.type('123')
      await hand.pay()
    },
    ends: done,
    max_taps: 5,
  },
  'a mistyped card': {
    do: async (hand) => {
      await hand.tap('#card_number')
      await hand.type('4242424242424241')
      await hand.tap('#expiry')
    },
    ends: `.fault:has-text("${en.fields.card_number.wrong}")`,
    max_taps: 2,
  },
  '3-D Secure': {
    do: payBy('4000000000003220'),
    ends: 'iframe.bank',
    max_taps: 2,
  },
  PayPay: { do: choose('PayPay'), ends: 'h1:has-text("PayPay")', max_taps: 1, opens: true },
  'd Barai': { do: choose('d Barai'), ends: 'h1:has-text("d Barai")', max_taps: 1, opens: true },
  Alipay: { do: choose('Alipay'), ends: 'h1:has-text("Alipay")', max_taps: 1, opens: true },
  'a convenience store': {
    do: async (hand) => {
      await openWay(hand.page, en.konbini)
      await hand.tap('.brand:has([value="lawson"])')
      await hand.tap('#konbini-customer_name, #customer_name')
      await hand.type('Yamada Taro')
      await hand.tap('#konbini-phone, #phone')
      await hand.type('09012345678')
      await hand.tap('.way[open] button.main')
    },
    ends: 'h1:has-text("Lawson")',
    max_taps: 4,
    opens: true,
  },
  'a bank transfer': {
    do: choose(en.bank_transfer),
    ends: 'h1:has-text("bank transfer")',
    max_taps: 1,
    opens: true,
  },
}

test.each(Object.entries(payments))('%s', async (name, { do: act, ends, max_taps, opens }) => {
  const session = await shop.session({
    amount: 3800,
    currency: 'JPY',
    customer: { email: 'taro@example.com' },
  })
  const page = await here.visitor(phone)
  await page.goto(session.url)
  let taps = 0
  const tap = async (selector: string) => {
    taps += 1
    await page.locator(selector).first().click()
  }
  const type = (text: string) => page.keyboard.type(text)
  const started = performance.now()
  const hand: Hand = { page, tap, type, pay: () => tap('.way[open] button.main') }
  await act(hand)
  await page.locator(ends).first().waitFor()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  // Opening the tile of another payment method is a tap too.
  const all = taps + (opens ? 1 : 0)
  console.info(`${name}: ${all} taps, ${seconds} s`)
  expect(taps).toBeLessThanOrEqual(max_taps)
  await page.context().close()
})
