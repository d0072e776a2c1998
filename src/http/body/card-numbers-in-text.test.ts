import { beforeAll, expect, test } from 'vitest'
import { newUser } from '../../../test/support/console-users.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { simulatorOf } from '../../../test/support/simulators.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../../test/support/world.ts'

// A card number that occurs nowhere else is written into every text that a caller can send. It is
// refused before anything is stored, and the error names the field without repeating it.
const number = '4539706148293172'
const spaced = '4539 7061 4829 3172'
const clean = 'nothing to see'

const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

function send(
  method: string,
  path: string,
  body: object,
  auth = shop.as_store,
): Promise<ApiResponse> {
  // A card may be billed again after half a minute.
  world.clock.advance(31_000)
  return world.call(method, path, { auth, body })
}

function refused(field: string | string[]) {
  const errors = [field].flat().map((name) => ({ field: name, reason: 'CARD_NUMBER_NOT_ALLOWED' }))
  return { status: 400, body: { code: 'VALIDATION_ERROR', errors } }
}

const card = { cardholder: 'A', card_number: number, exp_month: 12, exp_year: 2030, cvv: '123' }

/** A body that is accepted with a harmless text in one of its fields. */
interface Place {
  method: string
  path: string
  field: string
  body: (text: string) => object
  as_merchant?: boolean
  /** Fields where a harmless text is accepted only once, or needs a format. */
  text?: (number: string) => string
}

const token = (body: object, data: object = {}) => ({
  payment_type: 'card',
  email: 'a@b.example',
  ...body,
  data: { ...card, ...data },
})
const konbini = (customer_name: string) => ({
  payment_type: 'konbini',
  email: 'a@b.example',
  data: {
    ...{ customer_name, convenience_store: 'seven_eleven' },
    phone_number: { country_code: '81', local_number: '9012345678' },
  },
})
const account = { holder_name: 'K', bank_name: 'B', country: 'JP', currency: 'JPY' }
const inUrl = (text: string) => `https://shop.example/${encodeURIComponent(text)}`

function place(
  method: string,
  path: string,
  field: string,
  body: Place['body'],
  more: Pick<Place, 'as_merchant' | 'text'> = {},
): Place {
  return { method, path, field, body, ...more }
}

const of_merchant = { as_merchant: true }

async function placesOf(): Promise<Place[]> {
  const charge = pay.chargePath((await pay.settled()).id)
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const money = { transaction_token_id, amount: 1000, currency: 'JPY' }
  const recurring = `/stores/${shop.store_id}/tokens/${transaction_token_id}`
  const deposits = `/test/charges/${await pay.waiting('bank_transfer', { brand: 'aozora_bank' })}/deposits`
  const customs = `${pay.chargePath(await pay.paidOnline())}/customs`
  const store = `/stores/${shop.store_id}`
  const person = { certificate_id: '330821198809085211', certificate_name: 'Zhang' }
  const declared = { customs: 'SHANGHAI_ZS', ...person }
  const declaration = (merchant_customs_no: string) => ({ ...declared, merchant_customs_no })
  const refund = { amount: 1, currency: 'JPY' }
  const triggers = ['charge_finished']
  const bank = { ...account, account_number: '7654321' }
  return [
    place('POST', '/stores', 'name', (name) => ({ name }), of_merchant),
    place('PATCH', store, 'name', (name) => ({ name }), of_merchant),
    place('PATCH', '/me', 'name', (name) => ({ name }), of_merchant),
    place('POST', '/tokens', 'data.cardholder', (cardholder) => token({}, { cardholder })),
    place('POST', '/tokens', 'data.line1', (line1) => token({}, { line1 })),
    place('POST', '/tokens', 'data.line2', (line2) => token({}, { line2 })),
    place('POST', '/tokens', 'data.city', (city) => token({}, { city })),
    place('POST', '/tokens', 'data.state', (state) => token({}, { state })),
    place('POST', '/tokens', 'data.zip', (zip) => token({}, { zip })),
    place('POST', '/tokens', 'metadata.note', (note) => token({ metadata: { note } })),
    place('POST', '/tokens', 'metadata.a.b.0', (text) => token({ metadata: { a: { b: [text] } } })),
    place('POST', '/tokens', 'data.customer_name', konbini),
    place('PATCH', recurring, 'data.cardholder', (cardholder) => ({ data: { cardholder } })),
    place('PATCH', recurring, 'metadata.note', (note) => ({ metadata: { note } })),
    place('POST', '/charges', 'metadata.note', (note) => ({ ...money, metadata: { note } })),
    place('POST', '/charges', 'descriptor', (descriptor) => ({ ...money, descriptor })),
    place('PATCH', charge, 'metadata.note', (note) => ({ metadata: { note } })),
    place('POST', `${charge}/refunds`, 'message', (message) => ({ ...refund, message })),
    place('POST', `${store}/webhooks`, 'url', (url) => ({ url, triggers }), { text: inUrl }),
    place('POST', '/bank_accounts', 'holder_name', (holder_name) => ({ ...bank, holder_name }), {
      as_merchant: true,
    }),
    place('POST', customs, 'declaration.merchant_customs_no', (no) => ({
      declaration: declaration(no),
    })),
    place('POST', deposits, 'name', (name) => ({ amount: 1, name })),
  ]
}

