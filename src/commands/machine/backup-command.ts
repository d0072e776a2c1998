import { cpSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type BackupFile,
  backupFolder,
  findBackup,
  listBackups,
} from '../../backup/backup-files.ts'
import { createBackup } from '../../backup/create-backup.ts'
import { restoreBackup, verifyBackup } from '../../backup/restore-backup.ts'
import type { Config } from '../../config.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import { removeDataFolder } from '../../store/server/embedded/postgres-cluster.ts'
import type { Run } from '../command-table.ts'
import { type Column, showList } from '../line/show.ts'
import { newProgress, type Terminal } from '../line/terminal.ts'
import { examine } from './doctor-command.ts'

const mega = 1_000_000
const sizeOf = (bytes: number) => `${Math.ceil(bytes / mega)} MB`

/** Runs something and says how long it took, in seconds. */
async function timed<T>(work: () => Promise<T>): Promise<[result: T, seconds: number]> {
  const began_ms = systemClock.monotonic()
  const result = await work()
  return [result, Math.round((systemClock.monotonic() - began_ms) / 100) / 10]
}

/** How much of a copy is done. */
async function withProgress<T>(
  terminal: Terminal,
  name: string,
  work: (onProgress: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const progress = newProgress(terminal)
  return work((bytes) => progress.show(`${name}: ${sizeOf(bytes)}`)).finally(progress.end)
}

export const createBackupCommand: Run<'backup create'> = async (
  { config, terminal, version },
  _,
  { to, 'with-keys': with_keys = false },
) => {
  const folder = to ?? backupFolder(config)
  const instant = new Date(systemClock.now())
  const [path, seconds] = await timed(() =>
    withProgress(terminal, 'Copied', (onProgress) =>
      createBackup(config, { folder, with_keys, instant, version, onProgress }),
    ),
  )
  const keys = with_keys ? 'with the keys' : 'without the keys, which are stored elsewhere'
  terminal.write(`${path}: complete after ${seconds} s, ${keys}.\n`)
  return 0
}

const columns: readonly Column<BackupFile>[] = [
  { title: 'Backup', text: ({ path }) => path },
  { title: 'Size', text: ({ bytes }) => sizeOf(bytes), align: 'right' },
  { title: 'Written', text: ({ written_on }) => written_on.toISOString() },
]

export const listBackupsCommand: Run<'backup list'> = async (
  { config, terminal },
  _,
  { from, json = false },
) => {
  showList(terminal, listBackups(from ?? backupFolder(config)), columns, { json })
  return 0
}

export const verifyBackupCommand: Run<'backup verify'> = async (
  { config, terminal },
  [file],
  { drill = false },
) => {
  const path = findBackup(backupFolder(config), file)
  if (drill) return runDrill(config, terminal, path)
  const [{ files, consistent_on }, seconds] = await timed(() =>
    verifyBackup(path, config.backup_passphrase),
  )
  const count = Object.keys(files).length
  terminal.write(
    `${path}: all ${count} files are unchanged; checked in ${seconds} s.\n` +
      `It contains every commit until ${consistent_on}.\n`,
  )
  return 0
}

/** Restores into a folder of its own, starts that database and runs the doctor on it. */
async function runDrill(config: Config, terminal: Terminal, path: string): Promise<number> {
  // Beside the data, where there is room for it, and where the account of the database may be.
  const place = existsSync(config.data_dir) ? dirname(config.data_dir) : tmpdir()
  const data_dir = join(place, `kaikei-drill-${newUnguessableId().slice(0, 8)}`)
  try {
    const [{ consistent_on }, restored_s] = await timed(() =>
      withProgress(terminal, 'Restored', (onProgress) =>
        restoreBackup(path, config.backup_passphrase, data_dir, onProgress),
      ),
    )
    const [own_keys, keys] = [join(config.data_dir, 'keys.json'), join(data_dir, 'keys.json')]
    if (!existsSync(keys) && existsSync(own_keys)) cpSync(own_keys, keys)
    const [findings, examined_s] = await timed(() =>
      examine({ ...config, data_dir, shared_state_url: null }),
    )
    const faults = findings.flatMap(({ check, faults }) => faults.map((one) => `${check}: ${one}`))
    const age_s = Math.round((systemClock.now() - Date.parse(consistent_on)) / second_ms)
    terminal.write(
      `${path}: restored in ${restored_s} s; started and checked in ${examined_s} s.\n` +
        `It ends ${age_s} s ago, at ${consistent_on}.\n`,
    )
    for (const fault of faults) terminal.write(`WRONG  ${fault}\n`)
    if (faults.length === 0) terminal.write('The doctor found no faults.\n')
    return faults.length === 0 ? 0 : 1
  } finally {
    removeDataFolder(data_dir)
  }
}

/** The place of the keys of a restored database. */
function keysText(had_keys: boolean, with_keys: boolean, config: Config): string {
  const { data_dir, signing_keys, vault_keys, fingerprint_keys } = config
  if (had_keys) return `The keys.json that was in ${data_dir} was kept.`
  if (with_keys) return `keys.json was restored from the backup into ${data_dir}.`
  if (signing_keys && vault_keys && fingerprint_keys) return 'The keys are those of the settings.'
  return `The backup has no keys: put keys.json into ${data_dir}, or set the keys, before you start.`
}

export const restoreBackupCommand: Run<'backup restore'> = async ({ config, terminal }, [file]) => {
  if (config.database_url) {
    throw new PlainError('Backups are restored into DATA_DIR. Unset DATABASE_URL and try again.')
  }
  const path = findBackup(backupFolder(config), file)
  const { data_dir, backup_passphrase } = config
  const had_keys = existsSync(join(data_dir, 'keys.json'))
  const [{ consistent_on, with_keys }, seconds] = await timed(() =>
    withProgress(terminal, 'Restored', (onProgress) =>
      restoreBackup(path, backup_passphrase, data_dir, onProgress),
    ),
  )
  terminal.write(
    `${data_dir}: restored in ${seconds} s, with every commit until ${consistent_on}.\n` +
      `${keysText(had_keys, with_keys, config)}\n` +
      'Check it before you start: kaikei doctor\n',
  )
  return 0
}
