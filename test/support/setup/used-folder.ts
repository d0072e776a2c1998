import { spawnSync } from 'node:child_process'
import { inject } from 'vitest'
import { temporaryFolder } from '../fleet/running-process.ts'

/** A data folder of an earlier run, for tests that are not about the first start. */
export function usedFolder(): string {
  const folder = temporaryFolder()
  const { status, stderr } = spawnSync('cp', ['-a', `${inject('used_folder')}/.`, folder])
  if (status !== 0) throw new Error(String(stderr))
  return folder
}
