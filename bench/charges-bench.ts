// `npm run bench -- charges`: tokens and charges made over HTTP next to a bare Fastify route that checks
// and echoes the same body, in the same run; and how fast the charges are settled. All rules and limits
// are on: many merchants, so that nobody reaches a rate limit or the test charges of a day.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { newLog } from '../src/log.ts'
import { openService } from '../src/main.ts'
import { signAppToken } from '../src/resources/app-tokens/app-token.ts'
import { createAppToken } from '../src/resources/app-tokens/create-app-token.ts'
import { createMerchant } from '../src/resources/merchants/create-merchant.ts'
import { createStore } from '../src/resources/stores/create-store.ts'
import { type LoadResult, postRequest, runLoad } from './load.ts'
import { start } from './start-server.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const merchants = 60
const seconds = Number(process.env.BENCH_SECONDS ?? 5)

const data_dir = mkdtempSync(join(tmpdir(), 'kaikei-bench-'))
chmodSync(data_dir, 0o711)
const bare = await start(['--import', 'tsx', path('./bare-server.ts')])
const ours = await start([path('../dist/cli.js'), 'serve'], { DATA_DIR: data_dir })
const config = readConfig({ DATA_DIR: data_dir })
const { service, close } = await openService(config, { own: false, log: newLog('silent') })
const shops: string[] = []
for (let made = 0; made < merchants; made += 1) {
  const { id } = await createMerchant(service, { name: `M${made}`, email: 'm@example.com' })
  const store = { id: (await createStore(service, id, { name: 'S' })).id, mode: 'test' as const }
  const wanted = { merchant_id: id, creator_id: id, store: { ...store, domains: [] } }
  const { token, secret } = await createAppToken(service, wanted)
  shops.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
}

const card = {
  payment_type: 'card',
  email: 'customer@example.com',
  data: {
    cardholder: 'Taro Yamada',
    card_number: '4242424242424242',
    exp_month: '12',
    exp_year: '2035',
    cvv: '123',
  },
}
/** Tokens that wait to be charged, each with the credential of its shop. */
const made: { id: string; auth: string }[] = []
let turn = 0

function nextToken(): string {
  turn += 1
  return postRequest('/tokens', card, shops[turn % shops.length])
}

const shop_of = new Map<string, string>()
for (const auth of shops) {
  const claims = JSON.parse(Buffer.from(auth.split('.')[2] ?? '', 'base64url').toString())
  shop_of.set(claims.store_id, auth)
}

function keepToken(body: string): void {
  const { id, store_id } = JSON.parse(body)
  const auth = shop_of.get(store_id)
  if (id && auth) made.push({ id, auth })
}

const money = { amount: 1000, currency: 'JPY', metadata: { order: 'A-1' } }
function nextCharge(): string | null {
  const token = made.pop()
  if (!token) return null
  return postRequest('/charges', { transaction_token_id: token.id, ...money }, token.auth)
}
const echo = () =>
  postRequest('/charges', { transaction_token_id: crypto.randomUUID(), ...money }, 'Bearer a.b.c')

async function unsettled(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from charges where status = 'pending'`.execute(service.db)
  return rows[0]?.count ?? 0
}

const results: [string, number, LoadResult][] = []
let settled_per_second = 0
for (const connections of [16, 64]) {
  const common = { connections, seconds }
  const bare_result = await runLoad({ ...common, port: bare.port, next: echo })
  const tokens = await runLoad({
    ...common,
    port: ours.port,
    next: nextToken,
    onAnswer: keepToken,
    seconds: seconds * 2,
  })
  const charges = await runLoad({ ...common, port: ours.port, next: nextCharge })
  results.push(['bare echo', connections, bare_result])
  results.push(['create token', connections, tokens])
  results.push(['create charge', connections, charges])
  const left = await unsettled()
  const started = performance.now()
  while ((await unsettled()) > 0) await sleep(50)
  settled_per_second = Math.round(left / ((performance.now() - started) / 1000))
}
await close()
for (const { child } of [bare, ours]) child.kill('SIGTERM')
await new Promise((resolve) => ours.child.once('exit', resolve))
rmSync(data_dir, { recursive: true, force: true })

const ceilings = new Map(
  results.filter(([name]) => name === 'bare echo').map(([, at, one]) => [at, one.per_second]),
)
const rows = results.map(([name, connections, result]) => ({
  name,
  connections,
  'requests/s': result.per_second,
  ratio: Number((result.per_second / (ceilings.get(connections) ?? 1)).toFixed(2)),
  'p50 ms': Number(result.p50_ms.toFixed(2)),
  'p99 ms': Number(result.p99_ms.toFixed(2)),
  errors: result.errors,
}))
console.table(rows)
console.log(`settled a second, with nothing else to do: ${settled_per_second}`)
mkdirSync(path('./results'), { recursive: true })
writeFileSync(path('./results/charges.json'), `${JSON.stringify(rows, null, 2)}\n`)
