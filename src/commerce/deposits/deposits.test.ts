import { afterEach, beforeEach, expect, test } from 'vitest'
import { bank, type Deposits, deposits, type Seen } from '../../../test/support/deposits-seen.ts'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { MatchAmount } from '../../core/payments/match-amounts.ts'

// Every charge in these tests wants 1000 JPY by transfer, or at a till, within half an hour.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let money: Deposits

beforeEach(async () => {
  money = deposits(world, shop, pay)
})
afterEach(async () => expect(await paymentFaults(world)).toEqual([]))

async function rows(query: string, ...values: unknown[]) {
  return (await world.store.pool.query(query, values)).rows
}

const taken = { provider_receivable: 1000, merchant_payable: -1000 }
const held = (amount: number) => ({ provider_receivable: amount, suspense: -amount })
/** A deposit that does not stay leaves two lines and changes no balance. */
const inAndOut = (amount: number, before = 0) => [
  `deposit ${amount} -> ${before + amount}`,
  `payment ${amount} -> ${before}`,
]
const paid_at_once: Seen = {
  charge: 'successful 1000',
  deposits: ['applied 1000'],
  statement: ['deposit 1000 -> 1000', 'payment 1000 -> 0'],
  told: ['exact 1000 (1000 0)'],
  ledger: taken,
}
const refused = (amount: number, reason: string): Seen => ({
  charge: 'awaiting',
  deposits: [`returned ${amount} ${reason}`],
  statement: inAndOut(amount),
  told: [`unpaid ${amount} (0 -1000)`],
  ledger: {},
})
const refusedTwice = (one: number, other: number, ...reasons: [string, string]): Seen => ({
  ...refused(one, reasons[0]),
  deposits: [`returned ${one} ${reasons[0]}`, `returned ${other} ${reasons[1]}`],
  statement: [...inAndOut(one), ...inAndOut(other)],
  told: [`unpaid ${one} (0 -1000)`, `unpaid ${other} (0 -1000)`],
})
const paid_in_two: Seen = {
  charge: 'successful 1000',
  deposits: ['applied 400', 'applied 600'],
  statement: ['deposit 400 -> 400', 'deposit 600 -> 1000', 'payment 1000 -> 0'],
  told: ['insufficient 400 (400 -600)', 'exact 600 (1000 0)'],
  ledger: taken,
}
const paidWithSurplus = (amount: number): Seen => ({
  charge: 'successful 1000',
  deposits: [`applied 1000, returned ${amount - 1000} surplus`],
  statement: [
    `deposit ${amount} -> ${amount}`,
    `payment 1000 -> ${amount - 1000}`,
    `payment ${amount - 1000} -> 0`,
  ],
  told: [`exceeded ${amount} (${amount} ${amount - 1000})`],
  ledger: taken,
})
const first_400 = { statement: ['deposit 400 -> 400'], told: ['insufficient 400 (400 -600)'] }

const cases: [MatchAmount, number[], Seen][] = [
  ['exact', [1000], paid_at_once],
  [
    'exact',
    [1000, 500],
    {
      ...paid_at_once,
      deposits: ['applied 1000', 'returned 500 late'],
      statement: [...paid_at_once.statement, ...inAndOut(500)],
      told: [...paid_at_once.told, 'exact 500 (1000 0)'],
    },
  ],
  ['exact', [999], refused(999, 'too_little')],
  ['exact', [1001], refused(1001, 'too_much')],
  ['exact', [400, 600], refusedTwice(400, 600, 'too_little', 'too_little')],
  ['minimum', [1000], paid_at_once],
  ['minimum', [1500], paidWithSurplus(1500)],
  ['minimum', [999], refused(999, 'too_little')],
  ['minimum', [400, 999], refusedTwice(400, 999, 'too_little', 'too_little')],
  ['maximum', [1000], paid_at_once],
  ['maximum', [1001], refused(1001, 'too_much')],
  ['maximum', [400, 600], paid_in_two],
  [
    'maximum',
    [400],
    { ...first_400, charge: 'awaiting', deposits: ['held 400'], ledger: held(400) },
  ],
  [
    'maximum',
    [400, 601],
    {
      charge: 'awaiting',
      deposits: ['held 400', 'returned 601 too_much'],
      statement: [...first_400.statement, ...inAndOut(601, 400)],
      told: [...first_400.told, 'insufficient 601 (400 -600)'],
      ledger: held(400),
    },
  ],
  ['disabled', [1000], paid_at_once],
  ['disabled', [1], { ...refused(1, ''), ...oneHeld(1) }],
  ['disabled', [400, 600], paid_in_two],
  ['disabled', [1500], paidWithSurplus(1500)],
  [
    'disabled',
    [400, 700],
    {
      charge: 'successful 1000',
      deposits: ['applied 400', 'applied 600, returned 100 surplus'],
      statement: [
        'deposit 400 -> 400',
        'deposit 700 -> 1100',
        'payment 1000 -> 100',
        'payment 100 -> 0',
      ],
      told: [...first_400.told, 'exceeded 700 (1100 100)'],
      ledger: taken,
    },
  ],
]

function oneHeld(amount: number): Partial<Seen> {
  return {
    deposits: [`held ${amount}`],
    statement: [`deposit ${amount} -> ${amount}`],
    told: [`insufficient ${amount} (${amount} ${amount - 1000})`],
    ledger: held(amount),
  }
}

test.each(cases)('%s: %j', async (match_amount, amounts, expected) => {
  const id = await money.transfer(match_amount)
  for (const amount of amounts) await money.arrive(id, amount)
  expect(await money.seen(id)).toEqual(expected)
})

