import { rmSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { cookieOf, newBrowser } from '../../../test/support/console-calls.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { credentialsPath } from '../demo/demo-credentials.ts'
import { demoConsoleLink, prepareDemo } from '../demo/demo-merchant.ts'

const world = useWorld()
const base_url = 'http://127.0.0.1:8080'

beforeEach(() => world.clock.advance(minute_ms))

const pathOf = (link: string | null | undefined) => (link ?? '').slice(base_url.length)
const newLink = async () => pathOf(await demoConsoleLink(world.service, base_url, 10 * minute_ms))

test('the first start has a link that signs the demo user in, and a later start has none', async () => {
  const first = await prepareDemo(world.service, base_url)
  const response = await world.call('GET', pathOf(first?.console_link))
  expect([response.status, response.headers.location]).toEqual([303, '/console'])
  const browser = newBrowser(world, cookieOf(response) ?? '')
  const session = await browser.call('GET', '/console/session')
  expect(session.body).toMatchObject({
    user: { email: 'demo@example.com' },
    merchant: { is_demo: true },
    role: 'owner',
    modes: ['test', 'live'],
  })
  expect(session.body.rights).toContain('operator:read')
  expect((await prepareDemo(world.service, base_url))?.console_link).toBeNull()
})

test('a database that has merchants gets no demo from a start with an empty data folder', async () => {
  const counted = async () =>
    (
      await world.store.pool.query(`select
      (select count(*)::int from app_tokens) as tokens, (select count(*)::int from console_links) as links,
      (select count(*)::int from merchants) as merchants`)
    ).rows
  const before = await counted()
  rmSync(credentialsPath(world.service.config.data_dir))
  expect(await prepareDemo(world.service, base_url)).toBeNull()
  expect(await counted()).toEqual(before)
})

test('a link works once, and not after its time', async () => {
  const expired = [303, '/console?link=expired', null]
  const follow = async (path: string) => {
    const response = await world.call('GET', path)
    return [response.status, response.headers.location, cookieOf(response)]
  }
  const link = await newLink()
  const [first, second] = await Promise.all([follow(link), follow(link)])
  const results = [first, second].map((one) => one?.[1]).sort()
  expect(results).toEqual(['/console', '/console?link=expired'])
  expect(await follow(link)).toEqual(expired)
  const late = await newLink()
  world.clock.advance(10 * minute_ms)
  expect(await follow(late)).toEqual(expired)
  expect(await follow('/console/enter/made-up')).toEqual(expired)
  const { rows } = await world.store.pool.query('select * from console_links')
  expect(JSON.stringify(rows)).not.toContain(link.split('/').at(-1))
})

test('the demo user has nothing to confirm with, so nothing is asked for', async () => {
  const browser = newBrowser(world, cookieOf(await world.call('GET', await newLink())) ?? '')
  expect((await browser.api('PATCH', '/me', { body: { name: 'Demo' } })).status).toBe(200)
  const log_in = { email: 'demo@example.com', password: '' }
  const response = await newBrowser(world).call('POST', '/console/session', { body: log_in })
  expect(response).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
})

test('processes that start at the same time create one demo user', async () => {
  await world.store.pool.query(`update users set email = 'renamed@example.com'`)
  // Each has its connection already: otherwise the first would be done before the others begin.
  await Promise.all(Array.from({ length: 5 }, () => world.store.pool.query('select pg_sleep(0.2)')))
  await Promise.all(Array.from({ length: 5 }, newLink))
  const { rows } = await world.store.pool.query(
    `select id from users where email = 'demo@example.com'`,
  )
  expect(rows).toHaveLength(1)
})
