import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/accounts/users/user.ts'
import {
  type ConsoleWorld,
  goTo,
  isLoaded,
  isTooWide,
  newConsoleWorld,
  script,
  violationsOf,
} from './console-world.ts'

// Changes by owners and developers: users, bank accounts, tokens, webhooks, stores, sessions. One browser
// does all of it; the dialogs are checked once more in Japanese, on a phone.
let here: ConsoleWorld
let owner: User
let page: Page

beforeAll(async () => {
  here = await newConsoleWorld()
  owner = await here.operator()
  page = await here.enter(owner, '/settings?tab=users')
})
afterEach(() => {
  expect(here.troubles.splice(0)).toEqual([])
})
afterAll(() => here.close())

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true })
const row = (name: string | RegExp) => page.getByRole('row', { name })
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
/** The shop as the service reaches it: its name is known to the browser only. */
const hook_url = () => `http://127.0.0.1:${new URL(here.shop.url).port}/hook`

describe('users', () => {
  test('a user is invited; faults are shown beside their fields', async () => {
    await button('Invite user').click()
    await page.getByLabel('Name').fill(script)
    await page.getByLabel('E-mail').fill('nonsense')
    await inDialog('Invite user').click()
    await dialog().getByText('Enter an e-mail address.').waitFor()
    await page.getByLabel('E-mail').fill('mai@console.example')
    await inDialog('Invite user').click()
    // There is no mail server here: nothing was sent, so the link is shown.
    await dialog().getByText('no e-mail was sent').waitFor()
    await dialog().getByText('/account/password/').waitFor()
    await inDialog('Done').click()
    await row(/mai@console\.example Staff .*Invited/).waitFor()
  })

  test('gets another role, is disabled, and enabled again', async () => {
    const mai = row(/mai@console\.example/)
    await mai.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Role').selectOption('developer')
    await inDialog('Save').click()
    await row(/mai@console\.example Developer/).waitFor()
    await mai.getByRole('button', { name: 'Change' }).click()
    await inDialog('Disable').click()
    await mai.waitFor({ state: 'detached' })
    await button('State').click()
    await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled')
    await button('Apply').click()
    await row(/mai@console\.example .*Disabled/)
      .getByRole('button', { name: 'Change' })
      .click()
    await inDialog('Enable').click()
    await said('The user was changed.')
    await button('Clear all').first().click()
    await row(/mai@console\.example .*Invited/).waitFor()
  })

  test('is in the audit log, with what was entered, as text', async () => {
    await goTo(page, '/settings?tab=audit')
    await button('Create user').first().click()
    await dialog().getByText(script).first().waitFor()
    await page.keyboard.press('Escape')
  })
})

test('a bank account is added, another one becomes the primary account, one is deleted', async () => {
  await goTo(page, '/settings?tab=bank')
  for (const holder of ['HANAKO SATO', 'KEN MORI']) {
    await button('Add bank account').first().click()
    await page.getByLabel('Holder').fill(holder)
    await page.getByLabel('Bank', { exact: true }).fill('Mizuho')
    await page.getByLabel('Account number').fill(holder === 'KEN MORI' ? '7654321' : '1234567')
    await page.getByLabel('Primary').setChecked(holder === 'HANAKO SATO')
    await inDialog('Add bank account').click()
    await row(new RegExp(holder)).waitFor()
  }
  await row(/KEN MORI/)
    .getByRole('button', { name: 'Change' })
    .click()
  await inDialog('Make primary').click()
  await row(/KEN MORI .*Primary/).waitFor()
  await row(/HANAKO SATO/)
    .getByRole('button', { name: 'Change' })
    .click()
  await inDialog('Delete').click()
  await row(/HANAKO SATO/).waitFor({ state: 'detached' })
})

