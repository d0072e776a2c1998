import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Db } from '../store/tables/db.ts'
import { keyFaults, knowsKeys, noteKeys } from './check-keys.ts'
import { createKeyFile, KeyError, keyFilePath, MissingKeyFile, purposes } from './key-file.ts'
import { givenKeys, type Keys, newKeyText, readKeys } from './key-ring.ts'
import { sealedFaults } from './sealed-values.ts'

const keys_lock = 7_230_110_004
/** Longer than the usual limits of a session: several processes may start at the same time. */
const max_wait = '60s'

/** Serializes everything that creates, records or changes keys of one database, on every machine. */
export async function withKeyLock<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config(name, ${max_wait}, true)
      from unnest(array['lock_timeout', 'statement_timeout']) as name`.execute(tx)
    await sql`select pg_advisory_xact_lock(${keys_lock})`.execute(tx)
    return work(tx)
  })
}

/** The same over several transactions, on one session. */
export async function holdingKeyLock<T>(db: Db, work: (session: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    const limits = sql`array['lock_timeout', 'statement_timeout']`
    await sql`select set_config(name, ${max_wait}, false) from unnest(${limits}) as name`.execute(
      session,
    )
    await sql`select pg_advisory_lock(${keys_lock})`.execute(session)
    try {
      return await work(session)
    } finally {
      await sql`select pg_advisory_unlock(${keys_lock})`.execute(session)
      await sql`reset lock_timeout`.execute(session)
      await sql`reset statement_timeout`.execute(session)
    }
  })
}

/** Reports faults that do not need the database, before it is started. */
export function checkKeys(config: Config): void {
  try {
    readKeys(config)
  } catch (error) {
    if (!(error instanceof MissingKeyFile)) throw error
  }
}

/**
 * The keys of a database. A new, empty one gets new keys where none are given; every other one must be
 * given those it was written with. A database of a release that did not record its keys is adopted by
 * keys that open its values.
 */
export async function openKeys(db: Db, config: Config, clock: Clock): Promise<Keys> {
  return withKeyLock(db, async (tx) => {
    if (!(await knowsKeys(tx))) {
      if (await isEmpty(tx)) createKeys(config)
      else await requireOpening(tx, readKeys(config))
    }
    const keys = readKeys(config)
    for (const fault of await keyFaults(tx, keys)) throw new KeyError(fault)
    await noteKeys(tx, keys, clock)
    return keys
  })
}

/** Every row of every table belongs to a merchant. */
export async function isEmpty(db: Db): Promise<boolean> {
  const anyone = await db.selectFrom('merchants').select('id').limit(1).executeTakeFirst()
  return anyone === undefined
}

/** Keys from settings are not written to the file. An existing file is not changed. */
function createKeys(config: Config): void {
  const given = givenKeys(config)
  const missing = purposes.filter((purpose) => given[purpose] === null)
  if (missing.length === 0) return
  const texts = Object.fromEntries(missing.map((purpose) => [purpose, newKeyText()]))
  createKeyFile(keyFilePath(config.data_dir), texts)
}

async function requireOpening(db: Db, keys: Keys): Promise<void> {
  const [fault] = await sealedFaults(db, keys)
  if (fault === undefined) return
  throw new KeyError(`These keys do not belong to this database: ${fault}`)
}