test('a card number is refused in every text, and a harmless text is not', async () => {
  for (const [index, one] of (await placesOf()).entries()) {
    const { method, path, field, body, as_merchant, text = String } = one
    const auth = as_merchant ? shop.as_merchant : shop.as_store
    for (const given of [number, spaced, `card ${number}, 12/30`]) {
      const response = await send(method, path, body(text(given)), auth)
      expect([field, response]).toMatchObject([field, refused(field)])
      expect(response.body.message).toContain(`${field} holds a card number.`)
      expect(response.text).not.toContain(number)
    }
    const taken = await send(method, path, body(text(`${clean} ${index}`)), auth)
    expect([field, taken.status < 300, taken.text]).toEqual([field, true, taken.text])
  }
  expect(await occurrences()).toEqual([])
})

test('every field is named, and a key that is a card number is not repeated', async () => {
  const metadata = { [number]: 1, a: { [`x ${spaced}`]: 'y' }, list: ['x', { pan: number }] }
  const response = await send('POST', '/tokens', token({ metadata }, { line1: spaced }))
  expect(response).toMatchObject(
    refused(['metadata.[card]', 'metadata.a.[card]', 'metadata.list.1.pan', 'data.line1']),
  )
  expect(response.body.message).toContain('metadata.[card] (and 3 more) holds a card number.')
  expect(response.text).not.toContain(number)
})

test('a JSON number is looked at like a text; amounts, times and other ids are not refused', async () => {
  const bad = await send('POST', '/tokens', token({ metadata: { pan: Number(number) } }))
  expect(bad).toMatchObject(refused('metadata.pan'))
  const metadata = {
    ...{ at_ms: 1763280000000, at_us: 1763280000000000, big: 9007199254740991, small: 4242.42 },
    ...{ order: '20261115123456', uuid: '42424242-4242-4242-8242-424242424242' },
    ...{ jan: '4901777018884', tel: '+81 90-1234-5678', invoice: 'T1180301018771', last: '3172' },
  }
  const good = await send('POST', '/tokens', token({ metadata }))
  expect([good.status, good.body.metadata]).toEqual([201, metadata])
})

test('fields that are meant for such numbers, or are sealed, take them', async () => {
  const long_number = '6205500000000000004'
  const scanned = {
    payment_type: 'qr_scan',
    email: 'a@b.example',
    data: { scanned_qr: long_number },
  }
  const hook = { url: 'https://shop.example/a', triggers: ['charge_finished'], auth_token: number }
  const given: [path: string, body: object, auth: string][] = [
    ['/tokens', token({ type: 'recurring' }, { card_number: spaced }), shop.as_store],
    ['/tokens', scanned, shop.as_store],
    ['/bank_accounts', { ...account, account_number: long_number }, shop.as_merchant],
    [`/stores/${shop.store_id}/webhooks`, hook, shop.as_store],
  ]
  for (const [path, body, auth] of given) {
    const response = await send('POST', path, body, auth)
    expect([path, response.status, response.text]).toEqual([path, 201, response.text])
  }
  expect(await occurrences()).toEqual([])
})

test('another spelling of the same path does not bypass the rule', async () => {
  const metadata = { data: { card_number: number }, card_number: number, account_number: number }
  expect(await send('POST', '/tokens', token({ metadata }))).toMatchObject(
    refused(['metadata.data.card_number', 'metadata.card_number', 'metadata.account_number']),
  )
})

test('a password is not looked at, and not logged', async () => {
  const { email } = await newUser(world, shop)
  const response = await send('POST', '/authenticate', { email, password: `${number} tulip` })
  expect(response.status).toBe(401)
  expect(await occurrences()).toEqual([])
})

test('a provider that names the card in its refusal is not repeated', async () => {
  const card = simulatorOf(world.service, 'card')
  const { authorize } = card
  const detail = `The card ${spaced} is stolen.`
  Object.assign(card, {
    authorize: async () => ({ outcome: 'refused', code: 306, detail }) as const,
  })
  const charge = await pay.settled().finally(() => Object.assign(card, { authorize }))
  expect(charge.error).toMatchObject({ code: 306, detail: 'The card [card] is stolen.' })
  expect(await occurrences()).toEqual([])
})

test('a refused request leaves its Idempotency-Key unused', async () => {
  const headers = { 'idempotency-key': 'note-1' }
  const create = (name: string) =>
    world.call('POST', '/stores', { auth: shop.as_merchant, body: { name }, headers })
  expect(await create(number)).toMatchObject(refused('name'))
  expect((await create('Another')).status).toBe(201)
})

test('searches with a card number are answered, and reach neither log nor event', async () => {
  for (const query of [number, spaced, spaced.replaceAll(' ', '-'), `${spaced} 123`]) {
    for (const path of ['/charges?search=', '/tokens?search=', '/charges?metadata=']) {
      expect((await pay.get(`${path}${encodeURIComponent(query)}`)).status).toBe(200)
    }
    expect((await pay.get(`/nowhere?search=${encodeURIComponent(query)}`)).status).toBe(404)
  }
  expect(await occurrences()).toEqual([])
})

/** Finds the number in the log and in all tables, in any encoding. */
async function occurrences(): Promise<string[]> {
  const { rows: tables } = await world.store.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const places = tables.map(async ({ name: table }) => {
    const { rows } = await world.store.pool.query(`select * from ${table}`)
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    return [table, text] as const
  })
  const all = [['log', world.log.join('')] as const, ...(await Promise.all(places))]
  return all.flatMap(([place, text]) => {
    const found = /.{0,40}4539.{0,3}7061.{0,3}4829.{0,3}3172/.exec(text)
    return found ? [`${place}: ${found[0]}`] : []
  })
}
