import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/accounts/users/create-user.ts'
import { pageUrl, readPageKey } from '../../../src/api/hosted-links.ts'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { konbini_chains } from '../../../src/methods/konbini/konbini-facts.ts'
import { password_texts } from '../../../src/pages/account/password-texts.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { faultsOf, widthOf } from '../page-faults.ts'

// Every page as rendered: in both languages, on a phone and on a desktop, accessible; and pages on
// which nothing more can be done, however they are used.
let here: BrowserWorld
let page: Page
const { en, ja } = hosted_texts
const online = { brand: 'alipay_online', call_method: 'http_get' }

beforeAll(async () => {
  here = await newBrowserWorld()
  page = await here.visitor()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const heading = (of = page) => of.getByRole('heading', { level: 1 }).innerText()
const complete = (id: string, outcome: string) =>
  here.pay.post(`/test/charges/${id}/complete`, { outcome })

describe('a page on which nothing more can be done says so and changes nothing', () => {
  /** A page that was left open, from before the charge ended. */
  async function leftOpen() {
    const redirect = { endpoint: `${here.shop.url}/back` }
    const charge = await here.waiting('online', online, { redirect })
    await page.goto(charge.page)
    return charge
  }

  async function expectClosed(address: string, old: string, now: string): Promise<void> {
    await here.unchanged(async () => {
      await page.getByRole('button', { name: en.online.pay('¥1,000') }).click()
      await page.getByRole('heading', { name: old }).waitFor()
      for (const path of [address, `${address}/wallet`]) {
        await page.goto(path)
        expect(await heading()).toBe(now)
        expect(await page.locator('form').count()).toBe(0)
        for (const body of ['outcome=successful', 'outcome=failed']) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          const { status } = await here.world.call('POST', new URL(path).pathname, {
            body,
            headers,
          })
          expect(status).toBe(409)
        }
      }
    })
    expect(here.shop.requests).toEqual([])
  }

  test('used twice', async () => {
    const charge = await leftOpen()
    await complete(charge.id, 'successful')
    await here.chargeAfter(charge.id, 'awaiting')
    await expectClosed(charge.page, en.end.used.heading, en.end.paid.heading)
  })

  test('expired', async () => {
    const charge = await leftOpen()
    here.world.clock.advance(30 * minute_ms)
    const { error } = await here.chargeAfter(charge.id, 'awaiting')
    expect(error.code).toBe(327)
    await expectClosed(charge.page, en.end.expired.heading, en.end.expired.heading)
  })

  test('canceled', async () => {
    const charge = await leftOpen()
    await here.pay.post(`${here.pay.chargePath(charge.id)}/cancels`)
    expect(await here.chargeAfter(charge.id, 'awaiting')).toMatchObject({ status: 'canceled' })
    await expectClosed(charge.page, en.end.canceled.heading, en.end.canceled.heading)
  })

  test('unknown', async () => {
    const { page: address } = await leftOpen()
    const key = address.slice(`${here.url}/pay/`.length)
    const name = readPageKey(key)
    if (!name) throw new Error('The address of a page could not be read.')
    const stranger = await here.world.merchant()
    const keys = [
      pageUrl(here.world.service, { ...name, page_id: randomUUID() }),
      pageUrl(here.world.service, { ...name, merchant_id: stranger.id }),
      pageUrl(here.world.service, { merchant_id: name.page_id, page_id: name.merchant_id }),
      ...['nobody', randomBytes(32).toString('base64url'), key.slice(1), `${key}A`, 'A'.repeat(43)],
      ...[key.toLowerCase(), `${key}/`, `${key}/qr.svg`, `x/${key}`, '%F0%9F%8D%B5', "'or'1'='1"],
      ...['..%2f..%2fme', '<b>', '"', `${name.merchant_id}${name.page_id}`, name.page_id],
    ].map((text) => (text.startsWith('http') ? text : `${here.url}/pay/${text}`))
    const nothing = `${en.nobody.heading}\n\n${en.nobody.sentence}`
    await here.unchanged(async () => {
      for (const path of keys) {
        here.world.clock.advance(1000)
        const { status, text } = await here.world.call('GET', new URL(path).pathname)
        expect([path, status]).toEqual([path, 404])
        expect(text).toContain(`<h1>${en.nobody.heading}</h1>`)
      }
      for (const path of keys.filter((_, index) => index % 5 === 0)) {
        await page.goto(path)
        expect(await page.getByRole('main').innerText()).toBe(nothing)
      }
    })
  })

  test('texts that cannot be an address', async () => {
    await here.unchanged(async () => {
      const response = await page.goto(`${here.url}/pay/a%00b`)
      expect([response?.status(), await heading()]).toEqual([400, en.trouble.heading])
    })
  })

  test('asked for too often', async () => {
    const { page: address } = await leftOpen()
    const path = new URL(address).pathname
    await page.goto('about:blank')
    for (let count = 0; count < 10; count += 1) await here.world.call('GET', path)
    const { status, headers, text } = await here.world.call('GET', path)
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect(text).toContain(en.trouble.heading)
  })
})

describe('every page', () => {
  type Headings = [english: string, japanese: string]
  const pages = new Map<string, [address: string, headings: Headings]>()
  const phone_number = { country_code: '81', local_number: '9012345678' }
  const till = { customer_name: '山田 花子', convenience_store: 'seven_eleven', phone_number }
  const { seven_eleven, pay_easy } = konbini_chains

  async function ended(outcome: string): Promise<string> {
    const redirect = { endpoint: `${here.shop.url}/back` }
    const charge = await here.waiting('online', online, { redirect })
    await complete(charge.id, outcome)
    await here.chargeAfter(charge.id, 'awaiting')
    return charge.page
  }

  beforeAll(async () => {
    const add = (kind: string, address: string, headings: Headings) =>
      pages.set(kind, [address, headings])
    const waiting = async (...given: Parameters<BrowserWorld['waiting']>) =>
      (await here.waiting(...given)).page
    const of = (read: (texts: typeof en) => string): Headings => [read(en), read(ja)]
    const large = { amount: 999_999_999_999 }
    add(
      'online',
      await waiting('online', online, large),
      of((t) => t.online.heading('Alipay')),
    )
    const code = await waiting('qr_merchant', { brand: 'pay_pay_merchant' })
    add(
      'qr',
      code,
      of((t) => t.qr.heading('PayPay')),
    )
    add(
      'wallet',
      `${code}/wallet`,
      of((t) => t.online.heading('PayPay')),
    )
    add('till', await waiting('konbini', till, large), [
      en.konbini.heading.till(seven_eleven.en),
      ja.konbini.heading.till(seven_eleven.ja),
    ])
    const machine = { ...till, convenience_store: 'pay_easy' }
    add('machine', await waiting('konbini', machine), [
      en.konbini.heading.machine(pay_easy.en),
      ja.konbini.heading.machine(pay_easy.ja),
    ])
    for (const chain of [
      'family_mart',
      'lawson',
      'seico_mart',
      'daily_yamazaki',
      'sunkus',
    ] as const) {
      const { en: in_english, ja: in_japanese } = konbini_chains[chain]
      const address = await waiting('konbini', { ...till, convenience_store: chain })
      add(chain, `${address}?checked=1`, [
        en.konbini.heading.till(in_english),
        ja.konbini.heading.till(in_japanese),
      ])
    }
    const wrong = await here.waiting('bank_transfer', { brand: 'aozora_bank' })
    for (const amount of [800, 1200]) {
      await here.pay.post(`/test/charges/${wrong.id}/deposits`, { amount })
    }
    add(
      'wrong amounts',
      wrong.page,
      of((t) => t.bank_transfer.heading),
    )
    const transfer = await here.waiting('bank_transfer', {
      brand: 'aozora_bank',
      match_amount: 'maximum',
    })
    await here.pay.post(`/test/charges/${transfer.id}/deposits`, { amount: 400 })
    add(
      'transfer',
      transfer.page,
      of((t) => t.bank_transfer.heading),
    )
    const card = { card_number: '4000000000003220' }
    add(
      'challenge',
      await waiting('card', card),
      of((t) => t.three_ds.heading),
    )
    add(
      'card alone',
      (await here.waitingToken()).page,
      of((t) => t.three_ds.heading),
    )
    add(
      'paid',
      await ended('successful'),
      of((t) => t.end.paid.heading),
    )
    add(
      'declined',
      await ended('failed'),
      of((t) => t.end.declined.heading),
    )
    add(
      'expired',
      await ended('expired'),
      of((t) => t.end.expired.heading),
    )
    const owner = {
      merchant_id: here.merchant.id,
      name: 'Hanako',
      role: 'owner',
      lang: 'ja',
    } as const
    const { link } = await createUser(here.world.service, {
      ...owner,
      email: 'hanako@shop.example',
    })
    add('password', link, [password_texts.en.open.heading, password_texts.ja.open.heading])
    const gone = `${here.url}/account/password/gone`
    add('password link', gone, [password_texts.en.gone.heading, password_texts.ja.gone.heading])
    add(
      'nobody',
      `${here.url}/pay/nobody`,
      of((t) => t.nobody.heading),
    )
    add(
      'trouble',
      `${here.url}/pay/a%00b`,
      of((t) => t.trouble.heading),
    )
  })

  test.each([
    ['en-US', 'light', [390, 1280]],
    ['ja-JP', 'dark', [1280, 390]],
  ] as const)('%s, %s: fits and can be used by everybody', async (language, colors, widths) => {
    const visitor = await here.visitor({ language })
    const is_japanese = language === 'ja-JP'
    await visitor.emulateMedia({ colorScheme: colors })
    for (const [kind, [address, headings]] of pages) {
      await visitor.goto(address)
      expect([kind, await heading(visitor)]).toEqual([kind, headings[is_japanese ? 1 : 0]])
      expect(await visitor.locator('html').getAttribute('lang')).toBe(is_japanese ? 'ja' : 'en')
      for (const width of widths) {
        await visitor.setViewportSize({ width, height: 844 })
        expect([kind, width, await widthOf(visitor)]).toEqual([kind, width, width])
      }
      expect([kind, await faultsOf(visitor)]).toEqual([kind, []])
    }
  })

  test('a customer of another language reads English, and one of many the first we have', async () => {
    const [address] = pages.get('paid') ?? ['']
    const path = new URL(address).pathname
    const wanted = {
      'fr-FR,fr;q=0.9': en,
      'de,ja;q=0.8,en;q=0.5': ja,
      'ko-KR,ja;q=0.8': hosted_texts.ko,
      'en-GB,ja;q=0.9': en,
      '': en,
    }
    for (const [header, texts] of Object.entries(wanted)) {
      const response = await here.world.call('GET', path, {
        headers: { 'accept-language': header },
      })
      expect(response.text).toContain(`<h1>${texts.end.paid.heading}</h1>`)
    }
  })
})

test('a fault of a page is seen', async () => {
  here.shop.responses.set('/faulty', {
    html: '<h1>x</h1><button></button><p style="width:3000px">x',
  })
  await page.goto(`${here.shop.url}/faulty`)
  expect(await widthOf(page)).toBeGreaterThan(1280)
  expect(await faultsOf(page)).toContainEqual(expect.stringContaining('critical button-name'))
})
