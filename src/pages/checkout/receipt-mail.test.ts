import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Checkouts, checkouts, customer_email } from '../../../test/support/pages/checkouts.ts'
import {
  type MailServer,
  startMailServer,
  textOf,
} from '../../../test/support/receiver/mail-server.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'
import { runKind } from '../../worker/worker.ts'
import { languages } from '../hosted/hosted-view.ts'
import { checkout_texts } from './texts/checkout-texts.ts'

// After payment, the customer asks for the receipt by e-mail.
let world: World
let server: MailServer
let shop: TestMerchant
let buy: Checkouts

beforeAll(async () => {
  server = await startMailServer()
  world = await newWorld({ settings: { SMTP_URL: server.url, MAIL_FROM: 'a@kaikei.example' } })
})
beforeEach(async () => {
  world.clock.advance(day_ms)
  shop = await world.merchant()
  buy = checkouts(world, shop)
  server.mails.length = 0
})
afterAll(async () => {
  await world.close()
  await server.close()
})

async function paidSession(more: object = {}) {
  const session = await buy.session(more)
  await buy.payByCard(session.url)
  await buy.work()
  return session
}

const pageOf = ({ url }: { url: string }, query = '') =>
  world.call('GET', new URL(url).pathname + query)

/** Asks for the receipt as the form of the page does. Returns the outcome that the page then shows. */
async function ask(session: { url: string }, email: string, language = 'en'): Promise<string> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'accept-language': language,
  }
  const path = `${new URL(session.url).pathname}/receipt`
  const body = new URLSearchParams({ email }).toString()
  const { status, headers: given } = await world.call('POST', path, { body, headers })
  expect(status).toBe(303)
  return /receipt=(\w+)/.exec(String(given.location))?.[1] ?? ''
}

/** Sends what is due. The newest mail, with its parts decoded. */
async function mailSent() {
  await runKind(world.service, 'mails')
  const mail = server.mails.at(-1) ?? ''
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(mail) ?? []
  const [, text = '', html = ''] = mail
    .split(`--${boundary}`)
    .map((part) => textOf(part.trimStart()))
  return { mail, text, html }
}

test('the receipt goes to the address of the payment, which the page does not show in full', async () => {
  const line_items = [{ name: 'Rose <red>', quantity: 2, amount: 500 }]
  const session = await paidSession({ line_items })
  const page = await pageOf(session)
  expect(page.text).toContain('placeholder="c…@example.com"')
  expect(page.text).not.toContain(customer_email)
  expect(page.text).not.toContain('mailto:?')
  expect(await ask(session, '')).toBe('sent')
  const { mail, text, html } = await mailSent()
  const { charge_id } = await buy.read(session.id)
  expect(mail).toContain(`To: ${customer_email}`)
  expect(text).toContain('Rose <red> × 2: ¥1,000')
  expect(text).toContain(charge_id)
  expect(html).toContain('Rose &lt;red&gt; × 2')
  expect(world.log.join('')).not.toContain(customer_email)
  const shown = await pageOf(session, '?receipt=sent')
  expect(shown.text).toContain(checkout_texts.en.done.mail.sent)
})

test.each(languages)(
  'the receipt in %s has the language of the page and the colour of the shop',
  async (language) => {
    const configuration = { checkout_configuration: { main_color: '#aa3311' } }
    const call = { auth: shop.as_merchant, body: { configuration } }
    await world.call('PATCH', `/stores/${shop.store_id}`, call)
    const session = await paidSession()
    expect(await ask(session, ' Ｔaro@shop.example ', language)).toBe('sent')
    const { mail, text, html } = await mailSent()
    expect(mail).toContain('To: Taro@shop.example')
    const { number, way } = checkout_texts[language].done
    for (const name of [number, way]) expect(text).toContain(`${name}: `)
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain('border-top:6px solid #aa3311')
  },
)

test('a payment has three mails at most, also when they are asked for at the same time', async () => {
  const session = await paidSession()
  const asked = await Promise.all(
    [1, 2, 3, 4].map((n) => ask(session, `someone-${n}@shop.example`)),
  )
  expect(asked.toSorted()).toEqual(['enough', 'sent', 'sent', 'sent'])
  await runKind(world.service, 'mails')
  expect(server.mails).toHaveLength(3)
})

test('an address that is none, and a payment of yesterday, send nothing', async () => {
  const session = await paidSession()
  expect(await ask(session, 'no address')).toBe('wrong')
  expect((await pageOf(session, '?receipt=wrong')).text).toContain('aria-invalid="true"')
  world.clock.advance(day_ms)
  expect(await ask(session, '')).toBe('enough')
  expect((await pageOf(session)).text).toContain('mailto:?')
  const open = await buy.session()
  expect(await ask(open, 'a@shop.example')).toBe('enough')
  await runKind(world.service, 'mails')
  expect(server.mails).toEqual([])
})

test('another site cannot have a receipt sent, and no address can have many sent', async () => {
  const session = await paidSession()
  const path = `${new URL(session.url).pathname}/receipt`
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await world.call('POST', path, { body: {}, headers })).status).toBe(403)
  const found: string[] = []
  for (let n = 0; n < 12; n += 1) found.push(await ask(await paidSession(), ''))
  expect(found.at(-1)).toBe('enough')
})
