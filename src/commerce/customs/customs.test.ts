import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import { poll } from '../../api/responses/poll.ts'
import { customs_places } from '../../core/payments/customs.ts'
import { newChanges } from '../../store/due/changes.ts'

// The charge in these tests was paid with the brand we_chat_online.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let charge_id: string

beforeEach(async () => {
  charge_id = await pay.paidOnline()
})
afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const given = {
  customs: 'NINGBO',
  merchant_customs_no: '330296A001',
  certificate_id: '330821198809085211',
  certificate_name: 'Zhang San',
}
const failing = { ...given, certificate_id: 'FAIL1988' }
const slow = { ...given, certificate_id: 'SLOW1988' }

const customs = (id = charge_id) => `${pay.chargePath(id)}/customs`
const declare = (declaration: object = given) => pay.post(customs(), { declaration })
const read = async (id: string) => (await pay.get(`${customs()}/${id}`)).body
/** A declaration that has been through the worker. */
const declared = async (declaration: object = given): Promise<ApiResponse['body']> => {
  const { status, body, text } = await declare(declaration)
  expect(status, text).toBe(201)
  await pay.work()
  return read(body.id)
}
const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows
const eventsOf = (id: string) =>
  rows('select name, mode, store_id, data from events where resource_id = $1 order by sequence', id)
const withOffset = (time_ms: number) => new Date(time_ms).toISOString().replace('Z', '+00:00')

test('a newly created declaration is pending, its result is empty, and it shows what was given', async () => {
  const { status, body } = await declare()
  expect(status).toBe(201)
  const at = withOffset(world.clock.now())
  expect(body).toEqual({
    id: expect.any(String),
    charge_id,
    merchant_id: shop.id,
    store_id: shop.store_id,
    mode: 'test',
    gateway: 'we_chat_online',
    declaration: given,
    declaration_result: {},
    status: 'pending',
    error: null,
    created_on: at,
    updated_on: at,
  })
  expect(await read(body.id)).toEqual(body)
})

test('the worker declares it: successful, with the result of customs', async () => {
  const body = await declared()
  expect(body).toMatchObject({
    declaration: given,
    declaration_result: { state: 'SUCCESS', verify_department_trade_id: expect.any(String) },
    status: 'successful',
    error: null,
  })
})

test('certificate_id starting FAIL: the declaration fails, and its error says why', async () => {
  expect(await declared(failing)).toMatchObject({
    status: 'failed',
    error: { code: 601, message: expect.any(String), detail: expect.any(String) },
    declaration_result: { state: 'FAIL' },
  })
})

test('certificate_id starting SLOW: the declaration takes 10 seconds', async () => {
  const { id } = await declared(slow)
  world.clock.advance(5000)
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'pending', declaration_result: {} })
  world.clock.advance(5000)
  await pay.work()
  expect((await read(id)).status).toBe('successful')
})

test('the eleven customs places, and no other', async () => {
  expect(customs_places).toHaveLength(11)
  for (const place of customs_places) {
    const body = await declared({ ...failing, customs: place })
    expect(body.declaration.customs).toBe(place)
  }
  const { status, body } = await declare({ ...given, customs: 'BEIJING' })
  expect(status).toBe(400)
  expect(body.errors).toEqual([{ field: 'declaration.customs', reason: 'NOT_ALLOWED_VALUE' }])
})

