import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../scripts/connector-check/http-subject.ts'
import { signAppToken } from '../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../src/accounts/app-tokens/create-app-token.ts'
import { addConnector } from '../src/accounts/connectors/connectors-store.ts'
import { createMerchant } from '../src/accounts/merchants/create-merchant.ts'
import { createStore } from '../src/accounts/stores/create-store.ts'
import { readConfig } from '../src/config.ts'
import { newLog } from '../src/log.ts'
import { openService } from '../src/open-service.ts'
import { program, removeFolder, startProcess } from '../test/support/fleet/running-process.ts'
import { type Jobs, newJobs, type Shop } from './live-jobs.ts'
import { newRandom } from './random.ts'

// `npm run lab -- kills`: live payments through the http connector, while the processes that make them are killed
// at every step, with kill -9. The acquirer keeps its own book. At the end both must agree.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const kinds = ['authenticate', 'authorize', 'capture', 'void', 'refund'] as const
const steps = [...kinds.map((kind) => `provider ${kind}`), 'dispute response']
const failpoints = steps.flatMap((step) => [`before ${step}`, `after ${step}`])
const connector = 'example'
const machines = 3
const jobs_at_once = 4
const tokens_of_shop = 16
/** One process in this many is killed at any moment; the others at their step, or if they do not reach it. */
const one_at_any_moment = 5
const longest_life_ms = 4000
const longest_wait_ms = 15_000
const longest_end_ms = 300_000

const below = newRandom(Number(values.seed))

async function makeShop(data_dir: string, acquirer: ExampleAcquirer): Promise<Shop> {
  const config = readConfig({ DATA_DIR: data_dir })
  const { service, close } = await openService(config, { own: false, log: newLog('silent') })
  const { settings } = acquirer
  await addConnector(service, { name: connector, kind: 'http', owner: null, settings })
  const wanted = { name: 'Kills', email: 'm@example.com', verified: true }
  const { id: merchant_id } = await createMerchant(service, wanted)
  const configuration = { card_configuration: { allow_empty_cvv: true } }
  const { id: store_id } = await createStore(service, merchant_id, { name: 'Kills', configuration })
  const store = { id: store_id, mode: 'live' as const, domains: [] }
  const owner = { merchant_id, creator_id: merchant_id, store }
  const credentials: string[] = []
  while (credentials.length < tokens_of_shop) {
    const { token, secret } = await createAppToken(service, owner)
    credentials.push(`Bearer ${secret}.${await signAppToken(service, token)}`)
  }
  await close()
  return { store_id, credentials }
}

/** How often a process died, by step; kills at any moment are counted together. */
const kills = new Map<string, number>()
const countKills = () => [...kills.values()].reduce((all, one) => all + one, 0)

/** A process that dies at one step, or is killed at any moment; then the next one. */
async function runMachine(settings: Record<string, string>, payments: Jobs): Promise<void> {
  while (countKills() < Number(values.kills)) {
    const at_any_moment = below(one_at_any_moment) === 0
    const FAILPOINT = at_any_moment ? '' : (failpoints[below(failpoints.length)] ?? '')
    let died_at = FAILPOINT
    const started = await startProcess({ ...settings, FAILPOINT }).catch((error: Error) => {
      // It came to its step while it continued what others had left.
      if (error.message.startsWith('exit null')) return null
      throw error
    })
    if (!started) {
      count(died_at)
      continue
    }
    const { child, url } = started
    const timer = setTimeout(
      () => {
        died_at = 'any moment'
        child.kill('SIGKILL')
      },
      at_any_moment ? below(longest_life_ms) : longest_wait_ms,
    )
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await Promise.all(Array.from({ length: jobs_at_once }, () => payments.work(url)))
    await exited
    clearTimeout(timer)
    count(died_at)
  }
}

function count(died_at: string): void {
  kills.set(died_at, (kills.get(died_at) ?? 0) + 1)
  if (countKills() % 50 === 0) process.stdout.write(`${countKills()} kills\n`)
}

/** Undecided operations, each with the reason it waits. */
const open_work = `
  select 'charge ' || id || ' is ' || status || coalesce(', to ' || pending_action, '') as text, due_on
    from charges where status in ('pending', 'awaiting') or pending_action is not null
  union all select 'refund ' || id || ' is pending', due_on from refunds where status = 'pending'
  union all select 'cancel ' || id || ' is pending', due_on from cancels where status = 'pending'
  union all select 'dispute ' || id || ' has an unsent response', due_on
    from disputes where pending_response is not null`

/** A process that is not killed finishes what the others left; returns what it could not. */
async function finish(settings: Record<string, string>, payments: Jobs, db: pg.Client) {
  const running = await startProcess(settings)
  const deadline_ms = Date.now() + longest_end_ms
  const working = Array.from({ length: jobs_at_once }, () => payments.finishAll(running.url))
  await Promise.all(working)
  const readOpen = async (): Promise<string[]> => {
    const { rows } = await db.query(`select text || ', due in ' || (due_on - now()) as text
      from (${open_work}) as work`)
    const begun = payments.jobs.filter(({ is_ended }) => !is_ended)
    return [...rows.map(({ text }) => text), ...begun.map(({ plan }) => `${plan} did not end`)]
  }
  let open = await readOpen()
  while (open.length > 0 && Date.now() < deadline_ms) {
    await sleep(500)
    open = await readOpen()
  }
  await running.stop()
  return open
}

