// The browser that the tests of pages drive. npm cannot bring it, so it is looked for, and installed
// where that can be done without asking.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const applications = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** Japanese pages need letters: this font has them and is small. */
const packages = ['chromium', 'fonts-ipafont-gothic']

export const browser_advice =
  'The tests of pages need a browser: install Chromium or Google Chrome ' +
  `(on Debian: apt-get install ${packages.join(' ')}), or name one with CHROMIUM_PATH.`

/** Some systems have a script of that name that only tells how to get the browser. */
function works(path) {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  return process.platform === 'win32' || spawnSync(path, ['--version']).status === 0
}

/** The path of a browser that starts, or null. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return works(named) ? named : null
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter), '/snap/bin']
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...new Set([...paths, ...applications])].find(works) ?? null
}

function stop(message) {
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

/** Ends with a browser that works, or with one line that says what to do. */
export function prepareBrowser() {
  if (findBrowser() !== null) return
  const { CHROMIUM_PATH: named } = process.env
  if (named) stop(`CHROMIUM_PATH names ${named}, which is no browser that starts.`)
  const may_install = process.getuid?.() === 0 && existsSync(apt_get)
  if (!may_install) stop(browser_advice)
  process.stderr.write('Installing a browser for the tests of pages …\n')
  // A list that cannot be brought up to date may still be good enough.
  aptGet('update')
  const installed = aptGet('install', '-y', '--no-install-recommends', ...packages)
  if (!installed || findBrowser() === null) stop(browser_advice)
}
