import { beforeAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { newWorld, type TestMerchant } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'
import { newRequestLog } from './record-requests.ts'

// Requests of the last days: written in bulk, bounded for each merchant, without anything secret.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

async function requests(query: Record<string, string> = {}, auth = shop.as_merchant) {
  await world.app.request_log?.flush()
  world.clock.advance(1000)
  const { status, body, text } = await world.call('GET', '/requests', { auth, query })
  expect(status, text).toBe(200)
  return body.items
}

test('a request is logged with its credential, operation, resource and error, and no secret', async () => {
  const pay = payments(world, shop)
  const charge = await pay.settled()
  const headers = { 'idempotency-key': 'card 4242424242424242', 'x-request-id': 'mine-1' }
  const body = { amount: 5000, currency: 'JPY', '4242424242424242': 1, metadata: { x: null } }
  const path = `${pay.chargePath(charge.id)}/refunds`
  await world.call('POST', path, { auth: shop.as_store, headers, body })
  const [refused] = await requests({ status: 'error' })
  expect(refused).toMatchObject({
    request_id: 'mine-1',
    credential: 'application_token',
    token_id: shop.token_id,
    operation: 'createRefund',
    method: 'POST',
    status: 400,
    resource_id: charge.id,
    idempotency_key: 'card [card]',
    error: { code: 'VALIDATION_ERROR' },
  })
  const created = await requests({ operation: 'createCharge' })
  expect(created).toMatchObject([{ status: 201, resource_id: charge.id, error: null }])
  expect(await requests({ resource_id: charge.id, method: 'POST' })).toHaveLength(2)
  const one = await world.call('GET', '/requests/mine-1', { auth: shop.as_merchant })
  expect(one.body).toEqual(refused)
  expect(JSON.stringify(await requests())).not.toMatch(/4242424242424242|eyJ/)
})

test('another merchant sees nothing of it', async () => {
  const other = await world.merchant()
  expect(await requests({}, other.as_merchant)).toEqual([])
  const foreign = await world.call('GET', '/requests/mine-1', { auth: other.as_merchant })
  expect(foreign.status).toBe(404)
})

test('a flood of one merchant is cut off, and takes nothing from another', () => {
  const log = newRequestLog(world.service)
  const accepted = (merchant_id: string, method: string, status: number, count: number) =>
    Array.from({ length: count }, () => log.accepts(merchant_id, method, status)).filter(Boolean)
  expect(accepted('flood', 'GET', 200, 500)).toHaveLength(20)
  expect(accepted('flood', 'POST', 400, 5000)).toHaveLength(100)
  expect(accepted('flood', 'POST', 201, 1000)).toHaveLength(1000)
  expect(accepted('other', 'GET', 200, 10)).toHaveLength(10)
  world.clock.advance(60_000)
  expect(accepted('flood', 'GET', 200, 500)).toHaveLength(20)
})

test('requests are deleted after their days', async () => {
  const ids = (await requests()).map(({ id }: { id: string }) => id)
  expect(ids.length).toBeGreaterThan(0)
  world.clock.advance(8 * day_ms)
  await runAllDue(world.service)
  const left = 'select count(*)::integer as count from request_log where id = any($1::uuid[])'
  const { rows } = await world.store.pool.query(left, [ids])
  expect(rows[0].count).toBe(0)
})

test('with REQUEST_LOG_DAYS=0 nothing is kept', async () => {
  const silent = await newWorld({ settings: { REQUEST_LOG_DAYS: '0' } })
  expect(silent.app.request_log).toBeNull()
  const { as_merchant: auth } = await silent.merchant()
  const { body } = await silent.call('GET', '/requests', { auth })
  expect(body).toEqual({ items: [], has_more: false })
  await silent.close()
})
