import { afterEach, beforeEach, expect, test } from 'vitest'
import { pagePath } from '../../src/api/hosted-links.ts'
import type { Inquiry, Outcome, Provider } from '../../src/providers/provider.ts'
import type { Operation } from '../../src/providers/provider-operations.ts'
import { runDue } from '../../src/worker/worker.ts'
import { bank } from '../support/deposits-seen.ts'
import { payments } from '../support/payments.ts'
import { paymentFaults } from '../support/rules/payment-checks.ts'
import { withProviders } from '../support/simulators.ts'
import { useMerchant, useWorld } from '../support/use-world.ts'

// Providers that return invalid responses. None of it is accepted or stored; the outcome is found
// by inquiry, and what stays unknown ends at the time limit. One charge for each kind of invalid
// response, all at the same time.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

beforeEach(async () => {
  nonsense_of.clear()
})
afterEach(async () => {
  expect(await paymentFaults(world)).toEqual([])
  expect(await stored()).toEqual([])
  expect(world.log.filter((line) => line.includes('evil'))).toEqual([])
})

const evil = '<script>evil()</script>'
const parsed = (text: string): unknown => JSON.parse(text)
const instructed = (instructions: unknown) => ({ outcome: 'waiting', instructions })
const account = {
  kind: 'bank_transfer',
  account_id: '00000000-0000-4000-8000-000000000000',
  bank_code: '0310',
  bank_name: 'Bank',
  branch_code: '001',
  branch_name: 'Branch',
  account_number: '1234567',
  account_holder_name: 'Holder',
}

class Approved {
  get outcome(): string {
    return evil
  }
  toJSON(): object {
    return { outcome: 'approval', evil }
  }
}

const nonsense: Record<string, unknown> = {
  nothing: undefined,
  null: null,
  'a page': `<!doctype html><title>502</title>${evil}`,
  'a word': 'approved',
  'a number': 200,
  yes: true,
  'a list': [{ outcome: 'approved' }],
  'an empty object': {},
  'a megabyte': { outcome: evil.repeat(50_000) },
  'an outcome in a list': { outcome: ['approved'] },
  'an unknown outcome': { outcome: 'APPROVED', evil },
  'an outcome of its prototype': parsed('{"__proto__": {"outcome": "approved"}}'),
  'an inherited outcome': Object.create({ outcome: 'approved' }),
  'an object that changes when it is stored': new Approved(),
  'a refusal without a code': { outcome: 'refused', detail: evil },
  'a code in words': { outcome: 'refused', code: '306', detail: null },
  'a code out of bounds': { outcome: 'refused', code: 200, detail: null },
  'half a code': { outcome: 'refused', code: 306.5, detail: null },
  'no code at all': { outcome: 'refused', code: Number.NaN, detail: null },
  'a detail of a megabyte': { outcome: 'refused', code: 306, detail: evil.repeat(50_000) },
  'a detail that is an object': { outcome: 'refused', code: 306, detail: { evil } },
  'a detail that cannot be stored': { outcome: 'refused', code: 306, detail: 'evil\u0000' },
  'half of a surrogate pair': { outcome: 'refused', code: 306, detail: 'evil\ud800' },
  'no instructions': instructed(undefined),
  'instructions in words': instructed(evil),
  'instructions of no kind': instructed({ kind: 'evil', code: evil }),
  'instructions with more': instructed({ kind: 'qr', code: null, html: evil }),
  'instructions with a prototype': instructed(parsed('{"kind":"qr","code":null,"__proto__":{}}')),
  'instructions that are too long': instructed({ kind: 'online', sdk_token: 'evil'.repeat(501) }),
  'instructions that cannot be stored': instructed({ kind: 'qr', code: 'evil\u0000' }),
  'a bank that cannot be stored': instructed({ ...account, bank_name: 'evil\udc00' }),
  'a bank of two lines': instructed({ ...account, bank_name: 'evil\r\nSet-Cookie: a' }),
  'never, in words': { outcome: 'unknown', ask_again_ms: 'never' },
  'in a thousand years': { outcome: 'unknown', ask_again_ms: 3e13 },
  'before it was asked': { outcome: 'unknown', ask_again_ms: -1 },
}
const every_name = Object.keys(nonsense)
/** A third of them in a test, the next third in the next: each test waits for many minutes. */
let names = every_name
let turn = 0