/** 400 and then 1100 tell the four rules apart. */
const reported_apart: Record<MatchAmount, [charge: string, deposits: string[]]> = {
  exact: ['awaiting', ['returned 400 too_little', 'returned 1100 too_much']],
  minimum: ['successful 1000', ['returned 400 too_little', 'applied 1000, returned 100 surplus']],
  maximum: ['awaiting', ['held 400', 'returned 1100 too_much']],
  disabled: ['successful 1000', ['applied 400', 'applied 600, returned 500 surplus']],
}

async function configure(match_amount: MatchAmount | null): Promise<void> {
  const auth = shop.as_merchant
  const body = { configuration: { bank_transfer_configuration: { match_amount } } }
  const { status, text } = await world.call('PATCH', `/stores/${shop.store_id}`, { auth, body })
  expect(status, text).toBe(200)
}

async function expectRule(id: string, match_amount: MatchAmount): Promise<void> {
  for (const amount of [400, 1100]) await money.arrive(id, amount)
  const { charge, deposits } = await money.seen(id)
  expect([charge, deposits]).toEqual(reported_apart[match_amount])
}

test.each([
  ['nothing says another', null, null, 'exact'],
  ['the store says so', 'minimum', null, 'minimum'],
  ['the store says so', 'maximum', null, 'maximum'],
  ['the store says so', 'disabled', null, 'disabled'],
  ['the token wins', 'disabled', 'exact', 'exact'],
  ['the token wins', 'exact', 'minimum', 'minimum'],
  ['the token wins', 'exact', 'maximum', 'maximum'],
  ['the token wins', 'maximum', 'disabled', 'disabled'],
] as const)('%s: store %s, token %s: %s', async (_, of_store, of_token, rule) => {
  await configure(of_store)
  await expectRule(await money.transfer(of_token), rule)
})

test('a charge keeps the rule it began with when the store is changed', async () => {
  await configure('maximum')
  const id = await money.transfer()
  await configure('disabled')
  await expectRule(id, 'maximum')
})

test('a till takes the exact amount whatever the store says, and has no account', async () => {
  await configure('disabled')
  const id = await money.atTheTill()
  for (const amount of [400, 1001, 1000, 1000]) await money.arrive(id, amount)
  expect(await money.depositsOf(id)).toEqual([
    'returned 400 too_little',
    'returned 1001 too_much',
    'applied 1000',
    'returned 1000 late',
  ])
  const { body } = await pay.get(pay.chargePath(id))
  expect(body).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(await money.reportedOf(id)).toEqual([])
  expect(await money.ledger()).toEqual(taken)
  const path = `${pay.chargePath(id)}/bank_transfer_ledgers`
  expect((await world.call('GET', path, { auth: shop.as_merchant })).status).toBe(404)
})

test('the event has every figure, and the metadata of charge and token', async () => {
  const body = { metadata: { order: 'A-1' } }
  const token = { metadata: { customer: 'C-9' } }
  const data = { ...bank, match_amount: 'maximum' }
  const id = await pay.waiting('bank_transfer', data, body, token)
  await money.arrive(id, 250)
  const name = 'bank_transfer_status_updated'
  const [event] = await rows('select * from events where resource_id = $1 and name = $2', id, name)
  const [deposit] = await rows('select id, created_on from deposits where charge_id = $1', id)
  const at = deposit.created_on.toISOString()
  expect(event).toMatchObject({ store_id: shop.store_id, mode: 'test' })
  expect(event.data).toEqual({
    id: deposit.id,
    charge_id: id,
    payment_status: 'insufficient',
    latest_deposit_date: at,
    latest_deposit_amount: 250,
    balance: 250,
    currency: 'JPY',
    amount: 1000,
    amount_difference: -750,
    token_metadata: { customer: 'C-9' },
    charge_metadata: { order: 'A-1' },
    created_on: at,
  })
})

test('the statement: newest first, with the account; in pages; not for the token of a store', async () => {
  const id = await money.transfer('disabled')
  for (const amount of [10, 20, 30, 40, 50, 60]) await money.arrive(id, amount)
  await money.arrive(id, 1000)
  const path = `${pay.chargePath(id)}/bank_transfer_ledgers`
  const auth = shop.as_merchant
  const { body } = await world.call('GET', path, { auth, query: { limit: '10' } })
  expect(body.has_more).toBe(false)
  expect(body.items.map(({ balance }: { balance: number }) => balance)).toEqual([
    0, 210, 1210, 210, 150, 100, 60, 30, 10,
  ])
  const [{ instructions }] = await rows('select instructions from charges where id = $1', id)
  const [deposit] = await rows(
    'select created_on from deposits where charge_id = $1 order by id',
    id,
  )
  const at = deposit.created_on.toISOString()
  const in_tokyo = new Date(deposit.created_on.getTime() + 9 * 3_600_000)
  expect(body.items.at(-1)).toEqual({
    id: expect.any(String),
    bank_ledger_type: 'deposit',
    amount: 10,
    balance: 10,
    virtual_bank_account_holder_name: instructions.account_holder_name,
    virtual_bank_account_number: instructions.account_number,
    virtual_account_id: instructions.account_id,
    transaction_date: in_tokyo.toISOString().slice(0, 10),
    transaction_timestamp: at,
    mode: 'test',
    created_on: at,
  })
  expect((await world.call('GET', path, { auth: shop.as_store })).status).toBe(403)
})
