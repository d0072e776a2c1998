import { afterAll, expect, test } from 'vitest'
import { good_card, payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'

// 3-D Secure of charges of 1000 JPY: when the cardholder is asked, and how the charge continues.
const challenge_card = '4000000000003220'
const asking = { data: { card_number: challenge_card } }
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000, domains: ['shop.example'] })
const pay = payments(world, shop)

afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const chargeNow = async (id: string) => (await pay.get(pay.chargePath(id))).body
const response = (id: string, outcome: string) =>
  pay.post(`/test/charges/${id}/complete`, { outcome })

/** A charge that waits for its cardholder. */
async function asked(body: object = {}, options: object = asking): Promise<string> {
  const charge = await pay.settled(body, options)
  expect(charge).toMatchObject({ status: 'awaiting', charged_amount: null, error: null })
  return charge.id
}

async function answered(id: string, outcome: string) {
  expect((await response(id, outcome)).status).toBe(200)
  await pay.work()
  return chargeNow(id)
}

/** Posts the form of the issuer token as a browser would, or as a program does. */
async function postForm(id: string, form: Record<string, string>) {
  const { issuer_token } = (await pay.get(`${pay.chargePath(id)}/three_ds/issuer_token`)).body
  let open = true
  const posted = world
    .call('POST', new URL(issuer_token).pathname, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    .finally(() => {
      open = false
    })
  while (open) await pay.work()
  expect((await posted).status).toBeLessThan(400)
  return chargeNow(id)
}

async function sealed(charge_id: string): Promise<{ number: boolean; cvv: boolean }> {
  const { rows } = await world.store.pool.query(
    `select card_number is not null as number, cvv is not null as cvv from transaction_tokens
     where id = (select transaction_token_id from charges where id = $1)`,
    [charge_id],
  )
  return rows[0]
}

/** The outcome of a charge in each mode: with a card that is never asked, and one that is. */
const modes: [mode: string, plain: string, challenge: string][] = [
  ['normal', 'successful', 'awaiting'],
  ['require', 'successful', 'awaiting'],
  ['force', 'awaiting', 'awaiting'],
  ['if_available', 'successful', 'awaiting'],
]

test.each(modes)(
  'mode %s: a plain card is %s, a challenge card %s',
  async (mode, plain, challenge) => {
    for (const body of [{ three_ds_mode: mode }, { three_ds: { mode } }]) {
      const first = await pay.settled(body, { data: { card_number: good_card } })
      expect(first).toMatchObject({ status: plain, three_ds: { mode } })
      for (const card_number of [challenge_card, '4000000000003063']) {
        const second = await pay.settled(body, { data: { card_number } })
        expect(second).toMatchObject({ status: challenge, three_ds: { mode } })
      }
    }
  },
)

test('normal is the default; two spellings must not contradict each other', async () => {
  const none = { redirect_endpoint: null, redirect_id: null }
  expect((await pay.charge()).body.three_ds).toEqual({ mode: 'normal', ...none })
  const both = { three_ds_mode: 'force', three_ds: { mode: 'force' } }
  expect((await pay.charge(both)).body.three_ds).toEqual({ mode: 'force', ...none })
  const wrong = await pay.charge({ three_ds_mode: 'normal', three_ds: { mode: 'force' } })
  expect(wrong.body.errors).toEqual([{ field: 'three_ds.mode', reason: 'FORBIDDEN_PARAMETER' }])
})

test('mode skip needs enablement by support, which the merchant cannot give itself', async () => {
  for (const body of [{ three_ds_mode: 'skip' }, { three_ds: { mode: 'skip' } }]) {
    const refused = await pay.charge(body, asking)
    expect(refused).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
  }
  const configuration = { card_configuration: { three_ds_skip_enabled: true } }
  const by_merchant = { auth: shop.as_merchant, body: { configuration } }
  expect((await world.call('PATCH', '/me', by_merchant)).status).toBe(400)
  await patchMerchant(world.service, shop.id, { configuration }, 'operator')
  for (const body of [{ three_ds_mode: 'skip' }, { three_ds: { mode: 'skip' } }]) {
    const charge = await pay.settled(body, asking)
    expect(charge).toMatchObject({ status: 'successful', three_ds: { mode: 'skip' } })
  }
})

const six = {
  authentication_value: 'AAECAwQFBgcICQoLDA0ODw==',
  eci: '05',
  ds_transaction_id: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
  server_transaction_id: 'a2d2b0b1-9d5f-4c6c-8f6a-5e6a4c3b2a10',
  message_version: '2.2.0',
  transaction_status: 'Y',
}
const names = Object.keys(six)

test('mode provided: all six fields of an authentication elsewhere, or none', async () => {
  const errorsOf = async (three_ds: object) => (await pay.charge({ three_ds })).body.errors
  const missing = (field: string) => ({ field: `three_ds.${field}`, reason: 'REQUIRED_VALUE' })
  for (const name of names) {
    expect(await errorsOf({ ...six, [name]: undefined })).toEqual([missing(name)])
    expect(await errorsOf({ ...six, [name]: null })).toEqual([missing(name)])
    const others = names.filter((other) => other !== name).map(missing)
    expect(await errorsOf({ [name]: 'x' })).toEqual(others)
    const reason = 'INVALID_FORMAT_LENGTH'
    expect(await errorsOf({ ...six, [name]: '' })).toEqual([{ field: `three_ds.${name}`, reason }])
  }
  expect((await pay.charge({ three_ds: { mode: 'provided' } })).status).toBe(400)
  expect((await pay.charge({ three_ds_mode: 'provided' })).status).toBe(400)
})

test.each([
  ['Y', 'successful', null],
  ['A', 'successful', null],
  ['N', 'failed', 359],
  ['R', 'failed', 359],
  ['U', 'failed', 359],
])(
  'mode provided: transaction_status %s makes the charge %s',
  async (transaction_status, status, code) => {
    const redirect_endpoint = 'https://shop.example/'
    const three_ds = { ...six, transaction_status, redirect_endpoint }
    const charge = await pay.settled({ three_ds }, asking)
    expect(charge).toMatchObject({ status, charged_amount: code === null ? 1000 : null })
    expect(charge.error?.code ?? null).toBe(code)
    const none = { redirect_endpoint: null, redirect_id: null }
    expect(charge.three_ds).toEqual({ mode: 'provided', ...none })
    expect(await sealed(charge.id)).toEqual({ number: false, cvv: false })
  },
)

test('a charge that waits has the form that takes the cardholder to the challenge', async () => {
  const id = await asked()
  const path = pay.chargePath(id)
  const { status, body } = await pay.get(`${path}/three_ds/issuer_token`)
  expect(status).toBe(200)
  expect(body).toEqual({
    payment_type: 'card',
    issuer_token: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/pay\/[\w-]{43}$/),
    call_method: 'http_post',
    payload: { resource_id: id, resource_type: 'charge' },
    content_type: 'application/x-www-form-urlencoded; charset=UTF-8',
  })
  const errors = [{ field: 'charge_id', reason: 'ISSUER_TOKEN_EMPTY' }]
  expect((await pay.get(`${path}/issuer_token`)).body.errors).toEqual(errors)
  const auth = `Bearer ${shop.jwt}`
  const readFrom = async (origin: string) => {
    const headers = { origin }
    return (await world.call('GET', `${path}/three_ds/issuer_token`, { auth, headers })).status
  }
  expect(await readFrom('https://shop.example')).toBe(200)
  expect(await readFrom('https://evil.example')).toBe(401)
})

