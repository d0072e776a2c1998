import { gzipSync } from 'node:zlib'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkout_words as checkout_texts } from '../../support/pages/checkout-page-texts.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { faultsOf } from '../page-faults.ts'
import { newStrictShop, type StrictShop } from '../pages/strict-shop.ts'

// Card fields in the form of a shop, whose page is of another site and has a strict content policy.
let here: BrowserWorld
let shop: StrictShop
const { en, ja } = checkout_texts
const card = { number: '378282246310005', cvv: '7391' }

beforeAll(async () => {
  here = await newBrowserWorld()
  shop = await newStrictShop(here)
})
afterEach(() => {
  here.shop.requests.length = 0
  here.requested.length = 0
  here.world.service.address.checkout_url = null
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const form = `<form action="/order">
<label>Name <input id="first"></label>
<div id="card_number"></div><div id="expiry"></div><div id="cvv"></div><div id="cardholder"></div>
<button id="last">Order</button></form>`
const names = ['card_number', 'expiry', 'cvv', 'cardholder'] as const

/** Everything that the page of the shop receives is recorded, pressed keys included. */
const listen = `window.heard = []
for (const type of ['keydown', 'keyup', 'keypress', 'input', 'beforeinput', 'change', 'paste']) {
  addEventListener(type, (event) => heard.push({ type, key: event.key, data: event.data }), true)
}
addEventListener('message', ({ data }) => heard.push(data), true)`

async function mount(page: Page, options: object = {}): Promise<Record<string, Frame>> {
  const fields = Object.fromEntries(names.map((name) => [name, `#${name}`]))
  const given = JSON.stringify({ app_token: shop.merchant.jwt, fields, ...options })
  await page.evaluate(listen)
  await page.evaluate(`{
    window.events = []
    window.fields = Kaikei.fields(${given})
    for (const type of ['ready', 'change', 'focus', 'blur']) {
      fields.addEventListener(type, ({ detail }) => events.push({ type, ...detail }))
    }
  }`)
  await page.evaluate('fields.ready')
  const found = names.map((name) => {
    const frame = page.frames().find((one) => new URL(one.url()).pathname.endsWith(`/${name}`))
    if (!frame) throw new Error(`no frame ${name}`)
    return [name, frame] as const
  })
  return Object.fromEntries(found)
}

const createToken = (page: Page, body: object = { email: 'taro@example.com' }) =>
  page.evaluate<{ id?: string; code?: string; errors?: unknown }>(
    `fields.createToken(${JSON.stringify(body)}).then((id) => ({ id }),
      ({ code, errors }) => ({ code, errors }))`,
  )

const isTokenCall = ({ url }: { url: string }) => url === `${here.url}/tokens`

interface Change {
  field: string
  empty: boolean
  complete: boolean
  error: string | null
  brand?: string | null
}
const lastChange = async (page: Page, field: string) => {
  const all = await page.evaluate<(Change & { type: string })[]>('events')
  return all.findLast((one) => one.type === 'change' && one.field === field)
}

/** A field that is full leads to the next one. The frames are other processes: each key waits for the focus. */
async function typeCard(page: Page): Promise<void> {
  const focused = "events.findLast(({ type }) => type === 'focus')?.field"
  await page.locator('#first').focus()
  const texts = [card.number, '1230', card.cvv, 'TARO YAMADA']
  await page.keyboard.press('Tab')
  for (const [at, text] of texts.entries()) {
    await expect.poll(() => page.evaluate(focused)).toBe(names[at])
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('last')
}

/**
 * Everything that scripts of the page can read: markup, messages, every property of window and of its
 * frames, timings, storage.
 */
const readAll = `(async () => {
  const seen = new Set()
  const texts = []
  const look = (value, depth) => {
    if (typeof value !== 'object' && typeof value !== 'function') return void texts.push(String(value))
    if (value === null || seen.has(value) || depth > 4) return
    seen.add(value)
    // Some properties of prototypes cannot be read: their promises are rejected at any time.
    if (value instanceof Promise) value.catch(() => {})
    let names = []
    try {
      for (let one = value; one; one = Object.getPrototypeOf(one)) {
        names.push(...Object.getOwnPropertyNames(one))
      }
    } catch {}
    for (const name of new Set([...names, 'kaikei_field', 'document', 'contentDocument', 'value'])) {
      try { look(value[name], depth + 1) } catch {}
    }
  }
  look(window, 0)
  for (let at = 0; at < frames.length; at += 1) look(frames[at], 0)
  for (const frame of document.querySelectorAll('iframe')) look(frame, 0)
  texts.push(document.documentElement.outerHTML, JSON.stringify(performance.getEntries()))
  texts.push(JSON.stringify(heard), JSON.stringify(events), document.cookie, String(getSelection()))
  texts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }))
  texts.push(JSON.stringify(await indexedDB.databases()))
  return texts.join('\\n')
})()`

/** Six digits of the number in a row, with or without spaces, or the security code as a word. */
function leaksIn(text: string): string[] {
  const joined = text.replaceAll(/(?<=\d) (?=\d)/g, '')
  const parts = Array.from({ length: card.number.length - 5 }, (_, at) =>
    card.number.slice(at, at + 6),
  )
  const found = parts.filter((part) => joined.includes(part))
  return /(?<![\w.-])7391(?![\w.-])/.test(text) ? [...found, card.cvv] : found
}

test('a card is typed with the keyboard, becomes a token and is charged; the shop reads no digit', async () => {
  const page = await shop.visit(form)
  const frames = await mount(page)
  await typeCard(page)
  expect(await frames.card_number?.locator('input').inputValue()).toBe('3782 822463 10005')
  expect(await frames.expiry?.locator('input').inputValue()).toBe('12 / 30')
  expect(await lastChange(page, 'card_number')).toMatchObject({
    complete: true,
    empty: false,
    error: null,
    brand: 'american_express',
  })
  const created = await createToken(page, { email: 'taro@example.com', metadata: { order: '1' } })
  expect(created).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  const { id } = created
  const token = await shop.get(`/stores/${shop.merchant.store_id}/tokens/${id}`)
  expect(token.body).toMatchObject({ email: 'taro@example.com', metadata: { order: '1' } })
  expect(token.body.data.card).toMatchObject({ last_four: '0005', cardholder: 'TARO YAMADA' })

  const read = await page.evaluate<string>(readAll)
  expect(read.length).toBeGreaterThan(10_000)
  expect(leaksIn(read)).toEqual([])
  expect(leaksIn(`${card.number} ${card.cvv}`)).toHaveLength(11)
  expect(leaksIn(JSON.stringify(here.shop.requests))).toEqual([])
  expect(leaksIn(here.world.log.join('\n'))).toEqual([])

  const body = { transaction_token_id: id, amount: 1000, currency: 'JPY' }
  const charge = await shop.post('/charges', body)
  expect(charge.status, charge.text).toBe(201)
  await expect
    .poll(async () => (await shop.get(shop.chargePath(charge.body.id))).body.status)
    .toBe('successful')
  await page.context().close()
})

test('faults are shown when a field loses focus, in the language of the shop, and nothing is sent', async () => {
  const page = await shop.visit(form)
  const frames = await mount(page, { locale: 'ja' })
  const number = frames.card_number?.locator('input')
  await number?.pressSequentially('4242')
  expect(await lastChange(page, 'card_number')).toMatchObject({ error: null, brand: 'visa' })
  // A shop that shows it while its button is pressed would move the button away.
  await page.locator('#first').hover()
  await page.mouse.down()
  await expect.poll(() => number?.getAttribute('aria-invalid')).toBe('true')
  expect(await lastChange(page, 'card_number')).toMatchObject({ error: null })
  await page.mouse.up()
  await expect
    .poll(async () => (await lastChange(page, 'card_number'))?.error)
    .toBe(ja.fields.card_number.wrong)
  expect(await number?.getAttribute('aria-invalid')).toBe('true')
  const { code, errors } = await createToken(page)
  expect(code).toBe('VALIDATION_ERROR')
  expect((errors as { field: string }[]).map(({ field }) => field)).toEqual(
    names.map((name) => `data.${name}`),
  )
  expect(await frames.card_number?.evaluate('document.activeElement.id')).toBe('card_number')
  expect(here.requested.filter(isTokenCall)).toEqual([])
  expect(await lastChange(page, 'cvv')).toMatchObject({ error: ja.fields.cvv.missing })
  await page.context().close()
})

test('a refusal of the service is shown at its field', async () => {
  const page = await shop.visit(form)
  const frames = await mount(page)
  const typed = { card_number: '5018000000000009', expiry: '12/30', cvv: '1234', cardholder: 'T' }
  for (const [name, text] of Object.entries(typed)) {
    await frames[name]?.locator('input').pressSequentially(text)
  }
  const { code, errors } = await createToken(page)
  expect([code, errors]).toEqual([
    'VALIDATION_ERROR',
    [{ field: 'data.cvv', reason: 'INVALID_CVV' }],
  ])
  await expect.poll(async () => (await lastChange(page, 'cvv'))?.error).toBe(en.fields.cvv.wrong)
  expect(await frames.cvv?.locator('input').getAttribute('aria-invalid')).toBe('true')
  expect(await frames.cvv?.evaluate('document.activeElement.id')).toBe('cvv')
  expect(here.troubles.splice(0).join()).toMatch(/status of 400/)
  await frames.cvv?.locator('input').fill('123')
  expect(await createToken(page)).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  await page.context().close()
})

test('fields have names, keyboards and attributes for autofill, and no barrier', async () => {
  const page = await shop.visit(form)
  const frames = await mount(page)
  expect(await faultsOf(page)).toEqual([])
  const titles = await page.locator('iframe').evaluateAll((all) => all.map((one) => one.title))
  expect(titles).toEqual(names.map((name) => en.fields[name].label))
  const attributes = []
  for (const name of names) {
    const frame = frames[name]
    if (!frame) continue
    const input = frame.getByLabel(en.fields[name].label)
    attributes.push([
      await input.getAttribute('autocomplete'),
      await input.getAttribute('inputmode'),
    ])
    expect(await page.locator(`#${name} iframe`).getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-forms',
    )
  }
  expect(attributes).toEqual([
    ['cc-number', 'numeric'],
    ['cc-exp', 'numeric'],
    ['cc-csc', 'numeric'],
    ['cc-name', null],
  ])
  await frames.cvv?.locator('input').press('Enter')
  await page.waitForURL('**/order**')
  await page.context().close()
})

test('the look is a closed list: what is not on it is named and has no effect', async () => {
  const page = await shop.visit(form)
  const style = {
    color: '#ff0000',
    font_size: 20,
    font_family: 'serif',
    padding: 8,
    background: 'url(https://evil.example/x)',
    font_weight: '400;color:blue',
    placeholder_color: 'red',
    constructor: 'x',
    position: 'fixed',
  }
  const frames = await mount(page, { style })
  const ready = await page.evaluate<{ ignored: string[] }[]>(
    "events.filter(({ type }) => type === 'ready')",
  )
  expect(ready[0]?.ignored).toEqual([
    'background',
    'font_weight',
    'placeholder_color',
    'constructor',
    'position',
  ])
  const look = await frames.card_number?.evaluate(`{
    const { color, fontSize, padding, backgroundImage } = getComputedStyle(document.querySelector('input'));
    [color, fontSize, padding, backgroundImage]
  }`)
  expect(look).toEqual(['rgb(255, 0, 0)', '20px', '8px', 'none'])
  expect(await page.evaluate("document.querySelector('iframe').offsetHeight")).toBe(46)
  await page.context().close()
})

test('a page that is not in the domains gets no fields', async () => {
  const page = await shop.visit(form, { origin: here.shop.other_url })
  const refused = await page.evaluate(
    `Kaikei.fields({ app_token: '${shop.merchant.jwt}', fields: { card_number: '#card_number' } })
      .createToken({}).catch(({ code }) => code)`,
  )
  expect(refused).toBe('INVALID_DOMAIN')
  await page.context().close()

  const path = '/checkout/fields/cvv'
  const asked = async (parent: string, app_token = shop.merchant.jwt) => {
    const { status, body } = await here.world.call('GET', path, { query: { app_token, parent } })
    return [status, body?.code]
  }
  expect(await asked('https://shop.example')).toEqual([200, undefined])
  expect(await asked('https://evil.example')).toEqual([401, 'INVALID_DOMAIN'])
  expect(await asked('null')).toEqual([401, 'INVALID_DOMAIN'])
  expect(await asked('https://shop.example', 'a.b.c')).toEqual([401, 'INVALID_APP_TOKEN'])
  const live = await here.world.merchant({
    mode: 'live',
    verified: true,
    domains: ['shop.example'],
  })
  expect(await asked('https://shop.example', live.jwt)).toEqual([200, undefined])
  expect(await asked('http://shop.example', live.jwt)).toEqual([401, 'INVALID_DOMAIN'])
})

test('tokens are created for pages of the domains only', async () => {
  const body = {
    payment_type: 'card',
    email: 'taro@example.com',
    data: {
      cardholder: 'T',
      card_number: card.number,
      exp_month: 12,
      exp_year: 2030,
      cvv: card.cvv,
    },
  }
  const call = async (origin: string, parent?: string) => {
    here.world.clock.advance(1000)
    const headers = { origin, ...(parent ? { 'x-checkout-parent': parent } : {}) }
    const auth = `Bearer ${shop.merchant.jwt}`
    return (await here.world.call('POST', '/tokens', { auth, body, headers })).status
  }
  expect(await call(here.url, 'http://shop.example')).toBe(201)
  expect(await call(here.url, 'http://evil.example')).toBe(401)
  expect(await call(here.url)).toBe(401)
  expect(await call('http://evil.example', 'http://shop.example')).toBe(401)
})

test('fields hear the page around them only', async () => {
  here.shop.responses.set('/advert', { html: '<p>Advert</p>' })
  const advert = `<iframe id="advert" title="Advert" src="${here.shop.other_url}/advert"></iframe>`
  const page = await shop.visit(form + advert)
  const frames = await mount(page)
  await typeCard(page)
  const stranger = page.frames().find((one) => one.url().endsWith('/advert'))
  const call = "{ kaikei: 'create_token', id: 1, body: { email: 'evil@example.com' } }, '*'"
  await stranger?.evaluate(`{
    window.heard = []
    addEventListener('message', ({ data }) => heard.push(data))
    for (let at = 0; at < parent.length; at += 1) parent[at].postMessage(${call})
  }`)
  await frames.cvv?.evaluate(`for (let at = 0; at < 4; at += 1) parent[at].postMessage(${call})`)
  // A message about a token counts only when it comes from the requested field.
  await stranger?.evaluate(
    "parent.postMessage({ kaikei: 'token', id: 1, token_id: 'forged' }, '*')",
  )
  expect(await createToken(page)).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  expect(here.requested.filter(isTokenCall)).toHaveLength(1)
  // Its own call also reached itself.
  const heard = await stranger?.evaluate<{ kaikei: string }[]>('heard')
  expect(heard?.filter(({ kaikei }) => kaikei !== 'create_token')).toEqual([])
  await page.context().close()
})

test('with an origin of their own, fields and sessions are there', async () => {
  const { address } = here.world.service
  const home = `http://pages.localhost:${new URL(here.url).port}`
  address.checkout_url = home
  const own = await newStrictShop(here, home)
  const session = await own.session()
  expect(session.url.startsWith(`${home}/checkout/`)).toBe(true)
  const content = `${form}<kaikei-checkout session="${session.url}"></kaikei-checkout>`
  const page = await own.visit(content)
  await mount(page, { app_token: own.merchant.jwt })
  await typeCard(page)
  expect(await createToken(page)).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  await page.frameLocator('kaikei-checkout iframe').locator('html.framed').waitFor()
  const origins = here.requested.map(({ url }) => new URL(url).origin)
  expect(new Set(origins)).toEqual(new Set([home, here.shop.url]))
  await page.context().close()
})

test('a field with all that it loads is small', async () => {
  const sizes = new Map<string, number>()
  const page = await here.visitor()
  page.on('response', async (response) => {
    sizes.set(response.url(), gzipSync(await response.body()).length)
  })
  const query = new URLSearchParams({ app_token: shop.merchant.jwt, parent: here.shop.url })
  await page.goto(`${here.url}/checkout/fields/card_number?${query}`)
  await page.waitForLoadState('networkidle')
  here.troubles.length = 0
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  expect(sizes.size).toBeGreaterThan(4)
  expect(total).toBeLessThan(8000)
  await page.context().close()
})

test('fields of a shop whose cards are being tested solve a challenge before the card is checked', async () => {
  const { counts } = here.world.service
  const { token_id } = shop.merchant
  while ((await counts.take([['card_credential', token_id]])).allowed);
  const page = await shop.visit(form)
  await mount(page)
  await typeCard(page)
  const body = {
    type: 'recurring',
    email: 'taro@example.com',
    data: { cvv_authorize: { enabled: true } },
  }
  expect(await createToken(page, body)).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/) })
  const [refused, ...others] = here.troubles.splice(0)
  expect([refused, others]).toEqual([expect.stringMatching(/403 .*\/tokens/), []])
})
