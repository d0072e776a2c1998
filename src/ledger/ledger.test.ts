import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type LedgerBalance,
  ledgerFaults,
  readBalances,
} from '../../test/support/rules/ledger-checks.ts'
import { useWorld } from '../../test/support/use-world.ts'
import type { TestMerchant } from '../../test/support/world.ts'
import { inTransaction, type Transacting } from '../service.ts'
import {
  authorizationHeld,
  authorizationReleased,
  captured,
  type LedgerCharge,
  type NewLedgerTransaction,
  postLedger,
  refunded,
} from './post.ts'

// The ledger on the real database. Rules of the code are also broken in plain SQL, because the database
// must enforce them too.
const world = useWorld({ settings: { DATABASE_CONNECTIONS: '60' } })
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

function newCharge(given: Partial<LedgerCharge> = {}): LedgerCharge {
  return {
    merchant_id: shop.id,
    store_id: shop.store_id,
    mode: 'test',
    id: randomUUID(),
    requested_amount: 1000,
    requested_currency: 'JPY',
    ...given,
  }
}

const post = (transactions: NewLedgerTransaction[]) =>
  inTransaction(world.service, (tx) => postLedger(tx, transactions))

/** Balances as `account currency` -> amount; accounts at zero are left out. */
function byAccount(balances: LedgerBalance[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { account, currency, balance } of balances) {
    const name = `${account} ${currency}`
    sums[name] = (sums[name] ?? 0) + balance
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

const balancesOf = async (store_id: string) =>
  byAccount(await readBalances(world.service, shop.id, { store_id, mode: 'test' }))

test('a charge through its lifecycle: held, captured less the fee, partly refunded', async () => {
  const charge = newCharge({ store_id: randomUUID() })
  await post(authorizationHeld(charge))
  expect(await balancesOf(charge.store_id)).toEqual({
    'authorization_hold JPY': 1000,
    'authorized_by_customer JPY': -1000,
  })
  await post([
    ...authorizationReleased(charge, 'charge'),
    ...captured(charge, { amount: 1000, currency: 'JPY', fee: 36 }),
  ])
  expect(await balancesOf(charge.store_id)).toEqual({
    'provider_receivable JPY': 1000,
    'merchant_payable JPY': -964,
    'fee_income JPY': -36,
  })
  await post(refunded(charge, { id: randomUUID(), amount: 300, currency: 'JPY' }))
  expect(await balancesOf(charge.store_id)).toEqual({
    'provider_receivable JPY': 700,
    'merchant_payable JPY': -664,
    'fee_income JPY': -36,
  })
})

test('a converted charge has legs in both currencies, each of which sums to zero', async () => {
  const charge = newCharge({ store_id: randomUUID(), requested_currency: 'USD' })
  await post(captured(charge, { amount: 1500, currency: 'JPY', fee: 0 }))
  expect(await balancesOf(charge.store_id)).toEqual({
    'provider_receivable JPY': 1500,
    'merchant_payable JPY': -1500,
    'conversion_requested USD': 1000,
    'fx_clearing USD': -1000,
    'fx_clearing JPY': 1500,
    'conversion_charged JPY': -1500,
  })
})

test('nothing is written where no money moves', async () => {
  const check = newCharge({ requested_amount: 0 })
  expect([
    ...authorizationHeld(check),
    ...authorizationReleased(check),
    ...captured(check, { amount: 0, currency: 'JPY', fee: 0 }),
  ]).toEqual([])
  expect(await post([])).toEqual([])
})

test('modes and merchants have ledgers of their own', async () => {
  const store_id = randomUUID()
  const other = await world.merchant()
  const capture = { amount: 1000, currency: 'JPY', fee: 0 }
  await post([
    ...captured(newCharge({ store_id }), capture),
    ...captured(newCharge({ store_id, mode: 'live' }), { ...capture, amount: 7 }),
    ...captured(newCharge({ merchant_id: other.id, store_id }), { ...capture, amount: 9 }),
  ])
  const payable = async (merchant_id: string, mode: 'test' | 'live') =>
    byAccount(await readBalances(world.service, merchant_id, { store_id, mode }))[
      'merchant_payable JPY'
    ]
  expect(await payable(shop.id, 'test')).toBe(-1000)
  expect(await payable(shop.id, 'live')).toBe(-7)
  expect(await payable(other.id, 'test')).toBe(-9)
})

test.each([
  ['unbalanced', [100, -99]],
  ['empty', []],
  ['a fraction', [0.5, -0.5]],
  ['zero', [100, -100, 0]],
  ['more than a number can hold', [2 ** 53, -(2 ** 53)]],
])('the code itself refuses a transaction that is %s', async (_, amounts) => {
  const [made] = captured(newCharge(), { amount: 1, currency: 'JPY', fee: 0 })
  const entries = amounts.map(
    (amount) => ({ account: 'suspense', currency: 'JPY', amount }) as const,
  )
  await expect(post(made ? [{ ...made, entries }] : [])).rejects.toThrow(RangeError)
})

test('nothing is posted a second time, and a failed transaction leaves no trace', async () => {
  const charge = newCharge({ store_id: randomUUID() })
  const refund = { id: randomUUID(), amount: 300, currency: 'JPY' }
  await post([...captured(charge, { amount: 1000, currency: 'JPY', fee: 5 })])
  await post(refunded(charge, refund))
  const before = await balancesOf(charge.store_id)
  const again = captured(charge, { amount: 1000, currency: 'JPY', fee: 0 })
  await expect(post(again)).rejects.toMatchObject({ constraint: 'ledger_transactions_once' })
  await expect(post(refunded(charge, refund))).rejects.toMatchObject({ code: '23505' })
  await post(refunded(charge, { ...refund, id: randomUUID() }))
  await post(refunded(charge, { ...refund, id: randomUUID(), amount: 400 }))
  expect(before['merchant_payable JPY']).toBe(-695)
  expect((await balancesOf(charge.store_id))['merchant_payable JPY']).toBe(5)
})

/** One charge: the requested and charged amounts, the fee, and which of the steps it takes. */
const story = fc.record({
  store: fc.nat({ max: 2 }),
  requested_amount: fc.integer({ min: 1, max: 999_999_999_999 }),
  requested_currency: fc.constantFrom('JPY', 'USD', 'KWD'),
  amount: fc.integer({ min: 1, max: 999_999_999_999 }),
  currency: fc.constantFrom('JPY', 'USD'),
  fee_percent: fc.nat({ max: 100 }),
  ending: fc.constantFrom('held', 'released', 'captured'),
  refund_percents: fc.array(fc.integer({ min: 1, max: 33 }), { maxLength: 3 }),
})
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

/** A model independent of the code: the sums as a person would write them down. */
type Paper = Record<string, number>

function note(paper: Paper, account: string, currency: string, amount: number): void {
  const name = `${account} ${currency}`
  paper[name] = (paper[name] ?? 0) + amount
  if (paper[name] === 0) delete paper[name]
}

function* steps(charge: LedgerCharge, told: Story, paper: Paper) {
  const { requested_amount, requested_currency, currency } = told
  const amount = requested_currency === currency ? requested_amount : told.amount
  yield authorizationHeld(charge)
  note(paper, 'authorization_hold', requested_currency, requested_amount)
  note(paper, 'authorized_by_customer', requested_currency, -requested_amount)
  if (told.ending === 'held') return
  const fee = Math.floor((amount * told.fee_percent) / 100)
  const captures = told.ending === 'captured'
  yield [
    ...authorizationReleased(charge, captures ? 'charge' : 'cancel'),
    ...(captures ? captured(charge, { amount, currency, fee }) : []),
  ]
  note(paper, 'authorization_hold', requested_currency, -requested_amount)
  note(paper, 'authorized_by_customer', requested_currency, requested_amount)
  if (!captures) return
  note(paper, 'provider_receivable', currency, amount)
  note(paper, 'merchant_payable', currency, fee - amount)
  note(paper, 'fee_income', currency, -fee)
  if (requested_currency !== currency) {
    note(paper, 'conversion_requested', requested_currency, requested_amount)
    note(paper, 'fx_clearing', requested_currency, -requested_amount)
    note(paper, 'fx_clearing', currency, amount)
    note(paper, 'conversion_charged', currency, -amount)
  }
  for (const percent of told.refund_percents) {
    const back = Math.floor((amount * percent) / 100)
    yield refunded(charge, { id: randomUUID(), amount: back, currency })
    note(paper, 'provider_receivable', currency, -back)
    note(paper, 'merchant_payable', currency, back)
  }
}

test('any sequence of holds, captures, fees, conversions and refunds keeps I1 and I2', async () => {
  const merchant = await world.merchant()
  const stores = [randomUUID(), randomUUID(), randomUUID()]
  const papers = stores.map((): Paper => ({}))
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: 1, maxLength: 3 }), async (stories) => {
      const running = stories.map((told) => {
        const { requested_amount, requested_currency } = told
        const owner = { merchant_id: merchant.id, store_id: stores[told.store] ?? '' }
        const charge = newCharge({ ...owner, requested_amount, requested_currency })
        return steps(charge, told, papers[told.store] ?? {})
      })
      // The charges alternate, one step each.
      while (running.length > 0) {
        const next = running.shift()
        const step = next?.next()
        if (!next || !step || step.done) continue
        await post(step.value)
        running.push(next)
        expect(await ledgerFaults(world.service.db)).toEqual([])
      }
    }),
    { numRuns: 100, endOnFailure: true },
  )
  for (const [index, store_id] of stores.entries()) {
    const found = byAccount(await readBalances(world.service, merchant.id, { store_id }))
    expect(found).toEqual(papers[index])
  }
}, 300_000)

