// `npm run bench -- webhooks`: a thousand webhooks of fifty merchants, first all healthy, then with one
// dead and one slow receiver among them. Measures how the healthy ones are affected, in one run.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { createMerchant } from '../../../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../../../src/accounts/stores/create-store.ts'
import { createWebhook } from '../../../src/accounts/webhooks/create-webhook.ts'
import { patchWebhook } from '../../../src/accounts/webhooks/patch-webhook.ts'
import { readConfig } from '../../../src/config.ts'
import { newId } from '../../../src/core/ids.ts'
import { emit } from '../../../src/events/emit.ts'
import { newLog } from '../../../src/log.ts'
import { openService } from '../../../src/open-service.ts'
import { inTransaction } from '../../../src/service.ts'
import { startWorker } from '../../../src/worker/worker.ts'

const merchants = 50
const hooks_each = 20
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
/** Events per second in the steady part; each goes to the twenty webhooks of its merchant. */
const steady_rate = Number(process.env.BENCH_RATE ?? 15)
const burst_events = 500

interface Shop {
  merchant_id: string
  store_id: string
  hooks: string[]
}

async function startSink(): Promise<{ url: string; child: ChildProcess }> {
  const file = fileURLToPath(new URL('../../load/webhook-sink.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => {
    child.stdout?.on('data', (text) => {
      const url = /ready at (\S+)/.exec(String(text))?.[1]
      if (url) resolve({ url, child })
    })
  })
}

const data_dir = mkdtempSync(join(tmpdir(), 'kaikei-bench-'))
chmodSync(data_dir, 0o711)
const config = readConfig({ DATA_DIR: data_dir, PORT: '0' })
const { service, close } = await openService(config, { own: true, log: newLog('error') })
const sink = await startSink()
const triggers = ['charge_finished']
const shops: Shop[] = []
for (let made = 0; made < merchants; made += 1) {
  const { id: merchant_id } = await createMerchant(service, { name: 'B', email: 'b@example.com' })
  const { id: store_id } = await createStore(service, merchant_id, { name: 'B' })
  const hooks: string[] = []
  for (let more = 0; more < hooks_each; more += 1) {
    const url = `${sink.url}/ok/${made}/${more}`
    const owner = { merchant_id, store_id }
    hooks.push((await createWebhook(service, owner, { url, triggers, active: true })).id)
  }
  shops.push({ merchant_id, store_id, hooks })
}

async function happen(count: number): Promise<void> {
  const shop = shops[count % shops.length]
  if (!shop) return
  const { merchant_id, store_id } = shop
  await inTransaction(service, (tx) => {
    const happened_ms = Date.now()
    const data = { happened_ms, filler: 'x'.repeat(1000) }
    const resource_id = newId(happened_ms)
    return emit(tx, 'charge_finished', { merchant_id, store_id, mode: 'test', resource_id, data })
  })
}

async function takenTimes(): Promise<number[]> {
  return (await (await fetch(`${sink.url}/`)).json()) as number[]
}

/** Deliveries to healthy receivers that have not arrived yet. */
async function missing(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from webhook_deliveries d
    join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id and w.url ~ '/ok/'
    where d.next_on is not null`.execute(service.db)
  const queue = await sql<{ count: number }>`
    select count(*)::integer as count from event_queue`.execute(service.db)
  return (rows[0]?.count ?? 0) + (queue.rows[0]?.count ?? 0)
}

async function allArrived(): Promise<void> {
  while ((await missing()) > 0) await sleep(50)
}

async function measure(name: string) {
  const at_start = await takenTimes()
  if (at_start.length > 0) await takenTimes()
  const started = performance.now()
  let happened = 0
  while (performance.now() - started < seconds * 1000) {
    const due = Math.floor(((performance.now() - started) / 1000) * steady_rate)
    while (happened < due) {
      await happen(happened)
      happened += 1
    }
    await sleep(5)
  }
  await allArrived()
  const steady = (await takenTimes()).sort((a, b) => a - b)
  const at = (part: number) => steady[Math.floor(steady.length * part)] ?? 0
  for (let made = 0; made < burst_events; made += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => happen(made + index)))
  }
  const burst_started = performance.now()
  await allArrived()
  const burst = await takenTimes()
  const burst_seconds = (performance.now() - burst_started) / 1000
  return {
    run: name,
    delivered: steady.length + burst.length,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    deliveries_per_second: Math.round(burst.length / burst_seconds),
  }
}

const worker = startWorker(service)
await measure('warming up')
const healthy = await measure('all healthy')
for (const [index, kind] of ['dead', 'slow'].entries()) {
  const shop = shops[index]
  const hook = shop?.hooks[0]
  if (!shop || !hook) continue
  await patchWebhook(service, shop, hook, { url: `${sink.url}/${kind}` })
}
const troubled = await measure('one dead, one slow')
console.table([healthy, troubled])
console.log(`p99 with the two to p99 without: ${(troubled.p99_ms / healthy.p99_ms).toFixed(2)}`)
const rate = troubled.deliveries_per_second / healthy.deliveries_per_second
console.log(`deliveries a second with the two to without: ${rate.toFixed(2)}`)
await worker.stop()
await close()
sink.child.kill()
rmSync(data_dir, { recursive: true, force: true })
