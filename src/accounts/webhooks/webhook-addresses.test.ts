import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// A service on the public internet: webhooks go to public addresses over https only.
const world = useWorld({
  settings: {
    WEBHOOK_TARGETS: 'public',
    HOST: '93.184.216.34',
    BASE_URL: 'https://pay.example.com',
  },
})
let shop: TestMerchant
let hook_path: string

beforeAll(async () => {
  shop = await world.merchant()
  const created = await create({ url: 'https://shop.example.com/start' })
  expect(created.status, created.text).toBe(201)
  hook_path = `/webhooks/${created.body.id}`
})

function call(method: string, path: string, body: object) {
  world.clock.advance(1000)
  return world.call(method, path, { auth: shop.as_merchant, body })
}
const create = (body: object) =>
  call('POST', '/webhooks', { triggers: ['charge_finished'], ...body })

/** Refused wherever a URL can be given. */
async function expectRefused(url: string): Promise<void> {
  const responses = [
    await create({ url }),
    await call('PATCH', hook_path, { url }),
    await call('POST', `${hook_path}/replays`, { url }),
  ]
  for (const { status, body } of responses) {
    expect([status, body.errors]).toEqual([400, [{ field: 'url', reason: 'INVALID_FORMAT_URL' }]])
  }
}

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '[::]',
  '[::1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[fd00::1]',
  '[fe80::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'localhost.',
  'intranet.',
  '224.0.0.1',
  '[ff02::1]',
])('https://%s is refused at every place where an address is saved', async (host) => {
  await expectRefused(`https://${host}/hook`)
})

test.each([
  'https://93.184.216.34/hook',
  'https://pay.example.com/hook',
  'https://pay.example.com./hook',
  'https://PAY.example.com:8443/hook',
])('%s is this service and no receiver', async (url) => {
  await expectRefused(url)
})

test.each([
  'http://shop.example.com/hook',
  'https://shop.example.com:22/',
  'https://shop.example.com:80/',
  'https://shop.example.com:6379/',
  'https://user@shop.example.com/',
  'https://user:password@shop.example.com/',
  'https://:password@shop.example.com/',
  'https://shop.example.com/#part',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  'https://shop.example.com:99999/',
])('%s is refused', async (url) => {
  await expectRefused(url)
})

test.each([
  'https://shop.example.com/hook',
  'https://shop.example.com:443/second?key=value',
  'https://shop.example.com:8443/hook',
  'https://93.184.216.35/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://日本.example.com/hook',
])('%s is a receiver', async (url) => {
  const created = await create({ url })
  expect(created.status, created.text).toBe(201)
  expect(created.body.url).toBe(new URL(url).href)
})

test.each([
  ['a line break', 'abc\r\nx-injected: 1'],
  ['a line feed', 'abc\nx'],
  ['a carriage return', 'abc\rx'],
  ['a tab', 'abc\tdef'],
  ['an escape', 'abc\u001b'],
  ['a delete', 'abc\u007f'],
  ['another script', 'ひみつ'],
  ['a letter that is cut to a line feed', 'abc\u010ax'],
  ['a line separator', 'abc\u2028'],
  ['a space in front', ' abc'],
  ['a space at the end', 'abc '],
  ['nothing', ''],
  ['too much', 'x'.repeat(1025)],
])('an auth_token with %s is refused', async (_, auth_token) => {
  const url = 'https://shop.example.com/token'
  for (const response of [
    await create({ url, auth_token }),
    await call('PATCH', hook_path, { auth_token }),
  ]) {
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ field: 'auth_token', reason: expect.any(String) }])
  }
})

test('a name that resolves to a private address is not connected to: the ping reports it', async () => {
  const before = await world.store.pool.query('select url from webhooks where url like $1', [
    '%start',
  ])
  expect(before.rows).toHaveLength(1)
  // As if it had been saved by an older version, or before the setting was changed.
  await world.store.pool.query('update webhooks set url = $1 where url like $2', [
    'https://127.0.0.1:8080/start',
    '%start',
  ])
  const { body } = await call('POST', `${hook_path}/ping`, {})
  expect(body).toMatchObject({ status: null, error: 'The address of the host is not public.' })
})
