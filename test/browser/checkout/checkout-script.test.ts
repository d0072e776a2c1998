import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { openWay } from '../../support/pages/open-way.ts'
import { good_card } from '../../support/payments.ts'
import { bundleModule } from '../../support/rules/bundle-module.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { faultsOf } from '../page-faults.ts'
import { newStrictShop, type StrictShop } from '../pages/strict-shop.ts'

// The checkout on a page of the shop, which is of another site and has a strict content policy.
let here: BrowserWorld
let shop: StrictShop
const { en, ja } = checkout_texts

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = await newStrictShop(here)
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
  here.shop.requests.length = 0
})
afterAll(() => here.close())

const order = () => ({
  amount: 12_800,
  success_url: `${here.shop.url}/thanks`,
  cancel_url: `${here.shop.url}/basket`,
  customer: { email: 'taro@example.com' },
})

/** Opens the overlay; its result is in `result` of the page as soon as there is one. */
const openOverlay = (page: Page, url: string) =>
  page.evaluate(`void Kaikei.checkout('${url}').open().then((ended) => { window.result = ended })`)
async function resultOf(page: Page): Promise<unknown> {
  await expect.poll(() => page.evaluate('window.result')).toBeDefined()
  return page.evaluate('window.result')
}
const reportedOn = (page: Page) => page.evaluate('window.told')

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe')
  const frame = await element.contentFrame()
  if (!frame) throw new Error('no frame')
  await frame.waitForSelector('html.framed')
  return frame
}

async function payIn(frame: Frame, texts = en, amount = '¥12,800', number = good_card) {
  await openWay(frame, texts.card)
  await frame.getByLabel(texts.fields.card_number.label, { exact: true }).fill(number)
  await frame.getByLabel(texts.fields.expiry.label).fill('12 / 30')
  await frame.getByLabel(texts.fields.cvv.label, { exact: true }).fill('123')
  await frame.locator('#cardholder').fill('TARO YAMADA')
  await frame.getByRole('button', { name: texts.pay(amount) }).click()
}

describe('overlay', () => {
  test('the customer pays over the page of the shop, and continues there', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('<button>Pay</button>')
    await page.getByRole('button', { name: 'Pay' }).focus()
    await openOverlay(page, session.url)
    const frame = await frameOf(page)
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate('document.activeElement.localName')).toBe('iframe')
    await payIn(frame)
    expect(await resultOf(page)).toEqual({ status: 'completed' })
    expect(await shop.read(session.id)).toMatchObject({ status: 'completed', attempts: 1 })
    await frame.waitForSelector('html.framed main[data-step="done"]')
    await frame.getByRole('link', { name: en.back }).click()
    await page.waitForURL(`${here.shop.url}/thanks`)
    await page.context().close()
  })

  test('Escape closes it from inside and outside, and the focus returns', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('<button>Pay</button>')
    await page.getByRole('button', { name: 'Pay' }).focus()
    await openOverlay(page, session.url)
    const frame = await frameOf(page)
    await frame.locator('summary').first().focus()
    await page.keyboard.press('Escape')
    expect(await resultOf(page)).toEqual({ status: 'closed' })
    expect(await page.locator('dialog, iframe').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay')

    await page.evaluate('delete window.result')
    await openOverlay(page, session.url)
    await frameOf(page)
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await resultOf(page)).toEqual({ status: 'closed' })
    await page.context().close()
  })

  test('a customer who cancels stays on the page of the shop', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('')
    await openOverlay(page, session.url)
    await (await frameOf(page)).getByRole('link', { name: en.leave }).click()
    expect(await resultOf(page)).toEqual({ status: 'canceled' })
    expect(page.url()).toBe(`${here.shop.url}/cart`)
    await page.context().close()
  })

  test('the bank of the cardholder is in the overlay too', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('')
    await openOverlay(page, session.url)
    const frame = await frameOf(page)
    await payIn(frame, en, '¥12,800', '4000000000003220')
    const bank = frame.frameLocator('iframe.bank')
    await bank.getByRole('button', { name: hosted_texts.en.three_ds.approve }).click()
    expect(await resultOf(page)).toEqual({ status: 'completed' })
    await page.context().close()
  })

  test("a step outside the shop's page begins with a click, on the whole page", async () => {
    const session = await shop.session({ ...order(), payment_types: ['online'] })
    const page = await shop.visit('')
    await openOverlay(page, session.url)
    const frame = await frameOf(page)
    await openWay(frame, 'Alipay')
    await frame.getByRole('button', { name: en.go_to('Alipay') }).click()
    const go = frame.getByRole('link', { name: en.elsewhere.go })
    await go.waitFor()
    await frame.getByRole('button', { name: en.elsewhere.change }).click()
    await frame.waitForSelector('html.framed main[data-step="choose"]')
    await frame.getByRole('button', { name: en.go_to('Alipay') }).click()
    await go.click()
    await page.waitForURL(`${here.url}/pay/**`)
    const pay = hosted_texts.en.online.pay('¥12,800')
    await page.getByRole('button', { name: pay, exact: true }).click()
    await page.getByRole('heading', { name: en.done.heading }).waitFor()
    await page.context().close()
  })

  test('as a redirect, and where a page is not in the domains, the customer is led to the page', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('')
    await page.evaluate(`void Kaikei.checkout('${session.url}').open({ as: 'redirect' })`)
    await page.waitForURL(session.url)
    await page.context().close()

    const stranger = await shop.visit('', { origin: here.shop.other_url })
    await openOverlay(stranger, session.url)
    await stranger.waitForURL(session.url)
    await stranger.context().close()
  })

  test('a session of another origin is refused', async () => {
    const page = await shop.visit('')
    for (const url of ['https://evil.example/checkout/x', 'javascript:alert(1)']) {
      const refused = page.evaluate(`Kaikei.checkout('${url}')`)
      await expect(refused, url).rejects.toThrow(`The session must be at ${here.url}.`)
    }
    await page.context().close()
  })
})

