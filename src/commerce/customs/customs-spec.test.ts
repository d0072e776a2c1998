import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Sentences of the specification about customs declarations that no other file shows.
const world = useWorld()
let pay: Payments
let path: string

beforeEach(async () => {
  world.clock.advance(60_000)
  pay = payments(world, await world.merchant())
  path = `${pay.chargePath(await pay.paidOnline('we_chat_online'))}/customs`
})

const declaration = {
  customs: 'SHANGHAI_ZS',
  merchant_customs_no: '330296A001',
  certificate_id: '330821198809085211',
  certificate_name: 'Zhang San',
}

test('polling is a boolean: without it, or false, a pending declaration is returned immediately', async () => {
  const { id } = (await pay.post(path, { declaration })).body
  for (const query of ['', '?polling=false']) {
    const read = await pay.get(`${path}/${id}${query}`)
    expect(read).toMatchObject({ status: 200, body: { status: 'pending' } })
  }
  const wrong = await pay.get(`${path}/${id}?polling=maybe`)
  expect(wrong).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'polling', reason: 'INVALID_FORMAT' }] },
  })
})

test('long poll: returned when the status is not pending, also when it has failed', async () => {
  const failing = { ...declaration, certificate_id: 'FAIL1' }
  const { id } = (await pay.post(path, { declaration: failing })).body
  const polled = pay.get(`${path}/${id}?polling=true`)
  await pay.work()
  expect((await polled).body.status).toBe('failed')
})

test.each(['customs', 'merchant_customs_no', 'certificate_id', 'certificate_name'])(
  'declaration.%s is required to create and is a string',
  async (name) => {
    const without = { ...declaration, [name]: undefined }
    const missing = await pay.post(path, { declaration: without })
    expect(missing.status).toBe(400)
    expect(missing.body.errors).toEqual([
      { field: `declaration.${name}`, reason: 'REQUIRED_VALUE' },
    ])
    const wrong = await pay.post(path, { declaration: { ...declaration, [name]: 7 } })
    expect(wrong.body.errors[0].field).toBe(`declaration.${name}`)
  },
)

test('only the declaration of this charge is found below it', async () => {
  const { id } = (await pay.post(path, { declaration })).body
  const other = `${pay.chargePath(await pay.paidOnline('we_chat_online'))}/customs`
  expect((await pay.get(`${other}/${id}`)).status).toBe(404)
  const change = { declaration: { certificate_name: 'Li Si' } }
  expect((await pay.patch(`${other}/${id}`, change)).status).toBe(404)
})
