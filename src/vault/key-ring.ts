import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { PlainError } from '../core/plain-error.ts'

/** Keys of one purpose, newest first. The newest writes; all of them read. */
export interface KeyRing {
  readonly purpose: Purpose
  readonly newest: Key
  find(id: string): Key | null
  all(): readonly Key[]
}

export interface Key {
  readonly id: string
  readonly bytes: Buffer
  /** The same key, imported once for signing. */
  readonly secret: KeyObject
}

/**
 * `signing` makes application tokens, `vault` seals what is stored, `fingerprint` makes the keyed
 * hashes by which sealed values are found again.
 */
export type Purpose = (typeof purposes)[number]
const purposes = ['signing', 'vault', 'fingerprint'] as const

export type Keys = Readonly<Record<Purpose, KeyRing>>

/** Keys that must not be used; the message says what to do. The service does not start. */
export class KeyError extends PlainError {}

const key_bytes = 32

/** From the settings, or from `keys.json` in DATA_DIR, which is made if missing. */
export function readKeys(config: Config): Keys {
  const given = {
    signing: config.signing_keys,
    vault: config.vault_keys,
    fingerprint: config.fingerprint_keys,
  }
  const complete = purposes.every((purpose) => given[purpose] !== null)
  const file = complete ? null : readKeyFile(join(config.data_dir, 'keys.json'))
  const rings = purposes.map((purpose) => {
    const keys = parseKeys(purpose, given[purpose] ?? file?.[purpose] ?? '')
    return [purpose, newKeyRing(purpose, keys)]
  })
  return Object.fromEntries(rings) as Keys
}

function newKeyRing(purpose: Purpose, keys: Key[]): KeyRing {
  const [newest] = keys
  if (!newest) throw new KeyError(`There is no ${purpose} key.`)
  const by_id = new Map(keys.map((key) => [key.id, key]))
  if (by_id.size < keys.length) throw new KeyError(`Two ${purpose} keys have the same id.`)
  return { purpose, newest, find: (id) => by_id.get(id) ?? null, all: () => keys }
}

/** `id:base64,id:base64`, newest first. */
function parseKeys(purpose: Purpose, text: string): Key[] {
  return text
    .split(',')
    .flatMap((part) => part.trim() || [])
    .map((part) => {
      const [, id, encoded] = /^([\w-]{1,32}):([\w+/-]+={0,2})$/.exec(part) ?? []
      if (!id || !encoded) throw new KeyError(`A ${purpose} key is not of the form id:base64.`)
      const bytes = Buffer.from(encoded, 'base64')
      if (bytes.length !== key_bytes) {
        throw new KeyError(`The ${purpose} key "${id}" must have ${key_bytes} bytes.`)
      }
      if (new Set(bytes).size < 12) {
        throw new KeyError(`The ${purpose} key "${id}" is not random; make one by chance.`)
      }
      return { id, bytes, secret: createSecretKey(bytes) }
    })
}

/** Written beside its place and linked into it: of two first starts at once, one key file wins. */
function readKeyFile(path: string): Record<Purpose, string> {
  if (!existsSync(path)) {
    const fresh = Object.fromEntries(purposes.map((purpose) => [purpose, newKeyText()]))
    const beside = `${path}.${process.pid}`
    writeFileSync(beside, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(beside, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    } finally {
      rmSync(beside)
    }
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new KeyError(`Others can read ${path}. Run: chmod 600 "${path}"`)
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new KeyError(`${path} is not valid JSON. Restore it from a backup.`)
  }
}

export function newKeyText(): string {
  return `${randomBytes(4).toString('hex')}:${randomBytes(key_bytes).toString('base64')}`
}

/** A keyed hash: tells whether two values are equal only to who has the key. */
export function keyedHash(key: Key, purpose: string, value: string | Buffer): Buffer {
  return createHmac('sha256', key.secret).update(`${purpose}\0`).update(value).digest()
}

export function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
