import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeShops } from '../bench/stored/shops.ts'
import { readConfig } from '../src/config.ts'
import { newLog } from '../src/log.ts'
import { openService } from '../src/open-service.ts'
import { program } from '../test/support/fleet/running-process.ts'
import { newReceiver, type Receiver } from '../test/support/receiver/receiver.ts'
import { missedBars, percentile } from './checks/bars.ts'
import { check, undelivered, unsettled } from './checks/checks.ts'
import { startCluster } from './cluster/database-cluster.ts'
import { type EtcdMember, newEtcdMember } from './cluster/etcd.ts'
import { closeNetwork, type Host, lab_address, newHost, openNetwork } from './cluster/hosts.ts'
import { type Deployment, type Fault, faults, type Node } from './faults.ts'
import { newRandom } from './random.ts'
import { type Shops, startShops } from './shops.ts'

// `npm run lab -- failover`: a whole deployment on one machine, broken on purpose while shops pay.

const bin_dirs = ['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`)
const shop_count = 6
/** How long shops pay before something is broken, and after it was mended. */
const calm_ms = 3000
const longest_recovery_ms = 120_000
const max_faults_shown = 20

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    faults: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
})

function newKeys(): Record<string, string> {
  const key = () => {
    const { stdout } = spawnSync(process.execPath, [program, 'new-key'], { encoding: 'utf8' })
    return stdout.trim()
  }
  return { SIGNING_KEYS: key(), VAULT_KEYS: key(), FINGERPRINT_KEYS: key() }
}

function startRedis(host: Host): void {
  const options = ['--save', '', '--appendonly', 'no', '--protected-mode', 'no']
  host.start('redis', ['redis-server', '--bind', host.address, ...options])
}

/** With the sections of deploy/haproxy that say how nodes are checked and when a request is sent again. */
function startProxy(host: Host, folder: string, nodes: readonly Node[]): string {
  const deployed = readFileSync(new URL('../deploy/haproxy/haproxy.cfg', import.meta.url), 'utf8')
  const section = (name: string) =>
    deployed.match(new RegExp(`^${name}\n(?:(?: .*)?\n)+`, 'm'))?.[0] ?? ''
  const backend = section('backend nodes')
    .replace(/ resolvers .*/, '')
    .replaceAll(/^ +server .*/gm, '')
  const servers = nodes.map(({ host: { name, address } }) => `    server ${name} ${address}:8080`)
  const frontend = `frontend api\n    bind ${host.address}:8080\n    default_backend nodes\n`
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${section('defaults')}${frontend}${backend}${servers.join('\n')}\n`)
  host.start('haproxy', ['haproxy', '-f', file])
  return `http://${host.address}:8080`
}

/**
 * The library of Debian's faketime. A program started with it reads the shift of its clock from a
 * file.
 */
