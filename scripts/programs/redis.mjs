// The server that the tests of several machines share.
import { findProgram, installPackages, stop } from './debian-packages.mjs'

const names = ['redis-server', 'valkey-server']

export const redis_advice =
  'The tests of several machines need a Redis-compatible server: install Redis or Valkey ' +
  '(on Debian: apt-get install redis-server).'

/** The path of a server that starts, or null. */
export function findRedis() {
  return findProgram(names)
}

/** Ends with a server that works, or with one line that says what to do. */
export function prepareRedis() {
  if (findRedis() !== null) return
  installPackages('a server for the tests of several machines', ['redis-server'], redis_advice)
  if (findRedis() === null) stop(redis_advice)
}
