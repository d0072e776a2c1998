// Programs that tests need and npm cannot bring: found, or installed where that needs no confirmation.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Some systems have a script of that name that only explains how to install the program. */
export function works(path, option = '--version') {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  return process.platform === 'win32' || spawnSync(path, [option]).status === 0
}

/** The first of some paths, or of programs with these names, that works; null: there is none. */
export function findProgram(names, option) {
  const of_path = (process.env.PATH ?? '').split(delimiter)
  const folders = ['/usr/bin', '/usr/sbin', ...of_path, '/snap/bin']
  const paths = names.flatMap((name) =>
    name.includes('/') ? name : folders.map((folder) => join(folder, name)),
  )
  return [...new Set(paths)].find((path) => works(path, option)) ?? null
}

export function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const apt_get = '/usr/bin/apt-get'

/** Never asks, waits for another installation to end, and says what it does on standard error. */
function aptGet(...args) {
  const options = ['-q', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300']
  const { status } = spawnSync(apt_get, [...options, ...args], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}

/** Installs, as root on Debian; elsewhere, or when that fails, ends with the advice. */
export function installPackages(what, packages, advice) {
  const may_install = process.getuid?.() === 0 && existsSync(apt_get)
  if (!may_install) stop(advice)
  process.stderr.write(`Installing ${what} …\n`)
  // A list that cannot be brought up to date may still be good enough.
  aptGet('update')
  if (!aptGet('install', '-y', '--no-install-recommends', ...packages)) stop(advice)
}

/** Unpacks a package into a folder without installing it: where one program of it is wanted, and no server. */
export function unpackPackage(name, folder, advice) {
  if (!existsSync(apt_get)) stop(advice)
  process.stderr.write(`Unpacking ${name} …\n`)
  mkdirSync(folder, { recursive: true })
  const in_folder = { cwd: folder, stdio: ['ignore', 2, 2] }
  const download = () => spawnSync(apt_get, ['-q', 'download', name], in_folder).status === 0
  // A new machine has no list of packages yet.
  if (!download() && aptGet('update')) download()
  const file = readdirSync(folder).find((one) => one.endsWith('.deb'))
  if (!file || spawnSync('dpkg-deb', ['-x', file, '.'], in_folder).status !== 0) stop(advice)
}