test('every wrong field is named', async () => {
  const all = Object.keys(given)
  const missing = all.map((name) => ({ field: `declaration.${name}`, reason: 'REQUIRED_VALUE' }))
  expect(await declare({})).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect((await declare({})).body.errors).toEqual(missing)
  const wrong = await declare({ customs: 1, merchant_customs_no: '', certificate_id: 2 })
  expect(wrong.body.errors).toHaveLength(4)
  expect(wrong.body.errors).toEqual(
    expect.arrayContaining([
      { field: 'declaration.customs', reason: 'NOT_ALLOWED_VALUE' },
      { field: 'declaration.merchant_customs_no', reason: 'INVALID_FORMAT_LENGTH' },
      { field: 'declaration.certificate_id', reason: 'INVALID_FORMAT' },
      { field: 'declaration.certificate_name', reason: 'REQUIRED_VALUE' },
    ]),
  )
  for (const [body, reason] of [
    [{}, 'REQUIRED_VALUE'],
    [{ declaration: null }, 'REQUIRED_VALUE'],
    [{ declaration: [given] }, 'INVALID_FORMAT_OBJECT'],
  ] as const) {
    const response = await pay.post(customs(), body)
    expect(response).toMatchObject({ status: 400 })
    expect(response.body.errors).toEqual([{ field: 'declaration', reason }])
  }
  expect(await rows('select from customs_declarations where charge_id = $1', charge_id)).toEqual([])
})

test('the fields may stand at the top of the body; beside the object they mean nothing', async () => {
  const flat = await pay.post(customs(), given)
  expect(flat).toMatchObject({ status: 201, body: { declaration: given } })
  expect(flat.headers['x-ignored-fields']).toBeUndefined()
  await pay.work()
  const path = `${customs()}/${flat.body.id}`
  const changed = await pay.patch(path, { merchant_customs_no: '2' })
  expect(changed).toMatchObject({
    status: 200,
    body: { status: 'pending', declaration: { ...given, merchant_customs_no: '2' } },
  })
  await pay.work()
  const both = await pay.patch(path, {
    declaration: { merchant_customs_no: '3' },
    certificate_name: 'Li Si',
  })
  expect(both.body.declaration).toEqual({ ...given, merchant_customs_no: '3' })
})

test('only charges of the one brand can be declared', async () => {
  const refused = { status: 400, body: { code: 'CUSTOMS_NOT_AVAILABLE' } }
  for (const id of [(await pay.settled()).id, await pay.paidOnline('alipay_online')]) {
    expect(await pay.post(customs(id), { declaration: given })).toMatchObject(refused)
  }
})

test('only a successful charge can be declared', async () => {
  const id = await pay.waiting('online', { brand: 'we_chat_online', call_method: 'app' })
  const refused = { status: 400, body: { code: 'CANNOT_DECLARE_UNSUCCESSFUL_CHARGE' } }
  expect(await pay.post(customs(id), { declaration: given })).toMatchObject(refused)
  await pay.post(`/test/charges/${id}/complete`, { outcome: 'failed' })
  await pay.work()
  expect(await pay.post(customs(id), { declaration: given })).toMatchObject(refused)
})

test('a successful one cannot be resubmitted through the create route', async () => {
  const before = await declared()
  expect(await declare({ ...given, customs: 'TIANJIN' })).toMatchObject({
    status: 409,
    body: { code: 'CUSTOMS_DECLARATION_SUCCESSFUL' },
  })
  expect(await read(before.id)).toEqual(before)
})

test('a failed one can be resubmitted through the create route: the same declaration, pending again', async () => {
  const failed = await declared(failing)
  const again = await declare({ ...given, customs: 'TIANJIN' })
  expect(again).toMatchObject({
    status: 201,
    body: {
      ...failed,
      declaration: { ...given, customs: 'TIANJIN' },
      declaration_result: {},
      status: 'pending',
      error: null,
      updated_on: withOffset(world.clock.now()),
    },
  })
  await pay.work()
  expect(await read(failed.id)).toMatchObject({ status: 'successful', error: null })
})

test('while it is pending it can be neither resubmitted nor updated', async () => {
  const { id } = (await declare()).body
  const refused = { status: 409, body: { code: 'CUSTOMS_DECLARATION_PENDING' } }
  expect(await declare()).toMatchObject(refused)
  const change = { declaration: { merchant_customs_no: '2' } }
  expect(await pay.patch(`${customs()}/${id}`, change)).toMatchObject(refused)
})

