import { sql } from 'kysely'
import { fail } from '../../core/api/errors.ts'
import { idempotency_limits } from '../../core/limits/limits.ts'
import type { Service, Transacting } from '../../service.ts'
import { newBatch, perPool, read_options } from '../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../store/sql/batches/column-arrays.ts'
import { run } from '../../store/sql/statements/statement.ts'
import { sameBytes } from '../../vault/key-ring.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'

/** An idempotency key: it belongs to a merchant and mode, and to its first request. */
export interface IdempotencyKey {
  merchant_id: string
  mode: string
  key: string
  /** Hashes of the request under every key that may have been the newest when it was stored. */
  fingerprints: readonly Buffer[]
}

export interface ApiResponse {
  status: number
  body: string
}

/** For a handler that writes its response together with the change, in one statement. */
export interface IdempotencyWriter {
  readonly key: IdempotencyKey
  /** The response for a result, as it will be sent. */
  responseOf(result: object): ApiResponse
}

/** The handler cannot store its response itself, or one exists: look it up, then run in a transaction. */
export class NotStored extends Error {}

/** Another process stored a response between our lookup and our write; look it up again. */
export class LostRace extends Error {}

function sealContext({ merchant_id, mode, key }: IdempotencyKey): SealContext {
  const row_id = `${mode} ${key}`
  return { table: 'idempotency_records', column: 'body', merchant_id, row_id }
}

/**
 * The response stored under the key, or null when this request is the first. Of concurrent requests one
 * holds the key's lock; the others get a conflict and retry.
 */
export async function findResponse(
  tx: Transacting,
  idempotency_key: IdempotencyKey,
): Promise<ApiResponse | null> {
  const { merchant_id, mode, key } = idempotency_key
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
  const { fingerprint = null, status = 0, body = Buffer.alloc(0) } = found ?? {}
  if (fingerprint) return openResponse(tx, idempotency_key, { fingerprint, status, body })
  if (!found?.locked) {
    fail('IDEMPOTENCY_KEY_CONFLICT', {
      message: 'A request with this Idempotency-Key is still running; try again.',
      retry_after_s: 1,
    })
  }
  return null
}

interface Stored {
  readonly fingerprint: Buffer
  readonly status: number
  readonly body: Buffer
}

function openResponse(
  { keys }: Service,
  idempotency_key: IdempotencyKey,
  stored: Stored,
): ApiResponse {
  const is_same = idempotency_key.fingerprints.some((one) => sameBytes(one, stored.fingerprint))
  if (!is_same) fail('IDEMPOTENCY_KEY_CONFLICT')
  const body = unseal(keys.vault, sealContext(idempotency_key), stored.body).toString()
  return { status: stored.status, body }
}

type KeyColumns = Pick<IdempotencyKey, 'merchant_id' | 'mode' | 'key'>

const key_arrays = newColumnArrays({ merchant_id: 'uuid', mode: 'text', key: 'text' }, 1)
const find_responses = `
  select i.n::integer as n, r.fingerprint, r.status, r.body
  from unnest(${['merchant_id', 'mode', 'key'].map(key_arrays.of).join(', ')})
    with ordinality as i (merchant_id, mode, key, n)
  join idempotency_records r on r.merchant_id = i.merchant_id and r.mode = i.mode and r.key = i.key
  where r.due_on > $1`

/** Concurrent lookups share one statement. */
const responseReader = perPool((db) =>
  newBatch<KeyColumns & { at: Date }, Stored | null>(
    async (keys) => {
      const at = keys[0]?.at ?? null
      const values = [at, ...key_arrays.values(keys)]
      const rows = await run<Stored & { n: number }>(db, find_responses, values)
      const found: (Stored | null)[] = keys.map(() => null)
      for (const { n, ...stored } of rows) found[n - 1] = stored
      return found
    },
    { ...read_options, ownerOf: ({ merchant_id }) => merchant_id },
  ),
)

/** The response stored under the key, without locking the key: a second writer gets a conflict. */
export async function findStored(
  service: Service,
  idempotency_key: IdempotencyKey,
): Promise<ApiResponse | null> {
  const stored = await responseReader(service.db)({ ...idempotency_key, at: wallTime(service) })
  return stored && openResponse(service, idempotency_key, stored)
}

/** A row of the table, to be written with the change. */
export function responseRow(
  service: Service,
  idempotency_key: IdempotencyKey,
  { status, body }: ApiResponse,
) {
  const { mode, key, fingerprints } = idempotency_key
  return {
    mode,
    key,
    fingerprint: fingerprints[0],
    status,
    body: seal(service.keys.vault, sealContext(idempotency_key), body),
    due_on: new Date(service.wall_clock.now() + idempotency_limits.stored_ms),
  }
}

export async function storeResponse(
  tx: Transacting,
  idempotency_key: IdempotencyKey,
  response: ApiResponse,
): Promise<void> {
  const { mode, key, fingerprint, status, body, due_on } = responseRow(
    tx,
    idempotency_key,
    response,
  )
  const { rows } = await sql`
    insert into idempotency_records as old
      (merchant_id, mode, key, fingerprint, status, body, due_on)
    values (${idempotency_key.merchant_id}, ${mode}, ${key}, ${fingerprint}, ${status}, ${body}, ${due_on})
    on conflict (merchant_id, mode, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        due_on = excluded.due_on
      where old.due_on <= ${wallTime(tx)}
    returning 1`.execute(tx.db)
  if (rows.length === 0) throw new LostRace()
}

/** Deletes expired responses. */
export async function deleteExpiredResponses(service: Service, max_rows: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_records where ctid in (
      select ctid from idempotency_records where due_on <= ${wallTime(service)}
      order by due_on limit ${max_rows} for update skip locked)
    returning 1`.execute(service.db)
  return rows.length
}

/** A key is stored for 24 hours of real time, wherever the merchant's test clock is. */
function wallTime({ wall_clock }: Service): Date {
  return new Date(wall_clock.now())
}