describe('the database itself refuses', () => {
  const ids = (given = {}) => ({ merchant_id: shop.id, store_id: shop.store_id, ...given })

  /** A transaction in plain SQL, with the given amounts as its entries. */
  async function write(
    db: Transacting['db'],
    amounts: (number | null)[],
    currencies = amounts.map(() => 'JPY'),
    accounts = amounts.map(() => 'suspense'),
  ) {
    const { merchant_id, store_id } = ids()
    const id = randomUUID()
    await sql`insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind,
        charge_id, accounts, currencies, amounts, created_on)
      values (${merchant_id}, ${id}, ${store_id}, 'test', 'manual', 'adjustment', ${randomUUID()},
        ${accounts}::text[], ${currencies}::text[], ${amounts}::bigint[], now())`.execute(db)
    return id
  }

  const commit = <T>(work: (db: Transacting['db']) => Promise<T>) =>
    inTransaction(world.service, (tx) => work(tx.db))
  const run = (text: string) => world.store.pool.query(text)

  test('but not a balanced transaction in the same form: the tests below can fail', async () => {
    const before = await readBalances(world.service, shop.id, { store_id: shop.store_id })
    const id = await commit((db) => write(db, [500, -200, -300]))
    const { rows } = await run(`select sum(amount)::text from ledger_entries
      where transaction_id = '${id}'`)
    expect(rows).toEqual([{ sum: '0' }])
    const after = await readBalances(world.service, shop.id, { store_id: shop.store_id })
    expect(byAccount(after)).toEqual(byAccount(before))
  })

  test.each([
    ['with lines that do not sum to zero', [100, -99]],
    ['without lines', []],
    ['with a single line', [100]],
    ['with a line of zero', [100, -100, 0]],
    ['with a line without an amount', [100, -100, null]],
    ['with fewer currencies than amounts', [100, -100], ['JPY']],
    ['with more currencies than amounts', [100, -100], ['JPY', 'JPY', 'USD']],
    ['with fewer accounts than amounts', [100, -100], ['JPY', 'JPY'], ['suspense']],
    ['with a line without an account', [100, -100], ['JPY', 'JPY'], ['suspense', null]],
    ['that only balances across currencies', [100, -100], ['JPY', 'USD']],
  ] as [string, number[], string[]?, string[]?][])('a transaction %s', async (_, ...lines) => {
    const before = await readBalances(world.service, shop.id)
    await expect(commit((db) => write(db, ...lines))).rejects.toThrow(
      /out of balance|ledger_transactions_lines/,
    )
    expect(await readBalances(world.service, shop.id)).toEqual(before)
  })

  test('one wrong transaction among right ones of the same statement', async () => {
    const all = commit((db) =>
      sql`insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind,
          charge_id, accounts, currencies, amounts, created_on)
        select ${shop.id}, gen_random_uuid(), ${shop.store_id}, 'test', 'manual', 'adjustment',
          gen_random_uuid(), '{suspense,suspense}', '{JPY,JPY}', array[100, n - 100], now()
        from unnest(array[0, 1, -1]) as n`.execute(db),
    )
    await expect(all).rejects.toThrow(/out of balance: JPY by -?1$/)
  })

  const tables = ['ledger_transactions', 'ledger_entries', 'ledger_balances']
  test.each([
    ['update ledger_transactions set note = null'],
    ['update ledger_entries set amount = amount'],
    ['update ledger_balances set balance = balance + 1'],
    ['delete from ledger_transactions'],
    ['delete from ledger_entries'],
    ['delete from ledger_balances'],
    ['truncate ledger_transactions'],
    ['truncate ledger_entries'],
    ['truncate ledger_balances'],
    [
      `insert into ledger_balances values (gen_random_uuid(), gen_random_uuid(), 'test', 'suspense', 'JPY', 1)`,
    ],
    [
      `insert into ledger_transactions select * from ledger_transactions
      on conflict (merchant_id, id) do update set amounts = excluded.amounts || array[1, -1]`,
    ],
  ])('%s', async (statement) => {
    const count = () =>
      Promise.all(tables.map(async (table) => (await run(`select * from ${table}`)).rows))
    const before = await count()
    await expect(run(statement)).rejects.toThrow(
      /never changed|not written directly|view "ledger_entries"|"ledger_entries" is not a table/,
    )
    expect(await count()).toEqual(before)
  })
})