test('a successful declaration can be modified through the update route, each field on its own', async () => {
  const { id } = await declared()
  let expected = given
  for (const change of [
    { merchant_customs_no: '440316T004' },
    { certificate_id: '440301199001010011' },
    { certificate_name: 'Li Si' },
  ]) {
    expected = { ...expected, ...change }
    const response = await pay.patch(`${customs()}/${id}`, { declaration: change })
    expect(response).toMatchObject({
      status: 200,
      body: { id, status: 'pending', declaration: expected, declaration_result: {} },
    })
    await pay.work()
    expect(await read(id)).toMatchObject({ status: 'successful', declaration: expected })
  }
})

test('customs is not modifiable', async () => {
  const { id } = await declared()
  const path = `${customs()}/${id}`
  const prohibited = { field: 'declaration.customs', reason: 'CHANGE_PROHIBITED' }
  for (const place of ['TIANJIN', 'BEIJING']) {
    const change = { customs: place, certificate_name: 'Li Si' }
    const { status, body } = await pay.patch(path, { declaration: change })
    expect([status, body.errors]).toEqual([400, [prohibited]])
  }
  expect(await read(id)).toMatchObject({ status: 'successful', declaration: given })
  // Sending the whole object back with one field changed does not change the place.
  const whole = { ...given, certificate_name: 'Li Si' }
  expect((await pay.patch(path, { declaration: whole })).body.declaration).toEqual(whole)
})

test('after an update failed the declaration is created again, at the place where customs have it', async () => {
  const { id } = await declared()
  const path = `${customs()}/${id}`
  await pay.patch(path, { declaration: { certificate_id: 'FAIL2' } })
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 601 } })
  const change = { declaration: { certificate_id: '2' } }
  expect(await pay.patch(path, change)).toMatchObject({
    status: 409,
    body: { code: 'CUSTOMS_DECLARATION_FAILED' },
  })
  expect((await declare({ ...given, customs: 'TIANJIN' })).body.errors).toEqual([
    { field: 'declaration.customs', reason: 'CHANGE_PROHIBITED' },
  ])
  expect(await declared()).toMatchObject({ id, status: 'successful' })
})

test('an update without a change returns the declaration, and customs get no request', async () => {
  const before = await declared()
  for (const declaration of [{}, given, { ...given, note: 'ignored' }]) {
    const response = await pay.patch(`${customs()}/${before.id}`, { declaration })
    expect(response).toMatchObject({ status: 200, body: before })
  }
})

test('an update names every wrong field', async () => {
  const { id } = await declared()
  const path = `${customs()}/${id}`
  const declaration = { merchant_customs_no: '', certificate_id: 1, certificate_name: 'a\nb' }
  const response = await pay.patch(path, { declaration })
  expect(response.status).toBe(400)
  expect(response.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'declaration.certificate_id',
    'declaration.certificate_name',
    'declaration.merchant_customs_no',
  ])
  expect((await pay.patch(path)).body.errors).toEqual([
    { field: 'declaration', reason: 'REQUIRED_VALUE' },
  ])
})

test('read with polling it returns only when the status is not pending', async () => {
  const { id } = (await declare(slow)).body
  const waits = vi.spyOn(world.service.changes, 'wait')
  let answered = false
  const polled = pay.get(`${customs()}/${id}?polling=true`).then((response) => {
    answered = true
    return response
  })
  await pay.work()
  await vi.waitFor(() => expect(waits).toHaveBeenCalled())
  expect(answered).toBe(false)
  waits.mockRestore()
  world.clock.advance(10_000)
  await pay.work()
  expect((await polled).body.status).toBe('successful')
  expect((await pay.get(`${customs()}/${id}?polling=true`)).body.status).toBe('successful')
})

