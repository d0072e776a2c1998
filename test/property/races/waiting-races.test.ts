import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeNotification } from '../../../src/commerce/notifications/store-notification.ts'
import { actAsCustomer } from '../../../src/commerce/test-actions/test-actions.ts'
import { inTransaction } from '../../../src/service.ts'
import { runAllDue, runKind } from '../../../src/worker/worker.ts'
import { tally } from '../../support/fleet/payment-fleet.ts'
import {
  newGate,
  newWaitingFleet,
  post,
  type WaitingFleet,
  type WaitingKind,
} from '../../support/fleet/waiting-fleet.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'
import { simulatorOf } from '../../support/simulators.ts'

// A customer's action on a page meets the expiry of the charge, on three processes at the same time.
// One of them wins: nothing is taken or held for an ended charge, and nothing is missing of one that
// succeeded.
let fleet: WaitingFleet

beforeAll(async () => {
  fleet = await newWaitingFleet()
})
beforeEach(async () => {
  fleet.world.clock.advance(60_000)
  await fleet.newShop()
})
afterEach(async () => expect(await paymentFaults(fleet.world)).toEqual([]))
afterAll(() => fleet.world.close())

const at_once = 18

const completes = (id: string, outcome = 'successful') =>
  post(`/test/charges/${id}/complete`, { outcome })
const providerOf = (kind: WaitingKind) => (kind === 'card' ? 'card' : 'customer')
const cancels = (id: string) => post(`${fleet.pay.chargePath(id)}/cancels`)

/** The money that the provider took or holds of failed charges, and the missing money of others. */
async function wrongAtProvider(ids: string[]): Promise<unknown[]> {
  return fleet.rows(
    `with done as (
       select merchant_id, charge_id, bool_or(kind = 'authorize') as authorized,
         bool_or(kind = 'authorize' and capture) as taken,
         bool_or(kind = 'void') as released, bool_or(kind = 'refund') as refunded
       from simulator_operations where outcome ->> 'outcome' = 'approved' group by 1, 2)
     select c.id, c.status, c.error, d.* from charges c
     left join done d on d.merchant_id = c.merchant_id and d.charge_id = c.id
     where c.id = any($1::uuid[]) and case
       when c.status in ('successful', 'authorized') then d.authorized is not true or d.released
       else d.authorized and not (case when taken then refunded else released end) end`,
    ids,
  )
}

interface Customer {
  name: string
  kind: WaitingKind
  body: object
  good: string
}

const customers: Customer[] = [
  { name: 'online', kind: 'online', body: {}, good: 'successful' },
  { name: '3-D Secure, taken at once', kind: 'card', body: {}, good: 'successful' },
  { name: '3-D Secure, held', kind: 'card', body: { capture: false }, good: 'authorized' },
]
const races = ['the time-out', 'a cancel', 'a cancel and the time-out'] as const
const named = customers.map((customer) => [customer.name, customer] as const)
const cases = races.flatMap((race) => named.map(([name, one]) => [name, race, one] as const))

test.each(cases)('%s: the customer acts at the moment of %s', async (_, race, customer) => {
  const { kind, body, good } = customer
  const ids = await fleet.waiting(kind, at_once, {}, body)
  if (race !== 'a cancel') await fleet.toTheEndOf(ids)
  const requests = ids.flatMap((id, index) => {
    if (race === 'the time-out') return [completes(id)]
    return index % 2 === 0 ? [completes(id), cancels(id)] : [cancels(id), completes(id)]
  })
  await fleet.storm(requests, /^20|INVALID_CHARGE_STATUS|CANCEL_NOT_ALLOWED/)
  expect(await wrongAtProvider(ids)).toEqual([])
  const open = 'select from cancels where charge_id = any($1::uuid[]) and status = $2'
  expect(await fleet.rows(open, ids, 'pending')).toEqual([])
  const ends = Object.keys(await fleet.endsOf(ids))
  for (const end of ends) expect([good, 'canceled', 'failed 327']).toContain(end)
  if (race === 'the time-out') expect(ends).not.toContain('canceled')
})

