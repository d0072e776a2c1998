import { isNameIn } from '../core/table-names.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Db } from '../store/tables/db.ts'
import { type Key, type KeyRing, type Keys, keyedHash, sameBytes } from './key-ring.ts'

/** Identifies a key to the database without revealing it. */
function checkValue(key: Key, purpose: string): Buffer {
  return keyedHash(key, 'key check', purpose)
}

interface NotedKey {
  readonly purpose: string
  readonly key_id: string
  readonly check_value: Buffer
}

async function readNoted(db: Db): Promise<NotedKey[]> {
  return db.selectFrom('key_checks').selectAll().orderBy('created_on').orderBy('key_id').execute()
}

/** Whether the database has recorded its keys. */
export async function knowsKeys(db: Db): Promise<boolean> {
  return (await readNoted(db)).length > 0
}

/**
 * Why this database must not be used with these keys: a process that lost its key file would refuse
 * every token and open nothing. A signing key may be removed when no token depends on it.
 */
export async function keyFaults(db: Db, keys: Keys): Promise<string[]> {
  const faults: string[] = []
  const noted = await readNoted(db)
  for (const { purpose, key_id, check_value } of noted) {
    const key = isNameIn(keys, purpose) ? keys[purpose].find(key_id) : null
    if (!key) {
      if (purpose === 'signing' && !(await signsTokens(db, key_id))) continue
      faults.push(
        `This database was written with the ${purpose} key "${key_id}", which is not given. ` +
          'Restore keys.json in DATA_DIR, or the settings that hold the keys.',
      )
    } else if (!sameBytes(checkValue(key, purpose), check_value)) {
      faults.push(
        `The ${purpose} key "${key_id}" is not the one this database knows. ` +
          'Restore keys.json in DATA_DIR, or the settings that hold the keys.',
      )
    }
  }
  const fingerprint = noted.find(({ purpose }) => purpose === 'fingerprint')
  if (faults.length === 0 && fingerprint && !isNoted(noted, keys.fingerprint)) {
    faults.push(
      `The fingerprint key never changes: put "${fingerprint.key_id}" first in FINGERPRINT_KEYS.`,
    )
  }
  return faults
}

/** Whether the database has recorded the key that a ring writes with. */
function isNoted(noted: readonly NotedKey[], { purpose, newest }: KeyRing): boolean {
  return noted.some(
    (one) =>
      one.purpose === purpose &&
      one.key_id === newest.id &&
      sameBytes(checkValue(newest, purpose), one.check_value),
  )
}

/** Whether a ring can replace the one in use: it was written by a rotation. */
export async function isSuccessor(db: Db, ring: KeyRing): Promise<boolean> {
  const noted = await readNoted(db)
  const has_all = noted
    .filter(({ purpose }) => purpose === ring.purpose)
    .every(({ key_id, check_value }) => {
      const key = ring.all().find(({ id }) => id === key_id)
      return key !== undefined && sameBytes(checkValue(key, ring.purpose), check_value)
    })
  return has_all && isNoted(noted, ring)
}

async function signsTokens(db: Db, key_id: string): Promise<boolean> {
  const token = await db
    .selectFrom('app_tokens')
    .select('id')
    .where('deleted_on', 'is', null)
    .where((where) =>
      where.or([where('signing_key_id', '=', key_id), where('secret_key_id', '=', key_id)]),
    )
    .limit(1)
    .executeTakeFirst()
  return token !== undefined
}

/** Records every key that this database may be written with from now on. */
export async function noteKeys(db: Db, keys: Keys, clock: Clock): Promise<void> {
  const rows = Object.values(keys).flatMap((ring) =>
    ring.all().map((key) => ({
      purpose: ring.purpose,
      key_id: key.id,
      check_value: checkValue(key, ring.purpose),
      created_on: new Date(clock.now()),
    })),
  )
  await db
    .insertInto('key_checks')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
