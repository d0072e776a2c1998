import type { RouteOptions } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { makeConsoleLink } from '../../src/accounts/sessions/console-link.ts'
import { insertUser } from '../../src/accounts/users/create-user.ts'
import { hour_ms } from '../../src/core/time/clock.ts'
import { inTransaction } from '../../src/service.ts'
import { cookieOf, newBrowser } from '../support/console-calls.ts'
import { declaration, makeIds } from '../support/data/ids-of-everything.ts'
import { payments } from '../support/payments.ts'
import { useWorld } from '../support/use-world.ts'
import type { TestMerchant, World } from '../support/world.ts'

// Every route with an id × owner of the id × caller. The list is read from the running app, so
// that a new route is included; a new kind of id without a factory below fails the test.
const world = useWorld()
let victim: Record<string, string>
let attacker: TestMerchant
let own: Record<string, string>
let routes: { method: string; url: string; public: boolean; for_users: boolean }[]

beforeAll(async () => {
  victim = await makeIds(world, await world.merchant())
  attacker = await world.merchant()
  own = await makeIds(world, attacker)
  // A gateway, brand or card field is a public name; a page or link is its own secret and has its own
  // tests. So have views, which belong to a user, and requests, whose ids clients choose.
  routes = (await listRoutes(world)).filter(
    ({ url }) =>
      url.includes(':') &&
      !/^\/(docs|assets|console\/assets|checkout\/fields)\/|:gateway|:brand|:page|:provider|:link|:view_id|:request_id/.test(
        url,
      ),
  )
})

async function listRoutes(of: World): Promise<typeof routes> {
  const found: typeof routes = []
  const probe = await import('../../src/http/app.ts')
  const app = probe.buildApp(of.service, {
    health: { accepting: true, findFaults: async () => [] },
  })
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.refuses) return
    for (const method of [route.method].flat()) {
      if (method === 'HEAD') continue
      const { level } = route.config?.access ?? {}
      const for_users =
        level === 'user' || level === 'operator' || route.config?.console_only === true
      found.push({ method, url: route.url, public: level === 'public', for_users })
    }
  })
  await app.ready()
  await app.close()
  return found
}

/** The merchant's ids that a route needs: those below a store, or the merchant's own. */
function fill(url: string, ids: Record<string, string>): string {
  return url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = of(ids, url, name)
    if (id === '') throw new Error(`There is no maker for :${name} of ${url}`)
    return id
  })
}

const bodies: Record<string, object> = {
  POST: {
    url: 'https://a.example/new',
    triggers: ['charge_finished'],
    name: 'N',
    amount: 1,
    currency: 'JPY',
    customer_id: 'c',
    outcome: 'successful',
    content_type: 'text/plain',
    content: 'aGVsbG8=',
    confirmation_code: '000000',
    period: 'monthly',
    declaration,
  },
  PATCH: {
    transaction_token_id: crypto.randomUUID(),
    name: 'Taken over',
    domains: ['thief.example'],
    active: false,
    holder_name: 'Thief',
    metadata: { taken: 1 },
    declaration: { certificate_name: 'Thief' },
  },
}

/** Disputes have their own outcomes. */
const bodyOf = (method: string, url: string) =>
  url.startsWith('/test/disputes/') ? { outcome: 'won' } : bodies[method]

async function snapshot(): Promise<string> {
  const tables = [
    'merchants',
    'stores',
    'app_tokens',
    'webhooks',
    'webhook_deliveries',
    'webhook_replays',
    'bank_accounts',
    'transaction_tokens',
    'charges',
    'refunds',
    'cancels',
    'customs_declarations',
    'customs_attempts',
    'transfers',
    'token_aliases',
    'token_confirmations',
    'deposits',
    'disputes',
    'dispute_files',
    'provider_notifications',
    'subscriptions',
    'subscription_payments',
    'users',
    'events',
  ]
  const rows = await Promise.all(
    tables.map((table) => world.store.pool.query(`select * from ${table} order by 1, 2`)),
  )
  // The last use of a token is known of every request.
  return JSON.stringify(
    rows.map((result) => result.rows.map((row) => ({ ...row, last_used_on: undefined }))),
  )
}

test('the route table has routes with ids, and every kind of id has a factory', async () => {
  expect(routes.length).toBeGreaterThan(20)
  for (const { url } of routes) fill(url, own)
})

