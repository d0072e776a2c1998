import { sql } from 'kysely'
import { fail } from '../../core/errors.ts'
import { idempotency_limits } from '../../core/limits.ts'
import type { Service, Transacting } from '../../service.ts'
import { sameBytes } from '../../vault/key-ring.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

/** Where an answer is kept: a key belongs to a merchant and mode, and to its first request. */
export interface Slot {
  merchant_id: string
  mode: string
  key: string
  /** Of the request, under every key that may have been the newest when it was stored. */
  fingerprints: readonly Buffer[]
}

export interface Answer {
  status: number
  body: string
}

/** Another process stored an answer between our look and our write; look again. */
export class LostRace extends Error {}

function sealContext({ merchant_id, mode, key }: Slot): SealContext {
  const row_id = `${mode} ${key}`
  return { table: 'idempotency_records', column: 'body', merchant_id, row_id }
}

/**
 * The answer stored under the key, or null when this request is the first. Of requests that run
 * at the same time one holds the key's lock; the others are told to try again.
 */
export async function findAnswer(tx: Transacting, slot: Slot): Promise<Answer | null> {
  const { merchant_id, mode, key } = slot
  const { rows } = await sql<{
    locked: boolean
    fingerprint: Buffer | null
    status: number
    body: Buffer
  }>`
    select lock.locked, record.fingerprint, record.status, record.body
    from (select pg_try_advisory_xact_lock(
      hashtextextended(${[merchant_id, mode, key].join(' ')}, 0)) as locked) as lock
    left join idempotency_records as record
      on record.merchant_id = ${merchant_id} and record.mode = ${mode} and record.key = ${key}
      and record.due_on > ${wallTime(tx)}`.execute(tx.db)
  const [found] = rows
  if (found?.fingerprint) {
    const { fingerprint: stored } = found
    const is_same = slot.fingerprints.some((one) => sameBytes(one, stored))
    if (!is_same) fail('IDEMPOTENCY_KEY_CONFLICT')
    const body = unseal(tx.keys.vault, sealContext(slot), found.body).toString()
    return { status: found.status, body }
  }
  if (!found?.locked) {
    fail('IDEMPOTENCY_KEY_CONFLICT', {
      message: 'A request with this Idempotency-Key is still running; try again.',
      retry_after_s: 1,
    })
  }
  return null
}

export async function storeAnswer(
  tx: Transacting,
  slot: Slot,
  { status, body }: Answer,
): Promise<void> {
  const { merchant_id, mode, key, fingerprints } = slot
  const due_on = new Date(tx.wall_clock.now() + idempotency_limits.kept_ms)
  const sealed = seal(tx.keys.vault, sealContext(slot), body)
  const { rows } = await sql`
    insert into idempotency_records as old
      (merchant_id, mode, key, fingerprint, status, body, due_on)
    values (${merchant_id}, ${mode}, ${key}, ${fingerprints[0]}, ${status}, ${sealed}, ${due_on})
    on conflict (merchant_id, mode, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        due_on = excluded.due_on
      where old.due_on <= ${wallTime(tx)}
    returning 1`.execute(tx.db)
  if (rows.length === 0) throw new LostRace()
}

/** Forgets answers whose time is over. */
export async function deleteExpiredAnswers(service: Service, most: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_records where ctid in (
      select ctid from idempotency_records where due_on <= ${wallTime(service)}
      order by due_on limit ${most} for update skip locked)
    returning 1`.execute(service.db)
  return rows.length
}

/** A key is kept for a day of ours, wherever the merchant's test mode has been moved to. */
function wallTime({ wall_clock }: Service): Date {
  return new Date(wall_clock.now())
}
