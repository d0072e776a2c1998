// `npm run bench -- subscriptions`: the cost of billing must depend on the due subscriptions, not on
// all that exist. The same number of due subscriptions among a hundred thousand active ones and among a
// million, in one run.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { createMerchant } from '../../../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../../../src/accounts/stores/create-store.ts'
import { readConfig } from '../../../src/config.ts'
import { newLog } from '../../../src/log.ts'
import { openService } from '../../../src/open-service.ts'
import { runKind } from '../../../src/worker/worker.ts'

const sizes = [100_000, 1_000_000]
const due_count = Number(process.env.BENCH_DUE ?? 10_000)

const data_dir = mkdtempSync(join(tmpdir(), 'kaikei-bench-'))
chmodSync(data_dir, 0o711)
const config = readConfig({ DATA_DIR: data_dir, PORT: '0' })
const { service, close } = await openService(config, { own: true, log: newLog('error') })
const { id: merchant_id } = await createMerchant(service, { name: 'B', email: 'b@example.com' })
const { id: store_id } = await createStore(service, merchant_id, { name: 'B' })

/** Rows as the API creates them, in live mode, so that only the scheduler is measured. */
async function addSubscriptions(count: number): Promise<void> {
  await sql`
    insert into subscriptions (merchant_id, id, store_id, mode, transaction_token_id, payment_type,
      amount, currency, period, first_date, zone_id, termination_mode,
      first_charge_authorization_only, only_direct_currency, status, paid, metadata,
      created_on, updated_on, due_on)
    select ${merchant_id}, uuidv7(), ${store_id}, 'live', uuidv7(), 'card', 1000,
      'JPY', 'monthly', current_date, 'Asia/Tokyo', 'immediate', false, false, 'current', 1, '{}',
      now(), now(), now() + interval '10 days' + n * interval '1 second'
    from generate_series(1, ${count}::integer) as n`.execute(service.db)
}

/** Makes this number of them due, each with a token and its next payment. */
async function makeDue(): Promise<void> {
  await sql`
    with chosen as (
      select merchant_id, id, transaction_token_id, paid from subscriptions
      where status = 'current' and due_on > now() order by id limit ${due_count}
    ), tokens as (
      insert into transaction_tokens (merchant_id, id, store_id, mode, payment_type, type, metadata,
        active, data, cvv_authorize, cvv_authorize_check, three_ds, created_on, updated_on)
      select merchant_id, transaction_token_id, ${store_id}, 'live', 'card', 'subscription', '{}', true,
        '{"card": {"cardholder": "A", "brand": "visa", "last_four": "4242"}, "billing": {}}',
        '{"enabled": false}', '{}', '{"enabled": false}', now(), now() from chosen
      on conflict do nothing
    ), payments as (
      insert into subscription_payments (merchant_id, id, subscription_id, number, due_date, zone_id,
        amount, currency, is_paid, is_last_payment, created_on, updated_on)
      select merchant_id, uuidv7(), id, paid, current_date - 1, 'Asia/Tokyo', 1000, 'JPY',
        false, false, now(), now() from chosen
    )
    update subscriptions s set due_on = now() - interval '1 second' from chosen
    where s.merchant_id = chosen.merchant_id and s.id = chosen.id`.execute(service.db)
}

async function billAll(): Promise<{ seconds: number; billed: number }> {
  const started = performance.now()
  let billed = 0
  for (let count = 1; count > 0; billed += count) {
    count = await runKind(service, 'subscriptions')
  }
  return { seconds: (performance.now() - started) / 1000, billed }
}

const results = []
let existing = 0
for (const size of sizes) {
  while (existing < size) {
    const more = Math.min(100_000, size - existing)
    await addSubscriptions(more)
    existing += more
  }
  await makeDue()
  await sql`vacuum analyze`.execute(service.db)
  const { seconds, billed } = await billAll()
  results.push({
    active: size,
    due: billed,
    seconds: Number(seconds.toFixed(2)),
    per_second: Math.round(billed / seconds),
  })
}
const { rows } = await sql<{ charges: number; payments: number }>`
  select count(*)::integer as charges, count(distinct payment_id)::integer as payments
  from charges`.execute(service.db)
console.table(results)
const [small, large] = results
console.log(
  `time with ${large?.active} to time with ${small?.active}: ${((large?.seconds ?? 0) / (small?.seconds ?? 1)).toFixed(2)}`,
)
console.log(`charges made: ${rows[0]?.charges}, for as many payments: ${rows[0]?.payments}`)
await close()
rmSync(data_dir, { recursive: true, force: true })
