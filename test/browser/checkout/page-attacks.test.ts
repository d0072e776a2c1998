import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pageUrl, readPageKey } from '../../../src/api/hosted-links.ts'
import { hosted_texts } from '../../../src/pages/hosted/texts/hosted-texts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'

// Attacks on the customer's pages: shops that write markup into names, other sites, customers who
// change their requests. Numbers are those of the list of attacks.
let here: BrowserWorld
let page: Page
const { en } = hosted_texts
const online = { brand: 'alipay_online', call_method: 'http_get' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

beforeAll(async () => {
  here = await newBrowserWorld()
  page = await here.visitor({ width: 390, height: 844 })
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
  here.shop.requests.length = 0
})
afterAll(() => here.close())

const back = () => ({ redirect: { endpoint: `${here.shop.url}/back?x=1` } })
const pathOf = (address: string) => new URL(address).pathname
const heading = () => page.getByRole('heading', { level: 1 }).innerText()

const payloads = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '<img src=x onerror=alert(1)>',
  '"><img src=//stranger.example/x onerror=alert(1)>',
  '" onmouseover="alert(1)" autofocus onfocus="alert(1)" x="',
  "' onfocus='alert(1)' autofocus='",
  '<svg onload=alert(1)>',
  '<svg><script href="data:,alert(1)"/></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<details open ontoggle=alert(1)>',
  '<a href="javascript:alert(1)" id=x>x</a>',
  '</title><script>alert(1)</script>',
  '</style><style>*{display:none}</style>',
  '<style>@import "//stranger.example/x.css";</style>',
  '<link rel=stylesheet href=//stranger.example/x.css>',
  '</main></body></html><script>alert(1)</script>',
  '<base href="//stranger.example/">',
  '<meta http-equiv="refresh" content="0;url=//stranger.example">',
  '<form action="//stranger.example"><button>Pay</button></form>',
  '<object data="javascript:alert(1)"></object>',
  '<!--',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#x3c;img src=x onerror=alert(1)&#x3e;',
  '{{constructor.constructor("alert(1)")()}}#{alert(1)}<%=alert(1)%>',
  `javascript:alert(1)//${'x'.repeat(200)}`,
]

/** Content that none of our pages has, whatever the names on it. */
const foreign = `[...document.querySelectorAll(
  'body script, script:not([src^="/assets/"]), iframe, object, embed, base, body link, meta[http-equiv], ' +
  'style, main img:not(.code *, .method *), a#x'
)].length + [...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())
  .filter((name) => name.startsWith('on') || name === 'autofocus' || name === 'style').length`