test("another merchant's, deleted and random ids give the same 404, and nothing changes", async () => {
  const sibling = (
    await world.call('POST', '/stores', { auth: attacker.as_merchant, body: { name: 'Sibling' } })
  ).body
  const third = await makeIds(world, await world.merchant())
  const before = await snapshot()
  let asked = 0
  for (const { method, url } of routes) {
    const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    for (const name of names) {
      const strangers: [string, Record<string, string>][] = [
        ['another merchant', { ...own, [name]: of(victim, url, name) }],
        ['random', { ...own, [name]: crypto.randomUUID() }],
        ['everything of another merchant', victim],
        ['everything of a third', third],
      ]
      if (name === 'store_id') strangers.push(['sibling', { ...own, store_id: sibling.id }])
      const responses = []
      for (const [whose, ids] of strangers) {
        const merged = whose.startsWith('everything') ? ids : override(ids, url, name)
        for (const auth of [attacker.as_store, attacker.as_merchant]) {
          // A merchant's own token may of course see the sibling store.
          if (whose === 'sibling' && auth === attacker.as_merchant) continue
          world.clock.advance(5000)
          const body = bodyOf(method, url)
          const response = await world.call(method, fill(url, merged), {
            auth,
            ...(body ? { body } : {}),
          })
          asked += 1
          expect([403, 404], `${method} ${url} with ${name} of ${whose}`).toContain(response.status)
          if (response.status === 404) {
            responses.push(response.text)
          }
        }
      }
      expect(new Set(responses).size, `${method} ${url} ${name}`).toBeLessThanOrEqual(1)
    }
  }
  expect(asked).toBeGreaterThan(150)
  expect(await snapshot()).toBe(before)
})

test("another merchant's ids give 404 through the console too, and nothing changes", async () => {
  const browser = await consoleOwner(attacker)
  const before = await snapshot()
  const changes = routes.filter(({ url }) => !url.startsWith('/operator/'))
  for (const { method, url } of changes) {
    const name = /.*:(\w+)/.exec(url)?.[1] ?? ''
    for (const ids of [override({ ...own, [name]: of(victim, url, name) }, url, name), victim]) {
      world.clock.advance(1000)
      const body = bodyOf(method, url)
      const response = await browser.api(method, fill(url, ids), body ? { body } : {})
      expect([403, 404], `${method} ${url} with ${name}`).toContain(response.status)
      expect(response.text).not.toContain('CONFIRMATION_REQUIRED')
    }
  }
  expect(await snapshot()).toBe(before)
})

/** An owner who entered with a link: nothing has to be confirmed again. */
async function consoleOwner(merchant: TestMerchant) {
  const { id: merchant_id } = merchant
  const link = await inTransaction(world.service, async (tx) => {
    const wanted = { merchant_id, name: 'A', role: 'owner', lang: 'en' } as const
    const user = await insertUser(tx, { ...wanted, email: `${merchant_id}@console.example` })
    return makeConsoleLink(tx, user, '', hour_ms)
  })
  return newBrowser(world, cookieOf(await world.call('GET', link)) ?? '')
}

/** Routes for a resource in a certain state. */
const special: [RegExp, string, string][] = [
  [/cancels/, 'charge_id', 'canceled_charge_id'],
  [/customs/, 'charge_id', 'declared_charge_id'],
  [/charges.*three_ds/, 'charge_id', 'challenged_charge_id'],
  [/charges.*issuer_?token/i, 'charge_id', 'online_charge_id'],
  [/\/qr$/, 'charge_id', 'qr_charge_id'],
  [/expiry|bank_transfer_ledgers|deposits/, 'charge_id', 'bank_charge_id'],
  [/complete/, 'charge_id', 'online_charge_id'],
  [/tokens.*three_ds/, 'token_id', 'challenged_token_id'],
]

function of(ids: Record<string, string>, url: string, name: string): string {
  const key = special.find(([pattern, one]) => one === name && pattern.test(url))?.[2]
  if (key) return ids[key] ?? ''
  const own = url.includes(':store_id') ? undefined : ids[`merchant_${name}`]
  return own ?? ids[name] ?? ''
}

/** Puts the foreign id in both places that `fill` may take it from. */
function override(ids: Record<string, string>, url: string, name: string): Record<string, string> {
  const strange = ids[name] ?? ''
  const keys = special.filter(([, one]) => one === name).map(([, , key]) => [key, strange])
  if (keys.length > 0) return { ...ids, ...Object.fromEntries(keys) }
  return url.includes(':store_id') ? ids : { ...ids, [`merchant_${name}`]: strange }
}

