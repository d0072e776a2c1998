import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PlainError } from '../core/api/plain-error.ts'

/**
 * `signing` signs application tokens, `vault` seals what is stored, `fingerprint` computes the keyed
 * hashes by which sealed values are found again.
 */
export const purposes = ['signing', 'vault', 'fingerprint'] as const
export type Purpose = (typeof purposes)[number]

/** The content of the file: for each purpose `id:base64,id:base64`, newest first. */
export type KeyTexts = Partial<Record<Purpose, string>>

/** Keys that must not be used; the message says what to do. The service does not start. */
export class KeyError extends PlainError {}

/** The file is missing, and no setting gives its keys. Only a new database gets a new file. */
export class MissingKeyFile extends KeyError {}

export function keyFilePath(data_dir: string): string {
  return join(data_dir, 'keys.json')
}

/** Reads and never writes: a new file would contain keys that open nothing of what is stored. */
export function readKeyFile(path: string): KeyTexts {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new MissingKeyFile(`${path} is missing. Restore it from a backup.`)
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new KeyError(`Others can read ${path}. Run: chmod 600 "${path}"`)
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new KeyError(`${path} is not valid JSON. Restore it from a backup.`)
  }
}

/** Changes whenever the file is written; null while there is none. */
export function keyFileVersion(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? [found.mtimeMs, found.ino, found.size].join(' ') : null
}

/** Written under a temporary name and linked: of two concurrent first starts, one key file wins. */
export function createKeyFile(path: string, texts: KeyTexts): void {
  const beside = writeBeside(path, texts)
  try {
    linkSync(beside, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(beside)
  }
  flushFolder(path)
}

/** The file is replaced as a whole, and is on disk before anything is sealed with its keys. */
export function replaceKeyFile(path: string, texts: KeyTexts): void {
  renameSync(writeBeside(path, texts), path)
  flushFolder(path)
}

function writeBeside(path: string, texts: KeyTexts): string {
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(texts, null, 2)}\n`, { mode: 0o600, flush: true })
  return beside
}

/** A name is durable only when its folder is synced. Windows cannot open folders, and does not need it. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
