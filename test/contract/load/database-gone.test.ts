import { expect, test } from 'vitest'
import { signMessage } from '../../../src/core/access/webhook-signature.ts'
import { simulatorSecret } from '../../../src/simulator/simulator.ts'
import { signIn } from '../../support/console-calls.ts'
import { newUser } from '../../support/console-users.ts'
import { newWorld, type World } from '../../support/world.ts'

const notified = {
  merchant_id: crypto.randomUUID(),
  resource_type: 'charge',
  resource_id: crypto.randomUUID(),
}

/** Routes that need no token look at the body first: it has to be a good one. */
const bodies: Record<string, object> = {
  '/console/session': { email: 'a@example.com', password: 'correct horse battery' },
  '/console/session/confirm': { password: 'correct horse battery' },
  '/authenticate': { email: 'a@example.com', password: 'correct horse battery' },
  '/password_resets': { email: 'a@example.com' },
  '/password_resets/{link}': { password: 'correct horse battery' },
  '/callbacks/{provider}': notified,
  '/callbacks/{provider}/{merchant_id}': notified,
}

function signed({ service, clock }: World, body: object): Record<string, string> {
  const timestamp = Math.floor(clock.now() / 1000)
  const secret = simulatorSecret(service.keys)
  const message = { id: 'a', timestamp, body: JSON.stringify(body) }
  return {
    'webhook-id': 'a',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage([secret], message),
  }
}

/** Paths that do not use the database. */
const without_database = /^\/(heartbeat|livez|readyz|platform|test\/scenarios)$/

test('without its database every route answers 503 with Retry-After, and nothing else', async () => {
  const world = await newWorld()
  const shop = await world.merchant()
  const browser = await signIn(world, (await newUser(world, shop)).email)
  await world.store.pool.end()
  const id = crypto.randomUUID()
  const wrong: string[] = []
  for (const [path, methods] of Object.entries(world.app.describeRoutes().paths)) {
    if (without_database.test(path)) continue
    for (const method of Object.keys(methods as object)) {
      const url = path.replace('{provider}', 'simulator').replaceAll(/\{[^}]+\}/g, id)
      const body = bodies[path] ?? {}
      world.clock.advance(5000)
      const asked = {
        auth: shop.as_merchant,
        headers: signed(world, body),
        ...(['post', 'patch'].includes(method) ? { body } : {}),
      }
      const { auth: _, ...with_cookie } = asked
      const response = url.startsWith('/console/')
        ? await browser.call(method.toUpperCase(), url, with_cookie)
        : await world.call(method.toUpperCase(), url, asked)
      const fine = response.status === 503 && response.headers['retry-after'] !== undefined
      if (!fine) wrong.push(`${method} ${path}: ${response.status} ${response.text.slice(0, 100)}`)
    }
  }
  expect(wrong).toEqual([])
  await world.close().catch(() => {})
})
