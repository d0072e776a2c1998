import type { Clock } from '../core/clock.ts'
import type { Db } from '../store/open-store.ts'
import { KeyError, type Keys, keyedHash, sameBytes } from './key-ring.ts'

/**
 * Refuses to work with other keys than the database was written with: a process that lost its
 * key file would otherwise refuse every token and open nothing. New keys are noted.
 */
export async function checkKeys(db: Db, keys: Keys, clock: Clock): Promise<void> {
  const noted = await db.selectFrom('key_checks').selectAll().execute()
  for (const { purpose, key_id, check_value } of noted) {
    const key = keys[purpose as keyof Keys]?.find(key_id)
    if (!key) {
      throw new KeyError(
        `This database was written with the ${purpose} key "${key_id}", which is not given. ` +
          'Restore keys.json in DATA_DIR, or the settings that hold the keys.',
      )
    }
    if (!sameBytes(keyedHash(key, 'key check', purpose), check_value)) {
      throw new KeyError(`The ${purpose} key "${key_id}" is not the one this database knows.`)
    }
  }
  for (const ring of Object.values(keys)) {
    for (const key of ring.all()) {
      await db
        .insertInto('key_checks')
        .values({
          purpose: ring.purpose,
          key_id: key.id,
          check_value: keyedHash(key, 'key check', ring.purpose),
          created_on: new Date(clock.now()),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}