describe('markup in stored texts', () => {
  test('is text on every page, whichever way it came in', async () => {
    const phone_number = { country_code: '81', local_number: '9012345678' }
    const till = { convenience_store: 'lawson', phone_number }
    const addresses = {
      online: await here.waiting('online', online, back()),
      code: await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' }),
      transfer: await here.waiting('bank_transfer', {
        brand: 'aozora_bank',
        match_amount: 'disabled',
      }),
      challenge: await here.waiting('card', { card_number: '4000000000003220' }),
      paid: await here.waiting('online', online, back()),
    }
    await here.pay.post(`/test/charges/${addresses.paid.id}/complete`, { outcome: 'successful' })
    await here.chargeAfter(addresses.paid.id, 'awaiting')
    for (const [at, payload] of payloads.entries()) {
      await rename(payload)
      await overwrite(
        payload,
        Object.values(addresses).map(({ id }) => id),
      )
      const customer_name = payload
      const metadata = { [payload.slice(0, 100)]: payload }
      const konbini = await here.waiting('konbini', { ...till, customer_name }, { metadata })
      const deposit = { amount: 1, name: payload }
      await here.pay.post(`/test/charges/${addresses.transfer.id}/deposits`, deposit)
      // Every payload on two pages, and every page with some payloads: all combinations are in the
      // tests of the renderer.
      const others = Object.values(addresses).filter((_, index) => index === at % 5)
      for (const { page: address } of [konbini, ...others]) {
        await page.goto(address)
        expect([payload, await page.evaluate(foreign)]).toEqual([payload, 0])
        const read = await page.locator('main').innerText()
        expect(read.replaceAll(/\s/g, '')).toContain(payload.replaceAll(/\s/g, ''))
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      }
    }
    await rename('Shop')
  })

  async function rename(name: string): Promise<void> {
    const auth = here.merchant.as_merchant
    const path = `/stores/${here.merchant.store_id}`
    here.world.clock.advance(1000)
    const { status, text } = await here.world.call('PATCH', path, { auth, body: { name } })
    expect([status, text]).toEqual([200, expect.any(String)])
  }

  /** Texts that only a provider or a table of ours can write, as if one of them could be tricked. */
  async function overwrite(text: string, charges: string[]): Promise<void> {
    const names = ['bank_name', 'branch_name', 'account_holder_name', 'payment_code']
    const written = JSON.stringify(Object.fromEntries(names.map((name) => [name, text])))
    await here.world.store.pool.query(
      `update charges set brand = $1, instructions = instructions || $2::jsonb where id = any ($3)`,
      [text, written, charges],
    )
  }

  test('and the policy would stop it: nothing inline, no frames, no other place for forms', async () => {
    const { page: address } = await here.waiting('online', online, back())
    const policy = (await page.goto(address))?.headers()['content-security-policy'] ?? ''
    const directives = new Map(
      policy.split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(' ')
        return [name, sources.join(' ')]
      }),
    )
    expect(Object.fromEntries(directives)).toEqual({
      'default-src': "'none'",
      'style-src': "'self'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'img-src': "'self'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    })
    // The negative control: forbidden content is blocked, and the block is detected.
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'),
      { textContent: 'document.title = "it ran"' }))`)
    expect(await page.title()).not.toBe('it ran')
    await expect.poll(() => here.troubles).toContainEqual(expect.stringContaining('script-src'))
    here.troubles.length = 0
  })
})

/** Every header of a page except those that differ between responses. */
const header_inventory = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  vary: 'accept-language, cookie',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const changing =
  /^(connection|content-length|date|keep-alive|x-request-id|x-(remaining-)?requests-.*)$/

test('pages load our own files only and have the headers of the inventory', async () => {
  const code = await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' })
  const transfer = await here.waiting('bank_transfer', { brand: 'aozora_bank' })
  const pay = await here.waiting('online', online, back())
  here.requested.length = 0
  const nobody = `${here.url}/pay/nobody`
  for (const address of [code.page, `${code.page}/wallet`, transfer.page, pay.page, nobody]) {
    const response = await page.goto(address)
    const headers = Object.entries((await response?.allHeaders()) ?? {})
    expect(Object.fromEntries(headers.filter(([name]) => !changing.test(name)))).toEqual({
      ...header_inventory,
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
        "img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    })
    expect(await page.evaluate(foreign)).toBe(0)
  }
  const pages = here.requested.filter(({ type }) => type === 'document')
  expect(pages).toHaveLength(5)
  for (const { url, type } of here.requested) {
    const { origin, pathname } = new URL(url)
    const is_file = pathname.startsWith('/assets/') || pathname.endsWith('/qr.svg')
    expect([url, origin, type === 'document' || is_file]).toEqual([url, here.url, true])
  }
})

describe('a form of another site', () => {
  const stranger = (html: string) => {
    here.shop.responses.set('/attack', { html })
    return page.goto(`${here.shop.other_url}/attack`)
  }
  const trap = (address: string, more = '') =>
    `<form method="post" action="${address}" ${more}>
    <input name="outcome" value="successful"><input name="amount" value="1000"><button>Win</button></form>`
  const win = () => page.getByRole('button', { name: 'Win' }).click()

  test('chooses nothing, while the own form does', async () => {
    const charge = await here.waiting('online', online, back())
    const transfer = await here.waiting('bank_transfer', { brand: 'aozora_bank' })
    const token = await here.waitingToken(`${here.shop.url}/card`)
    await here.unchanged(async () => {
      const hidden = '<meta name="referrer" content="no-referrer">'
      for (const [address, more] of [
        [charge.page, ''],
        [transfer.page, ''],
        [token.page, hidden],
      ] as const) {
        await stranger(more + trap(address))
        const answered = page.waitForResponse(address)
        await win()
        expect((await answered).status()).toBe(403)
        await page.waitForURL(address)
      }
      await stranger(trap(charge.page, 'enctype="text/plain"'))
      await win()
      await page.getByRole('heading', { name: en.trouble.heading }).waitFor()
      await stranger(trap(charge.page).replace('post', 'get'))
      await win()
      await page.getByRole('heading', { name: en.online.heading('Alipay') }).waitFor()
    })
    await page.getByRole('button', { name: en.online.pay('¥1,000') }).click()
    await page.waitForURL(`${here.shop.url}/back?**`)
    expect(await here.chargeAfter(charge.id)).toMatchObject({ status: 'successful' })
  })

  test('nor does a request that says so itself', async () => {
    const { page: address } = await here.waiting('online', online)
    const lies: Record<string, string>[] = [
      { origin: here.shop.other_url },
      { origin: 'null' },
      { origin: `${here.url}.stranger.example` },
      { origin: `http://stranger.example/?${here.url}` },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: here.url },
    ]
    await here.unchanged(async () => {
      for (const headers of lies) {
        const given = { body: 'outcome=successful', headers: { ...form, ...headers } }
        const { status } = await here.world.call('POST', pathOf(address), given)
        expect([headers, status]).toEqual([headers, 403])
      }
    })
  })
})

test('a page cannot be framed', async () => {
  const { page: address } = await here.waiting('online', online, back())
  here.shop.responses.set('/frame', { html: `<iframe src="${address}" width="300"></iframe>` })
  await page.goto(`${here.shop.url}/frame`)
  await expect.poll(() => page.frames().map((frame) => frame.url())[1]).toMatch(/^chrome-error:/)
  expect(await page.frames()[1]?.locator('button').count()).toBe(0)
  const refusals = here.troubles.splice(0)
  expect(refusals.length).toBeGreaterThan(0)
  for (const text of refusals) expect(text).toMatch(/frame-ancestors|^failed: .*BLOCKED_BY/)
})

