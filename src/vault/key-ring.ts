import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Config } from '../config.ts'
import {
  KeyError,
  type KeyTexts,
  keyFilePath,
  keyFileVersion,
  MissingKeyFile,
  type Purpose,
  purposes,
  readKeyFile,
} from './key-file.ts'

/** Keys of one purpose, newest first. The newest writes; all of them read. */
export interface KeyRing {
  readonly purpose: Purpose
  readonly newest: Key
  find(id: string): Key | null
  all(): readonly Key[]
  /** Uses these keys from now on, after a rotation that the database has recorded. */
  replace(keys: readonly Key[]): void
}

export interface Key {
  readonly id: string
  readonly bytes: Buffer
  /** The same key, imported once for signing. */
  readonly secret: KeyObject
}

export type Keys = Readonly<Record<Purpose, KeyRing>>

const key_bytes = 32

/** The keys from settings; null when the keys are in the file. */
export function givenKeys(config: Config): Record<Purpose, string | null> {
  const { signing_keys, vault_keys, fingerprint_keys } = config
  return { signing: signing_keys, vault: vault_keys, fingerprint: fingerprint_keys }
}

/**
 * The keys of the settings, or of `keys.json` in DATA_DIR. Nothing is written, and a ring does not
 * change by itself. Only for reading, a vault ring checks the file again: after a rotation, another
 * process may have sealed something with a key that this one has not loaded yet.
 */
export function readKeys(config: Config): Keys {
  const given = givenKeys(config)
  const path = keyFilePath(config.data_dir)
  const in_file = purposes.filter((purpose) => given[purpose] === null)
  // Faults of settings come first: they can be reported without the file.
  const rings = new Map<Purpose, KeyRing>()
  for (const purpose of purposes) {
    const text = given[purpose]
    if (text !== null) rings.set(purpose, newKeyRing(purpose, parseKeys(purpose, text)))
  }
  const texts: KeyTexts = in_file.length > 0 ? readTexts(path, in_file) : {}
  for (const purpose of in_file) {
    const keys = parseKeys(purpose, texts[purpose] ?? '')
    if (keys.length === 0) throw new KeyError(`${path} has no ${purpose} key. Restore the file.`)
    const later = purpose === 'vault' ? laterKeys(path) : null
    rings.set(purpose, newKeyRing(purpose, keys, later))
  }
  return Object.fromEntries(rings) as Keys
}

function readTexts(path: string, in_file: readonly Purpose[]): KeyTexts {
  try {
    return readKeyFile(path)
  } catch (error) {
    if (!(error instanceof MissingKeyFile)) throw error
    const settings = in_file.map((purpose) => `${purpose.toUpperCase()}_KEYS`).join(', ')
    throw new MissingKeyFile(
      `${path} is missing, which holds the keys of this database. ` +
        `Restore it from a backup, or give the keys as ${settings}.`,
    )
  }
}

/** Finds a vault key in the file, when that was written since the last check. */
function laterKeys(path: string): (id: string) => Key | null {
  let version = keyFileVersion(path)
  let keys: Key[] = []
  return (id) => {
    const found = keyFileVersion(path)
    if (found !== null && found !== version) {
      version = found
      try {
        keys = parseKeys('vault', readKeyFile(path).vault ?? '')
      } catch {
        // `followKeyFile` logs what is wrong with the file.
        keys = []
      }
    }
    return keys.find((key) => key.id === id) ?? null
  }
}

function newKeyRing(
  purpose: Purpose,
  first: readonly Key[],
  later: ((id: string) => Key | null) | null = null,
): KeyRing {
  let keys = checked(purpose, first)
  return {
    purpose,
    get newest() {
      return keys[0]
    },
    find: (id) => keys.find((key) => key.id === id) ?? later?.(id) ?? null,
    all: () => keys,
    replace: (next) => {
      keys = checked(purpose, next)
    },
  }
}

function checked(purpose: Purpose, [newest, ...older]: readonly Key[]): [Key, ...Key[]] {
  if (!newest) throw new KeyError(`There is no ${purpose} key.`)
  const keys: [Key, ...Key[]] = [newest, ...older]
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new KeyError(`Two ${purpose} keys have the same id.`)
  }
  return keys
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

export function newKeyText(): string {
  return `${randomBytes(4).toString('hex')}:${randomBytes(key_bytes).toString('base64')}`
}

/** A keyed hash: only a holder of the key can tell whether two values are equal. */
export function keyedHash(key: Key, purpose: string, value: string | Buffer): Buffer {
  return createHmac('sha256', key.secret).update(`${purpose}\0`).update(value).digest()
}

export function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
