import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../store/tables/db.ts'
import { isSuccessor } from './check-keys.ts'
import { KeyError, keyFilePath, keyFileVersion, MissingKeyFile } from './key-file.ts'
import { type Keys, readKeys } from './key-ring.ts'

const look_every_ms = 1000
/** A rotation writes the file a moment before the database records it; only a longer delay is a fault. */
const looks_before_warning = 3

export interface FollowingKeys {
  stop(): Promise<void>
}

/**
 * Loads the vault keys that a rotation has written to `keys.json`, within a second or two. A file that
 * is missing, damaged or of another database changes nothing: the service continues with its keys, so
 * that everything it seals can be opened when the right file is back.
 */
export function followKeyFile(keys: Keys, config: Config, db: Db, log: Logger): FollowingKeys {
  if (config.vault_keys !== null) return { stop: async () => {} }
  const path = keyFilePath(config.data_dir)
  /** The state of the file whose keys are in use. */
  let adopted: string | null = null
  /** The state of an unused file, null while it is missing, and the number of checks. */
  let refused: { version: string | null; looks: number } = { version: '', looks: 0 }

  async function look(): Promise<void> {
    const version = keyFileVersion(path)
    if (version !== null && version === adopted) return
    const fault = await adopt(keys, config, db)
    if (fault === null) {
      adopted = version
      refused = { version: '', looks: 0 }
      return
    }
    refused = refused.version === version ? refused : { version, looks: 0 }
    refused.looks += 1
    if (refused.looks === looks_before_warning) log.error({ path }, fault)
  }

  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= look()
      // The database is unavailable: then nothing is sealed either, and the next check is soon enough.
      .catch(() => {})
      .finally(() => {
        looking = null
      })
  }, look_every_ms)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** Uses the keys of the file if they belong to the database, otherwise says why not. */
async function adopt(keys: Keys, config: Config, db: Db): Promise<string | null> {
  try {
    const found = readKeys(config)
    if (!(await isSuccessor(db, found.vault))) {
      return (
        'keys.json does not hold the keys of this database; the service goes on with those it has. ' +
        'Restore the file before the next start.'
      )
    }
    keys.vault.replace(found.vault.all())
    return null
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    if (!(error instanceof MissingKeyFile)) return error.message
    return (
      'keys.json is missing; the service goes on with the keys it has. ' +
      'Restore the file before the next start.'
    )
  }
}
