import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import {
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../../support/fleet/running-process.ts'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { launchBrowser, page_timeout_ms } from '../browser-world.ts'

// The path of docs/going-live.md with the program as an operator runs it: a merchant, a connector to the example
// acquirer, a rule, a live token, a checkout that a customer pays in a browser, a refund and a settlement.
const { en } = checkout_texts
const DATA_DIR = temporaryFolder()
const card_number = '4539990000001002'
let service: Running
let acquirer: ExampleAcquirer
let browser: Browser
let authorization: string
let merchant_id: string
let store_id: string

async function kaikei(...args: string[]): Promise<string> {
  const { code, output } = await runCommand(args, { DATA_DIR, LOG_LEVEL: 'silent' })
  expect(code, `${args.join(' ')}: ${output}`).toBe(0)
  return output
}

async function call(
  method: string,
  path: string,
  body?: object,
  auth = authorization,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
): Promise<any> {
  const headers = { authorization: auth, 'content-type': 'application/json' }
  const sent = body ? { body: JSON.stringify(body) } : {}
  const response = await fetch(service.url + path, { method, headers, ...sent })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return response.json()
}

beforeAll(async () => {
  ;[service, acquirer, browser] = await Promise.all([
    startProcess({ DATA_DIR }),
    startExampleAcquirer(),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await acquirer?.stop()
  await service?.stop()
  removeFolder(DATA_DIR)
})

test('the commands of the checklist give a store that takes live payments', async () => {
  const created = await kaikei(
    'merchants',
    'create',
    '--name',
    'Flowers',
    '--email',
    'a@shop.example',
  )
  merchant_id = JSON.parse(created).id
  await kaikei('merchants', 'verify', merchant_id)
  const file = join(DATA_DIR, 'tokyo.json')
  writeFileSync(file, JSON.stringify(acquirer.settings), { mode: 0o600 })
  await kaikei('connectors', 'add', 'tokyo', '--kind', 'http', '--settings', file)
  await kaikei('routes', 'set', '1', 'tokyo')
  const owner = JSON.parse(await kaikei('app-tokens', 'create', merchant_id))
  const store = await call(
    'POST',
    '/stores',
    { name: 'Flowers' },
    `Bearer ${owner.secret}.${owner.jwt}`,
  )
  store_id = store.id
  const options = ['--store', store_id, '--mode', 'live', '--domain', 'shop.example']
  const live = JSON.parse(await kaikei('app-tokens', 'create', merchant_id, ...options))
  authorization = `Bearer ${live.secret}.${live.jwt}`
})

const order = { amount: 12_800, currency: 'JPY', payment_types: ['card'] }

/** A customer's browser that collects what no page may cause. */
async function visit(url: string): Promise<{ page: Page; troubles: string[] }> {
  const context = await browser.newContext({ locale: 'en-US' })
  context.setDefaultTimeout(page_timeout_ms)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    const is_icon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !is_icon) troubles.push(message.text())
  })
  page.on('pageerror', (error) => void troubles.push(error.message))
  await page.goto(url)
  return { page, troubles }
}

async function payWithCard(page: Page): Promise<void> {
  const label = en.fields.card_number.label
  await page.getByLabel(label, { exact: true }).pressSequentially(card_number)
  await page.getByLabel(en.fields.expiry.label).pressSequentially('1230')
  await page.getByLabel(en.fields.cvv.label, { exact: true }).fill('123')
  await page.locator('#cardholder').fill('TARO YAMADA')
  await page.locator('.way[open] [name="email"]').fill('taro@example.com')
  await page
    .getByRole('button', { name: en.pay('¥12,800'), exact: true })
    .last()
    .click()
}

test('a customer pays on the checkout page after a challenge of the acquirer, in one box', async () => {
  const session = await call('POST', '/checkout_sessions', order)
  const { page, troubles } = await visit(session.url)
  await payWithCard(page)
  const bank = page.frameLocator('iframe.bank')
  const approve = bank.getByRole('button', { name: 'Approve' })
  // The acquirer's page opens by itself: nothing of ours stands before it.
  await approve.waitFor()
  const shown = (await page.locator('main').innerText()) + (await bank.locator('body').innerText())
  expect(shown.match(/12,?800/g)).toHaveLength(1)
  expect(await bank.getByRole('button').allInnerTexts()).toEqual(['Approve', 'Decline'])
  // The frame has no border of its own inside the box.
  const border = "getComputedStyle(document.querySelector('.bank')).borderTopWidth"
  expect(await page.evaluate(border)).toBe('0px')
  await approve.click()
  await page.getByRole('heading', { name: en.done.heading }).waitFor()
  expect(troubles).toEqual([])
  const paid = await call('GET', `/stores/${store_id}/checkout_sessions/${session.id}`)
  expect(paid).toMatchObject({ status: 'completed', mode: 'live' })
})

test('a customer who declines at the acquirer can try again', async () => {
  const session = await call('POST', '/checkout_sessions', order)
  const { page, troubles } = await visit(session.url)
  await payWithCard(page)
  await page.frameLocator('iframe.bank').getByRole('button', { name: 'Decline' }).click()
  await page.getByText(en.failed).waitFor()
  expect(troubles).toEqual([])
})

test('the payment is refunded, and both are found in the settlement', async () => {
  const { items } = await call('GET', '/charges?mode=live')
  const charge = items.find((one: { status: string }) => one.status === 'successful')
  const path = `/stores/${store_id}/charges/${charge.id}`
  const refund = await call('POST', `${path}/refunds`, { amount: 800, currency: 'JPY' })
  const ended = await call('GET', `${path}/refunds/${refund.id}?polling=true`)
  expect(ended.status).toBe('successful')
  const report = JSON.parse(await kaikei('reconcile', '--connector', 'tokyo', '--json'))
  expect(report).toMatchObject({ lines_read: 2, matched: 2 })
})
