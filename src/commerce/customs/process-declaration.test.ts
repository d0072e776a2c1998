import { afterAll, beforeEach, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { simulatorOf, withProviders } from '../../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import type { Provider } from '../../providers/provider.ts'
import { releaseClaims } from '../../worker/release-claims.ts'
import { runAllDue } from '../../worker/worker.ts'

// A declaration in progress: customs receive it once, even if the response is lost.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let path: string

beforeEach(async () => {
  path = `${pay.chargePath(await pay.paidOnline())}/customs`
})
afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const declaration = {
  customs: 'SHENZHEN',
  merchant_customs_no: '4403',
  certificate_id: '440301199001010011',
  certificate_name: 'Li Si',
}
const declare = async (change: object = {}): Promise<string> => {
  const { status, body } = await pay.post(path, { declaration: { ...declaration, ...change } })
  expect(status).toBe(201)
  return body.id
}
const read = async (id: string): Promise<ApiResponse['body']> =>
  (await pay.get(`${path}/${id}`)).body
const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

/** Every declaration sent to customs for this merchant, and how often with one reference. */
const reported = () =>
  rows(
    "select received from simulator_operations where merchant_id = $1 and kind = 'customs'",
    shop.id,
  )

/** Does what is due, over a provider that differs from the simulator. */
function workOver(differing: (inner: Provider) => Partial<Provider>): Promise<void> {
  const inner = simulatorOf(world.service, 'customer')
  return runAllDue(withProviders(world.service, { ...inner, ...differing(inner) }))
}

/** Customs receive it, but the response is lost. */
const losing = (inner: Provider): Partial<Provider> => ({
  declareCustoms: async (operation) => {
    await inner.declareCustoms(operation)
    throw new Error('The connection was lost.')
  },
})

test('a lost response is inquired: customs get the declaration once', async () => {
  const id = await declare()
  await workOver(losing)
  expect((await read(id)).status).toBe('pending')
  world.clock.advance(10_000)
  await pay.work()
  expect((await read(id)).status).toBe('successful')
  expect(await reported()).toEqual([{ received: 1 }])
})

test('a question that was lost before it arrived is sent again', async () => {
  const id = await declare()
  await workOver(() => ({
    declareCustoms: async () => {
      throw new Error('The connection was refused.')
    },
  }))
  world.clock.advance(10_000)
  await pay.work()
  expect((await read(id)).status).toBe('successful')
  expect(await reported()).toEqual([{ received: 1 }])
})

test('one that stays unknown stays pending, and the log says so; it is never declared again', async () => {
  const id = await declare()
  const silent = (inner: Provider): Partial<Provider> => ({
    ...losing(inner),
    inquire: async () => ({ outcome: 'unknown', ask_again_ms: 60_000 }),
  })
  await workOver(silent)
  for (let minute = 0; minute < 12; minute += 1) {
    world.clock.advance(60_000)
    await workOver(silent)
  }
  expect((await read(id)).status).toBe('pending')
  expect(world.log.join('')).toContain(
    'the outcome of a customs declaration is unknown: check it at the provider',
  )
  await pay.work()
  world.clock.advance(60_000)
  await pay.work()
  expect((await read(id)).status).toBe('successful')
  expect(await reported()).toEqual([{ received: 1 }])
})

test('a worker that returns after its lease has ended changes nothing', async () => {
  const id = await declare({ certificate_id: 'FAIL' })
  let begun = () => {}
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const late = workOver(() => ({
    declareCustoms: async () => {
      begun()
      await gate
      return { outcome: 'approved', customs: { state: 'LATE' } }
    },
  }))
  await started
  world.clock.advance(31_000)
  await pay.work()
  expect((await read(id)).status).toBe('failed')
  // It was declared again meanwhile: the late response is about another attempt.
  await declare({ certificate_id: 'SLOW' })
  await pay.work()
  open()
  await late
  expect((await read(id)).status).toBe('pending')
  world.clock.advance(10_000)
  await pay.work()
  expect((await read(id)).declaration_result.state).toBe('SUCCESS')
})

test.each([
  [502, 'error', 502],
  [601, 'failed', 601],
  [310, 'failed', 310],
])('refused with %i it becomes %s', async (code, status, reported_code) => {
  const id = await declare()
  await workOver(() => ({
    declareCustoms: async () => ({ outcome: 'refused', code, detail: null }),
  }))
  expect(await read(id)).toMatchObject({ status, error: { code: reported_code } })
  await declare()
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'successful', error: null })
})

test.each([
  ['too much', Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 'x']))],
  ['too long', { state: 'x'.repeat(256) }],
  ['nested', { state: { deep: 'x' } }],
])('a result that is %s is no answer: it is asked for', async (_, customs) => {
  const id = await declare()
  await workOver((inner) => ({
    declareCustoms: async (operation) => {
      await inner.declareCustoms(operation)
      return { outcome: 'approved', customs: customs as Record<string, string> }
    },
  }))
  expect((await read(id)).status).toBe('pending')
  world.clock.advance(10_000)
  await pay.work()
  expect((await read(id)).declaration_result.state).toBe('SUCCESS')
})

test('in live mode there is nobody to tell: error 504', async () => {
  const id = await declare()
  const [, charge_id] = /charges\/([^/]+)/.exec(path) ?? []
  await rows("update charges set mode = 'live', provider = null where id = $1", charge_id)
  await rows("update customs_declarations set mode = 'live' where id = $1", id)
  await pay.work()
  const query = 'select status, error from customs_declarations where id = $1'
  expect(await rows(query, id)).toMatchObject([{ status: 'error', error: { code: 504 } }])
  await rows(
    "update charges set mode = 'test', provider = 'customer_simulator' where id = $1",
    charge_id,
  )
})

test('the test clock makes a slow declaration end, at its own time', async () => {
  const id = await declare({ certificate_id: 'SLOW' })
  const { created_on } = await read(id)
  const moved = await pay.post('/test/clock', { advance: 'PT1M' })
  expect(moved.status).toBe(200)
  const { status, updated_on } = await read(id)
  expect(status).toBe('successful')
  expect(Date.parse(updated_on) - Date.parse(created_on)).toBeLessThan(15_000)
})

test('work of a former process is immediately due for the next', async () => {
  const id = await declare()
  await rows(
    'update customs_declarations set due_on = $1, claims = 1 where id = $2',
    new Date(world.clock.now() + 30_000),
    id,
  )
  await pay.work()
  expect((await read(id)).status).toBe('pending')
  await releaseClaims(world.service)
  await pay.work()
  expect((await read(id)).status).toBe('successful')
})
