import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, temporaryFolder } from '../../../test/support/fleet/running-process.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { ledgerFaults } from '../../../test/support/rules/ledger-checks.ts'
import { runWords } from '../../../test/support/setup/command-line.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { csvLine } from '../../core/text/formats/csv.ts'
import { captured, postLedger } from '../../ledger/post.ts'
import { inTransaction, type Service } from '../../service.ts'
import { digestOf, readSettlementFile } from './read-settlement-file.ts'
import { readReport, reconcile, type Source } from './reconcile.ts'

// 1,000 lines with 20 planted errors; RECONCILE_LINES=10000 has 50 of them.
const line_count = Number(process.env.RECONCILE_LINES ?? 1000)
const error_count = line_count >= 10_000 ? 50 : 20
const provider = 'card_simulator'
const options = { columns: { id: 'Line', amount: 'Gross amount' }, amounts: 'minor' } as const

const world = useWorld()
let shop: TestMerchant
let pay: Payments
const folder = temporaryFolder()

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

interface Paid {
  id: string
  amount: number
  provider_reference: string
}

/** Copies of a charge with their postings: a typical day of a shop. */
async function manyCharges(count: number): Promise<Paid[]> {
  const { id, charged_amount: amount } = await pay.settled()
  const made: Paid[] = []
  while (made.length < count) made.push(...(await copyCharge(id, made.length + 1)))
  return [...made, { id, amount, provider_reference: `sim_${id}` }]
}

const copied_at_once = 500