/** The response about each charge. */
const nonsense_of = new Map<string, unknown>()
type Kind =
  | 'authenticate'
  | 'authorize'
  | 'void'
  | 'refund'
  | 'returnDeposit'
  | 'declareCustoms'
  | 'deposits'
  | 'inquire'
  | 'inquire void'
/** `deaf`: the provider does nothing. `confused`: it does what it should and answers nonsense. */
type Trouble = 'deaf' | 'confused'

function talksNonsense(inner: Provider, kinds: readonly Kind[], trouble: Trouble): Provider {
  const instead =
    <T extends { charge_id: string }>(call: (operation: T) => Promise<Outcome>) =>
    async (operation: T): Promise<Outcome> => {
      if (!nonsense_of.has(operation.charge_id)) return call(operation)
      if (trouble === 'confused') await call(operation)
      return nonsense_of.get(operation.charge_id) as Outcome
    }
  const changed: Partial<Provider> = {}
  for (const kind of kinds) {
    if (kind === 'inquire' || kind === 'inquire void') {
      changed.inquire = async (operation) => {
        const is_asked = kind === 'inquire' || operation.kind === 'void'
        const found = is_asked ? await owner(operation) : null
        if (found === null) return inner.inquire(operation)
        return nonsense_of.get(found) as Inquiry
      }
    } else Object.assign(changed, { [kind]: instead<Operation>(inner[kind] as never) })
  }
  return { ...inner, ...changed }
}

/** Inquiries name an operation and not its charge. */
async function owner({ reference }: { reference: string }): Promise<string | null> {
  const { rows } = await world.store.pool.query(
    'select charge_id from simulator_operations where reference = $1',
    [reference],
  )
  const id = rows[0]?.charge_id ?? reference
  return nonsense_of.has(id) ? id : null
}

/** Processes what is due, with providers that return nonsense. */
async function work(kinds: readonly Kind[] = [], trouble: Trouble = 'deaf'): Promise<void> {
  const confused = world.service.providers.all.map((one) => talksNonsense(one, kinds, trouble))
  const service = withProviders(world.service, ...confused)
  await runDue(service)
}

async function minutes(count: number, kinds: readonly Kind[] = [], trouble: Trouble = 'deaf') {
  for (let passed = 0; passed < count; passed += 1) {
    world.clock.advance(60_000)
    await work(kinds, trouble)
  }
}

const data_of: Record<string, object> = {
  card: {
    cardholder: 'Taro Yamada',
    card_number: '4242424242424242',
    exp_month: '12',
    exp_year: '2030',
    cvv: '123',
  },
  online: { brand: 'alipay_online', call_method: 'http_get' },
  bank_transfer: { ...bank, match_amount: 'maximum' },
}

/** A charge for each kind of nonsense, not processed yet. */
async function charges(payment_type: string, data: object = {}, body: object = {}) {
  const ids: string[] = []
  turn += 1
  names = every_name.filter((_, index) => index % 3 === turn % 3)
  for (const name of names) {
    const token = await pay.post('/tokens', {
      payment_type,
      email: 'customer@example.com',
      data: { ...data_of[payment_type], ...data },
    })
    const money = { amount: 1000, currency: 'JPY' }
    const asked = { transaction_token_id: token.body.id, ...money, ...body }
    const created = await pay.post('/charges', asked)
    expect(created.status, created.text).toBe(201)
    nonsense_of.set(created.body.id, nonsense[name])
    ids.push(created.body.id)
  }
  return ids
}

/** Each charge with an unexpected end, and the nonsense that led to it. */
async function expectAll(ids: string[], status: string): Promise<void> {
  const { rows } = await world.store.pool.query(
    `select id, concat_ws(' ', status, error ->> 'code') as status from charges where id = any($1)`,
    [ids],
  )
  const found = new Map(rows.map((row) => [row.id, row.status]))
  const wrong = ids.map((id, index) => [names[index], found.get(id)])
  expect(wrong.filter(([, one]) => one !== status)).toEqual([])
}

