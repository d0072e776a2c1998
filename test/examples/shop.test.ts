import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hosted_texts } from '../../src/pages/hosted/texts/hosted-texts.ts'
import { launchBrowser, page_timeout_ms } from '../browser/browser-world.ts'
import { faultsOf, widthOf } from '../browser/page-faults.ts'
import {
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { launchShop, type ShopProcess, startShop } from '../support/fleet/shop-process.ts'
import { checkout_words as checkout_texts } from '../support/pages/checkout-page-texts.ts'
import { chooseStore, openWay } from '../support/pages/open-way.ts'
import { cardTraces, filesBelow, tracesIn } from '../support/rules/card-traces.ts'
import { usedFolder } from '../support/setup/used-folder.ts'

// The demo shop beside a real service, with customers in a real browser. Every card that is accepted has a
// number and a security code that occur nowhere else; at the end they are searched everywhere.
const root = fileURLToPath(new URL('../..', import.meta.url))
const { words } = await import(join(root, 'examples/shop/words.mjs'))
const card = { number: '374590614829313', cvv: '7391' }
const declined = '4000000000000002'
const { en } = checkout_texts
const text = words.en
let data_dir: string
let service: Running
let browser: Browser
let shop: ShopProcess
const troubles: string[] = []
const seen_pages: string[] = []

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts/build-steps/build-package.mjs'), 'client'])
  data_dir = usedFolder()
  service = await startProcess({ DATA_DIR: data_dir, LOG_LEVEL: 'trace' })
  shop = await startShop(data_dir)
  browser = await launchBrowser()
})
afterEach(() => expect(troubles.splice(0)).toEqual([]))
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
  await service?.stop()
  removeFolder(data_dir)
})

const phone = { locale: 'ja-JP', viewport: { width: 390, height: 844 } }

/** A customer without any state. Errors of scripts, content policy and network are collected. */
async function newCustomer(options: BrowserContextOptions = { locale: 'en-US' }): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(page_timeout_ms)
  const page = await context.newPage()
  page.on('pageerror', (error) => void troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  return page
}

async function fillCart(page: Page, ...products: string[]): Promise<void> {
  for (const product of products) {
    await page.goto(shop.url)
    await page.locator(`button[value=${product}]`).click()
    await page.waitForURL('**/cart')
  }
}

/** No page of the shop has a barrier, is wider than the window, or knows a digit of the card. */
async function checkPage(page: Page): Promise<void> {
  expect(await faultsOf(page)).toEqual([])
  expect(await widthOf(page)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  seen_pages.push(await page.content())
}

async function typeCard(page: Page | FrameLocator, number: string): Promise<void> {
  const values = {
    card_number: number,
    expiry: '12 / 30',
    cvv: cvvOf(number),
    cardholder: 'TARO YAMADA',
    email: 'taro@example.com',
  }
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`.way[open] [name="${name}"]`).fill(value)
  }
}
const cvvOf = (number: string) => (number === card.number ? card.cvv : '123')

const chooseWay = openWay
const atShop = (page: Page, path: string) => page.waitForURL(`${shop.url}${path}`)
const orderOf = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''
const showsStatus = (page: Page, status: string) =>
  page.locator(`main[data-status=${status}]`).waitFor()
/** Every time that the shop has marked an order paid, with the source. */
const paidBy = (order_id: string) =>
  [...shop.output().matchAll(/^order (\S+) is paid \((\w+)\)$/gm)]
    .filter(([, id]) => id === order_id)
    .map(([, , source]) => source)

test('from the product to the order, on a phone in Japanese', async () => {
  const ja = words.ja
  const page = await newCustomer(phone)
  await page.goto(shop.url)
  await checkPage(page)
  await fillCart(page, 'sencha', 'kyusu', 'sencha')
  await checkPage(page)
  await page.getByRole('button', { name: ja.pay, exact: true }).click()
  await page.waitForURL(`${service.url}/checkout/**`)
  expect(await page.locator('main').innerText()).toContain('13,000円')
  await chooseWay(page, checkout_texts.ja.card)
  await typeCard(page, card.number)
  await page.getByRole('button', { name: checkout_texts.ja.pay('13,000円') }).click()
  await atShop(page, '/orders/*')
  await showsStatus(page, 'paid')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(ja.states.paid[0])
  expect(await page.locator('.count').innerText()).toBe('0')
  await checkPage(page)
  expect(paidBy(orderOf(page))).toHaveLength(1)
  await page.context().close()
})

