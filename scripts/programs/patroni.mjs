// Patroni for the lab. That of Debian 12 can lose acknowledged writes (deploy/patroni/README.md): then that of
// Debian 13 is unpacked into a folder, from the mirror that this machine uses, and nothing is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { stop } from './debian-packages.mjs'

const folder = join(root, 'node_modules/.cache/patroni')
const sources = '/etc/apt/sources.list.d/debian.sources'
const advice =
  'The lab needs Patroni 4.0.6 or newer, from the packages of PostgreSQL or of Debian 13; or name ' +
  'one that may be older with LAB_PATRONI=patroni.'

function isNewEnough() {
  const { stdout = '' } = spawnSync('patroni', ['--version'], { encoding: 'utf8' })
  const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) * 10_000 + Number(minor) * 100 + Number(patch) >= 40_006
}

function download() {
  mkdirSync(join(folder, 'lists/partial'), { recursive: true })
  const [stanza = ''] = readFileSync(sources, 'utf8').split('\n\n')
  const list = join(folder, 'debian.sources')
  writeFileSync(list, `${stanza.replace(/^Suites:.*$/m, 'Suites: trixie')}\n`)
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache::pkgcache=${join(folder, 'packages.bin')}`,
    `Dir::Cache::srcpkgcache=${join(folder, 'sources.bin')}`,
    'APT::Sandbox::User=root',
  ].flatMap((one) => ['-o', one])
  const in_folder = { cwd: folder, stdio: ['ignore', 2, 2] }
  for (const command of [['update'], ['download', 'patroni']]) {
    spawnSync('apt-get', ['-q', ...options, ...command], in_folder)
  }
  const file = readdirSync(folder).find((one) => one.endsWith('.deb'))
  if (!file || spawnSync('dpkg-deb', ['-x', file, 'unpacked'], in_folder).status !== 0) stop(advice)
}

/** The command that starts a Patroni which loses nothing. */
export function preparePatroni() {
  if (process.env.LAB_PATRONI) return process.env.LAB_PATRONI.split(' ')
  if (isNewEnough()) return ['patroni']
  const program = join(folder, 'unpacked/usr/bin/patroni')
  if (!existsSync(program) && !existsSync(sources)) stop(advice)
  if (!existsSync(program)) download()
  const modules = join(folder, 'unpacked/usr/lib/python3/dist-packages')
  return ['env', `PYTHONPATH=${modules}`, '/usr/bin/python3', program]
}
