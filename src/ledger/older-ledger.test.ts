import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate } from '../store/migrate/migrate.ts'

// Ledgers that were written when every entry was a row of its own: see migration 0015.
const name = `books_${randomUUID().replaceAll('-', '')}`

async function withDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${name}`)
  const client = new pg.Client({ ...inject('postgres'), database: name })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
    await admin.query(`drop database ${name}`)
    await admin.end()
  }
}

const written = `select e.transaction_id, e.line, e.account, e.currency, e.amount::integer
  from ledger_entries e order by 1, 2`
const transactions = `select merchant_id, id, store_id, mode, origin, kind, charge_id, refund_id,
  deposit_id, transfer_id, note, created_on from ledger_transactions order by 1, 2`
const balances = `select store_id, mode, account, currency, balance::integer from ledger_balances
  order by 1, 2, 3, 4`

test('they stay unchanged, down to the last entry', async () => {
  await withDatabase(async (client) => {
    await migrate(client, { last: 14 })
    const [merchant_id, store_id] = [randomUUID(), randomUUID()]
    type Line = [account: string, currency: string, amount: number]
    const write = (kind: string, of: object, lines: Line[], by = client) =>
      by.query(
        `with given as (select $1::uuid as merchant_id, $2::uuid as id), made as (
          insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind, lines,
            created_on, charge_id, refund_id, deposit_id, transfer_id, note)
          select given.*, $3::uuid, 'live', 'charge', $4, $5::integer, now(), of.*
          from given, json_to_record($6::json) as of (charge_id uuid, refund_id uuid,
            deposit_id uuid, transfer_id uuid, note text))
        insert into ledger_entries select given.*, line, account, currency, amount
        from given, unnest($7::text[], $8::text[], $9::bigint[]) with ordinality
          as entry (account, currency, amount, line)`,
        [
          ...[merchant_id, randomUUID(), store_id, kind, lines.length, JSON.stringify(of)],
          ...[0, 1, 2].map((column) => lines.map((line) => line[column])),
        ],
      )
    const charge_id = randomUUID()
    await write('capture', { charge_id }, [
      ['provider_receivable', 'JPY', 1000],
      ['merchant_payable', 'JPY', -1000],
    ])
    await write('fee', { charge_id, note: 'a note' }, [
      ['merchant_payable', 'JPY', 36],
      ['fee_income', 'JPY', -36],
    ])
    await write('conversion', { charge_id }, [
      ['conversion_requested', 'USD', 700],
      ['fx_clearing', 'USD', -700],
      ['fx_clearing', 'JPY', 1000],
      ['conversion_charged', 'JPY', -1000],
    ])
    const returned: Line[] = [
      ['merchant_payable', 'JPY', 400],
      ['provider_receivable', 'JPY', -400],
    ]
    for (const refund_id of [randomUUID(), randomUUID()]) {
      await write('refund', { charge_id, refund_id }, returned)
    }
    await write('payout', { transfer_id: randomUUID() }, [
      ['merchant_payable', 'JPY', 164],
      ['paid_out', 'JPY', -164],
    ])
    const readAll = async (by = client) => [
      (await by.query(written)).rows,
      (await by.query(transactions)).rows,
      (await by.query(balances)).rows,
    ]
    // A writer is active during the migration; nothing of it is lost.
    const writer = new pg.Client({ ...inject('postgres'), database: name })
    await writer.connect()
    await writer.query('begin')
    await write('refund', { charge_id, refund_id: randomUUID() }, returned, writer)
    const migrated = migrate(client)
    const waits = `select 1 from pg_locks where not granted and database =
      (select oid from pg_database where datname = '${name}')`
    await expect.poll(async () => (await writer.query(waits)).rows).toHaveLength(1)
    const before = await readAll(writer)
    expect(before.map((rows) => rows.length)).toEqual([16, 7, 8])
    await writer.query('commit')
    await writer.end()
    await migrated

    expect(await readAll()).toEqual(before)
    // The rules apply to them as to new ones.
    const again = `insert into ledger_transactions select merchant_id, gen_random_uuid(), store_id, mode,
      origin, kind, charge_id, refund_id, deposit_id, transfer_id, note, accounts, currencies, amounts,
      created_on from ledger_transactions where kind = $1`
    for (const kind of ['capture', 'fee', 'conversion', 'refund']) {
      const constraint = 'ledger_transactions_once'
      await expect(client.query(again, [kind])).rejects.toMatchObject({ constraint })
    }
    await expect(client.query(again, ['payout'])).rejects.toMatchObject({
      constraint: 'ledger_transactions_payout',
    })
  })
})
