// Makes a fresh clone ready: installs what is missing and builds what is stale. It needs nothing
// but Node and npm, and talks on standard error only, so that a command's output stays its own.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders of `web` whose files are served as they are. */
export const page_folders = ['checkout', 'design', 'hosted', 'icons', 'reference', 'start']

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return null
  }
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Runs a program in the project's folder; its output goes to standard error. */
export function run(program, args, shell = false) {
  const { status, signal } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell,
  })
  if (status !== 0) stop(`"${program} ${args.join(' ')}" failed (${signal ?? status}).`)
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  stop(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`)
}

/** A package for another platform is rightly absent; anything else must be there as locked. */
function isForHere({ os, cpu, libc, optional }) {
  if (os && !os.includes(process.platform)) return false
  if (cpu && !cpu.includes(process.arch)) return false
  return !(optional && (libc || !os))
}

/**
 * Whether what the lockfile has for this package, or for the tools as well, is installed. npm writes its own list at the
 * end of an install, so with every direct dependency all others are there.
 */
function isInstalled(with_tools) {
  const wanted = readJson('package-lock.json')?.packages ?? {}
  const found = readJson('node_modules/.package-lock.json')?.packages ?? {}
  if (Object.entries(found).some(([path, { version }]) => wanted[path]?.version !== version))
    return false
  return (with_tools ? ['', 'tools'] : ['']).every((manifest) => {
    const { dependencies, devDependencies, optionalDependencies } = wanted[manifest] ?? {}
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    return names.every((name) => {
      const path = `node_modules/${name}`
      return found[path] || !isForHere(wanted[path] ?? {})
    })
  })
}

function sourceHash(folders, script, others) {
  const hash = createHash('sha256')
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.(tsx?|sql|css|js|svg|png|ico)$/.test(name))
      .map((name) => join(folder, name)),
  )
  for (const name of [...files.sort(), ...others, script, 'package-lock.json']) {
    hash.update(name).update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}

/** Builds what the sources of some folders have changed since, and notes what it was built from. */
function buildIfStale(folders, script, dist, others = []) {
  const stamp = join(root, dist, '.built-from')
  const hash = sourceHash(folders, script, others)
  if (readStamp(stamp) === hash) return
  process.stderr.write('Building …\n')
  run(process.execPath, [join(root, script)])
  writeFileSync(stamp, hash)
}

/** Installs what is missing and builds what is stale. Starting the service needs no tools of development. */
export function prepare({ build = true, tools = true } = {}) {
  checkNode()
  if (!isInstalled(tools)) {
    process.stderr.write('Installing packages …\n')
    const npm = process.env.npm_execpath
    const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit']
    if (!tools) args.push('--workspaces=false')
    if (npm) run(process.execPath, [npm, ...args])
    else run('npm', args, process.platform === 'win32')
  }
  if (!build) return
  const of_pages = page_folders.map((name) => `web/${name}`)
  buildIfStale(['src', ...of_pages], 'scripts/build.mjs', 'dist', documentFiles())
  prepareConsole()
}

/** Builds the web app of the console. */
export function prepareConsole() {
  const folders = ['web/console', 'web/design', 'client/src', 'src/core']
  buildIfStale(folders, 'scripts/build-steps/build-console.mjs', 'dist/web/console')
}

/** Builds the package of the client. */
export function prepareClient() {
  prepare({ build: false })
  buildIfStale(['client/src'], 'scripts/build-steps/build-client.mjs', 'client/dist')
}

/** The documents that the service shows as pages. */
export function documentFiles() {
  const of_folders = ['docs', 'docs/ja', 'docs/payment-methods'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  )
  return [...of_folders.sort(), 'client/README.md', 'examples/shop/README.md']
}

function readStamp(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