/**
 * The key of a security code never leaves the memory and the disk of its machine: while that is dead for longer
 * than the code may be waited for, the payment ends with this error, and the acquirer hears nothing of it.
 */
const lost_cvv = 501
let lost_codes = 0

interface BookPayment {
  readonly charge_id: string
  readonly kind: string
  readonly state: string
  readonly captured: number
  readonly refunded: number
  readonly disputes: { reference: string; status: string; amount: number; responses: number }[]
}

/** Every charge, held against the acquirer's book. */
async function differences(acquirer: ExampleAcquirer, db: pg.Client): Promise<string[]> {
  const { payments } = (await acquirer.control('/book')) as { payments: BookPayment[] }
  const taken = payments.filter(({ kind }) => kind === 'authorize')
  const { rows } = await db.query(`select id::text, status, charged_amount, refunded_amount,
    (error ->> 'code')::integer as error_code from charges order by id`)
  const found: string[] = []
  for (const { id, status, charged_amount, refunded_amount, error_code } of rows) {
    const of_charge = taken.filter(({ charge_id }) => charge_id === id)
    if (of_charge.length > 1) found.push(`${id} was authorized ${of_charge.length} times.`)
    const captured = of_charge.reduce((all, one) => all + one.captured, 0)
    const refunded = of_charge.reduce((all, one) => all + one.refunded, 0)
    const ours =
      status === 'successful' ? [Number(charged_amount), Number(refunded_amount)] : [0, 0]
    if (captured !== ours[0] || refunded !== ours[1]) {
      found.push(`${id} is ${status} with ${ours}; the acquirer has ${captured}, ${refunded}.`)
    }
    const is_held = of_charge.some(({ state }) => state === 'authorized')
    if (is_held !== (status === 'authorized')) {
      found.push(`${id} is ${status}; the acquirer holds ${is_held ? 'its' : 'no'} amount.`)
    }
    const is_by_design = status === 'error' && error_code === lost_cvv && of_charge.length === 0
    if (is_by_design) lost_codes += 1
    else if (!['successful', 'authorized', 'canceled'].includes(status)) {
      found.push(`${id} is ${status} with ${error_code}.`)
    }
  }
  const known = new Set(rows.map(({ id }) => id))
  for (const { charge_id } of taken) {
    if (!known.has(charge_id)) found.push(`The acquirer has ${charge_id}, which is not here.`)
  }
  return [...found, ...(await differentDisputes(taken, db))]
}

/** Each dispute got one response, and both sides know how it stands. */
async function differentDisputes(taken: readonly BookPayment[], db: pg.Client): Promise<string[]> {
  const { rows } = await db.query('select provider_reference, status, amount from disputes')
  const ours = new Map(rows.map((row) => [row.provider_reference, row]))
  return taken
    .flatMap(({ disputes }) => disputes)
    .filter(({ reference, status, amount, responses }) => {
      const own = ours.get(reference)
      return responses !== 1 || own?.status !== status || Number(own?.amount) !== amount
    })
    .map(({ reference, status, responses }) => {
      const own = ours.get(reference)?.status ?? 'not known'
      return `${reference} is ${own} here, ${status} there, with ${responses} responses.`
    })
}

const folder = mkdtempSync(join(tmpdir(), 'kaikei-kills-'))
chmodSync(folder, 0o755)
const keeper_dir = join(folder, 'keeper')
mkdirSync(keeper_dir)
process.stdout.write(`Seed ${values.seed}\n`)
const acquirer = await startExampleAcquirer()
// It keeps the embedded database running, and does no work itself.
const shared = { SHARED_STATE: 'per_machine', LOG_LEVEL: 'silent' }
const keeper = await startProcess({ ...shared, DATA_DIR: keeper_dir, WORKER: 'off' })
const shop = await makeShop(keeper_dir, acquirer)
const { stdout } = spawnSync(process.execPath, [program, 'database-url'], {
  env: { PATH: process.env.PATH, DATA_DIR: keeper_dir },
  encoding: 'utf8',
})
const DATABASE_URL = stdout.trim()
const settingsOf = (number: number) => {
  const DATA_DIR = join(folder, `machine-${number}`)
  mkdirSync(DATA_DIR)
  cpSync(join(keeper_dir, 'keys.json'), join(DATA_DIR, 'keys.json'))
  return { ...shared, DATABASE_URL, DATA_DIR }
}
const all_settings = Array.from({ length: machines }, (_, number) => settingsOf(number))
const payments = newJobs(shop, acquirer, connector, below)
const db = new pg.Client(DATABASE_URL)
await db.connect()
let found: string[] = []
try {
  await Promise.all(all_settings.map((settings) => runMachine(settings, payments)))
  const open = await finish(all_settings[0] ?? {}, payments, db)
  found = [...payments.troubles, ...open, ...(await differences(acquirer, db))]
  for (const [step, count] of [...kills].toSorted()) process.stdout.write(`${count} × ${step}\n`)
  process.stdout.write(
    `${countKills()} kills, ${payments.jobs.length} payments, ${lost_codes} without their security code, ` +
      `${found.length} differences\n`,
  )
  for (const text of found.slice(0, 30)) process.stdout.write(`${text}\n`)
} finally {
  await db.end()
  await payments.close()
  await keeper.stop()
  await acquirer.stop()
  removeFolder(folder, keeper_dir)
}
process.exitCode = found.length === 0 ? 0 : 1
