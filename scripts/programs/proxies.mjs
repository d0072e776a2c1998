// The proxies that tests put between programs.
import { findProgram, installPackages, stop } from './debian-packages.mjs'

/** The option of each program that prints its version and ends. */
const programs = { haproxy: '-v', pgbouncer: '--version' }

export const proxies_advice =
  'The tests of releases, databases and deployment need HAProxy and PgBouncer ' +
  '(on Debian: apt-get install haproxy pgbouncer).'

/** The path of a program that starts, or null. */
export function findProxy(name) {
  return findProgram([name], programs[name])
}

/** Ends with both programs, or with one line that says what to do. */
export function prepareProxies() {
  const missing = Object.keys(programs).filter((name) => findProxy(name) === null)
  if (missing.length === 0) return
  installPackages('proxies for tests', missing, proxies_advice)
  if (missing.some((name) => findProxy(name) === null)) stop(proxies_advice)
}