test.each(named)('%s: each end, one at a time', async (_, { kind, body, good }) => {
  const [paid = '', expired = '', canceled = '', declined = ''] = await fleet.waiting(
    kind,
    4,
    {},
    body,
  )
  await fleet.together([completes(paid), cancels(canceled), completes(declined, 'failed')])
  await fleet.settle()
  await fleet.toTheEndOf([expired])
  await fleet.settle()
  const ids = [paid, expired, canceled, declined]
  const refused = kind === 'card' ? 'failed 359' : 'failed 340'
  expect(await fleet.endsOf(ids)).toEqual({ [good]: 1, 'failed 327': 1, canceled: 1, [refused]: 1 })
  expect(await wrongAtProvider(ids)).toEqual([])
  const late = await fleet.together(ids.map((id) => completes(id)))
  expect(tally(late)).toEqual({ '400 VALIDATION_ERROR': 4 })
})

test.each(named)(
  '%s: once the expiry has begun, the provider alone decides',
  async (_, customer) => {
    const { kind, body, good } = customer
    for (const acted of [false, true]) {
      const [id = ''] = await fleet.waiting(kind, 1, {}, body)
      await fleet.toTheEndOf([id])
      const gate = newGate()
      const ending = fleet.runOver(providerOf(kind), (inner) => ({
        void: async (operation) => {
          if (acted) expect(tally(await fleet.together([completes(id)]))).toEqual({ 200: 1 })
          const outcome = await inner.void(operation)
          await gate.pass()
          return outcome
        },
      }))
      await gate.reached
      expect(tally(await fleet.together([cancels(id)]))).toEqual({ '400 CANCEL_NOT_ALLOWED': 1 })
      // The notification arrives at another process, which leaves the charge alone.
      await runAllDue((fleet.nodes[1] ?? fleet.world).service)
      expect(await fleet.endsOf([id])).toEqual({ awaiting: 1 })
      gate.open()
      await ending
      await fleet.settle()
      // A completed payment counts; an authentication alone does not.
      const paid = acted && kind === 'online'
      expect(await fleet.endsOf([id])).toEqual({ [paid ? good : 'failed 327']: 1 })
      expect(await wrongAtProvider([id])).toEqual([])
    }
  },
)

test.each(named)(
  '%s: a notification during an inquiry is not lost',
  async (_, { kind, body, good }) => {
    const [id = ''] = await fleet.waiting(kind, 1, {}, body)
    fleet.world.clock.advance(10 * 60_000)
    const gate = newGate()
    const looking = fleet.runOver(
      providerOf(kind),
      (inner) => ({
        inquire: async (operation) => {
          const found = await inner.inquire(operation)
          await gate.pass()
          return found
        },
      }),
      (service) => runKind(service, 'charges'),
    )
    await gate.reached
    await fleet.together([completes(id)])
    const { service } = fleet.nodes[1] ?? fleet.world
    // The notification arrives, and no worker has claimed the charge yet.
    await runKind(service, 'provider_notifications')
    gate.open()
    await looking
    await fleet.workTogether()
    expect(await fleet.endsOf([id])).toEqual({ [good]: 1 })
  },
)

test("a token: the notification of its cardholder's authentication is not lost during an inquiry", async () => {
  const { pay, world, shop } = fleet
  const card_number = '4000000000003220'
  const id = await pay.tokenId({ type: 'recurring' }, { card_number })
  await pay.post(`/stores/${shop.store_id}/tokens/${id}/three_ds`)
  const notification = {
    merchant_id: shop.id,
    resource_type: 'transaction_token',
    resource_id: id,
  } as const
  const gate = newGate()
  const looking = fleet.runOver(
    'card',
    (inner) => ({
      inquire: async (operation) => {
        const found = await inner.inquire(operation)
        await gate.pass()
        return found
      },
    }),
    async (service) => {
      await runKind(service, 'tokens')
      await inTransaction(service, (tx) => storeNotification(tx, { ...notification, mode: 'test' }))
      await runKind(service, 'provider_notifications')
      await runKind(service, 'tokens')
    },
  )
  await gate.reached
  const [{ page_id: reference } = {}] = await fleet.rows(
    'select page_id from transaction_tokens where id = $1',
    id,
  )
  const customer = simulatorOf(world.service, 'card').customer ?? null
  const waiting = { ...notification, reference: reference ?? '', kind: 'challenge' } as const
  expect(await actAsCustomer(world.service, customer, waiting, 'successful')).toBe(true)
  await runKind((fleet.nodes[1] ?? world).service, 'provider_notifications')
  gate.open()
  await looking
  await fleet.workTogether()
  const { body } = await pay.get(`/stores/${shop.store_id}/tokens/${id}`)
  expect(body.data.three_ds.status).toBe('successful')
})
