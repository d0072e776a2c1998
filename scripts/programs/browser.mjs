// The browser for tests of pages. npm cannot bring it, so the script finds one, or installs one where that
// needs no confirmation.
import { findProgram, installPackages, stop, works } from './debian-packages.mjs'

/** The first has no user interface: it starts, and opens a page, in less than half of the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const applications = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** Japanese pages need letters: this font has them and is small. */
const packages = ['chromium-headless-shell', 'fonts-ipafont-gothic']

export const browser_advice =
  'The tests of pages need a browser: install Chromium or Google Chrome ' +
  `(on Debian: apt-get install ${packages.join(' ')}), or name one with CHROMIUM_PATH.`

/** The path of a browser that starts, or null. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return works(named) ? named : null
  return findProgram([...names, ...applications])
}

/** Ends with a browser that works, or with one line that says what to do. */
export function prepareBrowser() {
  if (findBrowser() !== null) return
  const { CHROMIUM_PATH: named } = process.env
  if (named) stop(`CHROMIUM_PATH names ${named}, which is no browser that starts.`)
  installPackages('a browser for the tests of pages', packages, browser_advice)
  if (findBrowser() === null) stop(browser_advice)
}
