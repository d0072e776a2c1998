import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import {
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
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

export function keyFilePath(data_dir: string): string {
  return join(data_dir, 'keys.json')
}

/**
 * From the settings, or from `keys.json` in DATA_DIR, which is made if missing. A ring from the
 * file follows it: a key that a rotation adds is known to every running process within a second.
 */
export function readKeys(config: Config): Keys {
  const given = {
    signing: config.signing_keys,
    vault: config.vault_keys,
    fingerprint: config.fingerprint_keys,
  }
  const path = keyFilePath(config.data_dir)
  const rings = purposes.map((purpose) => {
    const fixed = given[purpose]
    const ring =
      fixed === null
        ? newKeyRing(purpose, () => parseKeys(purpose, readKeyFile(path)[purpose] ?? ''), path)
        : newKeyRing(purpose, () => parseKeys(purpose, fixed), null)
    return [purpose, ring]
  })
  return Object.fromEntries(rings) as Keys
}

const look_again_ms = 1000

function newKeyRing(purpose: Purpose, load: () => Key[], path: string | null): KeyRing {
  let keys = load()
  let version = path && statSync(path).mtimeMs
  let looked_ms = systemClock.monotonic()

  function look(): void {
    looked_ms = systemClock.monotonic()
    const found = path && statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (!found || found === version) return
    version = found
    keys = load()
  }

  function newest(): Key {
    if (systemClock.monotonic() - looked_ms >= look_again_ms) look()
    return keys[0] ?? refuseEmpty()
  }

  function refuseEmpty(): never {
    throw new KeyError(`There is no ${purpose} key.`)
  }

  function find(id: string): Key | null {
    const found = keys.find((key) => key.id === id)
    if (found) return found
    look()
    return keys.find((key) => key.id === id) ?? null
  }

  if (keys.length === 0) refuseEmpty()
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new KeyError(`Two ${purpose} keys have the same id.`)
  }
  return {
    purpose,
    get newest() {
      return newest()
    },
    find,
    all: () => keys,
  }
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

/** Adds a key in front of a purpose's keys, or takes one away; the file is replaced as a whole. */
export function changeKeyFile(
  data_dir: string,
  purpose: Purpose,
  change: (keys: string[]) => string[],
): void {
  const path = keyFilePath(data_dir)
  const file = readKeyFile(path)
  const keys = change((file[purpose] ?? '').split(',').filter(Boolean)).join(',')
  const beside = `${path}.${process.pid}`
  const text = `${JSON.stringify({ ...file, [purpose]: keys }, null, 2)}\n`
  writeFileSync(beside, text, { mode: 0o600, flush: true })
  renameSync(beside, path)
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
