// `npm run lab -- failover`: a deployment in network namespaces, broken on purpose; as root, on Linux.
// `npm run lab -- kills`: live payments while the processes that make them are killed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { findProgram, installPackages, stop } from './programs/debian-packages.mjs'
import { preparePatroni } from './programs/patroni.mjs'

const usage = `Usage: npm run lab -- failover [--rounds N] [--faults TEXT,…] [--seed N] [--keep]
       npm run lab -- kills [--kills N] [--seed N]`
const advice =
  'The lab needs Linux, root, and PostgreSQL, Patroni, etcd, HAProxy, Redis, iproute2, strace, ' +
  'faketime and tini (on Debian: apt-get install postgresql patroni etcd-server haproxy redis-server iproute2 ' +
  'strace faketime tini).'

const packages = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  ip: 'iproute2',
  strace: 'strace',
  faketime: 'faketime',
  tini: 'tini',
}
const version_option = { haproxy: '-v', ip: '-V', strace: '-V' }

/** The programs of a whole deployment; returns the command of Patroni. */
function prepareDeployment() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) stop(advice)
  const missing = Object.keys(packages).filter(
    (one) => findProgram([one], version_option[one]) === null,
  )
  const wanted = ['postgresql', ...missing.map((one) => packages[one])]
  if (missing.length > 0) installPackages('the programs of the lab', wanted, advice)
  return preparePatroni()
}

const [name, ...options] = process.argv.slice(2)
if (name !== 'failover' && name !== 'kills') stop(usage)
prepare()
const patroni = name === 'failover' ? { LAB_PATRONI: prepareDeployment().join(' ') } : {}
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', join(root, `lab/${name}-lab.ts`), ...options],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...patroni } },
)
process.exitCode = status ?? 1