describe('inline', () => {
  const listen = `for (const type of ['ready', 'completed', 'canceled', 'refused']) {
    addEventListener('kaikei-' + type, (event) => {
      (window.told ??= []).push(type)
      if (type === 'canceled') event.preventDefault()
    })
  }`

  test('on a phone in Japanese: it is as high as its content, in either language', async () => {
    const session = await shop.session(order())
    const page = await shop.visit('', { language: 'ja-JP', width: 390, height: 844 })
    await page.evaluate(listen)
    await page.evaluate(`{
      const element = document.createElement('kaikei-checkout')
      element.setAttribute('session', '${session.url}')
      document.querySelector('main').append(element)
    }`)
    const frame = await frameOf(page)
    const hidden = () => frame.evaluate('Math.abs(innerHeight - document.body.offsetHeight)')
    for (let clicks = 0; clicks < 3; clicks += 1) {
      await expect.poll(hidden).toBeLessThan(2)
      await openWay(frame, ja.card)
    }
    await frame.locator('.languages summary').click()
    await frame.getByRole('link', { name: hosted_texts.en.language }).click()
    await frame.waitForSelector('html.framed[lang="en"]')
    await frame.locator('.languages summary').click()
    await frame.getByRole('link', { name: hosted_texts.ja.language }).click()
    await frame.waitForSelector('html.framed[lang="ja"]')
    expect(await page.context().cookies()).toEqual([])
    expect(await faultsOf(page)).toEqual([])
    await payIn(frame, ja, '12,800円')
    await expect.poll(() => reportedOn(page)).toContain('completed')
    await frame.waitForSelector('html.framed[lang="ja"] main[data-step="done"]')
    await page.context().close()
  })

  test('a cancel is reported to the shop; a page that is not allowed gets a link', async () => {
    const session = await shop.session(order())
    const element = `<kaikei-checkout session="${session.url}"></kaikei-checkout>`
    const page = await shop.visit(element)
    await page.evaluate(listen)
    await (await frameOf(page)).getByRole('link', { name: en.leave }).click()
    await expect.poll(() => reportedOn(page)).toContain('canceled')
    expect(page.url()).toBe(`${here.shop.url}/cart`)
    await page.context().close()

    const stranger = await shop.visit(element, { origin: here.shop.other_url })
    const link = stranger.getByRole('link', { name: 'Payment' })
    expect(await link.getAttribute('href')).toBe(session.url)
    here.troubles.length = 0
    await stranger.context().close()
  })
})