function shiftableClock(file: string): Record<string, string> {
  const libraries = readdirSync('/usr/lib').map(
    (one) => `/usr/lib/${one}/faketime/libfaketime.so.1`,
  )
  const library = libraries.find((one) => existsSync(one))
  if (!library) throw new Error('libfaketime is not installed: apt-get install faketime.')
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

interface Machine {
  readonly host: Host
  readonly etcd: EtcdMember
}

/** The machine of a node, without the node. */
function newMachine(number: number, folder: string): Machine {
  const host = newHost(`node${number}`, 10 + number, folder)
  return { host, etcd: newEtcdMember(host, number, folder) }
}

function newNode(machine: Machine, folder: string, settings: Record<string, string>): Node {
  const { host } = machine
  const data_dir = join(folder, host.name)
  mkdirSync(data_dir)
  const clock_file = join(folder, `${host.name}-clock`)
  const shiftClock = (seconds: number) => {
    writeFileSync(clock_file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`)
  }
  shiftClock(0)
  const environment = {
    ...settings,
    ...shiftableClock(clock_file),
    HOST: host.address,
    BASE_URL: `http://${host.address}:8080`,
    DATA_DIR: data_dir,
  }
  return {
    ...machine,
    shiftClock,
    start: () => void host.start('service', [process.execPath, program, 'serve'], { environment }),
  }
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await sleep(300)
  }
}

/** The longest time without an acknowledged write from an instant on. */
function longestGap(acknowledged_ms: readonly number[], from_ms: number): number {
  let [last_ms, gap_ms] = [from_ms, 0]
  for (const one of acknowledged_ms.filter((at) => at >= from_ms)) {
    gap_ms = Math.max(gap_ms, one - last_ms)
    last_ms = one
  }
  return gap_ms
}

/** Waits until writes are acknowledged for a while from now on; false: not by the deadline. */
async function untilPaid({ acknowledged_ms }: Shops, deadline_ms: number): Promise<boolean> {
  const paid_ms = performance.now() + calm_ms
  while ((acknowledged_ms.at(-1) ?? 0) < paid_ms) {
    if (performance.now() > deadline_ms) return false
    await sleep(200)
  }
  return true
}

/** The lab itself may find no primary for a moment after a fault. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline_ms = performance.now() + longest_recovery_ms
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline_ms) throw error
      await sleep(500)
    }
  }
}

interface Round {
  readonly fault: Fault
  readonly gap_s: number
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly wrong: readonly string[]
}

interface Lab extends Deployment {
  readonly url: string
  readonly receiver: Receiver
  newShops(): ReturnType<typeof makeShops>
}

async function runRound(lab: Lab, fault: Fault): Promise<Round> {
  const { cluster, receiver } = lab
  await cluster.untilHealthy()
  await untilReady(lab.url)
  const shops = startShops(lab.url, await lab.newShops())
  await sleep(calm_ms + lab.below(1000))
  const leader = await cluster.leader()
  const from_ms = performance.now()
  const mend = await fault.begin(lab)
  const mend_by_ms = performance.now() + fault.lasts_s * 1000
  if (fault.until_takeover) {
    while ((await cluster.leader()) === leader && performance.now() < mend_by_ms) await sleep(200)
    await untilPaid(shops, mend_by_ms)
  } else {
    await sleep(fault.lasts_s * 1000)
  }
  await mend()
  // Until payments continue: without that, a repair is not known to work.
  if (!(await untilPaid(shops, performance.now() + longest_recovery_ms))) {
    throw new Error(`After "${fault.name}" nothing is paid.`)
  }
  await shops.stop()
  await cluster.untilHealthy()
  const reported = [...shops.charges, ...shops.refunds]
  const isOpen = async () =>
    (await unsettled(cluster)) > 0 || undelivered(receiver, reported).length > 0
  const settled_by_ms = performance.now() + longest_recovery_ms
  while ((await isOpen()) && performance.now() < settled_by_ms) await sleep(500)
  const verdict = await check(cluster, shops, receiver)
  const wrong = [...verdict.wrong, ...restartEnded(lab.nodes)]
  return { fault, gap_s: longestGap(shops.acknowledged_ms, from_ms) / 1000, ...verdict, wrong }
}

/** No fault may end a node, but for the one that kills it. */
function restartEnded(nodes: readonly Node[]): string[] {
  const ended = nodes.filter(({ host }) => host.pids(program).length === 0)
  for (const { start } of ended) start()
  return ended.map(({ host }) => `${host.name} has ended by itself.`)
}

async function openLab(folder: string, below: Deployment['below']): Promise<Lab> {
  const bin_dir = bin_dirs.find((one) => existsSync(one))
  if (!bin_dir) throw new Error('PostgreSQL is not installed: apt-get install postgresql.')
  openNetwork()
  const machines = [1, 2, 3].map((number) => newMachine(number, folder))
  const etcd = machines.map((one) => one.etcd)
  const cluster = await startCluster(folder, bin_dir, etcd)
  const redis = newHost('redis', 41, folder)
  startRedis(redis)
  const settings = {
    ...newKeys(),
    DATABASE_URL: cluster.url,
    SHARED_STATE_URL: `redis://${redis.address}:6379`,
    REQUIRE_SYNC_STANDBY: '1',
    WEBHOOK_TARGETS: 'any',
    LOG_LEVEL: 'warn',
  }
  const nodes = machines.map((machine) => newNode(machine, folder, settings))
  for (const { host } of nodes) host.setNames(cluster.names)
  nodes[0]?.start()
  await untilReady(`http://${nodes[0]?.host.address}:8080`)
  for (const node of nodes.slice(1)) node.start()
  const url = startProxy(newHost('proxy', 51, folder), folder, nodes)
  const receiver = await newReceiver(lab_address)
  const own = { DATABASE_URL: cluster.plain_url, DATA_DIR: join(folder, 'node1') }
  const config = readConfig({ ...settings, ...own })
  const newShops = async () => {
    const { service, close } = await patiently(() =>
      openService(config, { own: false, log: newLog('silent') }),
    )
    const webhook_triggers = ['charge_finished', 'refund_finished']
    const options = { credentials: 8, webhook_url: receiver.url, webhook_triggers }
    const shops = await makeShops(service, shop_count, options)
    await close()
    return shops
  }
  return { cluster, nodes, redis, url, receiver, below, newShops }
}

function print(rounds: readonly Round[]): boolean {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`
  process.stdout.write(
    `\n${line(['Fault', 'Rounds', 'Acknowledged', 'Lost', 'Wrong', 'Gap p50 s', 'p99 s', 'Bar s'])}`,
  )
  process.stdout.write(line(Array.from({ length: 8 }, () => '---')))
  for (const fault of faults) {
    const of_fault = rounds.filter((round) => round.fault === fault)
    if (of_fault.length === 0) continue
    const gaps = of_fault.map(({ gap_s }) => gap_s)
    const sum = (count: (round: Round) => number) =>
      of_fault.reduce((all, one) => all + count(one), 0)
    process.stdout.write(
      line([
        fault.name,
        of_fault.length,
        sum(({ acknowledged }) => acknowledged),
        sum(({ lost }) => lost.length),
        sum(({ wrong }) => wrong.length),
        percentile(gaps, 0.5).toFixed(1),
        percentile(gaps, 0.99).toFixed(1),
        fault.bar_s ?? '–',
      ]),
    )
  }
  const missed = missedBars(rounds)
  for (const text of missed) process.stdout.write(`${text}\n`)
  return missed.length === 0 && rounds.every(({ lost, wrong }) => lost.length + wrong.length === 0)
}

const wanted = values.faults.split(',').filter(Boolean)
const chosen = faults.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
const folder = mkdtempSync(join(tmpdir(), 'kaikei-lab-'))
chmodSync(folder, 0o755)
const rounds: Round[] = []
process.stdout.write(`Seed ${values.seed}; logs in ${folder}\n`)
let lab: Lab | null = null
try {
  const below = newRandom(Number(values.seed))
  lab = await openLab(folder, below)
  const schedule = Array.from({ length: Number(values.rounds) }, () => chosen).flat()
  while (schedule.length > 0) {
    const [fault] = schedule.splice(below(schedule.length), 1)
    if (!fault) break
    const began_ms = performance.now()
    const round = await runRound(lab, fault)
    const took_s = ((performance.now() - began_ms) / 1000).toFixed(0)
    rounds.push(round)
    const faults_found = [...round.lost.map((id) => `lost: ${id}`), ...round.wrong]
    process.stdout.write(
      `${fault.name}: ${round.acknowledged} acknowledged, ${round.lost.length} lost, ${faults_found.length} faults, gap ${round.gap_s.toFixed(1)} s (${took_s} s in all)\n`,
    )
    for (const text of faults_found.slice(0, max_faults_shown)) process.stdout.write(`  ${text}\n`)
  }
} finally {
  closeNetwork()
  const disks = [1, 2, 3].flatMap((number) => [`database-${number}`, `etcd-${number}`])
  for (const disk of disks) spawnSync('umount', ['-l', join(folder, disk)])
  await lab?.receiver.close()
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}
process.exitCode = print(rounds) ? 0 : 1
