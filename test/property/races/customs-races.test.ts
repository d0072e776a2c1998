import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fleet, newFleet, type Request, tally } from '../../support/fleet/payment-fleet.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'

// Three processes on one database, thirty concurrent requests, all for one charge. The row they
// need is locked until they all wait for it, so that they must meet.
const many = 30
let fleet: Fleet
let charge_id: string
let path: string

beforeAll(async () => {
  fleet = await newFleet()
})
beforeEach(async () => {
  fleet.world.clock.advance(60_000)
  await fleet.newShop()
  charge_id = await fleet.pay.paidOnline()
  path = `${fleet.pay.chargePath(charge_id)}/customs`
})
afterAll(() => fleet.world.close())

const declaration = {
  customs: 'TIANJIN',
  merchant_customs_no: '1201',
  certificate_id: '120101199001010011',
  certificate_name: 'Wang Wu',
}
const failing = { ...declaration, certificate_id: 'FAIL' }
const create = (): Request => ({ method: 'POST', path, body: { declaration } })
const times = (count: number, make: (index: number) => Request): Request[] =>
  Array.from({ length: count }, (_, index) => make(index))
const chargeRow = () => ({ sql: 'select from charges where id = $1', values: [charge_id] })
const declarationRow = () => ({
  sql: 'select from customs_declarations where charge_id = $1',
  values: [charge_id],
})

async function rows(query: string) {
  return (await fleet.world.store.pool.query(query, [charge_id])).rows
}

/** How often customs were called, and the result. */
async function ended() {
  await fleet.workTogether()
  expect(await paymentFaults(fleet.world)).toEqual([])
  const told = await rows(
    "select received from simulator_operations where charge_id = $1 and kind = 'customs'",
  )
  expect(told.filter(({ received }) => received !== 1)).toEqual([])
  const found = await rows('select id, status from customs_declarations where charge_id = $1')
  expect(found).toHaveLength(1)
  return { told: told.length, status: found[0].status }
}

async function declared(given: object): Promise<string> {
  const { body } = await fleet.pay.post(path, { declaration: given })
  await fleet.pay.work()
  return body.id
}

test('created concurrently: one declaration, sent to customs once', async () => {
  const responses = await fleet.meetingAt(chargeRow(), times(many, create))
  expect(tally(responses)).toEqual({ 201: 1, '409 CUSTOMS_DECLARATION_PENDING': many - 1 })
  expect(await ended()).toEqual({ told: 1, status: 'successful' })
  expect(tally(await fleet.together(times(6, create)))).toEqual({
    '409 CUSTOMS_DECLARATION_SUCCESSFUL': 6,
  })
})

test('resubmitted concurrently after a failure: sent once', async () => {
  await declared(failing)
  const responses = await fleet.meetingAt(chargeRow(), times(many, create))
  expect(tally(responses)).toEqual({ 201: 1, '409 CUSTOMS_DECLARATION_PENDING': many - 1 })
  expect(await ended()).toEqual({ told: 2, status: 'successful' })
})

test('concurrent create and update: one update, and no second declaration', async () => {
  const id = await declared(declaration)
  const update = (index: number): Request => ({
    method: 'PATCH',
    path: `${path}/${id}`,
    body: { declaration: { merchant_customs_no: `${index}` } },
  })
  const responses = await fleet.meetingAt(
    declarationRow(),
    times(many, (index) => (index % 2 === 0 ? update(index) : create())),
  )
  const { 200: updated, 201: created, ...refused } = tally(responses)
  expect([updated, created]).toEqual([1, undefined])
  expect(Object.keys(refused).every((name) => name.startsWith('409 CUSTOMS'))).toBe(true)
  expect(await ended()).toEqual({ told: 2, status: 'successful' })
})

test('concurrent update and resubmission after a failure: only the resubmission', async () => {
  const id = await declared(failing)
  const update = { method: 'PATCH', path: `${path}/${id}`, body: { declaration: { ...failing } } }
  const responses = await fleet.meetingAt(
    declarationRow(),
    times(many, (index) => (index % 2 === 0 ? update : create())),
  )
  const { 200: updated, 201: created } = tally(responses)
  expect([updated, created]).toEqual([undefined, 1])
  expect(await ended()).toEqual({ told: 2, status: 'successful' })
})

test('resubmitted while every process works on it: each attempt is sent once and ends once', async () => {
  await declared(failing)
  const work = fleet.workTogether()
  const responses = await fleet.together(times(many, create))
  await work
  const { 201: created } = tally(responses)
  expect(created).toBe(1)
  expect(await ended()).toEqual({ told: 2, status: 'successful' })
})

test('the database itself refuses a second declaration of a charge', async () => {
  await declared(declaration)
  const copy = `insert into customs_declarations select (jsonb_populate_record(d,
    jsonb_build_object('id', gen_random_uuid()))).* from customs_declarations d
    where charge_id = $1`
  await expect(rows(copy)).rejects.toThrow('customs_declarations_by_charge')
})
