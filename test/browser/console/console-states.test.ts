import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { password } from '../../support/console-users.ts'
import {
  type ConsoleWorld,
  goTo,
  isLoaded,
  newConsoleWorld,
  violationsOf,
} from './console-world.ts'

// A screen without data, while it waits, after a failure, and without the right.
let here: ConsoleWorld
let page: Page

beforeAll(async () => {
  here = await newConsoleWorld()
  page = await here.open('/customers')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

test('an empty list says what will be here', async () => {
  for (const [path, title] of [
    ['/customers', 'Customers appear after their first payment'],
    ['/subscriptions', 'Subscriptions bill customers on a schedule'],
    ['/ledger', 'No money has moved yet'],
    ['/ledger?tab=payouts', 'No payouts yet'],
  ] as const) {
    await goTo(page, path)
    await page.getByRole('heading', { name: title }).waitFor()
  }
  expect(await violationsOf(page)).toEqual([])
})

test('while a list is loaded, its table is there with grey lines', async () => {
  let response = () => {}
  const may_response = new Promise<void>((resolve) => {
    response = resolve
  })
  await page.route('**/console/api/deposits*', async (route) => {
    await may_response
    await route.continue()
  })
  await goTo(page, '/deposits')
  await page.locator('table[aria-busy=true] .skeleton').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  response()
  await isLoaded(page)
  await page.unroute('**/console/api/deposits*')
})

test('a failure shows the id of the request, and a retry repeats it', async () => {
  const body = JSON.stringify({ status: 'error', code: 'INTERNAL_SERVER_ERROR', errors: [] })
  const headers = { 'x-request-id': 'req-of-the-failure' }
  await page.route('**/console/api/audit_log*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', headers, body }),
  )
  await goTo(page, '/settings?tab=audit')
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await page.getByTitle('req-of-the-failure').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.unroute('**/console/api/audit_log*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  expect(here.troubles.splice(0).every((one) => /status of 500/.test(one))).toBe(true)
})

test('a lost connection is reported, and work continues when it is back', async () => {
  // A list whose screen is loaded, and a screen that is not.
  for (const [path, title] of [
    ['/deposits?status=held', 'Nothing matches'],
    ['/time', 'Time travel'],
  ] as const) {
    await page.context().setOffline(true)
    await goTo(page, path)
    await page.getByText('The service cannot be reached. Check your connection.').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: title }).waitFor()
  }
  const expected = /ERR_INTERNET_DISCONNECTED|Unable to preload CSS/
  expect(here.troubles.splice(0).filter((one) => !expected.test(one))).toEqual([])
})

test('a screen that fails while it is drawn says so; the frame stays, and leads on', async () => {
  const body = JSON.stringify({ items: [null], has_more: false })
  await page.route('**/console/api/deposits*', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body }),
  )
  await goTo(page, '/deposits')
  await page.getByRole('alert').getByText('Something went wrong. Try again.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await goTo(page, '/deposits')
  await page.getByRole('alert').waitFor()
  await page.unroute('**/console/api/deposits*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Deposits', level: 1 }).waitFor()
  const expected = /Cannot (read properties|destructure).*null/
  expect(here.troubles.splice(0).filter((one) => !expected.test(one))).toEqual([])
})

test('a viewer reads which roles may act, sees no action, and the server refuses each', async () => {
  const viewer = await here.open('/settings', { role: 'viewer' })
  await isLoaded(viewer)
  await viewer
    .getByText('Only these roles can do this: Owner. Your role is Viewer.', { exact: true })
    .waitFor()
  await viewer.getByRole('tab', { name: 'Users' }).click()
  await viewer.getByText('Only these roles can see this: Owner. Your role is Viewer.').waitFor()
  expect(await violationsOf(viewer)).toEqual([])
  expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await goTo(viewer, '/developers?tab=requests')
  await viewer.getByRole('heading', { name: 'Your role does not include this' }).waitFor()
  expect(await violationsOf(viewer)).toEqual([])
  const { store_id } = here.merchant
  const calls = [
    ['POST', '/users'],
    ['POST', '/webhooks'],
    ['POST', '/bank_accounts'],
    ['POST', `/stores/${store_id}/app_jwts`],
    ['PATCH', `/stores/${store_id}`],
    ['POST', `/stores/${store_id}/charges/${store_id}/refunds`],
    ['GET', '/audit_log'],
    ['POST', '/operator/doctor'],
  ]
  const statuses = await viewer.evaluate<number[]>(`Promise.all(${JSON.stringify(calls)}.map(
    async ([method, path]) => (await fetch('/console/api' + path, {
      method,
      headers: { 'x-kaikei-console': '1', 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{}' }),
    })).status))`)
  expect(statuses).toEqual(calls.map(() => 403))
  await viewer.context().close()
})

test('a session that ended leads to the sign-in, and back to the same place', async () => {
  const place = `${here.url}/console/test/deposits?status=held`
  here.world.clock.advance(16 * minute_ms)
  await page.goto(place)
  await page.getByRole('heading', { name: 'Sign in to Kaikei' }).waitFor()
  await page.getByLabel('E-mail').fill(here.email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Deposits', level: 1 }).waitFor()
  expect(page.url()).toBe(place)
})
