import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'
import { axe_source } from '../page-faults.ts'

// The start page and the reference in a browser, as a developer uses them.
let here: BrowserWorld

beforeAll(async () => {
  here = await newBrowserWorld()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

interface Violation {
  id: string
  nodes: { html: string; any: { message: string }[] }[]
}

async function violationsOf(page: Page, part = 'html'): Promise<unknown[]> {
  // Files may come from our own origin only, so the script is evaluated from outside the page.
  await page.evaluate(axe_source)
  const run = `axe.run('${part}', { resultTypes: ["violations"] }).then((r) => r.violations)`
  const found = await page.evaluate<Violation[]>(run)
  return found.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))])
}

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

const looks = [
  { path: '/', language: 'ja-JP', width: 390, theme: 'dark' },
  { path: '/docs', language: 'en-US', width: 820, theme: 'light' },
  { path: '/docs/cancels', language: 'ja-JP', width: 390, theme: 'light' },
  { path: '/docs/refunds', language: 'en-US', width: 1440, theme: 'dark' },
] as const

test.each(looks)('$path is accessible and fits: $language, $width px, $theme', async (look) => {
  const page = await here.visitor({ language: look.language, width: look.width })
  await page.emulateMedia({ colorScheme: look.theme, reducedMotion: 'reduce' })
  await page.goto(here.url + look.path)
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  const paint = await page.evaluate<number>(
    'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0',
  )
  expect(paint).toBeGreaterThan(0)
  await page.context().close()
})

test('from the start page to a field, by search and keyboard', async () => {
  const page = await here.visitor()
  await page.goto(here.url)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('link', { name: 'Charges', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('払い戻し')
  await page.getByRole('option', { name: 'Refunds' }).first().waitFor()
  await page.getByRole('combobox').fill('REFUND_EXCEEDS')
  await page.getByRole('option', { name: 'REFUND_EXCEEDS_CHARGE_AMOUNT' }).waitFor()
  await page.getByRole('combobox').fill('create refund')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/refunds#createRefund')
  await page.context().close()
})

test('a link to a field of a folded object opens it and is copied by a click', async () => {
  const page = await here.visitor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const address = `${here.url}/docs/transaction-tokens#createToken.card.data.card_number`
  await page.goto(address)
  const field = page.locator('[id="createToken.card.data.card_number"] > a')
  expect(await field.isVisible()).toBe(true)
  await field.click()
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
  await page.context().close()
})

test('the language of samples and the theme are remembered', async () => {
  const page = await here.visitor()
  await page.goto(`${here.url}/docs/charges`)
  const samples = page.locator('#createCharge .samples')
  await samples.getByRole('link', { name: 'Python' }).click()
  await samples.getByText('urllib').waitFor()
  await page.getByRole('button', { name: 'light and dark' }).click()
  await page.goto(`${here.url}/docs/refunds`)
  expect(await page.locator('#createRefund .samples .card > pre').innerText()).toContain('urllib')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.context().close()
})

test('without scripts there are pages, languages and samples', async () => {
  const page = await here.visitor({ javaScript: false })
  await page.goto(`${here.url}/docs/charges`)
  await page.locator('#createCharge').getByRole('link', { name: 'PHP' }).click()
  expect(await page.locator('#createCharge .card > pre[data-language=php]').innerText()).toContain(
    'curl_init',
  )
  await page.getByRole('link', { name: '日本語' }).click()
  await page.getByRole('heading', { level: 1, name: '課金' }).waitFor()
  await page.getByRole('link', { name: '返金', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '返金' }).waitFor()
  expect(await page.locator('#createRefund .samples .card > pre').innerText()).toContain(
    'curl_init',
  )
  await page.context().close()
})

const card = {
  cardholder: 'A B',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
}

test('trying it: a token and a charge in test mode, and no live token', async () => {
  const page = await here.visitor()
  const { jwt, secret } = here.merchant
  const open = async (path: string, id: string) => {
    await page.goto(here.url + path)
    const section = page.locator(`#${id}`)
    await section.getByRole('button', { name: 'Try it' }).click()
    return section
  }
  const tokens = await open('/docs/transaction-tokens', 'createToken')
  const live = await here.world.merchant({ mode: 'live', verified: true })
  await tokens.getByLabel('Application token').fill(`${live.secret}.${live.jwt}`)
  await tokens.getByText('not a token of a store in test mode').waitFor()
  const before = here.requested.length
  await tokens.getByRole('button', { name: 'Send request' }).click()
  expect(here.requested.length).toBe(before)
  await tokens.getByLabel('Application token').fill(`${secret}.${jwt}`)
  const body = { payment_type: 'card', email: 'a@example.com', data: card }
  await tokens.getByLabel('Body').fill(JSON.stringify(body))
  await tokens.getByRole('button', { name: 'Send request' }).click()
  await tokens.getByText('201 ·').waitFor()

  const charges = await open('/docs/charges', 'createCharge')
  await charges.getByLabel('Application token').fill(`${secret}.${jwt}`)
  await charges.getByRole('button', { name: 'Send request' }).click()
  await charges.getByText('201 ·').waitFor()
  const shown = await charges.locator('output').innerText()
  expect(shown).toContain('"status": "pending"')
  await charges.getByText('The same with curl').click()
  const curl = await charges.locator('output').innerText()
  expect(curl).toContain('Bearer $SECRET.$JWT')
  expect(curl).not.toContain(secret)
  expect(await violationsOf(page, '#createCharge')).toEqual([])
  const stored = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage]) + document.cookie',
  )
  expect(stored).not.toContain(jwt)
  await page.context().close()
})
