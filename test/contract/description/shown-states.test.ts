import { expect, test } from 'vitest'
import { type MachineName, statesOf } from '../../../src/core/payments/states.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { runAllDue } from '../../../src/worker/worker.ts'
import { payments } from '../../support/payments.ts'
import { withProviders } from '../../support/simulators.ts'
import { useMerchant, useWorld } from '../../support/use-world.ts'
import type { ApiResponse } from '../../support/world.ts'

// The `status` of a resource in every state: alone, in its lists, and in the event about it. Each state is
// reached as a client or a provider would reach it.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

/** The route of a resource, the lists that contain it, and its final event, if any. */
interface Shown {
  readonly id: string
  readonly path: string
  readonly lists: readonly string[]
  readonly event?: string
}

const declined = { card_number: '4000000000000002' }
const part = { amount: 400, currency: 'JPY' }

/** The worker, with a provider that fails technically in one kind of operation. */
async function workWithFault(operation: 'refund' | 'void' | 'declareCustoms'): Promise<void> {
  const { service } = world
  const fault = async () => ({ outcome: 'refused', code: 501, detail: null }) as const
  const broken = (provider: Provider): Provider => ({ ...provider, [operation]: fault })
  await runAllDue(withProviders(service, ...service.providers.all.map(broken)))
}

function charge(id: string, event?: string): Shown {
  const lists = ['/charges', `/stores/${shop.store_id}/charges`]
  return { id, path: pay.chargePath(id), lists, ...(event ? { event } : {}) }
}

async function ofCharge(charge_id: string, name: string, body: object): Promise<Shown> {
  const list = `${pay.chargePath(charge_id)}/${name}`
  const created = await pay.post(list, body)
  expect(created.status, created.text).toBe(201)
  const event = { refunds: 'refund', cancels: 'cancel', customs: 'customs_declaration' }[name]
  const { id } = created.body
  return { id, path: `${list}/${id}`, lists: [list], event: `${event}_finished` }
}

const refund = async (data: object = {}) =>
  ofCharge((await pay.settled({}, { data })).id, 'refunds', part)
const cancel = async (data: object = {}) =>
  ofCharge((await pay.settled({ capture: false }, { data })).id, 'cancels', {})
const customs = async (certificate_id = '330821198809085211') => {
  const number = { merchant_customs_no: '330296A001', certificate_id, certificate_name: 'Zhang' }
  const declaration = { customs: 'NINGBO', ...number }
  return ofCharge(await pay.paidOnline(), 'customs', { declaration })
}

async function subscription(body: object = {}, data: object = {}): Promise<Shown> {
  const created = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }, data),
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    ...body,
  })
  expect(created.status, created.text).toBe(201)
  const { id } = created.body
  const list = `/stores/${shop.store_id}/subscriptions`
  return { id, path: `${list}/${id}`, lists: ['/subscriptions', list] }
}

const worked = async (shown: Promise<Shown>): Promise<Shown> => {
  const found = await shown
  await pay.work()
  return found
}
const without_event = async (shown: Promise<Shown>): Promise<Shown> => {
  const { event: _, ...rest } = await shown
  return rest
}

/** Resource: state: how it is reached. */
const reached: { [Name in MachineName]?: Record<string, () => Promise<Shown>> } = {
  charge: {
    pending: async () => charge((await pay.charge()).body.id),
    awaiting: async () =>
      charge(await pay.waiting('online', { brand: 'we_chat_online', call_method: 'app' })),
    authorized: async () => charge((await pay.settled({ capture: false })).id),
    successful: async () => charge((await pay.settled()).id, 'charge_finished'),
    failed: async () => charge((await pay.settled({}, { data: declined })).id, 'charge_finished'),
    error: async () => {
      const token = { email: 'x+charge-failure-501@example.com' }
      return charge((await pay.settled({}, { token })).id, 'charge_finished')
    },
    canceled: async () => {
      const { id } = await pay.settled({ capture: false })
      await worked(ofCharge(id, 'cancels', {}))
      return charge(id, 'charge_finished')
    },
  },
  refund: {
    pending: () => without_event(refund()),
    successful: () => worked(refund()),
    failed: () => worked(refund({ card_number: '4000000000005126' })),
    error: async () => {
      const shown = await refund()
      await workWithFault('refund')
      return shown
    },
  },
  cancel: {
    pending: () => without_event(cancel()),
    successful: () => worked(cancel()),
    failed: () => worked(cancel({ card_number: '4000000000007726' })),
    error: async () => {
      const shown = await cancel()
      await workWithFault('void')
      return shown
    },
  },
  customs_declaration: {
    pending: () => without_event(customs()),
    successful: () => worked(customs()),
    failed: () => worked(customs('FAIL1988')),
    error: async () => {
      const shown = await customs()
      await workWithFault('declareCustoms')
      return shown
    },
  },
  subscription: {
    unverified: () => subscription(),
    unconfirmed: () => worked(subscription({}, declined)),
    authorized: () =>
      worked(
        subscription({ first_charge_authorization_only: true, first_charge_capture_after: 'PT6H' }),
      ),
    current: () => worked(subscription()),
    unpaid: async () => {
      const shown = await worked(subscription())
      const transaction_token_id = await pay.tokenId({ type: 'recurring' }, declined)
      await pay.patch(shown.path, { transaction_token_id })
      expect((await pay.post('/test/clock', { advance: 'P32D' })).status).toBe(200)
      return shown
    },
    suspended: async () => {
      const shown = await worked(subscription())
      await pay.patch(shown.path, { status: 'suspended' })
      return shown
    },
    canceled: async () => {
      const shown = await worked(subscription())
      await world.call('DELETE', shown.path, { auth: shop.as_store })
      return shown
    },
    completed: () =>
      worked(subscription({ installment_plan: { plan_type: 'fixed_cycles', fixed_cycles: 3 } })),
  },
}

const cases = Object.entries(reached).flatMap(([name, states]) =>
  Object.entries(states).map(([state, reach]) => [name, state, reach] as const),
)

test.each(cases)('a %s that is %s shows it alone, in lists and in its event', async (...one) => {
  const [, state, reach] = one
  const { id, path, lists, event } = await reach()
  expect((await pay.get(path)).body.status).toBe(state)
  for (const list of lists) {
    const { items } = (await pay.get(list)).body
    const found = items.find((item: ApiResponse['body']) => item.id === id)
    expect([list, found?.status]).toEqual([list, state])
  }
  if (event === undefined) return
  const { rows } = await world.store.pool.query(
    'select data from events where resource_id = $1 and name = $2',
    [id, event],
  )
  expect(rows).toMatchObject([{ data: { status: state } }])
})

test('every state of these resources was checked', () => {
  for (const [name, states] of Object.entries(reached)) {
    const looked_at = Object.keys(states).toSorted()
    expect(looked_at, name).toEqual(statesOf(name as MachineName).toSorted())
  }
})
