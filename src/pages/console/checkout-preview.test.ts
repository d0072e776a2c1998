import { beforeAll, expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-calls.ts'
import { newUser } from '../../../test/support/console-users.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

const world = useWorld()
let shop: TestMerchant
let person: ConsoleBrowser

beforeAll(async () => {
  shop = await world.merchant()
  person = await signIn(world, (await newUser(world, shop, { role: 'viewer' })).email)
})

const preview = (query: Record<string, string> = {}) =>
  person.api('GET', `/stores/${shop.store_id}/checkout_preview`, { query })

test('the page of customers with what is being edited, for our own frames only', async () => {
  const { status, headers, text } = await preview({
    language: 'ja',
    main_color: '#ffee00',
    logo_url: 'https://cdn.shop.example/logo.svg',
    contact_phone: '03-1234-5678',
    terms_url: 'https://shop.example/terms',
  })
  expect(status, text).toBe(200)
  expect(text).toContain('コーヒー豆')
  expect(text).toContain('--button:#ffee00;--on-button:#000000')
  for (const shown of ['logo.svg', '03-1234-5678', 'https://shop.example/terms']) {
    expect(text).toContain(shown)
  }
  expect(text).not.toContain('<script')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("img-src 'self' https://cdn.shop.example;")
  expect(policy).toContain("frame-ancestors 'self'; base-uri 'none'; sandbox allow-same-origin")
  expect(policy).not.toContain('script-src')
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
})

test('typed text cannot become markup, a style or a source of the policy', async () => {
  const nasty = `"><script>alert(1)</script>`
  const { headers, text } = await preview({
    main_color: `#fff}body{display:none`,
    logo_url: "javascript:alert(1); script-src 'unsafe-inline'",
    contact_phone: nasty,
    contact_email: nasty,
    terms_url: nasty,
  })
  expect(text).not.toMatch(/<script|<style|javascript:/)
  expect(headers['content-security-policy']).toContain("style-src 'self'; img-src 'self'; form")
})

test('nobody without a session, and nobody of another merchant, sees a store', async () => {
  const path = `/stores/${shop.store_id}/checkout_preview`
  const anonymous = await world.call('GET', `/console/api${path}`)
  expect(anonymous.status).toBe(401)
  const other = await world.merchant()
  const stranger = await signIn(world, (await newUser(world, other)).email)
  expect((await stranger.api('GET', path)).status).toBe(404)
})
