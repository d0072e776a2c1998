import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Success codes are 200 for reads and updates and 201 for creates. Every response of every test is
// checked against the API description, so it is enough to check that.
const file = fileURLToPath(new URL('../../../openapi.json', import.meta.url))
const api: { paths: Record<string, Record<string, { responses: object }>> } = JSON.parse(
  readFileSync(file, 'utf8'),
)

const store = '/stores/{store_id}'
const charge = `${store}/charges/{charge_id}`
const webhook = '/webhooks/{webhook_id}'
const customs = `${charge}/customs/{customs_declaration_id}`

/** Every route that the specification has, by its success code. */
const routes: [code: string, method: string, path: string][] = [
  ['201', 'post', '/tokens'],
  ['200', 'get', `${store}/tokens/{token_id}`],
  ['201', 'post', '/charges'],
  ['200', 'get', '/charges'],
  ['200', 'get', `${store}/charges`],
  ['200', 'patch', charge],
  ['200', 'get', '/transaction_history'],
  ['200', 'get', `${store}/transaction_history`],
  ['201', 'post', `${charge}/refunds`],
  ['200', 'get', `${charge}/refunds`],
  ['200', 'patch', `${charge}/refunds`],
  ['200', 'patch', `${store}/refunds/{refund_id}`],
  ['200', 'patch', `${charge}/cancels/{cancel_id}`],
  ['201', 'post', '/subscriptions'],
  ['200', 'get', `${store}/subscriptions`],
  ['200', 'get', `${store}/subscriptions/{subscription_id}/charges`],
  ['201', 'post', `${charge}/customs`],
  ['200', 'patch', customs],
  ['200', 'get', customs],
  ['200', 'post', '/checkout_info/gateways/{gateway}'],
  ['200', 'get', '/me'],
  ['200', 'get', store],
  ['200', 'get', `/merchants/{merchant_id}${store}${webhook}`],
  ['200', 'get', `${store}${webhook}`],
  ['200', 'get', `${store}/webhooks`],
]

test('200 for reads and updates, 201 for creates, on every route of the specification', () => {
  for (const [code, method, path] of routes) {
    const { responses = {} } = api.paths[path]?.[method] ?? {}
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(successes, `${method} ${path}`).toEqual([code])
  }
})