test('held for so long, or by a service that stops, it answers the state as it is', async () => {
  const { id } = (await declare()).body
  const path = `${customs()}/${id}?polling=true`
  const start = globalThis.setTimeout
  const timers = vi.spyOn(globalThis, 'setTimeout')
  timers.mockImplementation(((work: () => void, ms?: number) =>
    start(work, ms === 30_000 ? 50 : ms)) as typeof setTimeout)
  expect((await pay.get(path)).body.status).toBe('pending')
  expect(timers).toHaveBeenCalledWith(expect.any(Function), 30_000)
  timers.mockRestore()
  const changes = newChanges(world.service.signals)
  const held = poll(
    { ...world.service, changes },
    id,
    true,
    async () => 'pending',
    () => true,
  )
  changes.stop()
  expect(await held).toBe('pending')
})

test('waiting requests do not query the database', async () => {
  const { id } = (await declare()).body
  const waits = vi.spyOn(world.service.changes, 'wait')
  const polled = Array.from({ length: 5 }, () => pay.get(`${customs()}/${id}?polling=true`))
  await vi.waitFor(() => expect(waits).toHaveBeenCalledTimes(5))
  await world.app.request_log?.flush()
  await sleep(200)
  const asked = vi.spyOn(world.store.pool, 'connect')
  await sleep(500)
  expect(asked).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  await pay.work()
  for (const { body } of await Promise.all(polled)) expect(body.status).toBe('successful')
})

test('the list has the declaration of the charge, filtered by status', async () => {
  expect((await pay.get(customs())).body).toEqual({ items: [], has_more: false })
  const body = await declared()
  expect((await pay.get(customs())).body).toEqual({ items: [body], has_more: false })
  expect((await pay.get(`${customs()}?status=successful`)).body.items).toEqual([body])
  expect((await pay.get(`${customs()}?status=failed`)).body.items).toEqual([])
  expect((await pay.get(`${customs()}?cursor=${body.id}`)).body.items).toEqual([])
  for (const query of ['status=lost', 'limit=9', 'limit=101', 'cursor=x']) {
    expect((await pay.get(`${customs()}?${query}`)).status, query).toBe(400)
  }
})

test('every attempt that ended is kept, newest first, page by page', async () => {
  const { id, created_on, updated_on, error } = await declared(failing)
  for (let count = 0; count < 10; count += 1) await declared(failing)
  const last = await declared({ ...given, customs: 'TIANJIN' })
  const path = `${customs()}/${id}/attempts`
  const first = (await pay.get(path)).body
  expect(first.has_more).toBe(true)
  expect(first.items).toHaveLength(10)
  expect(first.items[0]).toMatchObject({
    declaration: { customs: 'TIANJIN', merchant_customs_no: given.merchant_customs_no },
    status: 'successful',
    error: null,
    declaration_result: last.declaration_result,
    finished_on: last.updated_on,
  })
  const rest = (await pay.get(`${path}?cursor=${first.items.at(-1).id}`)).body
  expect(rest.items).toHaveLength(2)
  expect(rest.items[1]).toMatchObject({ status: 'failed', error, created_on })
  expect(rest.items[1].finished_on).toBe(updated_on)
  await expect(rows("update customs_attempts set status = 'error'")).rejects.toThrow(
    'never changed',
  )
})

test('customs_declaration_finished is sent once for each end, without who the customer is', async () => {
  const { id } = (await declare(failing)).body
  expect(await eventsOf(id)).toEqual([])
  await pay.work()
  await pay.work()
  const failed = await read(id)
  const certificate = { certificate_id: '****', certificate_name: '****' }
  const event = (body: ApiResponse['body']) => ({
    name: 'customs_declaration_finished',
    mode: 'test',
    store_id: shop.store_id,
    data: { ...body, declaration: { ...body.declaration, ...certificate } },
  })
  expect(await eventsOf(id)).toEqual([event(failed)])
  const again = await declared()
  expect(await eventsOf(id)).toEqual([event(failed), event(again)])
})
