import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  freePort,
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../../support/fleet/running-process.ts'
import { launchBrowser } from '../browser-world.ts'

// The example shops in PHP and Python, unchanged, beside a running service: a customer pays on their page.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const data_dir = temporaryFolder()
// The demo key: it works on this machine without settings.
const token_file = join(data_dir, 'credentials.json')
let service: Running
let browser: Browser
let shop: ChildProcess | undefined

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: data_dir })
  browser = await launchBrowser()
})
afterEach(() => void shop?.kill())
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  removeFolder(data_dir)
})

async function startShop(
  program: string,
  path: string,
): Promise<{ url: string; output(): string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = spawn(program, [join(root, 'examples', path)], {
    env: {
      ...process.env,
      PORT: String(port),
      KAIKEI_URL: service.url,
      KAIKEI_TOKEN: token_file,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  shop = started
  let output = ''
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  const responses = () =>
    fetch(url).then(
      ({ status }) => status,
      () => output,
    )
  await expect.poll(responses).toBe(200)
  return { url, output: () => output }
}

async function pay(page: Page, card_number: string): Promise<void> {
  const type = async (field: string, text: string) => {
    const input = page.frameLocator(`#${field} iframe`).locator('input')
    expect(await input.getAttribute('autocomplete')).toMatch(/^cc-/)
    await input.fill(text)
  }
  await type('card_number', card_number)
  await type('expiry', '12 / 30')
  await type('cvv', '123')
  await type('cardholder', 'TARO YAMADA')
  await page.getByRole('button', { name: 'Pay ¥1,200' }).click()
}

const shops = [
  ['php-shop/shop.php', 'php'],
  ['python-shop/shop.py', 'python3'],
] as const

for (const [path, program] of shops) {
  const is_missing = spawnSync(program, ['--version']).status !== 0
  const name = `${path}: a customer pays on the page, and the webhook marks the order paid`
  test.skipIf(is_missing)(is_missing ? `${name} (${program} is not installed)` : name, async () => {
    const { url, output } = await startShop(program, path)
    const page = await browser.newPage()
    const troubles: string[] = []
    page.on('pageerror', (error) => void troubles.push(error.message))
    const orders: string[] = []
    page.on('request', (request) => {
      const id = /\/orders\/([\w-]+)$/.exec(request.url())?.[1]
      if (id) orders.push(id)
      // The number of the card goes to the service only.
      const is_reported = request.url().startsWith(url) && /\d{16}/.test(request.postData() ?? '')
      if (is_reported) troubles.push(`the shop got the card: ${request.url()}`)
    })
    await page.goto(url)
    const result = page.getByRole('status')
    const expectText = (text: string) => expect.poll(() => result.textContent()).toBe(text)

    await pay(page, '4242424242424241')
    await expect.poll(() => result.textContent()).toContain('Check your card number')
    await pay(page, '4000000000000002')
    await expectText('The payment failed. Try another card.')
    await pay(page, '4242424242424242')
    await expectText('Paid. Thank you!')

    const order = await (await fetch(`${url}/orders/${orders.at(-1)}`)).json()
    expect(order).toMatchObject({ status: 'paid', amount: 1200 })
    const forged = { event: 'charge_finished', data: {} }
    const headers = { 'webhook-id': 'a', 'webhook-signature': 'v1,AAAA' }
    const timestamp = { 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
    for (const head of [{}, headers, { ...headers, ...timestamp }]) {
      const body = JSON.stringify(forged)
      const { status } = await fetch(`${url}/webhook`, { method: 'POST', headers: head, body })
      expect(status).toBe(401)
    }
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
    expect(troubles).toEqual([])
    await expect.poll(output).toContain(`order ${orders.at(-1)} is paid`)
    await page.close()
  })
}
