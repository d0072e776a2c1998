import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import { enrol, newUser } from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { newReceiver, type Receiver } from '../../../test/support/receiver/receiver.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { mayRead, rights } from '../../core/access/rights.ts'
import { type Role, roles } from '../../core/access/users.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { type EventName, event_names } from '../../events/event-names.ts'

// An event, a line of the audit log or an entry of a timeline is read with the right of its resource.
const world = useWorld()
let shop: TestMerchant
let receiver: Receiver
let charge_id: string

beforeAll(async () => {
  shop = await world.merchant({ verified: true })
  receiver = await newReceiver()
  const owner = await newUser(world, shop, { email: 'secret-owner@example.com' })
  const { auth } = await enrol(world, owner.email)
  const account = {
    holder_name: 'HOLDER',
    bank_name: 'BANKOFSECRETS',
    country: 'JP',
    currency: 'JPY',
  }
  const post = async (path: string, body: object, as = auth) => {
    world.clock.advance(minute_ms)
    const created = await world.call('POST', path, { auth: as, body })
    expect(created.status, created.text).toBe(201)
    return created.body
  }
  await post('/bank_accounts', { ...account, account_number: '7654321' })
  await post('/webhooks', { url: receiver.url, triggers: ['charge_finished'] })
  await post(`/stores/${shop.store_id}/app_jwts`, { mode: 'live', domains: ['live.example'] })
  charge_id = (await payments(world, shop).settled()).id
  await payments(world, shop).work()
})
afterAll(async () => {
  await receiver.close()
})

const secrets = () => ({
  bank_accounts: 'BANKOFSECRETS',
  users: 'secret-owner@example.com',
  webhooks: receiver.url,
})

async function signedIn(role: Role) {
  return signIn(world, (await newUser(world, shop, { role })).email)
}

for (const role of roles) {
  test(`a ${role} with a password only reads nothing in events that other routes refuse them`, async () => {
    const browser = await signedIn(role)
    await payments(world, shop).work()
    const page = await browser.api('GET', '/events?limit=100')
    expect(page.status).toBe(200)
    const names = page.body.items.map(({ event }: { event: EventName }) => event)
    expect(names).toContain('charge_finished')
    expect(page.text).not.toContain(secrets().bank_accounts)
    expect(page.text).not.toContain(secrets().webhooks)
    expect(page.text).not.toContain('live.example')
    expect(page.text.includes(secrets().users)).toBe(role === 'owner')
    const shown = new Set(page.body.items.map(({ id }: { id: string }) => id))
    const { rows } = await world.store.pool.query(
      'select id, name from events where merchant_id = $1',
      [shop.id],
    )
    for (const { id, name } of rows) {
      const { status } = await browser.api('GET', `/events/${id}`)
      expect([name, status]).toEqual([name, shown.has(id) ? 200 : 404])
    }
  })
}

test('with a second factor, an owner reads all events and a developer those of their role', async () => {
  const owner = await enrol(world, (await newUser(world, shop)).email)
  const developer = await enrol(world, (await newUser(world, shop, { role: 'developer' })).email)
  const read = async (auth: string) => (await world.call('GET', '/events?limit=100', { auth })).text
  const all = await read(owner.auth)
  for (const text of [...Object.values(secrets()), 'live.example']) expect(all).toContain(text)
  const some = await read(developer.auth)
  expect(some).toContain(secrets().webhooks)
  for (const text of [secrets().bank_accounts, secrets().users]) expect(some).not.toContain(text)
})

test('an application token reads no events about users, as it reads no users', async () => {
  const { text } = await world.call('GET', '/events?limit=100', { auth: shop.as_merchant })
  expect(text).toContain(secrets().bank_accounts)
  expect(text).not.toContain(secrets().users)
})

test('the audit log shows an owner without second factor neither live mode nor bank accounts', async () => {
  const browser = await signedIn('owner')
  const seen = await browser.api('GET', '/audit_log?limit=100')
  expect(seen.status).toBe(200)
  expect(seen.body.items.length).toBeGreaterThan(0)
  for (const text of [secrets().bank_accounts, secrets().webhooks, 'live.example']) {
    expect(seen.text).not.toContain(text)
  }
  const { auth } = await enrol(world, (await newUser(world, shop)).email)
  const all = await world.call('GET', '/audit_log?limit=100', { auth })
  for (const text of [secrets().bank_accounts, secrets().webhooks, 'live.example']) {
    expect(all.text).toContain(text)
  }
})

test("a viewer's timeline shows that an event was sent, not its destination", async () => {
  const browser = await signedIn('viewer')
  const path = `/stores/${shop.store_id}/charges/${charge_id}/timeline`
  const seen = await browser.api('GET', path)
  const sent = seen.body.items.filter(({ kind }: { kind: string }) => kind === 'delivery')
  expect(sent).toMatchObject([{ details: { event: 'charge_finished', url: null, status: 200 } }])
  expect(seen.text).not.toContain(secrets().webhooks)
})

test('a role that reads deliveries may read every event that is delivered', () => {
  for (const [name, { levels, right }] of Object.entries(event_names)) {
    if (levels.length === 0) continue
    for (const role of roles) {
      const user = { role, second_factor: true } as never
      if (mayRead({ user }, 'webhooks'))
        expect([name, mayRead({ user }, right)]).toEqual([name, true])
    }
  }
  expect(Object.keys(rights)).toContain('bank_accounts')
})
