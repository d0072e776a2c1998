import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleWorld,
  isLoaded,
  isTooWide,
  newConsoleWorld,
  violationsOf,
} from './console-world.ts'

// The search of the console: one field, keys only or a finger only.
let here: ConsoleWorld
let charge_id: string

beforeAll(async () => {
  here = await newConsoleWorld()
  const { pay } = here
  const paid = await pay.charge(
    { amount: 12_800, metadata: { order_id: 'R-7781' } },
    { token: { email: 'hanako@example.com' }, data: { cardholder: 'Hanako Sato' } },
  )
  charge_id = paid.body.id
  await here.chargeAfter(charge_id, 'pending')
  // A customer is known as soon as the payment is counted.
  const known = () => here.world.store.pool.query('select id from customers')
  while ((await known()).rows.length === 0) await new Promise((next) => setTimeout(next, 50))
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const options = (page: Page) => page.getByRole('option').allInnerTexts()

test('keys alone: the slash opens it, an order number finds the payment, Enter shows it', async () => {
  const page = await here.open('/home')
  await isLoaded(page)
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search everything' })
  await field.waitFor()
  expect(await field.evaluate((one) => one.matches(':focus'))).toBe(true)
  await page.keyboard.type('r-7781')
  const found = page.getByRole('group', { name: 'Payments' }).getByRole('option')
  await found.waitFor()
  expect(await found.innerText()).toContain('¥12,800')
  expect(await found.innerText()).toContain('HANAKO SATO')
  expect(await found.getAttribute('aria-selected')).toBe('true')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await found.getAttribute('id'))
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/payments/*/${charge_id}`)
  await page.close()
})

test('Enter directly after typing waits for the results of the text', async () => {
  const page = await here.open('/home')
  await isLoaded(page)
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('pay')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('r-7781')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/payments/*/${charge_id}`)
  await page.close()
})

test('customers, amounts in full width and commands of both languages are found, in Japanese', async () => {
  const page = await here.open('/payments', { language: 'ja-JP' })
  page.setDefaultTimeout(6000)
  await isLoaded(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await field.fill('hanako')
  await page.getByRole('group', { name: '顧客' }).getByRole('option').waitFor()
  await field.fill('１２，８００円')
  await page.getByRole('group', { name: '決済' }).getByRole('option').waitFor()
  await field.fill('log')
  await page.getByRole('option', { name: 'リクエストログ' }).waitFor()
  await field.fill('refund')
  await page.getByRole('option', { name: '決済を返金する' }).waitFor()
  await field.fill('新規')
  await page.getByRole('option', { name: '支払いリンクを作る', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/checkout?new=link')
  await page.getByRole('dialog').getByRole('heading').waitFor()
  await page.close()
})

test('on a phone a button opens it, and a finger chooses', async () => {
  const page = await here.open('/home', { width: 390, height: 844 })
  await isLoaded(page)
  await page.getByRole('button', { name: 'Search everything' }).click()
  await page.getByRole('combobox').fill('hanako@')
  const found = page.getByRole('group', { name: 'Payments' }).getByRole('option')
  await found.waitFor()
  expect(await isTooWide(page)).toBe(false)
  expect(await violationsOf(page)).toEqual([])
  await found.click()
  await page.waitForURL(`**/payments/*/${charge_id}`)
  await page.close()
})

test('arrows go around, Escape closes it, and a role sees its own commands only', async () => {
  const page = await here.open('/home', { role: 'viewer' })
  await isLoaded(page)
  await page.keyboard.press('/')
  await page.getByRole('option').first().waitFor()
  const all = await options(page)
  expect(all).toContain('Failed payments')
  expect(all).not.toContain('Refund a payment')
  expect(all).not.toContain('Audit log')
  await page.keyboard.press('ArrowUp')
  expect(await page.getByRole('option', { selected: true }).innerText()).toBe(all.at(-1))
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('option', { selected: true }).innerText()).toBe(all[0])
  await page.keyboard.type('nobody-at-all')
  await page.getByText('Nothing found').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('combobox').waitFor({ state: 'detached' })
  await page.close()
})
