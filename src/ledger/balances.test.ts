import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '../../test/support/rules/ledger-checks.ts'
import { useWorld } from '../../test/support/use-world.ts'
import { inTransaction, type Transacting } from '../service.ts'
import { captured, postLedger } from './post.ts'

// Findings of `doctor` about a damaged ledger. The database refuses such damage, so triggers are disabled
// here, as by a careless superuser; every damage is undone at the end of its test.
const world = useWorld()

beforeAll(async () => {
  const { id: merchant_id, store_id } = await world.merchant()
  const requested = { requested_amount: 1000, requested_currency: 'JPY' }
  const charge = { merchant_id, store_id, mode: 'test', id: randomUUID(), ...requested } as const
  await inTransaction(world.service, (tx) =>
    postLedger(tx, captured(charge, { amount: 1000, currency: 'JPY', fee: 10 })),
  )
})

async function damage(work: (db: Transacting['db']) => Promise<unknown>): Promise<string[]> {
  const faults: string[] = []
  const undone = world.service.db.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await work(db)
    faults.push(...(await ledgerFaults(db)))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  return faults
}

test.each([
  [
    'a line that was changed',
    sql`update ledger_transactions set amounts[1] = amounts[1] + 1`,
    ['every ledger transaction sums', 'the accounts of a merchant', 'every ledger balance'],
  ],
  ['transactions that are gone', sql`delete from ledger_transactions`, ['every ledger balance']],
  [
    'a balance that drifted',
    sql`update ledger_balances set balance = balance + 1 where account = 'fee_income'`,
    ['the accounts of a merchant', 'every ledger balance'],
  ],
  ['balances that are gone', sql`delete from ledger_balances`, ['every ledger balance']],
])('the checker sees %s', async (_, statement, expected) => {
  const faults = await damage((db) => statement.execute(db))
  expect(faults).toHaveLength(expected.length)
  for (const [index, start] of expected.entries()) expect(faults[index]).toContain(start)
  expect(faults.at(-1)).toContain('"merchant_id":"')
})

test('the checker sees nothing where nothing is wrong', async () => {
  expect(await damage(async () => {})).toEqual([])
})
