import type { Clock } from '../core/clock.ts'
import type { Db } from '../store/open-store.ts'
import { type Keys, keyedHash, sameBytes } from './key-ring.ts'

/**
 * Why this database must not be used with these keys: a process that lost its key file would
 * refuse every token and open nothing. A signing key may go when no token depends on it.
 */
export async function keyFaults(db: Db, keys: Keys): Promise<string[]> {
  const faults: string[] = []
  const noted = await db.selectFrom('key_checks').selectAll().execute()
  for (const { purpose, key_id, check_value } of noted) {
    const key = keys[purpose as keyof Keys]?.find(key_id)
    if (!key) {
      if (purpose === 'signing' && !(await signsTokens(db, key_id))) continue
      faults.push(
        `This database was written with the ${purpose} key "${key_id}", which is not given. ` +
          'Restore keys.json in DATA_DIR, or the settings that hold the keys.',
      )
    } else if (!sameBytes(keyedHash(key, 'key check', purpose), check_value)) {
      faults.push(`The ${purpose} key "${key_id}" is not the one this database knows.`)
    }
  }
  return faults
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

/** Remembers every key that this database may be written with from now on. */
export async function noteKeys(db: Db, keys: Keys, clock: Clock): Promise<void> {
  const rows = Object.values(keys).flatMap((ring) =>
    ring.all().map((key) => ({
      purpose: ring.purpose,
      key_id: key.id,
      check_value: keyedHash(key, 'key check', ring.purpose),
      created_on: new Date(clock.now()),
    })),
  )
  await db
    .insertInto('key_checks')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