test("the attacker's own ids do work: the matrix can see a success", async () => {
  const reads = routes.filter((route) => route.method === 'GET' && !route.for_users)
  for (const { method, url } of reads) {
    world.clock.advance(5000)
    const { status } = await world.call(method, fill(url, own), { auth: attacker.as_merchant })
    expect(status, url).toBe(200)
  }
})

test('deleted resources give the same response as random ids', async () => {
  const owner = await world.merchant()
  const ids = await makeIds(world, owner)
  const auth = owner.as_merchant
  for (const { url } of routes.filter(
    (route) =>
      route.method === 'DELETE' &&
      !route.for_users &&
      !/:store_id$|:subscription_id$|three_ds$/.test(route.url),
  )) {
    world.clock.advance(5000)
    const path = fill(url, await makeIdsAgain(owner, ids, url))
    expect((await world.call('DELETE', path, { auth })).status, url).toBe(204)
    const again = await world.call('DELETE', path, { auth })
    const random = await world.call('DELETE', path.replace(/[^/]+$/, crypto.randomUUID()), { auth })
    expect(again.status).toBe(404)
    expect(again.text).toBe(random.text)
  }
})

/** New resources for the next deletion; names and URLs must differ from the previous ones. */
async function makeIdsAgain(
  owner: TestMerchant,
  ids: Record<string, string>,
  path: string,
): Promise<Record<string, string>> {
  const auth = owner.as_merchant
  const url = `https://a.example/${crypto.randomUUID()}`
  const triggers = ['charge_finished']
  const create = async (path: string, body: object) =>
    (await world.call('POST', path, { auth, body })).body
  // Only when it is to be deleted: a merchant can have ten.
  const newBankAccount = async () =>
    (
      await create('/bank_accounts', {
        holder_name: 'A',
        bank_name: 'B',
        country: 'JP',
        currency: 'JPY',
        account_number: String(Math.floor(Math.random() * 1e9) + 1e9),
      })
    ).id
  return {
    ...ids,
    token_id: await payments(world, owner).tokenId(),
    app_token_id: (await create(`/stores/${owner.store_id}/app_jwts`, {})).jti,
    merchant_app_token_id: (await create('/app_jwts', {})).jti,
    webhook_id: (await create(`/stores/${owner.store_id}/webhooks`, { url, triggers })).id,
    merchant_webhook_id: (await create('/webhooks', { url, triggers })).id,
    ...(path.startsWith('/bank_accounts') ? { bank_account_id: await newBankAccount() } : {}),
  }
}

test('control fields in a body are never stored', async () => {
  const owner = await world.merchant()
  const other = await world.merchant()
  const control = {
    id: other.store_id,
    merchant_id: other.id,
    store_id: other.store_id,
    mode: 'live',
    status: 'verified',
    verified: true,
    created_on: '2000-01-01T00:00:00.000Z',
    updated_on: '2000-01-01T00:00:00.000Z',
    deleted_on: null,
    demo: true,
    is_integration: true,
  }
  const auth = owner.as_merchant
  const store = await world.call('POST', '/stores', { auth, body: { ...control, name: 'S' } })
  const hook = await world.call('POST', `/stores/${owner.store_id}/webhooks`, {
    auth,
    body: { ...control, url: 'https://a.example/x', triggers: ['charge_finished'] },
  })
  const bank = await world.call('POST', '/bank_accounts', {
    auth,
    body: {
      ...control,
      holder_name: 'A',
      bank_name: 'B',
      country: 'JP',
      currency: 'JPY',
      account_number: '7654321',
    },
  })
  const me = await world.call('PATCH', '/me', { auth, body: { ...control, email: 'x@y.example' } })
  for (const { status, body } of [store, hook, bank, me]) {
    expect([200, 201]).toContain(status)
    expect(body.created_on).toMatch(/^2026-/)
    expect(body.id).not.toBe(other.store_id)
    if (body.merchant_id) expect(body.merchant_id).toBe(owner.id)
  }
  expect(hook.body).toMatchObject({ store_id: owner.store_id, is_integration: false })
  expect(bank.body.status).toBe('new')
  expect(me.body).toMatchObject({ verified: false, email: expect.stringContaining('@example.com') })
  const patched = await world.call('PATCH', `/bank_accounts/${bank.body.id}`, {
    auth,
    body: control,
  })
  expect(patched.body).toMatchObject({ id: bank.body.id, status: 'new' })
})
