import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { startEmbeddedPostgres } from '../store/server/embedded/embedded-postgres.ts'
import { archiveName, writeArchive } from './archive.ts'
import { makeBackupFolder } from './backup-files.ts'
import { type ClusterCopy, copyCluster, storeText } from './copy-cluster.ts'

export interface BackupOptions {
  readonly folder: string
  readonly with_keys: boolean
  readonly instant: Date
  readonly version: string
  onProgress(bytes: number): void
}

export interface BackupFacts extends ClusterCopy {
  readonly created_on: string
  readonly kaikei_version: string
  readonly with_keys: boolean
}

/** Requires an embedded database: for another one its own tools are better. */
export function requireEmbedded({ database_url }: Config): void {
  if (!database_url) return
  throw new PlainError(
    'This command backs up the embedded database. For the PostgreSQL of DATABASE_URL use its own tools: ' +
      'docs/database.md, section Backup, says how.',
  )
}

/** Copies the embedded database while it runs, or starts it for that; returns the path of the file. */
export async function createBackup(
  config: Config,
  { folder, with_keys, instant, version, onProgress }: BackupOptions,
): Promise<string> {
  requireEmbedded(config)
  const { backup_passphrase: passphrase, data_dir } = config
  if (with_keys && passphrase === null) {
    throw new PlainError('--with-keys needs an encrypted backup: set BACKUP_PASSPHRASE.')
  }
  if (with_keys && config.vault_keys !== null) {
    throw new PlainError(
      'The keys are set by environment variables, not stored in DATA_DIR. Back them up where they are set.',
    )
  }
  const home = realpathSync(join(data_dir, 'postgres'))
  makeBackupFolder(folder)
  const path = join(folder, archiveName(instant, passphrase))
  const server = await startEmbeddedPostgres(data_dir, false, () => {})
  try {
    let bytes = 0
    await writeArchive<BackupFacts>(path, passphrase, async (archive) => {
      await archive.folder('postgres')
      await storeText(archive, 'postgres/password', readFileSync(join(home, 'password'), 'utf8'))
      const copied = await copyCluster(server.connection, home, archive, (more) => {
        bytes += more
        onProgress(bytes)
      })
      if (with_keys) {
        const keys = readFileSync(join(data_dir, 'keys.json'), 'utf8')
        await storeText(archive, 'keys.json', keys)
      }
      const created_on = instant.toISOString()
      return { created_on, kaikei_version: version, with_keys, ...copied }
    })
    return path
  } finally {
    await server.stop()
  }
}