test('over the page of the cart: a card is declined, another one pays', async () => {
  const page = await newCustomer()
  await fillCart(page, 'yunomi')
  await page.getByRole('button', { name: text.pay_here }).click()
  const overlay = page.frameLocator('dialog iframe')
  await chooseWay(overlay, en.card)
  await typeCard(overlay, declined)
  await overlay.getByRole('button', { name: en.pay('¥2,800') }).click()
  await overlay.getByText(en.failed).waitFor()
  await typeCard(overlay, card.number)
  await overlay.getByRole('button', { name: en.pay('¥2,800') }).click()
  await atShop(page, '/orders/*')
  await showsStatus(page, 'paid')
  await page.context().close()
})

test('a customer who closes the overlay, or cancels, has the cart as it was and the same order', async () => {
  const page = await newCustomer()
  await fillCart(page, 'yunomi')
  const session_urls: string[] = []
  for (let times = 0; times < 2; times += 1) {
    await page.getByRole('button', { name: text.pay, exact: true }).click()
    await page.waitForURL(`${service.url}/checkout/**`)
    session_urls.push(page.url())
    await page.getByRole('link', { name: en.leave }).click()
    await atShop(page, '/cart')
  }
  await page.getByRole('button', { name: text.pay_here }).click()
  await page.frameLocator('dialog iframe').locator('summary').first().waitFor()
  await page.locator('dialog > button').click()
  expect(await page.locator('.count').innerText()).toBe('1')
  expect(new Set(session_urls).size).toBe(1)

  // Another cart is another order, and what was offered before can no longer be paid.
  await page.getByLabel(text.quantity_of('White-slip teacup')).selectOption('2')
  await expect.poll(() => page.locator('.sum dd').innerText()).toBe('¥5,600')
  await page.getByRole('button', { name: text.pay, exact: true }).click()
  await page.waitForURL(`${service.url}/checkout/**`)
  expect(session_urls).not.toContain(page.url())
  await page.goto(session_urls[0] ?? '')
  await page.getByRole('heading', { name: en.canceled.heading }).waitFor()
  await page.context().close()
})

test('at a convenience store: the order waits until the webhook reports the payment, and its page shows it', async () => {
  const page = await newCustomer()
  await fillCart(page, 'kyusu')
  await page.getByRole('button', { name: text.pay, exact: true }).click()
  await chooseWay(page, en.konbini)
  await chooseStore(page, 'lawson')
  await page.getByLabel(en.fields.customer_name.label).fill('山田太郎')
  await page.getByLabel(en.fields.phone.label).fill('090-1234-5678')
  await page.locator('.way[open] [name="email"]').fill('taro@example.com')
  await page.getByRole('button', { name: en.get_number }).click()
  await page.waitForURL('**/pay/**')
  const order_page = await page.context().newPage()
  await order_page.goto(`${shop.url}/cart`)
  await checkPage(order_page)
  await order_page.getByRole('link', { name: text.see_order }).click()
  await showsStatus(order_page, 'waiting')
  await checkPage(order_page)
  const order_id = orderOf(order_page)
  expect(paidBy(order_id)).toEqual([])

  // While polling the page fails, only the webhook notifies the shop.
  const waiting = { json: { status: 'waiting' } }
  await order_page.route('**/status', (route) => route.fulfill(waiting))
  await page.getByRole('button', { name: hosted_texts.en.konbini.test_pay.till }).click()
  await expect.poll(() => paidBy(order_id)).toEqual(['webhook'])
  await order_page.unroute('**/status')
  await showsStatus(order_page, 'paid')
  await page.context().close()
})

test('gift cards by a payment link: paid once, and one code, however often the page is opened', async () => {
  const page = await newCustomer()
  await page.goto(shop.url)
  await page.getByRole('link', { name: text.gift_go }).click()
  await page.getByLabel(en.fields.amount.label).fill('3000')
  await page.getByRole('button', { name: en.link.go }).click()
  await page.waitForURL(`${service.url}/checkout/**`)
  await chooseWay(page, en.card)
  await typeCard(page, card.number)
  await page.getByRole('button', { name: en.pay('¥3,000') }).click()
  await atShop(page, '/orders/*')
  await showsStatus(page, 'paid')
  const code = await page.locator('.code').innerText()
  expect(code).toMatch(/[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4}$/)
  await checkPage(page)
  await page.reload()
  expect(await page.locator('.code').innerText()).toBe(code)
  expect(paidBy(orderOf(page))).toHaveLength(1)
  await page.context().close()
})