test('messages of other windows and origins are ignored', async () => {
  const [paid, other] = [await shop.session(order()), await shop.session(order())]
  here.shop.responses.set('/advert', { html: '<p>Advert</p>' })
  const page = await shop.visit(
    `<iframe title="Advert" src="${here.shop.other_url}/advert"></iframe>
<kaikei-checkout session="${other.url}"></kaikei-checkout>`,
  )
  await openOverlay(page, paid.url)
  const overlay = await page.waitForSelector('dialog iframe')
  const inside = await overlay.contentFrame()
  await inside?.waitForSelector('html.framed')
  const forge = "parent.postMessage({ kaikei: 'completed' }, '*')"
  await page.evaluate(forge)
  const frames = () => page.frames().filter((one) => one !== page.mainFrame() && one !== inside)
  await expect
    .poll(() => frames().map((one) => new URL(one.url()).origin))
    .toEqual(expect.arrayContaining([here.url, here.shop.other_url]))
  expect(frames()).toHaveLength(2)
  for (const frame of frames()) await frame.evaluate(forge)
  await page.evaluate('new Promise((next) => setTimeout(next, 300))')
  expect(await page.evaluate('window.result')).toBeUndefined()
  // The window is the right one, but it shows another origin.
  await inside?.goto(`${here.shop.other_url}/advert`)
  await inside?.evaluate(forge)
  await page.evaluate('new Promise((next) => setTimeout(next, 300))')
  expect(await page.evaluate('window.result')).toBeUndefined()
  await page.context().close()
})

test('the client loads the script', async () => {
  const code = JSON.stringify(await bundleModule('client/src/checkout.ts'))
  const page = await here.visitor()
  await page.goto(here.shop.url)
  const loaded = await page.evaluate(
    `import(URL.createObjectURL(new Blob([${code}], { type: 'text/javascript' })))
      .then(({ loadCheckout }) => Promise.all([loadCheckout('${here.url}'), loadCheckout('${here.url}')]))
      .then(([one, other]) => [one === other, one === Kaikei, document.scripts.length])`,
  )
  expect(loaded).toEqual([true, true, 1])
  await page.context().close()
})

test('only the page of a session may be framed, and only where the domains say so', async () => {
  const { url } = await shop.session(order())
  const { pathname } = new URL(url)
  const framed = async (path: string) => {
    const { headers } = await here.world.call('GET', path)
    const [, ancestor] =
      /frame-ancestors ([^;]*)/.exec(headers['content-security-policy'] ?? '') ?? []
    return [ancestor, headers['x-frame-options'] ?? null]
  }
  const asked = (origin: string) => framed(`${pathname}?parent=${encodeURIComponent(origin)}`)
  expect(await asked(here.shop.url)).toEqual([here.shop.url, null])
  expect(await asked('https://shop.example')).toEqual(['https://shop.example', null])
  const refused = ['https://evil.example', 'https://shop.example.evil', 'null', 'data:,', '*']
  for (const origin of [...refused, 'https://shop.example; frame-ancestors *', "'self'"]) {
    expect(await asked(origin), origin).toEqual(["'none'", 'DENY'])
  }
  expect(await framed(pathname)).toEqual(["'none'", 'DENY'])
  for (const path of [
    '/',
    '/docs',
    '/console',
    '/pay/x',
    '/checkout/x?parent=https://shop.example',
  ]) {
    expect(await framed(path), path).toEqual(["'none'", 'DENY'])
  }
})

test('the script is small, can be loaded from everywhere, and has a hash that can be pinned', async () => {
  const { text, headers } = await here.world.call('GET', '/checkout.js')
  expect(gzipSync(text).length).toBeLessThan(4000)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const again = { headers: { 'if-none-match': headers.etag ?? '' } }
  expect((await here.world.call('GET', '/checkout.js', again)).status).toBe(304)
  const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`
  here.shop.responses.set('/pinned', {
    html: `<script src="${here.url}/checkout.js" integrity="${integrity}" crossorigin></script>`,
  })
  const page = await here.visitor()
  await page.goto(`${here.shop.url}/pinned`)
  expect(await page.evaluate('Object.keys(Kaikei)')).toEqual(['checkout', 'fields'])
  await page.context().close()
})
