import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { type Clock, second_ms } from '../core/time/clock.ts'
import type { Db } from '../store/tables/db.ts'
import { keyFaults, noteKeys } from './check-keys.ts'
import { KeyError, keyFilePath, readKeyFile, replaceKeyFile } from './key-file.ts'
import { type KeyRing, type Keys, newKeyText, readKeys } from './key-ring.ts'
import { holdingKeyLock, withKeyLock } from './open-keys.ts'
import { seal, unseal } from './seal.ts'
import { keyIdOf, lasting_columns, sealed_columns } from './sealed-values.ts'

const batch = 200

interface SealedRow {
  merchant_id: string
  id: string
  sealed: Buffer
}

/**
 * Reseals everything that was not sealed with the newest key, in small batches while the service runs.
 * It can be stopped and restarted at any time.
 */
export async function resealAll(
  db: Db,
  ring: KeyRing,
  onProgress: (done: number, table: string) => void = () => {},
): Promise<number> {
  let done = 0
  for (const { table, column } of lasting_columns) {
    let after = { merchant_id: '00000000-0000-0000-0000-000000000000', id: '' }
    for (;;) {
      const rows = await staleRows(db, table, column, ring.newest.id, after)
      for (const row of rows) done += await resealRow(db, ring, table, column, row)
      onProgress(done, table)
      const last = rows.at(-1)
      if (!last) break
      after = last
    }
  }
  return done
}

async function staleRows(
  db: Db,
  table: string,
  column: string,
  newest_id: string,
  after: { merchant_id: string; id: string },
): Promise<SealedRow[]> {
  const start = after.id || '00000000-0000-0000-0000-000000000000'
  const { rows } = await sql<SealedRow>`
    select merchant_id, id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where (merchant_id, id) > (${after.merchant_id}::uuid, ${start}::uuid)
      and ${sql.ref(column)} is not null and ${keyIdOf(column)} <> ${newest_id}
    order by merchant_id, id limit ${batch}`.execute(db)
  return rows
}

/** Only if the value is unchanged since it was read: a change meanwhile used the newest key. */
async function resealRow(
  db: Db,
  ring: KeyRing,
  table: string,
  column: string,
  { merchant_id, id, sealed }: SealedRow,
): Promise<number> {
  const context = { table, column, merchant_id, row_id: id }
  const again = seal(ring, context, unseal(ring, context, sealed))
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${again}
    where merchant_id = ${merchant_id} and id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** How many values still need a key; responses that are stored for a day count too. */
export async function countSealedWith(db: Db, key_id: string): Promise<number> {
  const parts = sealed_columns.map(
    ({ table, column }) => sql`
      select count(*)::integer as count from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${keyIdOf(column)} = ${key_id}`,
  )
  const { rows } = await sql<{ count: number }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** The inputs of a key change. */
interface Rotating {
  readonly db: Db
  readonly config: Config
  readonly clock: Clock
  readonly keys: Keys
}

/**
 * Adds a new vault key in front of those in `keys.json`. The file is on disk before the database
 * records the key: a process that dies in between leaves a key that the next start records, never a
 * recorded key that is lost. From then on every running process loads it.
 */
export async function addVaultKey({ db, config, clock, keys }: Rotating): Promise<void> {
  const path = keyFilePath(config.data_dir)
  await withKeyLock(db, async (tx) => {
    for (const fault of await keyFaults(tx, readKeys(config))) throw new KeyError(fault)
    const texts = readKeyFile(path)
    replaceKeyFile(path, { ...texts, vault: `${newKeyText()},${texts.vault}` })
    const rotated = readKeys(config)
    await noteKeys(tx, rotated, clock)
    keys.vault.replace(rotated.vault.all())
  })
}

/** By then every running process writes with the newest key: each checks the file every second. */
const takeover_ms = 3 * second_ms

/** Waits until no process can still be sealing with the previous key. */
async function awaitTakeover({ db, clock, keys }: Rotating): Promise<void> {
  const noted = await db
    .selectFrom('key_checks')
    .select('created_on')
    .where('purpose', '=', 'vault')
    .where('key_id', '=', keys.vault.newest.id)
    .executeTakeFirst()
  const left_ms = (noted?.created_on.getTime() ?? 0) + takeover_ms - clock.now()
  if (left_ms > 0) await sleep(Math.min(left_ms, takeover_ms))
}

/**
 * Removes a vault key for good, once nothing needs it any more. The database drops it before it is
 * removed from the file, and no process records it again in between: the lock is held, not the
 * transaction.
 */
export async function retireVaultKey(rotating: Rotating, key_id: string): Promise<void> {
  const { db, config } = rotating
  await awaitTakeover(rotating)
  await holdingKeyLock(db, async (session) => {
    const { newest, find } = readKeys(config).vault
    if (!find(key_id)) throw new PlainError(`There is no vault key "${key_id}".`)
    if (newest.id === key_id) {
      throw new PlainError('The newest key cannot be retired. Rotate first, then retire it.')
    }
    const left = await countSealedWith(session, key_id)
    if (left > 0) {
      throw new PlainError(
        `${left} values still need the key "${key_id}". Rotate again; responses stored for an ` +
          'Idempotency-Key are deleted after a day.',
      )
    }
    await session
      .deleteFrom('key_checks')
      .where('purpose', '=', 'vault')
      .where('key_id', '=', key_id)
      .execute()
    if (config.vault_keys === null) removeFromFile(config, key_id)
  })
}

function removeFromFile({ data_dir }: Config, key_id: string): void {
  const path = keyFilePath(data_dir)
  const texts = readKeyFile(path)
  const remaining = (texts.vault ?? '').split(',').filter((key) => !key.startsWith(`${key_id}:`))
  replaceKeyFile(path, { ...texts, vault: remaining.join(',') })
}
