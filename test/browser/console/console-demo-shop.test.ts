import { statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { removeDemoShop } from '../../../src/commerce/demo-shop/demo-shop.ts'
import { checkouts } from '../../support/pages/checkouts.ts'
import { type ConsoleWorld, isLoaded, newConsoleWorld, violationsOf } from './console-world.ts'

// The first look at an empty console, as its operator has it.
let here: ConsoleWorld

beforeAll(async () => {
  here = await newConsoleWorld()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

/** The pictures of README.md: `npm run generate -- pictures` takes them again. */
async function picture(page: Page, name: string): Promise<void> {
  const path = `docs/pictures/${name}.png`
  if (process.env.PICTURES) await page.screenshot({ path })
  expect(statSync(path).size).toBeLessThan(200_000)
}

test('the empty home creates a demo shop and enters it; a second operator opens the same', async () => {
  const page = await here.enter(await here.operator(), '/home')
  const create = page.getByRole('button', { name: 'Create the demo shop' })
  await create.waitFor()
  expect(await violationsOf(page)).toEqual([])
  await create.click()
  await page.getByText('Creating half a year of payments').waitFor()
  await page.getByText('茶舗みどり（デモ）').first().waitFor({ timeout: 600_000 })
  await isLoaded(page)
  await page.getByText('Disputes that need your response').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.context().close()

  const other = await here.enter(await here.operator('Mai Abe'), '/home', { language: 'ja-JP' })
  await other.getByRole('button', { name: 'デモショップを開く' }).click()
  await other.getByText('回答が必要なチャージバック').waitFor()
  expect(await other.getByText('茶舗みどり（デモ）').count()).toBeGreaterThan(0)
  await isLoaded(other)
  await picture(other, 'console')
  await other.context().close()
  await removeDemoShop(here.world.service)
}, 700_000)

test('a person who does not operate the service is not offered one', async () => {
  const page = await here.open('/home')
  await page.getByText('Your first payment appears here').waitFor()
  await page.getByText('Nothing needs your attention').waitFor()
  expect(await page.getByRole('button', { name: /demo shop/ }).count()).toBe(0)
})

test('the checkout of README.md is a page of today', async () => {
  const session = await checkouts(here.world, here.merchant).session({
    amount: 12_800,
    currency: 'JPY',
    line_items: [
      { name: 'Gyokuro tea, 100 g', quantity: 1, amount: 4980 },
      { name: 'Tokoname teapot', quantity: 2, amount: 3910 },
    ],
  })
  const page = await here.visitor({ width: 1080, height: 900 })
  await page.goto(session.url)
  await page.locator('#card_number').waitFor()
  await picture(page, 'checkout')
  await page.context().close()
})