const fieldsOf = (page: Page) => (name: string) =>
  page.frameLocator(`#${name} iframe`).locator('input')

async function payByFields(page: Page, number: string): Promise<void> {
  const field = fieldsOf(page)
  await page.getByLabel(text.email).fill('taro@example.com')
  await field('card_number').fill(number)
  await field('expiry').fill('1230')
  await field('cvv').fill(cvvOf(number))
  await field('cardholder').fill('TARO YAMADA')
  await page.locator('#card button').click()
  await atShop(page, '/orders/*')
}

test("card fields in the shop's own form: declined, then paid; faults are shown beside the fields", async () => {
  const page = await newCustomer()
  await fillCart(page, 'sencha')
  await page.getByRole('link', { name: text.pay_card }).click()
  await page.getByLabel(text.email).fill('taro@example.com')
  await fieldsOf(page)('card_number').fill('4242')
  await page.locator('#card button').click()
  await page.getByText(en.fields.card_number.wrong).waitFor()
  await page.getByText(en.fields.cvv.missing).waitFor()
  await checkPage(page)
  await payByFields(page, declined)
  await showsStatus(page, 'failed')
  await checkPage(page)
  const order_id = orderOf(page)
  await page.getByRole('link', { name: text.retry }).click()
  await payByFields(page, card.number)
  await showsStatus(page, 'paid')
  expect(orderOf(page)).toBe(order_id)
  expect(paidBy(order_id)).toHaveLength(1)
  await page.context().close()
})

test('card fields with 3-D Secure: the customer confirms at the bank and comes back', async () => {
  const page = await newCustomer()
  await fillCart(page, 'sencha')
  await page.goto(`${shop.url}/card`)
  await payByFields(page, '4000000000003220')
  await showsStatus(page, 'waiting')
  await checkPage(page)
  await page.getByRole('button', { name: text.bank }).click()
  await page.getByRole('button', { name: hosted_texts.en.three_ds.approve }).click()
  await page.waitForURL(`${shop.url}/orders/**`)
  await showsStatus(page, 'paid')
  await page.context().close()
})

test('without scripts the order is paid on the page of the service', async () => {
  const page = await newCustomer({ locale: 'en-US', javaScriptEnabled: false })
  await fillCart(page, 'yunomi')
  expect(await page.getByRole('button', { name: text.pay_here }).isVisible()).toBe(false)
  await page.getByRole('button', { name: text.pay, exact: true }).click()
  await page.waitForURL(`${service.url}/checkout/**`)
  await page.context().close()
})

test('only the service can say that an order is paid, and once is enough', async () => {
  const page = await newCustomer()
  await fillCart(page, 'yunomi')
  const opened = page.waitForRequest(`${service.url}/checkout/**`)
  await page.getByRole('button', { name: text.pay, exact: true }).click()
  await opened
  const [session] = (await read('/checkout_sessions')).items
  // Arriving at the address of success is not a payment.
  await page.goto(session?.success_url ?? '')
  await showsStatus(page, 'open')

  const data = { ...session, status: 'completed' }
  const body = JSON.stringify({ event: 'checkout_completed', data })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const forged = { 'webhook-id': 'a', 'webhook-timestamp': timestamp }
  for (const headers of [{}, forged, { ...forged, 'webhook-signature': 'v1,AAAA' }]) {
    const response = await fetch(`${shop.url}/webhook`, { method: 'POST', headers, body })
    expect(response.status).toBe(401)
  }
  await page.reload()
  await showsStatus(page, 'open')

  const [delivery] = deliveries().filter((one) => one.body.includes('"checkout_completed"'))
  const { data: completed } = JSON.parse(delivery?.body ?? '')
  const again = await fetch(`${shop.url}/webhook`, { method: 'POST', ...delivery })
  expect(again.status).toBe(204)
  expect(paidBy(completed.metadata.order_id)).toHaveLength(1)
  expect((await fetch(`${shop.url}/orders/${completed.merchant_id}`)).status).toBe(404)
  await page.context().close()
})