test('a store has values of its own, or those of the merchant', async () => {
  await goTo(page, `/settings/stores/${here.merchant.store_id}`)
  const setting = page.getByLabel('Accept cards', { exact: true })
  await setting.selectOption('Off')
  await said('Saved.')
  await expect.poll(() => setting.inputValue()).toBe('false')
  const row = page.getByRole('row').filter({ has: setting })
  await row.getByText('this store').waitFor()
  await setting.selectOption('Not set here')
  await expect.poll(() => setting.inputValue()).toBe('null')
  await row.getByText('platform').waitFor()
  expect(await row.innerText()).toMatch(/On\s*platform/)
})

test('a session of another browser is ended', async () => {
  const other = await here.enter(owner, '/payments')
  await goTo(page, '/settings?tab=security')
  await page.getByRole('row').getByRole('button', { name: 'Sign out' }).click()
  await said('The session was ended.')
  await goTo(other, '/customers')
  await other.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await other.context().close()
})

test('an application token is created for a domain and revoked', async () => {
  await goTo(page, '/developers?tab=keys')
  await page.getByText('Choose a store above to create a token.').waitFor()
  await page.locator('.store-button').click()
  await page.getByRole('menuitemradio').nth(1).click()
  await button('Create token').click()
  await page.getByLabel('Name', { exact: true }).fill('Order system')
  await page.getByLabel('Domains').fill('shop.example\nwww.shop.example')
  await inDialog('Create token').click()
  await dialog().getByText('This is the only time the secret is shown.').waitFor()
  await inDialog('Done').click()
  // Replaced: both work, and the old one says when it ends.
  await row(/Order system.*Not used yet/)
    .getByRole('button', { name: 'Replace' })
    .click()
  await page.getByLabel('The old token expires after').selectOption('PT1H')
  await inDialog('Replace').click()
  await dialog().getByText('This is the only time the secret is shown.').waitFor()
  await inDialog('Done').click()
  expect(await row(/Order system/).count()).toBe(2)
  await row(/Order system/)
    .last()
    .getByRole('button', { name: 'Revoke' })
    .click()
  await inDialog('Revoke').click()
  await said('The token was revoked.')
  const token = row(/shop\.example, www\.shop\.example/)
  await token.getByRole('button', { name: 'Revoke' }).click()
  await inDialog('Revoke').click()
  await said('The token was revoked.')
  await token.waitFor({ state: 'detached' })
})

describe('a webhook of the store', () => {
  test('is added, and a test delivery shows its answer', async () => {
    await goTo(page, '/developers')
    await button('Add webhook').first().click()
    await page.getByLabel('URL').fill('nonsense')
    await inDialog('Add webhook').click()
    await page.locator('.field-error').first().waitFor()
    await page.getByLabel('URL').fill(hook_url())
    await inDialog('Add webhook').click()
    await said('The webhook was added.')
    await page.getByRole('link', { name: hook_url() }).click()
    await button('Send a test delivery').click()
    await said(/Responded with 200 after/)
  })

  test('its signing key is shown, and replaced with an overlap', async () => {
    await button('Show').click()
    const before = await page.locator('.secret .id-text').getAttribute('title')
    await button('Rotate signing key').click()
    await page.getByLabel('The old key expires after').selectOption('One hour')
    await inDialog('Rotate signing key').click()
    await said('A new signing key was created.')
    await page.getByText('The previous key is valid until').waitFor()
    expect(await page.locator('.secret .id-text').getAttribute('title')).not.toBe(before)
  })

  test('events are counted before they are sent again; a response is shown as text', async () => {
    here.shop.responses.set('/hook', { html: script, status: 500 })
    const created = await here.pay.charge({ amount: 700 })
    await here.chargeAfter(created.body.id, 'pending')
    await expect.poll(() => here.shop.requests.length).toBeGreaterThan(1)
    await page.reload()
    await row(/charge_finished Waiting 500/)
      .first()
      .waitFor()
    await button('Send events again').click()
    await page.getByLabel('Which events').selectOption('All')
    await inDialog('Count events').click()
    await dialog()
      .getByText(/^\d+ events? will be sent\.$/)
      .waitFor()
    await inDialog(/^Send \d+ events?$/).click()
    await said('The events are being sent.')
    await button('charge_finished').first().click()
    await dialog().getByText(script).first().waitFor()
    here.shop.responses.set('/hook', { html: 'thanks' })
    await inDialog('Send again').click()
    await said('The delivery is being sent again.')
    await row(/charge_finished Delivered 200/)
      .first()
      .waitFor()
  })

  test('is sent again from the payment that it was about', async () => {
    await goTo(page, '/payments')
    await row('¥700').getByRole('link').click()
    await page.getByText('Webhook: A payment ended →').first().click()
    await button('Send again').first().click()
    await said('The webhook is being sent again.')
  })

  test('is switched off, and deleted', async () => {
    await goTo(page, '/developers')
    await page.getByRole('link', { name: hook_url() }).click()
    await button('Switch off').click()
    await said('The webhook was switched off.')
    await button('Delete').click()
    await inDialog('Delete').click()
    await said('The webhook was deleted.')
  })
})