/** Finds stored parts of the invalid input. */
async function stored(): Promise<unknown[]> {
  const tables = ['charges', 'transaction_tokens', 'cancels', 'refunds', 'deposits', 'events']
  const each = tables.map((name) => `select '${name}' as name, t::text from ${name} t`)
  const query = `select * from (${each.join(' union all ')}) as all_rows where t like '%evil%' limit 3`
  return (await world.store.pool.query(query)).rows
}

async function instructionsOf(ids: string[]): Promise<unknown[]> {
  const query = 'select distinct instructions from charges where id = any($1)'
  const { rows } = await world.store.pool.query(query, [ids])
  return rows.map(({ instructions }) => instructions)
}

const complete = (id: string) => pay.post(`/test/charges/${id}/complete`, { outcome: 'successful' })

test.each(['card', 'online'])('authorize %s: the outcome is found by inquiry', async (type) => {
  const ids = await charges(type)
  await work(['authorize'], 'confused')
  await expectAll(ids, 'pending')
  await minutes(2, ['authorize'], 'confused')
  await expectAll(ids, type === 'card' ? 'successful' : 'awaiting')
  const honest = type === 'card' ? null : { kind: 'online', sdk_token: null }
  expect(await instructionsOf(ids)).toEqual([honest])
})

test.each([
  ['card', 'confused', ['authorize', 'inquire']],
  ['online', 'deaf', ['authorize', 'inquire']],
  ['bank_transfer', 'confused', ['authorize', 'inquire']],
] as const)('authorize and inquire %s, %s: undone by the bound', async (type, trouble, kinds) => {
  const ids = await charges(type)
  await work(kinds, trouble)
  await minutes(8, kinds, trouble)
  await expectAll(ids, 'pending')
  await minutes(4, kinds, trouble)
  await expectAll(ids, 'error 502')
  expect(await instructionsOf(ids)).toEqual([null])
})

test.each(['deaf', 'confused'] as const)(
  'authenticate, %s: no money is asked for, undone by the bound',
  async (trouble) => {
    const ids = await charges('card', { card_number: '4000000000003220' })
    await work(['authenticate'], trouble)
    await minutes(8, ['authenticate', 'inquire'], trouble)
    await expectAll(ids, 'pending')
    await minutes(4, ['authenticate', 'inquire'], trouble)
    await expectAll(ids, 'error 502')
    expect(await instructionsOf(ids)).toEqual([null])
    const asked =
      "select from simulator_operations where kind = 'authorize' and charge_id = any($1)"
    expect((await world.store.pool.query(asked, [ids])).rows).toEqual([])
  },
)

test.each(['online', 'bank_transfer'])(
  'inquire %s: a charge waits for its customer all the same',
  async (type) => {
    const ids = await charges(type)
    await work()
    for (const id of ids) expect((await complete(id)).status).toBe(200)
    await minutes(15, ['inquire'])
    // A deposit sends a notification; an action on a page must be inquired.
    await expectAll(ids, type === 'online' ? 'awaiting' : 'successful')
    await minutes(2)
    await expectAll(ids, 'successful')
  },
)

test('inquire: what is not known ten minutes after its expiry is undone', async () => {
  const ids = await charges('online')
  await work()
  for (const id of ids.slice(1)) await complete(id)
  await minutes(38, ['inquire'])
  await expectAll(ids, 'awaiting')
  await minutes(4, ['inquire'])
  await expectAll(ids, 'error 502')
})

test('void: a cancel stays open until it is known, and no longer', async () => {
  const ids = await charges('online')
  await work()
  for (const id of ids) {
    expect((await pay.post(`${pay.chargePath(id)}/cancels`)).status).toBe(201)
  }
  await minutes(12, ['void'], 'deaf')
  await expectAll(ids, 'awaiting')
  await minutes(2)
  await expectAll(ids, 'canceled')
})

test.each(['deaf', 'confused'] as const)(
  'void, %s: the end of a charge is unknown until the provider confirms it',
  async (trouble) => {
    const ids = await charges('bank_transfer')
    await work()
    await minutes(35, ['void', 'inquire void'], trouble)
    await expectAll(ids, 'awaiting')
    await minutes(2)
    await expectAll(ids, 'failed 327')
  },
)