test('pages have names of 122 random bits, and unknown ones say nothing', async () => {
  const created = [
    await here.waiting('online', online),
    await here.waiting('online', online, back()),
    await here.waiting('card', { card_number: '4000000000003220' }),
    await here.waiting('bank_transfer', { brand: 'aozora_bank' }),
    await here.waitingToken(`${here.shop.url}/card`),
  ]
  const names = created.map(({ page: address }) => readPageKey(address.split('/').at(-1) ?? ''))
  for (const name of names) {
    expect(name?.page_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  }
  expect(new Set(names.map((name) => name?.page_id.slice(0, 8))).size).toBe(created.length)

  const known = here.merchant.id
  const unknown = [
    { merchant_id: known, page_id: randomUUID() },
    { merchant_id: known, page_id: created[0]?.id ?? '' },
    { merchant_id: known, page_id: known },
    { merchant_id: randomUUID(), page_id: randomUUID() },
  ]
  const reported = new Set<string>()
  for (const name of unknown) {
    const path = pathOf(pageUrl(here.world.service, name))
    for (const method of ['GET', 'POST']) {
      here.world.clock.advance(1000)
      const { status, headers, text } = await here.world.call(method, path)
      const kept = Object.entries(headers).filter(([header]) => !changing.test(header))
      reported.add(JSON.stringify([status, kept, text]))
    }
  }
  expect(reported.size).toBe(1)
})

describe('the return URL is the stored one', () => {
  const evil = 'http://stranger.example/'
  const names = ['redirect', 'redirect_url', 'return_url', 'url', 'next', 'endpoint', 'svcChargeId']
  const query = new URLSearchParams(
    names.map((name) => [name, evil] as [string, string]),
  ).toString()

  test('whatever the customer adds to the address', async () => {
    const charge = await here.waiting('online', online, back())
    await page.goto(`${charge.page}?${query}`)
    expect(await page.locator('form').getAttribute('action')).toBe(pathOf(charge.page))
    await page.getByRole('button', { name: en.online.pay('¥1,000') }).click()
    await page.waitForURL(`${here.shop.url}/**`)
    const ids = `svcChargeId=${charge.id}&svcTokenId=${charge.token_id}`
    expect(here.shop.requests.map(({ url }) => url)).toEqual([`/back?x=1&${ids}`])
    await page.goto(`${charge.page}?${query}`)
    expect(await heading()).toBe(en.end.paid.heading)
    const all_links = page.getByRole('main').getByRole('link')
    const links = await all_links.evaluateAll((all) => all.map(String))
    expect(links).toEqual([`${here.shop.url}/back?x=1&${ids}`])
  })

  const stranger = 'stranger.example'
  test.each<[string, Record<string, string>, string]>([
    ['fields of the form', {}, `&${query}`],
    ['a second outcome', {}, `&outcome=failed&redirect[endpoint]=${evil}`],
    ['the host', { host: stranger }, ''],
    ['a host with a line end', { host: `${stranger}%0d%0aLocation:%20${evil}` }, ''],
    ['a forwarded host', { 'x-forwarded-host': stranger, 'x-forwarded-proto': 'https' }, ''],
    ['the standard form of it', { forwarded: `host=${stranger};proto=https` }, ''],
    ['a host of some proxies', { 'x-host': stranger, 'x-forwarded-server': stranger }, ''],
    ['another address', { 'x-original-url': `/${stranger}`, 'x-rewrite-url': evil }, ''],
    ['a prefix', { 'x-forwarded-prefix': `//${stranger}`, 'x-forwarded-path': evil }, ''],
    ['where it came from', { referer: evil }, ''],
  ])('whatever the request says: %s', async (_, headers, fields) => {
    for (const accept of ['text/html', '*/*']) {
      const charge = await here.waiting('online', online, back())
      const given = { ...form, accept, ...headers }
      const seen = await here.world.call('GET', pathOf(charge.page), { headers: given })
      expect(seen.text).not.toContain(stranger)
      const body = `outcome=successful${fields}`
      const response = await here.world.call('POST', pathOf(charge.page), { body, headers: given })
      if (fields.includes('outcome')) {
        expect(response.status).toBe(200)
        continue
      }
      const ids = `svcChargeId=${charge.id}&svcTokenId=${charge.token_id}`
      const stored = `${here.shop.url}/back?x=1&${ids}`
      expect(`${response.text}${response.headers.location ?? ''}`).not.toContain(stranger)
      if (accept === '*/*') {
        expect([response.status, response.headers.location]).toEqual([303, stored])
      } else {
        expect(response.text).toContain(`content="0;url=${stored.replaceAll('&', '&amp;')}"`)
      }
    }
  })

  test('and codes lead to our own address', async () => {
    const charge = await here.waiting('qr_merchant', { brand: 'pay_pay_merchant' })
    const visitor = await here.visitor({ scale: 2, headers: { 'x-forwarded-host': stranger } })
    await visitor.goto(charge.page)
    expect(await here.scan(visitor.locator('.code img'))).toBe(`${charge.page}/wallet`)
  })
})