test('a plan is simulated, and nothing is created', async () => {
  await goTo(page, '/subscriptions')
  await button('Simulate a plan').click()
  await inDialog('Show the payments').click()
  await dialog().getByText('Enter an amount.').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill('12,000')
  await page.getByLabel('First payment on').fill('2026-03-31')
  await page.getByLabel('Number of payments').fill('3')
  await inDialog('Show the payments').click()
  await dialog().getByText('Apr 30').waitFor()
  expect(await dialog().getByText('¥4,000').count()).toBe(3)
  await page.keyboard.press('Escape')
  await page.getByText('Subscriptions bill customers on a schedule').waitFor()
})

test('the ledger is saved as CSV, without a formula', async () => {
  await goTo(page, '/ledger?tab=entries')
  await button('CSV').click()
  const started = page.waitForEvent('download')
  await inDialog('Save file').click()
  const text = readFileSync(await (await started).path(), 'utf8')
  expect(text).toMatch(/^\uFEFFLedger transaction ID,Line,Kind,Account,Currency,Amount/)
  await page.keyboard.press('Escape')
  expect(text).not.toMatch(/(^|,)=/m)
})

test('the same dialogs in Japanese, on a phone', async () => {
  const phone = await here.enter(owner, '/home', { language: 'ja-JP', width: 390, height: 844 })
  const { store_id } = here.merchant
  await phone.evaluate(`localStorage.setItem('console_store', '${store_id}')`)
  await phone.reload()
  const dialogs = [
    ['/settings?tab=users', 'ユーザーを招待', 'メールアドレス'],
    ['/settings?tab=bank', '銀行口座を追加', '口座番号'],
    ['/settings?tab=stores', '店舗を追加', '名前'],
    ['/settings?tab=security', '認証アプリを設定', '現在のパスワード'],
    ['/developers', 'Webhookを追加', 'URL'],
    ['/developers?tab=keys', 'APIキーを作成', 'ドメイン'],
    ['/subscriptions', 'プランを試算', '決済回数'],
    ['/payments?status=failed', 'ビューを保存', 'ビューの名前'],
    ['/checkout', '支払いリンクを作成', '名前'],
  ] as const
  const faults: string[] = []
  for (const [path, name, label] of dialogs) {
    await goTo(phone, path)
    await isLoaded(phone)
    await phone.getByRole('button', { name }).first().click()
    const opened = phone.getByRole('dialog', { name })
    await opened.getByLabel(label, { exact: true }).waitFor()
    if (await isTooWide(phone)) faults.push(`${name}: too wide`)
    faults.push(...(await violationsOf(phone)).map((one) => `${name}: ${one}`))
    await phone.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  expect(faults).toEqual([])
  await phone.context().close()
})

test('every action that began has its outcome in the audit log', async () => {
  const { rows } = await here.world.store.pool.query(
    `select action from audit_log b where kind = 'begun' and not exists (
      select from audit_log e where e.action_id = b.id and e.kind = 'ended')`,
  )
  expect(rows).toEqual([])
})