test('a program that posts the form is taken for a cardholder who approves', async () => {
  const id = await asked()
  const { payload } = (await pay.get(`${pay.chargePath(id)}/three_ds/issuer_token`)).body
  expect(await postForm(id, payload)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test.each([
  ['successful', 'successful', null],
  ['failed', 'failed', 359],
  ['expired', 'failed', 327],
])('a challenge answered with %s: the charge is %s, error %s', async (outcome, status, code) => {
  const id = await asked()
  expect(await sealed(id)).toEqual({ number: true, cvv: true })
  const charge = await answered(id, outcome)
  expect(charge).toMatchObject({ status, charged_amount: code === null ? 1000 : null })
  expect(charge.error?.code ?? null).toBe(code)
  expect(await sealed(id)).toEqual({ number: false, cvv: false })
  const reason = 'INVALID_CHARGE_STATUS'
  const errors = [{ field: 'charge_id', reason }]
  expect((await response(id, 'successful')).body.errors).toEqual(errors)
  const path = `${pay.chargePath(id)}/three_ds/issuer_token`
  expect((await pay.get(path)).body.errors).toEqual(errors)
  const { rows } = await world.store.pool.query(
    'select name from events where resource_id = $1 order by sequence',
    [id],
  )
  expect(rows.map(({ name }) => name)).toEqual(['charge_updated', 'charge_finished'])
})

test('a cardholder who leaves the challenge fails the charge with 358', async () => {
  const id = await asked()
  const charge = await postForm(id, { outcome: 'abandoned' })
  expect(charge).toMatchObject({ status: 'failed', charged_amount: null, error: { code: 358 } })
  expect(await sealed(id)).toEqual({ number: false, cvv: false })
})

test('a challenge that nobody answers fails the charge with 327 after 15 minutes', async () => {
  const id = await asked()
  const { created_on } = await chargeNow(id)
  const statusAt = async (at_ms: number) => {
    world.clock.advance(at_ms - world.clock.now())
    await pay.work()
    return (await world.call('GET', pay.chargePath(id), { auth: shop.as_store })).body
  }
  const ends_ms = created_on + 15 * 60_000
  expect(await statusAt(ends_ms - 1)).toMatchObject({ status: 'awaiting' })
  expect(await statusAt(ends_ms)).toMatchObject({ status: 'failed', error: { code: 327 } })
  expect(await sealed(id)).toEqual({ number: false, cvv: false })
  expect((await response(id, 'successful')).status).toBe(400)
})

test('the security code does not outlive its five minutes; the charge continues without it', async () => {
  const id = await asked()
  world.clock.advance(5 * 60_000)
  await pay.work()
  expect(await sealed(id)).toEqual({ number: true, cvv: false })
  expect(await answered(id, 'successful')).toMatchObject({ status: 'successful' })
  expect(await sealed(id)).toEqual({ number: false, cvv: false })
})

test('of a recurring token the number stays, the security code does not', async () => {
  const id = await asked({}, { ...asking, token: { type: 'recurring' } })
  expect(await sealed(id)).toEqual({ number: true, cvv: true })
  await answered(id, 'successful')
  expect(await sealed(id)).toEqual({ number: true, cvv: false })
})

test('capture false ends authorized, and can be captured or canceled as any other', async () => {
  const [first, second] = [await asked({ capture: false }), await asked({ capture: false })]
  for (const id of [first, second]) {
    const held = await answered(id, 'successful')
    expect(held).toMatchObject({ status: 'authorized', charged_amount: null })
  }
  expect((await pay.post(`${pay.chargePath(first)}/capture`, { amount: 400 })).status).toBe(200)
  expect((await pay.post(`${pay.chargePath(second)}/cancels`)).status).toBe(201)
  await pay.work()
  expect(await chargeNow(first)).toMatchObject({ status: 'successful', charged_amount: 400 })
  expect(await chargeNow(second)).toMatchObject({ status: 'canceled', charged_amount: null })
})

test.each([
  ['4000000000000002', 'customer@example.com', 'failed', 306],
  ['4000000000009995', 'customer@example.com', 'failed', 330],
  [challenge_card, 'x+charge-failure-314@example.com', 'failed', 314],
  [challenge_card, 'x+charge-failure-503@example.com', 'error', 503],
])(
  'card %s of %s passes the challenge and is declined then',
  async (card_number, email, status, code) => {
    const id = await asked({ three_ds_mode: 'force' }, { data: { card_number }, token: { email } })
    const charge = await answered(id, 'successful')
    expect(charge).toMatchObject({ status, charged_amount: null, error: { code } })
    expect(await sealed(id)).toEqual({ number: false, cvv: false })
  },
)

test('while the cardholder is asked the charge can be canceled; nobody can answer then', async () => {
  const id = await asked()
  expect((await pay.post(`${pay.chargePath(id)}/cancels`)).status).toBe(201)
  await pay.work()
  expect(await chargeNow(id)).toMatchObject({ status: 'canceled', charged_amount: null })
  expect(await sealed(id)).toEqual({ number: false, cvv: false })
  expect((await response(id, 'successful')).status).toBe(400)
})

test('after the challenge was passed a cancel is refused: the money is being asked for', async () => {
  const id = await asked({}, { ...asking, token: { email: 'x+delay-9@example.com' } })
  const charge = await answered(id, 'successful')
  expect(charge).toMatchObject({ status: 'awaiting', charged_amount: null })
  const refused = await pay.post(`${pay.chargePath(id)}/cancels`)
  expect(refused).toMatchObject({ status: 400, body: { code: 'CANCEL_NOT_ALLOWED' } })
  expect((await response(id, 'failed')).status).toBe(400)
  world.clock.advance(10_000)
  await pay.work()
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('a lost answer after the challenge is found by asking, and the card is charged once', async () => {
  const id = await asked({}, { ...asking, token: { email: 'x+timeout@example.com' } })
  expect((await answered(id, 'successful')).status).toBe('awaiting')
  world.clock.advance(20 * 60_000)
  await pay.work()
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  const { rows } = await world.store.pool.query(
    'select kind, received from simulator_operations where charge_id = $1 order by kind',
    [id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['authenticate', 'authorize'])
})

test('an answer and a cancel at the same moment: one of them counts', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await asked()
    const [paid, canceled] = await Promise.all([
      response(id, 'successful'),
      pay.post(`${pay.chargePath(id)}/cancels`),
    ])
    await pay.work()
    const charge = await chargeNow(id)
    expect(['successful', 'canceled']).toContain(charge.status)
    if (charge.status === 'successful') expect(paid.status).toBe(200)
    else expect(canceled.status).toBe(201)
  }
})
