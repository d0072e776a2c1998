// The checker of alert rules. Its package brings a server as well, so it is unpacked and not installed.
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { findProgram, stop, unpackPackage } from './debian-packages.mjs'

export const promtool_advice =
  'The tests of the reference deployment need promtool of Prometheus ' +
  '(on Debian: apt-get install prometheus).'

const unpacked = join(root, 'node_modules', '.cache', 'promtool')

/** The path of a program that works, or null. */
export function findPromtool() {
  return findProgram([join(unpacked, 'usr/bin/promtool'), 'promtool'])
}

/** Ends with a program that works, or with one line that says what to do. */
export function preparePromtool() {
  if (findPromtool() === null) unpackPackage('prometheus', unpacked, promtool_advice)
  if (findPromtool() === null) stop(promtool_advice)
}