test('50 concurrent postings to the same accounts of three stores: right balances, no deadlock', async () => {
  const merchant = await world.merchant()
  const stores = [randomUUID(), randomUUID(), randomUUID()]
  const charges = Array.from({ length: 50 }, (_, index) => {
    const mine = stores.map((store_id) =>
      captured(newCharge({ merchant_id: merchant.id, store_id, requested_currency: 'USD' }), {
        amount: 1000 + index,
        currency: 'JPY',
        fee: 10,
      }),
    )
    // Each lists the stores in another order.
    return [...mine.slice(index % 3), ...mine.slice(0, index % 3)]
      .flat()
      .sort(index % 2 ? (one, other) => one.kind.localeCompare(other.kind) : () => 0)
  })
  const gate = new pg.Client(world.store.connection)
  await gate.connect()
  await gate.query('begin; lock table ledger_balances in exclusive mode')
  // Each in its own transaction: `inTransaction` would hide a deadlock by retrying.
  const posted = Promise.all(
    charges.map((transactions) =>
      world.service.db.transaction().execute(async (db) => {
        // The first waits until the last has arrived, however long that takes.
        await sql`set local lock_timeout = 0`.execute(db)
        return postLedger({ ...world.service, db, afterCommit: () => {} }, transactions)
      }),
    ),
  )
  await expect
    .poll(async () => {
      const { rows } = await gate.query(`select count(*)::integer as count from pg_locks
        where not granted and relation = 'ledger_balances'::regclass
          and database = (select oid from pg_database where datname = current_database())`)
      return rows[0].count
    })
    .toBe(50)
  await gate.query('commit')
  await posted
  await gate.end()
  for (const store_id of stores) {
    const found = byAccount(await readBalances(world.service, merchant.id, { store_id }))
    expect(found).toMatchObject({
      'provider_receivable JPY': 51_225,
      'fee_income JPY': -500,
      'merchant_payable JPY': -50_725,
      'fx_clearing USD': -50_000,
    })
  }
  expect(await ledgerFaults(world.service.db)).toEqual([])
})
