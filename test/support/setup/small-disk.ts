import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system that can be filled to the last byte, and emptied again. */
export interface SmallDisk {
  fill(): void
  makeRoom(): void
  remove(): void
}

/** Null where this user may not mount one. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  try {
    const options = `size=${megabytes}m,mode=711`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  const makeRoom = () => rmSync(filler, { force: true })
  return {
    fill: () => fillDisk(filler),
    makeRoom,
    remove: () => {
      makeRoom()
      // Lazily: a process that is about to end may still have files open there.
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
    },
  }
}

function fillDisk(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 1024 ** 2; size >= 1; size = Math.floor(size / 16)) {
      const block = Buffer.alloc(size)
      try {
        for (;;) writeSync(file, block)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(file)
  }
}