test('void and refund: an unknown reversal is made again, and nothing stays held', async () => {
  const ids = await charges('card', {}, { capture: false })
  await work(['authorize', 'inquire'], 'confused')
  await minutes(14, ['authorize', 'inquire', 'void', 'refund'], 'deaf')
  await expectAll(ids, 'pending')
  await minutes(2, ['inquire'])
  await expectAll(ids, 'error 502')
  const released = `select charge_id from simulator_operations
    where kind = 'void' and outcome ->> 'outcome' = 'approved' and charge_id = any($1)`
  expect((await world.store.pool.query(released, [ids])).rows).toHaveLength(ids.length)
})

test.each(['deaf', 'confused'] as const)(
  'returnDeposit, %s: in suspense until it is known, returned once',
  async (trouble) => {
    const ids = await charges('bank_transfer')
    await work()
    for (const id of ids) await pay.post(`/test/charges/${id}/deposits`, { amount: 1001 })
    await minutes(12, ['returnDeposit', 'inquire'], trouble)
    const states = 'select distinct status from deposits where charge_id = any($1)'
    expect((await world.store.pool.query(states, [ids])).rows).toEqual([{ status: 'returning' }])
    await minutes(2)
    expect((await world.store.pool.query(states, [ids])).rows).toEqual([{ status: 'returned' }])
    await expectAll(ids, 'awaiting')
  },
)

test('deposits: the expiry is not postponed for ever because the arrivals are unknown', async () => {
  const ids = await charges('bank_transfer')
  nonsense_of.set(ids[0] ?? '', [{ reference: evil, amount: -5, currency: 'JPY', paid_on: evil }])
  await work()
  await minutes(38, ['deposits'])
  await expectAll(ids, 'awaiting')
  await minutes(4, ['deposits'])
  await expectAll(ids, 'failed 327')
})

test('responses to another request are invalid', async () => {
  const never = { outcome: 'never_received' }
  const asked = instructed({ kind: 'three_ds' })
  const endOf = async (id: string) => {
    const { status, error } = (await pay.get(pay.chargePath(id))).body
    return [status, error?.code].filter(Boolean).join(' ')
  }
  const challenge = { data: { card_number: '4000000000003220' } }
  const challenged = (await pay.charge({}, challenge)).body.id
  await work()
  expect((await complete(challenged)).status).toBe(200)
  const charged = (await pay.charge()).body.id
  nonsense_of.set(charged, never).set(challenged, asked)
  await minutes(13, ['authorize'])
  expect([await endOf(charged), await endOf(challenged)]).toEqual(['error 502', 'error 502'])
  const { id: held } = await pay.settled({ capture: false })
  const canceled = await pay.waiting('online', data_of.online ?? {})
  expect((await pay.post(`${pay.chargePath(canceled)}/cancels`)).status).toBe(201)
  world.clock.advance(7 * 24 * 3_600_000)
  nonsense_of.set(canceled, never).set(held, asked)
  await minutes(3, ['void'])
  expect([await endOf(canceled), await endOf(held)]).toEqual(['awaiting', 'authorized'])
  await minutes(2)
  expect([await endOf(canceled), await endOf(held)]).toEqual(['canceled', 'failed 313'])
})

test("extra fields of a provider's response are dropped, and its texts are only texts", async () => {
  const markup = '<img src=x onerror="alert(1)">'
  const card = (await pay.charge()).body.id
  const token = await pay.post('/tokens', {
    payment_type: 'bank_transfer',
    email: 'customer@example.com',
    data: bank,
  })
  const money = { amount: 1000, currency: 'JPY' }
  const asked = { transaction_token_id: token.body.id, ...money }
  const transfer = (await pay.post('/charges', asked)).body.id
  nonsense_of.set(card, { outcome: 'approved', evil, amount: 999_999, charged_amount: 1 })
  nonsense_of.set(transfer, { ...instructed({ ...account, bank_name: markup }), evil })
  await work(['authorize'], 'confused')
  const charged = (await pay.get(pay.chargePath(card))).body
  expect(charged).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(await instructionsOf([transfer])).toEqual([{ ...account, bank_name: markup }])
  const { rows } = await world.store.pool.query(
    'select merchant_id, page_id from charges where id = $1',
    [transfer],
  )
  const page = await world.call('GET', pagePath(rows[0]), { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.text).toContain('&lt;img src=x')
  expect(page.text).not.toContain('<img src=x')
})
