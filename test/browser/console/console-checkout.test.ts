import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Checkouts, checkouts } from '../../support/pages/checkouts.ts'
import {
  type ConsoleWorld,
  goTo,
  isLoaded,
  isTooWide,
  newConsoleWorld,
  violationsOf,
} from './console-world.ts'

// Payment links, checkout sessions and appearance, as an owner at a desktop and staff with a phone use them.
let here: ConsoleWorld
let buy: Checkouts
let page: Page
let link_url: string

beforeAll(async () => {
  here = await newConsoleWorld()
  buy = checkouts(here.world, here.merchant)
  page = await here.enter(await here.operator(), '/checkout')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
const visit = async (body: object = {}): Promise<string> =>
  (await here.world.call('POST', new URL(link_url).pathname, { body })).body.url

describe('a payment link', () => {
  test('is created; faults are shown beside their fields', async () => {
    await page.getByText('Take payments by sharing a link').waitFor()
    await button('New payment link').click()
    await inDialog('Create payment link').click()
    await dialog().getByText('Enter a value.').first().waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    await page.getByLabel('Name').fill('Ikebana class')
    await page.getByLabel('Amount', { exact: true }).fill('4,000')
    await page.getByLabel('Return page after payment').fill('nonsense')
    await inDialog('Create payment link').click()
    await dialog().getByText('Enter a URL.').waitFor()
    await page.getByLabel('Return page after payment').fill('https://shop.example/thanks')
    await page.getByLabel('Maximum number of payments').fill('10')
    await page.getByLabel('All methods of the store').uncheck()
    await page.getByLabel('Card', { exact: true }).check()
    expect(await violationsOf(page)).toEqual([])
    await inDialog('Create payment link').click()
    await said('The payment link was created.')
    await page.getByRole('heading', { name: 'Ikebana class', level: 1 }).waitFor()
    await page.getByText('0 of 10').waitFor()
  })

  test('is copied, scanned and saved as a picture', async () => {
    const code = page.getByRole('img', { name: 'QR code of the payment link' })
    link_url = await here.scan(code)
    const { items } = (await buy.get('/payment_links')).body
    expect(items[0]).toMatchObject({ url: link_url, amount: 4000, payment_types: ['card'] })
    const started = page.waitForEvent('download')
    await button('Download QR code (SVG)').click()
    const file = await started
    expect(file.suggestedFilename()).toBe('Ikebana class.svg')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<svg .*<\/svg>$/)
    const drawn = page.waitForEvent('download')
    await button('Download QR code (PNG)').click()
    const picture = readFileSync(await (await drawn).path())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    // The width in the header: 16 pixels for each module.
    expect(picture.readUInt32BE(16) % 16).toBe(0)
    const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href')
    const shared = encodeURIComponent(`Ikebana class\n${link_url}`)
    expect(await hrefOf('Share with LINE')).toBe(`https://line.me/R/share?text=${shared}`)
    expect(await hrefOf('Write an e-mail')).toContain(
      `mailto:?subject=Ikebana%20class&body=${shared}`,
    )
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button('Copy link').click()
    await button('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link_url)
  })

  test('gets another name, an end and fewer uses', async () => {
    await button('Change').click()
    await page.getByLabel('Name').fill('Ikebana class, autumn')
    await page.getByLabel('Maximum number of payments').fill('２')
    await page.getByLabel('Last day').fill('2020-01-31')
    await inDialog('Save').click()
    await dialog().getByText('Choose a date in the future.').waitFor()
    await page.getByLabel('Last day').fill('2030-01-31')
    await inDialog('Save').click()
    await said('The payment link was changed.')
    await page.getByRole('heading', { name: 'Ikebana class, autumn', level: 1 }).waitFor()
    const { items } = (await buy.get('/payment_links')).body
    // The end of the day where the merchant is.
    expect(items[0]).toMatchObject({ max_uses: 2, expires_on: '2030-01-31T15:00:00.000Z' })
  })

  test('shows who paid and who failed, each with the payment', async () => {
    await buy.payByCard(await visit(), { card_number: '4000000000009995' })
    await buy.payByCard(await visit())
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('row', { name: /Open Ikebana class.* 1 .*insufficient/ }).waitFor()
    const paid = page.getByRole('row', { name: /Completed Ikebana class/ })
    await paid.getByRole('link', { name: 'Show payment' }).click()
    await page.getByText('Started paying on a checkout page').waitFor()
    const details = page.getByRole('complementary', { name: 'Details' })
    const of_link = details.locator('dl > div', { hasText: 'Payment link' })
    await of_link.getByRole('link', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'Ikebana class, autumn', level: 1 }).waitFor()
  })

  test('is switched off and on; after its last use it says so', async () => {
    await button('Switch off').click()
    await inDialog('Switch off').click()
    await said('The payment link was switched off.')
    await page.getByText('Switched off', { exact: true }).waitFor()
    await button('Switch on').click()
    await said('The payment link is active.')
    await buy.payByCard(await visit())
    await page.getByText('Limit reached').waitFor()
    await page.getByRole('link', { name: 'Payment links' }).click()
    await page
      .getByRole('row', { name: /Ikebana class, autumn ¥4,000 2 of 2 Limit reached/ })
      .waitFor()
  })

  test('lets customers choose the amount', async () => {
    await button('New payment link').click()
    await page.getByLabel('Name').fill('Donation')
    await button('Customer chooses').click()
    await page.getByLabel('At least').fill('500')
    await page.getByLabel('At most').fill('100')
    await inDialog('Create payment link').click()
    await dialog().getByText('Too small.').waitFor()
    await page.getByLabel('At most').fill('50,000')
    await inDialog('Create payment link').click()
    await page.getByText('¥500 – ¥50,000').waitFor()
  })
})

describe('a checkout session', () => {
  test('shows its goods and why the last attempt failed, and is canceled', async () => {
    const line_items = [{ name: 'Tea', quantity: 2, amount: 500 }]
    const { id, url } = await buy.session({ line_items, metadata: { order: 'A-1' } })
    await buy.payByCard(url, { card_number: '4000000000000002' })
    await goTo(page, '/checkout?tab=sessions&status=open')
    await page
      .getByRole('row', { name: /¥1,000.*Open Tea/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText('The last attempt failed.').waitFor()
    await page.getByText('The issuer of the card declined the charge.').waitFor()
    await page.getByRole('row', { name: /Tea × 2 ¥500 ¥1,000/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await button('Cancel session').click()
    await inDialog('Cancel session').click()
    await said('The session was canceled.')
    await page.getByText('This session has ended.').waitFor()
    expect((await buy.read(id)).status).toBe('canceled')
  })
})

describe('the appearance', () => {
  const framed = () => page.frameLocator('iframe')
  const colorOf = () =>
    page
      .frames()
      .at(-1)
      ?.evaluate("getComputedStyle(document.querySelector('button.main')).backgroundColor")

  test('is previewed while it is typed, with the contrast that the service keeps', async () => {
    await goTo(page, '/checkout?tab=appearance')
    await framed().getByText('Coffee beans, 200 g').waitFor()
    await page.getByLabel('Main color').fill('#ffee00')
    await page.getByText(/Button text is black \(contrast 1\d\.\d:1\)/).waitFor()
    await page.getByLabel('Phone number for customers').fill('03-1234-5678')
    await framed().getByText('03-1234-5678').waitFor()
    await expect.poll(colorOf).toBe('rgb(255, 238, 0)')
    await button('Desktop').click()
    expect(await isTooWide(page)).toBe(false)
    expect(await violationsOf(page)).toEqual([])
  })

  test('is saved; a refusal of the API is shown beside its field', async () => {
    await page.getByLabel('E-mail for customers').fill('nonsense')
    await button('Save appearance').click()
    await page.getByText('Enter an e-mail address.').waitFor()
    await page.getByLabel('E-mail for customers').fill('help@shop.example')
    await button('Save appearance').click()
    await said('The appearance was saved.')
    const { configuration } = (
      await here.world.call('GET', '/me', { auth: here.merchant.as_merchant })
    ).body
    expect(configuration.checkout_configuration).toMatchObject({
      main_color: '#ffee00',
      contact_phone: '03-1234-5678',
      contact_email: 'help@shop.example',
    })
  })

  test('of a store takes the place of that of the merchant', async () => {
    await page.evaluate(`localStorage.setItem('console_store', '${here.merchant.store_id}')`)
    await page.reload()
    await page.getByText('From the merchant: #ffee00').waitFor()
    await page.getByLabel('Main color').fill('#123456')
    await button('Save appearance').click()
    await said('The appearance was saved.')
    await expect.poll(colorOf).toBe('rgb(18, 52, 86)')
    const { url } = await buy.session()
    expect(await buy.state(url)).toMatchObject({
      store: { main_color: '#123456', contact_email: 'help@shop.example' },
    })
  })
})

test('card testing is shown on the home screen, with a link to its explanation', async () => {
  const { world, merchant } = here
  const { id } = await buy.session()
  const on = new Date(world.clock.now())
  await world.store.pool.query(
    `insert into checkout_attacks (merchant_id, id, store_id, mode, hour, created_on)
     values ($1, $2, $3, 'test', $4, $4)`,
    [merchant.id, id, merchant.store_id, on],
  )
  await goTo(page, '/home')
  await page.getByRole('link', { name: /Card testing/ }).click()
  await page.getByRole('heading', { name: 'Cards were tested at your store' }).waitFor()
  await page.getByRole('link', { name: 'Require 3-D Secure' }).click()
  await page.getByLabel('Require 3-D Secure').waitFor()
})

test('a viewer sees everything in Japanese on a phone, and no action', async () => {
  const { store_id } = here.merchant
  const phone = { language: 'ja-JP', width: 390, height: 844, role: 'viewer' } as const
  const viewer = await here.open('/checkout', phone)
  const [link] = (await buy.get('/payment_links')).body.items
  const { id } = await buy.session()
  const faults: string[] = []
  for (const [path, text] of [
    ['/checkout', '¥500〜¥50,000'],
    ['/checkout?tab=sessions', '支払い前'],
    ['/checkout?tab=appearance', '操作できるのは'],
    ['/checkout?tab=protection', 'カードの不正な試行がありました'],
    [`/checkout/links/${store_id}/${link.id}`, '操作できるのは'],
    [`/checkout/sessions/${store_id}/${id}`, '操作できるのは'],
  ] as const) {
    await goTo(viewer, path)
    await isLoaded(viewer)
    await viewer.locator('main').getByText(text).first().waitFor()
    for (const name of [
      '支払いリンクを作成',
      '外観を保存',
      '変更',
      '受付を停止',
      'セッションを取り消す',
    ]) {
      const count = await viewer.getByRole('button', { name, exact: true }).count()
      if (count > 0) faults.push(`${path}: ${name}`)
    }
    if (await isTooWide(viewer)) faults.push(`${path}: too wide`)
    faults.push(...(await violationsOf(viewer)).map((one) => `${path}: ${one}`))
  }
  expect(faults).toEqual([])
  await viewer.context().close()
})
