import { beforeEach, describe, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import { loginToken, newUser } from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'

// The clock of the merchant's test mode is three days ahead. Changes by people and by tokens without a mode
// then have that time, like everything else that happened to the object.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let email: string
let moved_ms: number

beforeEach(async () => {
  email = (await newUser(world, shop)).email
  await pay.post('/test/clock', { advance: 'P3D' })
  moved_ms = world.clock.now() + 3 * day_ms - 60_000
})

type Change = (method: string, path: string, body?: object) => Promise<ApiResponse>

async function changeBy(caller: string): Promise<Change> {
  const browser = caller === 'the console' ? await signIn(world, email) : null
  const auth = caller === 'a login token' ? await loginToken(world, email) : shop.as_merchant
  return async (method, path, body = {}) => {
    world.clock.advance(2000)
    const response = browser
      ? await browser.api(method, path, { body })
      : await world.call(method, path, { auth, body })
    expect(response.status, response.text).toBeLessThan(300)
    return response
  }
}

const subscription = async () => {
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const terms = { amount: 500, currency: 'JPY', period: 'monthly' }
  const { body } = await pay.post('/subscriptions', { transaction_token_id, ...terms })
  await pay.work()
  return `/stores/${shop.store_id}/subscriptions/${body.id}`
}
const held = async () => pay.chargePath((await pay.settled({ capture: false })).id)
const paid = async () => pay.chargePath((await pay.settled()).id)
const tokenPath = async () =>
  `/stores/${shop.store_id}/tokens/${await pay.tokenId({ type: 'recurring' })}`
const session = async () => {
  const { body } = await pay.post('/checkout_sessions', { amount: 500, currency: 'JPY' })
  return `/stores/${shop.store_id}/checkout_sessions/${body.id}`
}

/** An action, and the object that it changes. */
const actions: [string, (change: Change) => Promise<string>][] = [
  [
    'a refund',
    async (change) => {
      const path = `${await paid()}/refunds`
      return `${path}/${(await change('POST', path, { amount: 100, currency: 'JPY' })).body.id}`
    },
  ],
  [
    'a capture',
    async (change) => {
      const path = await held()
      await change('POST', `${path}/capture`)
      return path
    },
  ],
  [
    'a cancel',
    async (change) => {
      const path = `${await held()}/cancels`
      return `${path}/${(await change('POST', path)).body.id}`
    },
  ],
  [
    'metadata of a charge',
    async (change) => {
      const path = await paid()
      await change('PATCH', path, { metadata: { a: 1 } })
      return path
    },
  ],
  [
    'a changed token',
    async (change) => {
      const path = await tokenPath()
      await change('PATCH', path, { metadata: { a: 1 } })
      return path
    },
  ],
  [
    'a changed subscription',
    async (change) => {
      const path = await subscription()
      await change('PATCH', path, { metadata: { a: 1 } })
      return path
    },
  ],
  [
    'a suspended subscription',
    async (change) => {
      const path = await subscription()
      await change('PATCH', `${path}/suspend`)
      return path
    },
  ],
  [
    'a canceled checkout session',
    async (change) => {
      const path = await session()
      await change('POST', `${path}/cancel`)
      return path
    },
  ],
]

describe.each(['the console', 'a login token', 'a token of the merchant'])('%s', (caller) => {
  test.each(actions)('%s has the time of the merchant’s clock', async (_, act) => {
    const path = await act(await changeBy(caller))
    const { rows } = await world.store.pool.query(
      `select name, created_on from events where resource_id = $1 order by sequence`,
      [path.split('/').at(-1)],
    )
    const { body } = await pay.get(path)
    const times = [body.updated_on, ...rows.map((row) => row.created_on.toISOString())]
    for (const time of times.filter((one) => one !== undefined)) {
      expect(Date.parse(time), `${path} ${time}`).toBeGreaterThan(moved_ms)
    }
  })

  test('the timeline of a charge is in order', async () => {
    const change = await changeBy(caller)
    const path = await paid()
    await change('PATCH', path, { metadata: { seen: true } })
    await change('POST', `${path}/refunds`, { amount: 100, currency: 'JPY' })
    await pay.work()
    await world.app.request_log?.flush()
    const { items } = (await pay.get(`${path}/timeline`)).body
    const kinds = items.map(({ kind }: { kind: string }) => kind)
    expect(kinds[0]).not.toBe('action')
    for (const { on, title } of items) expect(Date.parse(on), title).toBeGreaterThan(moved_ms)
  })
})
