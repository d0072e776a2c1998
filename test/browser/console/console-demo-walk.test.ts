import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDemoShop } from '../../../src/commerce/demo-shop/demo-shop.ts'
import { systemClock } from '../../../src/core/time/clock.ts'
import { start_of_time } from '../../support/world.ts'
import {
  type ConsoleWorld,
  goTo,
  isLoaded,
  isTooWide,
  newConsoleWorld,
  violationsOf,
} from './console-world.ts'

// Every screen with the half year of the demo shop, as a Japanese owner sees it.
let here: ConsoleWorld
let page: Page
let paths: string[]

beforeAll(async () => {
  here = await newConsoleWorld()
  here.world.clock.advance(systemClock.now() - start_of_time)
  const { merchant_id } = await createDemoShop(here.world.service)
  const users = here.world.service.db.selectFrom('users').selectAll()
  const owner = await users
    .where('merchant_id', '=', merchant_id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  await here.world.store.pool.query('update users set is_operator = true where id = $1', [owner.id])
  page = await here.enter(owner, '/home', { language: 'ja-JP' })
  paths = await pathsOf(page)
}, 300_000)
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

type Row = Record<string, string>

/** A record of each kind, from the lists of the API. */
async function pathsOf(from: Page): Promise<string[]> {
  const first = async (path: string): Promise<Row> => {
    const { items } = await from.evaluate<{ items: Row[] }>(`fetch('/console/api${path}', {
      headers: { 'x-kaikei-console': '1', 'x-kaikei-mode': 'test' } }).then((r) => r.json())`)
    expect(items.length, path).toBeGreaterThan(0)
    return items[0] ?? {}
  }
  const record = async (list: string, folder: string) => {
    const { store_id, id } = await first(list)
    return `/${folder}/${store_id}/${id}`
  }
  const refund = await first('/transaction_history?type=refund')
  const hook = await first('/webhooks?with_stores=true')
  return [
    ...['/home', '/home?period=quarter', '/payments', '/payments?status=failed'],
    ...['/payments?from=2026-01-01&to=2026-12-31'],
    await record('/charges?limit=10', 'payments'),
    await record('/charges?limit=10&status=failed', 'payments'),
    await record('/charges?limit=10&status=awaiting', 'payments'),
    `/payments/${refund.store_id}/${refund.charge_id}`,
    '/subscriptions',
    await record('/subscriptions', 'subscriptions'),
    ...['/checkout', '/checkout?tab=sessions', '/checkout?tab=appearance'],
    '/checkout?tab=protection',
    await record('/payment_links', 'checkout/links'),
    await record('/checkout_sessions', 'checkout/sessions'),
    '/customers',
    `/customers/${(await first('/customers')).id}`,
    ...['/deposits', '/disputes'],
    await record('/disputes', 'disputes'),
    ...['/ledger', '/ledger?tab=payouts', '/ledger?tab=balances', '/ledger?tab=entries'],
    '/ledger/payouts/next',
    `/ledger/payouts/${(await first('/transfers')).id}`,
    ...['webhooks', 'deliveries', 'events', 'requests', 'keys', 'scenarios'].map(
      (tab) => `/developers?tab=${tab}`,
    ),
    `/developers/webhooks/${hook.id}/${hook.store_id}`,
    '/time',
    ...['merchant', 'stores', 'users', 'security', 'audit', 'routing', 'bank'].map(
      (tab) => `/settings?tab=${tab}`,
    ),
    `/settings/stores/${(await first('/stores')).id}`,
    ...['health', 'merchants', 'payouts', 'connectors', 'routing', 'doctor'].map(
      (tab) => `/operator?tab=${tab}`,
    ),
  ]
}

/** Two English words in lower case beside each other; names and brands begin with capitals. */
const english = /\b[a-z]{3,} [a-z]{2,}\b/
/** An instant, a day or a duration as programs write it. */
const iso = /\b\d{4}-\d{2}-\d{2}|\bPT?\d+[YMWDHS]\b/
/** `createRefund`: the name of an operation. */
const operation =
  /\b(?:create|update|delete|list|get|start|cancel|capture|change|use|simulate)[A-Z]\w+/

/** Lines of a screen that a Japanese reader cannot read; texts for programs are in `code`. */
async function foreignIn(at: Page): Promise<string[]> {
  const text = await at.evaluate<string>(`(() => {
    const copy = document.querySelector('main').cloneNode(true)
    for (const one of copy.querySelectorAll('code, pre, .id-text, .webhook-url, iframe')) one.remove()
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode.data)
    return texts.join('\\n')
  })()`)
  return text
    .split('\n')
    .filter((line) => english.test(line) || iso.test(line) || operation.test(line))
}

test('the Japanese console has no English sentence, operation name or instant of a program', async () => {
  const found: string[] = []
  for (const path of paths) {
    await goTo(page, path)
    await isLoaded(page)
    found.push(...(await foreignIn(page)).map((text) => `${path}: ${text}`))
  }
  await goTo(page, '/operator?tab=doctor')
  await page.getByRole('button', { name: 'すべて検査する' }).click()
  await page.getByText('検査日時').waitFor()
  found.push(...(await foreignIn(page)).map((text) => `doctor: ${text}`))
  expect(found).toEqual([])
}, 300_000)

test('no screen of the demo shop has an accessibility fault or is wider than a phone', async () => {
  const faults: string[] = []
  for (const path of paths) {
    await goTo(page, path)
    await isLoaded(page)
    for (const one of await violationsOf(page, 'main')) faults.push(`${path}: ${one}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await isLoaded(page)
    if (await isTooWide(page)) faults.push(`${path}: too wide`)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  expect(faults).toEqual([])
}, 600_000)

test('each count on Home opens exactly the rows that it counted', async () => {
  await goTo(page, '/home')
  await isLoaded(page)
  const links = page.locator('.attention a')
  await links.first().waitFor()
  const counted = await page.evaluate<[string, number][]>(`
    [...document.querySelectorAll('.attention a')].map((one) =>
      [one.getAttribute('href'), Number(one.querySelector('strong').textContent)])`)
  expect(counted.length).toBeGreaterThan(2)
  for (const [href, count] of counted) {
    const path = href.replace('/console/test', '')
    // A single one is opened itself.
    if (!path.includes('?') || path.includes('tab=protection')) continue
    await goTo(page, path)
    await isLoaded(page)
    await expect.poll(() => page.locator('main tbody tr').count(), { message: path }).toBe(count)
  }
})

test('the days of the chart stand below their points, each once', async () => {
  await goTo(page, '/home')
  const labels = page.locator('.chart-axis span')
  await expect.poll(() => labels.count()).toBe(7)
  const texts = await labels.allTextContents()
  expect(new Set(texts).size).toBe(7)
})

test('the code of a currency is shown where currencies mix, and here they do not', async () => {
  const found: string[] = []
  for (const path of paths.filter((one) => !one.includes('routing') && !one.includes('bank'))) {
    await goTo(page, path)
    await isLoaded(page)
    if ((await page.locator('main .money-code').count()) > 0) found.push(path)
  }
  expect(found).toEqual([])
}, 200_000)
