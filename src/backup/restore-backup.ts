import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PlainError } from '../core/api/plain-error.ts'
import { postgresAccount } from '../store/server/embedded/postgres-account.ts'
import { own, placeCluster } from '../store/server/embedded/postgres-cluster.ts'
import { isEncrypted, type Manifest, type ReadEntry, readArchive } from './archive.ts'
import type { BackupFacts } from './create-backup.ts'

const cluster_folder = 'postgres'

function requirePassphrase(path: string, passphrase: string | null): void {
  if (isEncrypted(path) && passphrase === null) {
    throw new PlainError('The backup is encrypted: set BACKUP_PASSPHRASE.')
  }
}

/** Reads a backup to its end, and checks every file in it. */
export async function verifyBackup(
  path: string,
  passphrase: string | null,
): Promise<Manifest & BackupFacts> {
  requirePassphrase(path, passphrase)
  return (await readArchive(path, passphrase, async () => {})) as Manifest & BackupFacts
}

/**
 * Restores a backup into a data folder that has no database yet. The database is there as a whole or not at
 * all: it is written under a temporary name, and gets its own when every file was found right.
 */
export async function restoreBackup(
  path: string,
  passphrase: string | null,
  data_dir: string,
  onProgress: (bytes: number) => void,
): Promise<Manifest & BackupFacts> {
  requirePassphrase(path, passphrase)
  const keys = join(data_dir, 'keys.json')
  if (existsSync(join(data_dir, cluster_folder))) {
    throw new PlainError(`${data_dir} has a database already. Restore into another DATA_DIR.`)
  }
  const account = postgresAccount()
  const cluster = placeCluster(data_dir, account)
  let bytes = 0
  let wrote_keys = false

  async function restore({ name, size, is_folder, content }: ReadEntry): Promise<void> {
    if (name === 'keys.json') {
      // Keys that are there are those of the operator.
      if (existsSync(keys)) return
      await pipeline(content, createWriteStream(keys, { flags: 'wx', mode: 0o600 }))
      wrote_keys = true
      return
    }
    const target = placeOf(cluster.folder, name)
    if (is_folder) mkdirSync(target, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
    }
    if (account) own(target, account)
    bytes += size
    onProgress(bytes)
  }

  try {
    const manifest = await readArchive(path, passphrase, restore)
    cluster.keep()
    return manifest as Manifest & BackupFacts
  } catch (error) {
    cluster.remove()
    if (wrote_keys) rmSync(keys, { force: true })
    throw error
  }
}

/** The target path of a cluster entry. A name outside of the folder is refused. */
function placeOf(folder: string, name: string): string {
  const inside = normalize(name)
  const [first, ...rest] = inside.split(sep)
  if (first !== cluster_folder || rest.includes('..')) {
    throw new PlainError(`The backup contains an unexpected file: ${name}`)
  }
  return join(folder, ...rest)
}