/** The webhooks that the shop has received, as they were sent. */
function deliveries(): { headers: Record<string, string>; body: string }[] {
  const found = shop.traffic().matchAll(/POST \/webhook HTTP\/1\.1\r\n([\s\S]*?)\r\n\r\n(\{.*\})/g)
  return [...found].map(([, head = '', body = '']) => {
    const lines = head.split('\r\n').map((line) => line.split(/: (.*)/) as [string, string])
    return { headers: Object.fromEntries(lines.filter(([name]) => /^webhook-/i.test(name))), body }
  })
}

interface Read {
  store_id: string
  success_url: string
}

/** The service's messages to the shop. */
async function read(path: string): Promise<{ items: Read[] }> {
  const { secret, jwt } = JSON.parse(readFileSync(join(data_dir, 'demo-shop-token.json'), 'utf8'))
  const headers = { authorization: `Bearer ${secret}.${jwt}` }
  return (await fetch(`${service.url}${path}`, { headers })).json() as Promise<{ items: Read[] }>
}

test('every page has a policy without exceptions, and none leads elsewhere', async () => {
  for (const path of ['/', '/cart', '/card', '/nothing', '/shop.css']) {
    const { headers } = await fetch(`${shop.url}${path}`, { redirect: 'manual' })
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:(?!\/\/127)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const away = await fetch(`${shop.url}/.//evil.example?language=ja`, { redirect: 'manual' })
  expect(new URL(away.headers.get('location') ?? '', shop.url).origin).toBe(shop.url)
})

test('a shop that starts again finds what it has created', async () => {
  const [session] = (await read('/checkout_sessions')).items
  const counts = async () => [
    (await read(`/stores/${session?.store_id}/webhooks`)).items.length,
    (await read('/payment_links')).items.length,
  ]
  expect(await counts()).toEqual([1, 1])
  const again = launchShop({ DATA_DIR: data_dir, PORT: '0', SHOP_URL: shop.url })
  await again.ready
  again.child.kill()
  await again.ended
  expect(await counts()).toEqual([1, 1])
})

test('number and security code: 0 hits in the traffic, pages and memory of the shop, and in logs, database and keys of the service', async () => {
  const traces = cardTraces({ 'card number': card.number }, card.cvv)
  const memory = await shop.memory()
  expect(memory).toContain(/^order (\S+) is paid/m.exec(shop.output())?.[1])
  expect(shop.traffic()).toContain('transaction_token_id=')
  await service.stop()
  const files = filesBelow(data_dir)
  expect(files.some((path) => path.includes('/pg_wal/'))).toBe(true)
  expect(service.output()).toContain('/checkout/')
  const places: [name: string, content: string | Buffer][] = [
    ['traffic of the shop', shop.traffic()],
    ['memory of the shop', memory],
    ['output of the shop', shop.output()],
    ['log of the service', service.output()],
    ...seen_pages.map((content): [string, string] => ['a page of the shop', content]),
  ]
  const hits = places.flatMap(([name, content]) => tracesIn(traces, name, content))
  const in_files = files.flatMap((path) => tracesIn(traces, path, readFileSync(path)))
  expect([...hits, ...in_files]).toEqual([])
  // As a word, the code is nowhere in what the shop has sent and received.
  expect(shop.traffic()).not.toMatch(/(?<![\w.-]|length: )7391(?![\w.-])/i)
  const typed = `{"card_number":"${card.number}","cvv":"${card.cvv}"}`
  expect(tracesIn(traces, 'what was typed', typed)).toHaveLength(2)
})

test('without a service it says what to do', async () => {
  const stopped = launchShop({ DATA_DIR: data_dir, PORT: '0' })
  expect(await stopped.ended).toBe(1)
  expect(stopped.output()).toMatch(/does not answer at http.*\n.*npm start/)
  const empty = temporaryFolder()
  const missing = launchShop({ DATA_DIR: empty, PORT: '0' })
  expect(await missing.ended).toBe(1)
  expect(missing.output()).toMatch(/has not run yet.*\n.*npm start/)
  removeFolder(empty)
})
