import { expect, test } from 'vitest'
import { useHooks } from '../../../test/support/receiver/hooks.ts'
import { signMessage } from '../../core/access/webhook-signature.ts'
import { simulatorSecret } from '../../simulator/simulator.ts'

const on = useHooks()

interface Message {
  secret?: string
  timestamp?: number
  sent?: string
  provider?: string
}

async function callback(notice: object, message: Message = {}) {
  const { service, clock } = on.world
  const secret = message.secret ?? simulatorSecret(service.keys)
  const timestamp = message.timestamp ?? Math.floor(clock.now() / 1000)
  const body = JSON.stringify(notice)
  const signature = signMessage([secret], { id: 'msg_1', timestamp, body })
  return on.world.call('POST', `/callbacks/${message.provider ?? 'simulator'}`, {
    body: message.sent ?? body,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    },
  })
}

async function waiting() {
  const data = { brand: 'alipay_online', call_method: 'http_get' }
  const id = await on.pay.waiting('online', data)
  return { merchant_id: on.shop.id, resource_type: 'charge', resource_id: id }
}

async function claims(id: string): Promise<number> {
  const { rows } = await on.world.store.pool.query('select claims from charges where id = $1', [id])
  return rows[0].claims
}

test('a callback without a signature, or with a bad one, is refused and nothing is looked at', async () => {
  const notice = await waiting()
  const before = await claims(notice.resource_id)
  const path = '/callbacks/simulator'
  const unsigned = await on.world.call('POST', path, { body: notice })
  expect([unsigned.status, unsigned.body.code]).toEqual([401, 'INVALID_CREDENTIALS'])
  const foreign = await callback(notice, { secret: 'whsec_AAAA' })
  expect(foreign.status).toBe(401)
  const changed = { ...notice, resource_id: notice.merchant_id }
  expect((await callback(notice, { sent: JSON.stringify(changed) })).status).toBe(401)
  const old = Math.floor(on.world.clock.now() / 1000) - 301
  expect((await callback(notice, { timestamp: old })).status).toBe(401)
  expect((await callback(notice, { timestamp: Number.NaN })).status).toBe(401)
  expect((await callback(notice, { provider: 'nobody' })).status).toBe(404)
  expect((await callback(notice, { provider: 'constructor' })).status).toBe(404)
  expect(await claims(notice.resource_id)).toBe(before)
})

test('a signed callback makes the service look; a repeated one changes nothing', async () => {
  const notice = await waiting()
  const events = async () =>
    (await on.pay.get(`/events?resource_id=${notice.resource_id}`)).body.items.length
  const before = await events()
  expect((await callback(notice)).status).toBe(204)
  expect((await callback(notice)).status).toBe(204)
  await on.work()
  const found = await on.pay.get(on.pay.chargePath(notice.resource_id))
  expect(found.body.status).toBe('awaiting')
  expect(await events()).toBe(before)
})

test('a callback about a charge of another merchant or store changes nothing there', async () => {
  const notice = await waiting()
  const before = await claims(notice.resource_id)
  const other = await on.world.merchant()
  expect((await callback({ ...notice, merchant_id: other.id })).status).toBe(204)
  expect(await claims(notice.resource_id)).toBe(before)
})
