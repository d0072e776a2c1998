import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'

export interface BackupFile {
  readonly path: string
  readonly bytes: number
  readonly written_on: Date
}

const is_backup = /^kaikei-\d{8}T\d{6}Z\.tar\.gz(\.age)?$/

export function backupFolder({ backup_dir, data_dir }: Config): string {
  return backup_dir ?? join(data_dir, 'backups')
}

export function makeBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** The complete backups in a folder, the newest first. */
export function listBackups(folder: string): BackupFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => is_backup.test(name))
    .sort()
    .reverse()
    .map((name) => {
      const path = join(folder, name)
      const { size, mtime } = statSync(path)
      return { path, bytes: size, written_on: mtime }
    })
}

/** A file by its path or its name in the folder of backups; without a name, the newest there. */
export function findBackup(folder: string, given: string | undefined): string {
  if (given === undefined) {
    const [newest] = listBackups(folder)
    if (newest) return newest.path
    throw new PlainError(`There is no backup in ${folder}.`)
  }
  const paths = [resolve(given), join(folder, given)]
  const found = paths.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  if (found) return found
  throw new PlainError(`There is no backup ${given}. "kaikei backup list" lists them.`)
}
