import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { PlainError } from '../core/api/plain-error.ts'
import { faultOf } from '../core/read-unknown.ts'
import { minute_ms } from '../core/time/clock.ts'
import { newClient } from '../store/server/client/new-client.ts'
import type { ArchiveWriter } from './archive.ts'

/** Settings that a copy of a running database needs to start as a database. */
export interface ClusterCopy {
  readonly database_version: string
  /** The first and the last segment of the log that the copy needs. */
  readonly wal: readonly [first: string, last: string]
  /** Everything that was committed until then is in it. */
  readonly consistent_on: string
}

/** Folders whose content means nothing in another server; the folders themselves must exist. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const left_out =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*)$/

const is_segment = /^[0-9A-F]{24}$/

/**
 * Copies the cluster of a running server into an archive, with the functions that PostgreSQL has for that:
 * the files may change meanwhile, and the log from the start to the stop of the copy makes them consistent. A
 * slot of the session keeps that log.
 */
export async function copyCluster(
  connection: pg.ClientConfig,
  folder: string,
  archive: ArchiveWriter,
  onFile: (bytes: number) => void,
): Promise<ClusterCopy> {
  // The checkpoint at its begin may take as long as it needs.
  const patient = { connectionTimeoutMillis: minute_ms, statement_timeout: 0 }
  const client = newClient({ ...connection, ...patient, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  const one = async (text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows[0]
  try {
    const { server_version: database_version } = await one('show server_version')
    const slot = `kaikei_backup_${process.pid}`
    await one('select pg_create_physical_replication_slot($1, true, true)', [slot])
    const { first } = await one(
      "select pg_walfile_name(pg_backup_start('kaikei', fast => true)) as first",
    )
    await copyFolder(join(folder, 'data'), 'postgres/data', archive, onFile)
    const { last, label, map, at } = await one(
      `select pg_walfile_name(s.lsn) as last, s.labelfile as label, s.spcmapfile as map, now() as at
        from pg_backup_stop(wait_for_archive => false) as s`,
    )
    if (map)
      throw new PlainError(
        'This command cannot back up a database with tablespaces. Use pg_basebackup.',
      )
    await storeText(archive, 'postgres/data/backup_label', label)
    await copySegments(join(folder, 'data', 'pg_wal'), archive, first, last, onFile)
    return { database_version, wal: [first, last], consistent_on: at.toISOString() }
  } finally {
    await client.end().catch(() => {})
  }
}

export async function storeText(archive: ArchiveWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await archive.file(name, bytes.length, Readable.from([bytes]))
}

/** A file that is gone when its turn comes is restored by the log, or is not needed. */
async function copyFolder(
  path: string,
  name: string,
  archive: ArchiveWriter,
  onFile: (bytes: number) => void,
): Promise<void> {
  await archive.folder(name)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const [from, to] = [join(path, entry.name), `${name}/${entry.name}`]
    if (left_out.test(entry.name)) continue
    if (entry.isDirectory() && emptied.has(entry.name)) await copyEmpty(from, to, archive)
    else if (entry.isDirectory()) await copyFolder(from, to, archive, onFile)
    else if (entry.isFile()) await copyFile(from, to, archive, onFile)
  }
}

/** `pg_wal` has subfolders, which must exist too. */
async function copyEmpty(path: string, name: string, archive: ArchiveWriter): Promise<void> {
  await archive.folder(name)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory() && name.endsWith('pg_wal'))
      await archive.folder(`${name}/${entry.name}`)
  }
}

async function copyFile(
  path: string,
  name: string,
  archive: ArchiveWriter,
  onFile: (bytes: number) => void,
): Promise<void> {
  const found = await lstat(path).catch(absent)
  if (!found) return
  const stream = createReadStream(path)
  const is_open = await new Promise<boolean>((resolve, reject) => {
    stream.once('open', () => resolve(true))
    stream.once('error', (error) => (absent(error) === null ? resolve(false) : reject(error)))
  })
  if (!is_open) return
  await archive.file(name, found.size, stream)
  stream.destroy()
  onFile(found.size)
}

function absent(error: Error): null {
  if (faultOf(error).code === 'ENOENT') return null
  throw error
}

async function copySegments(
  path: string,
  archive: ArchiveWriter,
  first: string,
  last: string,
  onFile: (bytes: number) => void,
): Promise<void> {
  const names = (await readdir(path)).filter(
    (name) => is_segment.test(name) && name >= first && name <= last,
  )
  if (!names.includes(first) || !names.includes(last)) {
    throw new PlainError(
      'PostgreSQL removed a write-ahead log segment during the backup. Try again.',
    )
  }
  for (const name of names.sort()) {
    await copyFile(join(path, name), `postgres/data/pg_wal/${name}`, archive, onFile)
  }
}
