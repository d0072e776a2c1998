// `npm run bench -- http`: GET /me of the service next to a bare Fastify route, in the same run.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/config.ts'
import { newLog } from '../src/log.ts'
import { openService } from '../src/main.ts'
import { signAppToken } from '../src/resources/app-tokens/app-token.ts'
import { createAppToken } from '../src/resources/app-tokens/create-app-token.ts'
import { createMerchant } from '../src/resources/merchants/create-merchant.ts'
import { getRequest, type LoadResult, runLoad } from './load.ts'
import { start } from './start-server.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const connections = 32
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
/** Each token may make 10 calls at once and 2 a second: the limits stay on, so there are many. */
const merchants = 100
const tokens_each = 19

async function makeTokens(data_dir: string): Promise<string[]> {
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  const tokens: string[] = []
  for (let made = 0; made < merchants; made += 1) {
    const { id } = await createMerchant(service, { name: `M${made}`, email: 'm@example.com' })
    for (let more = 0; more < tokens_each; more += 1) {
      const { token, secret } = await createAppToken(service, { merchant_id: id, creator_id: id })
      tokens.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
    }
  }
  await close()
  return tokens
}

const data_dir = mkdtempSync(join(tmpdir(), 'kaikei-bench-'))
chmodSync(data_dir, 0o711)
const bare = await start(['--import', 'tsx', path('./bare-server.ts')])
const ours = await start([path('../dist/cli.js'), 'serve'], { DATA_DIR: data_dir })
const tokens = await makeTokens(data_dir)
let turn = 0
const next = () => {
  turn += 1
  return getRequest('/me', tokens[turn % tokens.length])
}

const results: Record<string, LoadResult> = {}
for (const round of ['warm-up', 'measured']) {
  // The warm-up presents every token once: from then on each is known, as in everyday work.
  const duration = round === 'warm-up' ? 4 : seconds
  const ceiling = { port: bare.port, connections, seconds: duration, next: () => getRequest('/me') }
  results['bare Fastify route'] = await runLoad(ceiling)
  results['GET /me'] = await runLoad({ port: ours.port, connections, seconds: duration, next })
}
for (const { child } of [bare, ours]) child.kill('SIGTERM')
await new Promise((resolve) => ours.child.once('exit', resolve))
rmSync(data_dir, { recursive: true, force: true })

const ceiling = results['bare Fastify route']?.per_second ?? 1
const rows = Object.entries(results).map(([name, result]) => ({
  name,
  'requests/s': result.per_second,
  ratio: Number((result.per_second / ceiling).toFixed(2)),
  'p50 ms': Number(result.p50_ms.toFixed(2)),
  'p99 ms': Number(result.p99_ms.toFixed(2)),
  errors: result.errors,
}))
console.table(rows)
mkdirSync(path('./results'), { recursive: true })
writeFileSync(path('./results/http.json'), `${JSON.stringify(rows, null, 2)}\n`)
