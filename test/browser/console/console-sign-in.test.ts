import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { enrol, newUser, password } from '../../support/console-users.ts'
import { type ConsoleWorld, goTo, newConsoleWorld, violationsOf } from './console-world.ts'

// Signing in, out and in again, as a person does it.
let here: ConsoleWorld
let page: Page

beforeAll(async () => {
  here = await newConsoleWorld()
  page = await here.visitor()
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

async function fillIn(of: Page, email: string, secret = password): Promise<void> {
  await of.getByLabel('E-mail').fill(email)
  await of.getByLabel('Password').fill(secret)
  await of.getByRole('button', { name: 'Sign in' }).click()
}
const home = (of: Page) => of.getByRole('heading', { name: 'Home', level: 1 })

test('a wrong password is said beside the form; the right one opens the console', async () => {
  await page.goto(`${here.url}/console`)
  await page.getByRole('heading', { name: 'Sign in to Kaikei' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await fillIn(page, here.email, 'not-the-password')
  await page.getByText('The e-mail, password or code is wrong.').waitFor()
  await fillIn(page, here.email)
  await home(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/test/home')
})

test('an address without a mode opens the same place in test mode', async () => {
  await page.goto(`${here.url}/console/checkout?tab=sessions`)
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor()
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe('/console/test/checkout?tab=sessions')
})

test('no script can read the session', async () => {
  expect(await page.evaluate('document.cookie')).not.toContain('kaikei')
})

test('a session that ended asks for the password over the screen; nothing typed is lost', async () => {
  await page.getByRole('link', { name: 'Payments' }).click()
  await page.getByRole('searchbox').fill('taro')
  here.world.clock.advance(16 * minute_ms)
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('searchbox').inputValue()).toBe('taro')
})

test('language and appearance are chosen in the menu of the user, which also signs out', async () => {
  await page.getByRole('button', { name: 'Account of Hanako Sato' }).click()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('menuitemradio', { name: '日本語' }).click()
  await page.getByRole('heading', { name: '決済', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Hanako Satoさんのアカウント' }).click()
  await page.getByRole('menuitemradio', { name: 'ダーク' }).click()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByRole('button', { name: 'Hanako Satoさんのアカウント' }).click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await page.getByRole('heading', { name: 'Kaikeiにログイン' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('on the machine of the service, the page says how a demo user signs in again', async () => {
  const command = 'npm run -s kaikei -- open console'
  await page.getByText(command).waitFor()
  await page.getByText('次のコマンドを実行すると').waitFor()
})

test('a demo user, whom a link signed in, chooses a password and signs in again with it', async () => {
  const user = await here.operator('Demo')
  const visitor = await here.enter(user, '/settings?tab=security')
  await visitor.getByText(`With a password you sign in again as ${user.email}.`).waitFor()
  expect(await visitor.getByLabel('Current password').count()).toBe(0)
  expect(await violationsOf(visitor)).toEqual([])
  await visitor.getByLabel('New password').fill(password)
  await visitor.getByRole('button', { name: 'Choose a password' }).click()
  await visitor.getByRole('heading', { name: 'Sign in to Kaikei' }).waitFor()
  await visitor.context().close()
  here.world.clock.advance(minute_ms)
  const again = await here.visitor()
  await again.goto(`${here.url}/console`)
  await fillIn(again, user.email)
  await home(again).waitFor()
  await goTo(again, '/settings?tab=security')
  await again.getByLabel('Current password').waitFor()
  await again.context().close()
})

test('a second factor: the code is asked for, a recovery code works once', async () => {
  const { email } = await newUser(here.world, here.merchant, { name: 'Ken' })
  const app = await enrol(here.world, email)
  here.world.clock.advance(minute_ms)
  const visitor = await here.visitor()
  await visitor.goto(`${here.url}/console`)
  await fillIn(visitor, email)
  await visitor.getByLabel('Code', { exact: true }).waitFor()
  await visitor.getByRole('button', { name: 'Use a recovery code' }).click()
  await visitor.getByLabel('Recovery code').fill(app.recovery_codes[0] ?? '')
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await home(visitor).waitFor()
  await visitor.getByRole('radio', { name: 'Live' }).check()
  await home(visitor).waitFor()
  expect(new URL(visitor.url()).pathname).toBe('/console/live/home')
  expect(await visitor.getByText('Payments are simulated').count()).toBe(0)
  await visitor.context().close()
})

test('a forgotten password: the answer does not say whether there is such an account', async () => {
  const visitor = await here.visitor({ width: 390, height: 844 })
  await visitor.goto(`${here.url}/console`)
  await visitor.getByRole('button', { name: 'Forgot your password?' }).click()
  await visitor.getByLabel('E-mail').fill('nobody@example.com')
  await visitor.getByRole('button', { name: 'Send the link' }).click()
  await visitor.getByText('Check your inbox').waitFor()
  expect(await violationsOf(visitor)).toEqual([])
  await visitor.context().close()
})