async function copyCharge(id: string, first: number): Promise<Paid[]> {
  const { service, store } = world
  const columns = await store.pool.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'charges' and is_generated = 'NEVER'`,
  )
  const { names } = columns.rows[0]
  const { rows } = await store.pool.query<Paid>(
    `insert into charges (${names}) select ${names} from (select (jsonb_populate_record(c,
       jsonb_build_object('id', gen_random_uuid(), 'charged_amount', 100 + n,
       'provider_reference', 'acq_' || n))).* from charges c cross join generate_series($2::integer, $3) n
       where c.id = $1) as copied
     returning id, charged_amount as amount, provider_reference`,
    [id, first, first + copied_at_once - 1],
  )
  await inTransaction(service, (tx) =>
    postLedger(
      tx,
      rows.flatMap(({ id: charge_id, amount }) => {
        const money = { requested_amount: amount, requested_currency: 'JPY' }
        const owner = { merchant_id: shop.id, store_id: shop.store_id, mode: 'test' } as const
        const charge = { ...owner, id: charge_id, ...money }
        return captured(charge, { amount, currency: 'JPY', fee: 0 })
      }),
    ),
  )
  return rows
}

type Line = [id: string, reference: string, amount: number]

function fileOf(name: string, lines: readonly Line[]): string {
  const path = join(folder, name)
  const date = new Date(world.clock.now()).toISOString()
  const head = csvLine(['Line', 'note', 'reference', 'Gross amount', 'currency', 'date'])
  const rows = lines.map(([id, reference, amount]) =>
    csvLine([id, 'a "note",\nof two lines', reference, amount, 'JPY', date]),
  )
  writeFileSync(path, head + rows.join(''))
  return path
}

async function sourceOf(path: string): Promise<Source> {
  const digest = await digestOf(path, options)
  return { provider, name: 'file.csv', digest, lines: () => readSettlementFile(path, options) }
}

const run = async (path: string, service: Service = world.service) =>
  readReport(world.service, await reconcile(service, await sourceOf(path)))

async function owedByProvider(): Promise<number> {
  const { rows } = await sql<{ sum: number }>`select coalesce(sum(balance), 0)::integer as sum
    from ledger_balances where merchant_id = ${shop.id} and account = 'provider_receivable'`.execute(
    world.service.db,
  )
  return rows[0]?.sum ?? 0
}

/** A process that dies when it first reaches this point. */
const dyingAt = (point: string): Service => ({
  ...world.service,
  failpoint: (name) => {
    if (name === point) throw new Error('killed')
  },
})

test(`${line_count} lines: exactly the ${error_count} planted errors are reported`, async () => {
  const charges = await manyCharges(line_count)
  const rest = (await owedByProvider()) - charges.reduce((sum, { amount }) => sum + amount, 0)
  const each = error_count / 5
  const different = charges.slice(0, 2 * each)
  const unsettled = charges.slice(2 * each, 3 * each)
  const lines: Line[] = [
    ...different.map(({ id, amount }, at): Line => [`d${at}`, id, amount + (at % 2 ? 1 : -1)]),
    ...charges
      .slice(3 * each)
      .map(
        ({ id, provider_reference, amount }, at): Line => [
          `m${at}`,
          at % 2 ? id : provider_reference,
          amount,
        ],
      ),
    ...Array.from({ length: each }, (_, at): Line => [`u${at}`, `unknown_${at}`, 500]),
    // The same payment once more, under another name.
    ...charges.slice(3 * each, 4 * each).map(({ id, amount }, at): Line => [`t${at}`, id, amount]),
  ]
  const path = fileOf('day.csv', lines)
  // Killed while it reads, and while it compares; then it continues.
  await expect(run(path, dyingAt('after reconciliation lines'))).rejects.toThrow('killed')
  await expect(run(path, dyingAt('after reconciliation batch'))).rejects.toThrow('killed')
  const began_ms = performance.now()
  const report = await run(path)
  if (process.env.RECONCILE_LINES) {
    process.stdout.write(
      `${lines.length} lines in ${Math.round(performance.now() - began_ms)} ms\n`,
    )
  }
  expect(report.counts).toEqual({
    amount_differs: 2 * each,
    missing_here: 2 * each,
    missing_there: each,
  })
  const named = (problem: string) =>
    report.findings.filter((one) => one.problem === problem).map((one) => one.line_id)
  const ids = (...letters: string[]) =>
    lines.map(([id]) => id).filter((id) => letters.includes(id.charAt(0)))
  expect(named('amount_differs').toSorted()).toEqual(ids('d').toSorted())
  // The first of two lines of one payment, by name, is taken.
  expect(named('missing_here').toSorted()).toEqual(ids('u', 't').toSorted())
  const missing = report.findings.filter(({ problem }) => problem === 'missing_there')
  const charge_ids = missing.map(({ charge_id }) => charge_id)
  expect(charge_ids.toSorted()).toEqual(unsettled.map(({ id }) => id).toSorted())
  expect(report.matched).toBe(charges.length - 3 * each)
  // The remaining debt is exactly the sum of the lines that did not match.
  const open = [...different, ...unsettled].reduce((sum, { amount }) => sum + amount, 0)
  expect(await owedByProvider()).toBe(open + rest)
  expect(await ledgerFaults(world.service.db)).toEqual([])

  const again = await run(path)
  expect(again).toEqual(report)
  const other = await run(fileOf('same lines, longer.csv', [...lines, ['new', 'nothing', 5]]))
  expect(other).toMatchObject({ matched: 0, already_known: lines.length })
  expect(await owedByProvider()).toBe(open + rest)

  // Corrected lines settle what was open.
  const corrected = [...different, ...unsettled].map(
    ({ id, amount }, at): Line => [`c${at}`, id, amount],
  )
  expect((await run(fileOf('corrected.csv', corrected))).matched).toBe(3 * each)
  expect(await owedByProvider()).toBe(rest)
}, 300_000)

/** The settings of a process on the same database. */
function settings(): Record<string, string> {
  const { data_dir, database_url, ...config } = world.service.config
  return {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url ?? '',
    SIGNING_KEYS: config.signing_keys ?? '',
    VAULT_KEYS: config.vault_keys ?? '',
    FINGERPRINT_KEYS: config.fingerprint_keys ?? '',
  }
}

test('the command continues after kill -9; refunds and disputes settle under their own kinds', async () => {
  const before = await owedByProvider()
  const { id } = await pay.settled()
  const refund = await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 300, currency: 'JPY' })
  await pay.work()
  const dispute = (await pay.post(`/test/charges/${id}/disputes`)).body
  await pay.post(`/test/disputes/${dispute.id}/complete`, { outcome: 'won' })
  const date = new Date(world.clock.now()).toISOString().slice(0, 10)
  const rows = [
    ['k1', id, '1000.00', 'payment'],
    ['k2', refund.body.id, '300', 'refund'],
    ['k3', dispute.provider_reference, '-700', 'dispute'],
    ['k4', dispute.id, '1500', 'dispute_fee'],
    ['k5', dispute.id, '700', 'dispute_reversal'],
  ]
  const path = join(folder, 'kinds.csv')
  const text = rows.map((cells) => [...cells, 'JPY', date].join(',')).join('\n')
  writeFileSync(path, `id,reference,amount,kind,currency,date\n${text}`)
  const words = ['reconcile', path, '--connector', provider, '--amounts', 'major']
  const killed = await runCommand(words, { ...settings(), FAILPOINT: 'after reconciliation batch' })
  expect(killed.code, killed.output).toBe('SIGKILL')
  const done = await runWords(words, settings())
  expect(JSON.parse(done.output), done.errors).toMatchObject({ matched: 5, amount_differs: 0 })
  expect(await owedByProvider()).toBe(before)
  const unknown = await runWords(['reconcile', path, '--connector', 'none'], settings())
  expect(unknown).toMatchObject({ code: 1, errors: expect.stringContaining('There are card_sim') })
})

test.each([
  ['', 'The file is empty'],
  ['id,amount\n', 'lacks the columns reference'],
  ['id,reference,amount,currency,date\na,b,x,JPY,2026-01-15', 'Row 2: amount must be a number'],
  ['id,reference,amount,currency,date\n,b,1.5,ZZZ,soon', 'Row 2: id must have 1 to 255'],
])('%j is refused with what is wrong', async (text, message) => {
  const path = join(folder, 'wrong.csv')
  writeFileSync(path, text)
  const read = async () => {
    for await (const _ of readSettlementFile(path, { columns: {}, amounts: 'minor' }));
  }
  await expect(read()).rejects.toThrow(message)
})
