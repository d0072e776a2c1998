import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// A client that resets its connection between the arrival of its request and the first look at it has no address any
// more. Nothing of that may be left unhandled: it would end the process.
const world = useWorld()
let merchant: TestMerchant
let port: number

beforeAll(async () => {
  merchant = await world.merchant()
  port = (await world.listen()).port
})

test.each([
  ['a credential that is looked up', 'GET /me', () => merchant.as_store],
  ['a credential that is unknown', 'GET /me', () => `Bearer secret.${merchant.jwt}`],
  ['a public route', 'GET /heartbeat', () => null],
  ['no route', 'GET /nowhere', () => null],
  ['a page', 'GET /docs', () => null],
  ['the console', 'GET /console/api/me', () => null],
  ['a body', 'POST /tokens', () => merchant.as_store],
])('a client that is gone: %s', async (_name, target, credential) => {
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  const handled = new Promise<void>((resolve) => {
    world.app.server.prependOnceListener('request', () => {
      client.resetAndDestroy()
      setImmediate(resolve)
    })
  })
  const auth = credential()
  const lines = [`${target} HTTP/1.1`, 'Host: x', ...(auth ? [`Authorization: ${auth}`] : [])]
  const body = target.startsWith('POST')
    ? ['Content-Type: application/json', 'Content-Length: 2', '', '{}']
    : ['', '']
  client.write([...lines, ...body].join('\r\n'))
  await handled
  const { status } = await world.call('GET', '/me', { auth: merchant.as_store })
  expect(status).toBe(200)
})
