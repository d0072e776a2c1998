import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { browser_advice, findBrowser } from '../../scripts/programs/browser.mjs'
import { pageUrl } from '../../src/api/hosted-links.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { type Payments, payments } from '../support/payments.ts'
import { type ApiResponse, newWorld, type TestMerchant, type World } from '../support/world.ts'

type Body = ApiResponse['body']

/** A request that reached the shop. */
export interface ShopRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** The merchant's own web server, on other origins than ours. It records every request. */
export interface ShopServer {
  url: string
  /** The same server under another host name. */
  other_url: string
  requests: ShopRequest[]
  /** Its response to a path: a page, with status 200 where none is given, a picture, or a redirect. */
  responses: Map<
    string,
    | { html: string; status?: number; headers?: Record<string, string> }
    | { svg: string }
    | { location: string }
  >
  close(): Promise<void>
}

export interface Visitor {
  language?: 'ja-JP' | 'en-US'
  width?: number
  height?: number
  /** Device pixels per CSS pixel; phones have three. */
  scale?: number
  /** False: scripts are switched off. */
  javaScript?: boolean
  /** Headers of every request, as a hostile customer could send them. */
  headers?: Record<string, string>
}

export interface BrowserWorld {
  world: World
  merchant: TestMerchant
  pay: Payments
  shop: ShopServer
  /** The address of our service. */
  url: string
  /** Events that no page may cause: script errors, policy violations, dialogs, failed requests. */
  troubles: string[]
  /** Every URL that a page requested. */
  requested: { url: string; type: string }[]
  /** A customer's browser without any state. */
  visitor(options?: Visitor): Promise<Page>
  /** The content that a scanner reads from a picture on a page, as rendered. */
  scan(picture: Locator): Promise<string>
  /** A charge of the payment type that waits for its customer. */
  waiting(payment_type: string, data?: object, body?: object): Promise<WaitingCharge>
  /** A recurring card token that waits for its cardholder. */
  waitingToken(redirect_endpoint?: string, metadata?: object): Promise<WaitingToken>
  /** The charge, as soon as it has left the given states. */
  chargeAfter(id: string, ...states: string[]): Promise<Body>
  /** Does something that must change nothing: the whole database is compared afterwards. */
  unchanged(action: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

interface WaitingCharge {
  id: string
  token_id: string
  page: string
}

interface WaitingToken {
  id: string
  page: string
  form: { issuer_token: string; payload: Record<string, string> }
}

/** Host names of other machines resolve here, and nowhere else: a test that needs more fails. */
const browser_arguments = [
  '--no-sandbox',
  // As every browser with a user interface does: a frame of another site is another process.
  '--site-per-process',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error(browser_advice)
  return chromium.launch({ executablePath, args: browser_arguments })
}

export async function openShop(): Promise<ShopServer> {
  const requests: ShopRequest[] = []
  const responses: ShopServer['responses'] = new Map()
  const server = createServer((request, reply) => {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (url !== '/favicon.ico') requests.push({ method, url, headers, body })
      const known = responses.get(url.split('?')[0] ?? '')
      const response = known ?? { html: '<h1>The shop</h1>' }
      if ('location' in response) return reply.writeHead(302, { location: response.location }).end()
      if ('svg' in response) {
        return reply.writeHead(200, { 'content-type': 'image/svg+xml' }).end(response.svg)
      }
      const page = `<!doctype html><html lang="en"><title>Shop</title>${response.html}`
      const { status = 200, headers: more = {} } = response
      const type = { 'content-type': 'text/html; charset=utf-8' }
      return reply.writeHead(status, { ...type, ...more }).end(page)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://shop.example:${port}`,
    other_url: `http://stranger.example:${port}`,
    requests,
    responses,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Logs on the page's own console what the policy blocked; the console is collected. */
const report_violations = `
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  console.error('policy violated: ' + violatedDirective + ' ' + blockedURI + ' ' + sample)
})`

/** A 4xx response to a hosted page, or to a call of the console, is expected by the test. */
const refused_page = /^Failed to load resource: the server responded with a status of 4\d\d/

interface Picture {
  width: number
  height: number
  /** One byte per pixel, in base64. */
  grays: string
}

/** The browser can decode a picture; this runs on an empty page. */
function readPicture(png: string): string {
  return `(async () => {
    const file = await fetch('data:image/png;base64,${png}')
    const picture = await createImageBitmap(await file.blob())
    const { width, height } = picture
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    const { data } = canvas.getImageData(0, 0, width, height)
    let grays = ''
    for (let at = 0; at < data.length; at += 4) grays += String.fromCharCode(data[at])
    return { width, height, grays: btoa(grays) }
  })()`
}

/**
 * The service as a customer sees it: it listens, its worker runs, and a browser opens its pages. The
 * clock is the test's own. It advances a little with every request of the browser, as for a person, so
 * that no fast test meets the rate limits.
 */
/** Only what never comes takes so long, also on a machine that has other work to do. */
export const page_timeout_ms = 60_000

export async function newBrowserWorld(): Promise<BrowserWorld> {
  const [world, browser, shop] = await Promise.all([newWorld(), launchBrowser(), openShop()])
  const { url } = await world.listen()
  world.service.address.base_url = url
  let worker = startWorker(world.service)
  const merchant = await world.merchant()
  const troubles: string[] = []
  const requested: BrowserWorld['requested'] = []

  async function visitor(options: Visitor = {}): Promise<Page> {
    const { language = 'en-US', width = 1280, height = 800, scale = 1, headers } = options
    const context = await browser.newContext({
      locale: language,
      viewport: { width, height },
      deviceScaleFactor: scale,
      javaScriptEnabled: options.javaScript ?? true,
      ...(headers ? { extraHTTPHeaders: headers } : {}),
    })
    context.setDefaultTimeout(page_timeout_ms)
    await context.addInitScript(report_violations)
    const page = await context.newPage()
    page.on('request', (request) => {
      world.clock.advance(600)
      requested.push({ url: request.url(), type: request.resourceType() })
    })
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText
      // Pending loads and reloads of a page end when it is left.
      const is_left = reason === 'net::ERR_ABORTED' && request.url().startsWith(url)
      const is_file = request.url().startsWith(`${url}/assets/`)
      // A browser without scripts does not load those that a page would need soon.
      const is_unused = options.javaScript === false && is_file && reason === 'csp'
      if (!is_left && !is_unused) troubles.push(`failed: ${request.url()} ${reason}`)
    })
    page.on('pageerror', (error) => void troubles.push(`script error: ${error.message}`))
    page.on('console', (message) => {
      const at = message.location().url
      const may_refuse = ['/pay/', '/account/', '/console/api/', '/checkout/'].some((path) =>
        at.startsWith(url + path),
      )
      const is_page = refused_page.test(message.text()) && may_refuse
      const is_icon = at.endsWith('/favicon.ico')
      // The page of a mailed link does not name its user, which browsers would like to know.
      // For the developer of a shop whose page may not show a field.
      const is_refusal = message.text().startsWith('Kaikei: ')
      const is_advice = is_refusal || message.text().startsWith('[DOM] Password forms should have')
      if (!is_page && !is_icon && !is_advice) troubles.push(`console: ${message.text()} (${at})`)
    })
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  async function scan(picture: Locator): Promise<string> {
    const png = (await picture.screenshot()).toString('base64')
    const page = await browser.newPage()
    const { width, height, grays } = await page.evaluate<Picture>(readPicture(png))
    await page.close()
    const source = new RGBLuminanceSource(
      Uint8ClampedArray.from(Buffer.from(grays, 'base64')),
      width,
      height,
    )
    const bitmap = new BinaryBitmap(new HybridBinarizer(source))
    const hints = new Map([[DecodeHintType.PURE_BARCODE, true]])
    return new MultiFormatReader().decode(bitmap, hints).getText()
  }

  async function unchanged(action: () => Promise<void>): Promise<void> {
    // The worker checks waiting charges, which the action does not cause.
    await worker.stop()
    try {
      const before = await contentsOf(world)
      await action()
      expect(await contentsOf(world)).toEqual(before)
    } finally {
      worker = startWorker(world.service)
    }
  }

  const close = async () => {
    await browser.close()
    await worker.stop()
    await world.close()
    await shop.close()
  }
  const money = newMoney(world, merchant)
  return {
    world,
    merchant,
    shop,
    url,
    troubles,
    requested,
    visitor,
    scan,
    unchanged,
    close,
    ...money,
  }
}

type MoneyParts = 'pay' | 'waiting' | 'waitingToken' | 'chargeAfter'

/** The merchant's requests over HTTP; the worker of the world processes them. */
function newMoney(world: World, merchant: TestMerchant): Pick<BrowserWorld, MoneyParts> {
  const pay = payments(world, merchant)
  const auth = merchant.as_store

  /** Reads a resource, with polling, until it has left the given states. */
  async function readAfter(path: string, statusOf: (body: Body) => string, states: string[]) {
    for (;;) {
      world.clock.advance(1000)
      const { body } = await world.call('GET', path, { auth, query: { polling: 'true' } })
      if (!states.includes(statusOf(body))) return body
      await new Promise((next) => setTimeout(next, 20))
    }
  }

  const chargeAfter = (id: string, ...states: string[]) =>
    readAfter(pay.chargePath(id), ({ status }) => status, states)

  async function pageOf(table: 'charges' | 'transaction_tokens', id: string): Promise<string> {
    const { page_id } = await world.service.db
      .selectFrom(table)
      .select('page_id')
      .where('merchant_id', '=', merchant.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return pageUrl(world.service, { merchant_id: merchant.id, page_id: page_id ?? '' })
  }

  async function waiting(payment_type: string, data: object = {}, body: object = {}) {
    const of_card = payment_type === 'card'
    const token = of_card
      ? await pay.token({}, data)
      : await pay.post('/tokens', { payment_type, email: 'customer@example.com', data })
    expect(token.status, token.text).toBe(201)
    const asked = { transaction_token_id: token.body.id, amount: 1000, currency: 'JPY', ...body }
    const created = await pay.post('/charges', asked)
    expect(created.status, created.text).toBe(201)
    const charge = await chargeAfter(created.body.id, 'pending')
    expect(charge.status).toBe('awaiting')
    return { id: charge.id, token_id: token.body.id, page: await pageOf('charges', charge.id) }
  }

  async function waitingToken(redirect_endpoint?: string, metadata: object = {}) {
    const three_ds = { enabled: true, ...(redirect_endpoint ? { redirect_endpoint } : {}) }
    const card = { card_number: '4000000000003220', three_ds }
    const token = await pay.token({ type: 'recurring', metadata }, card)
    expect(token.status, token.text).toBe(201)
    const path = `/stores/${merchant.store_id}/tokens/${token.body.id}`
    await readAfter(path, ({ data }) => data.three_ds.status, ['pending'])
    const { body: form } = await pay.get(`${path}/three_ds/issuer_token`)
    return { id: token.body.id, form, page: await pageOf('transaction_tokens', token.body.id) }
  }

  return { pay, waiting, waitingToken, chargeAfter }
}

/** The content of the whole database, table by table; the request log writes by itself. */
async function contentsOf({ store }: World): Promise<Record<string, string>> {
  const tables = await store.pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name <> 'request_log' order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const text = "coalesce(string_agg(t::text, E'\\n' order by t::text), '')"
    const { rows } = await store.pool.query(`select ${text} as text from ${name} t`)
    contents[name] = rows[0].text
  }
  return contents
}
