import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Failure } from '../../core/errors.ts'
import { most_test_charges } from '../../core/limits.ts'
import type { Service } from '../../service.ts'
import { newBatch } from '../../store/batch.ts'
import { type Db, isLost } from '../../store/open-store.ts'
import type { StoredConfiguration } from '../../store/tables.ts'
import type { Token } from '../tokens/token.ts'
import type { Charge } from './charge.ts'
import { usableToken } from './token-use.ts'

/** What a new charge is about. */
export interface ChargeBasis {
  readonly merchant_id: string
  readonly store_id: string
  readonly token_id: string
}

/** What is known of it: null is not there. */
export interface FoundBasis {
  readonly merchant_configuration: StoredConfiguration | null
  readonly store_configuration: StoredConfiguration | null
  readonly token: Token | null
}

export interface NewChargeRow {
  readonly charge: Charge
  /** How long ago the token must have been used last. */
  readonly wait_ms: number
}

/** What became of a charge: made, or which rule refused it. */
export type Made = 'made' | 'token' | 'test_charges'

interface Batches {
  find(basis: ChargeBasis): Promise<FoundBasis>
  make(row: NewChargeRow): Promise<Made>
}

const batches = new WeakMap<Db, Batches>()

/** One set for a connection pool: requests that come at the same time share their statements. */
export function chargeBatches({ db }: Service): Batches {
  const known = batches.get(db)
  if (known) return known
  const refuse = () =>
    new Failure('SERVICE_UNAVAILABLE', { message: 'Too many charges at once.', retry_after_s: 1 })
  const options = { most: 64, at_once: 2, waiting: 2000, refuse }
  const made: Batches = {
    find: newBatch((items) => findBases(db, items), {
      ...options,
      ownerOf: ({ merchant_id }) => merchant_id,
    }),
    make: newBatch((rows, patient) => makeCharges(db, rows, patient ? '5s' : '200ms'), {
      ...options,
      ownerOf: ({ charge }) => charge.merchant_id,
      // A token that is charged twice at once is used once; whoever comes second is asked after it.
      keyOf: ({ charge }) => charge.transaction_token_id,
    }),
  }
  batches.set(db, made)
  return made
}

async function findBases(db: Db, items: readonly ChargeBasis[]): Promise<FoundBasis[]> {
  const { rows } = await sql<Token & Omit<FoundBasis, 'token'> & { n: number }>`
    select t.*, i.n::integer as n, m.configuration as merchant_configuration,
      s.configuration as store_configuration
    from unnest(${items.map(({ merchant_id }) => merchant_id)}::uuid[],
      ${items.map(({ store_id }) => store_id)}::uuid[],
      ${items.map(({ token_id }) => token_id)}::uuid[]) with ordinality
      as i (merchant, store, token, n)
    left join merchants m on m.id = i.merchant
    left join stores s on s.merchant_id = i.merchant and s.id = i.store and s.deleted_on is null
    left join transaction_tokens t on t.merchant_id = i.merchant and t.store_id = i.store
      and t.id = i.token`.execute(db)
  const found: FoundBasis[] = []
  for (const { n, merchant_configuration, store_configuration, ...token } of rows) {
    const is_there = (token.id as string | null) !== null
    found[n - 1] = { merchant_configuration, store_configuration, token: is_there ? token : null }
  }
  return found
}

async function makeCharges(
  db: Db,
  rows: readonly NewChargeRow[],
  patience: string,
): Promise<Made[]> {
  try {
    return await writeCharges(db, rows, patience)
  } catch (error) {
    if (!isLost(error)) throw error
    return madeAnyway(db, rows, error)
  }
}

/**
 * Counts a use of each token and writes its charge, or neither. Every rule about uses is in this one
 * statement: of requests that come at the same time exactly as many pass as may. Tokens are locked
 * before the rings of test charges, each in their order, so that two statements never wait for each
 * other. Places of a ring are given without a gap: none behind one that is not free yet. How long it
 * waits for a lock is said in the statement itself, so that it stays one round trip.
 */
async function writeCharges(
  db: Db,
  rows: readonly NewChargeRow[],
  patience: string,
): Promise<Made[]> {
  const items = rows.map(({ charge, wait_ms }, n) => ({ n, wait_ms, charge: asJson(charge) }))
  const columns = Object.keys(rows[0]?.charge ?? {})
  const { rows: outcomes } = await sql<{ n: number; made: Made }>`
    with items as (
      select n, charge, (charge ->> 'merchant_id')::uuid as merchant_id,
        (charge ->> 'transaction_token_id')::uuid as token_id,
        (charge ->> 'created_on')::timestamptz as at, charge ->> 'mode' as mode, wait_ms
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        as i (n integer, wait_ms bigint, charge jsonb)
      where set_config('lock_timeout', ${patience}, true) is not null
    ), usable as (
      select i.* from items i
      join transaction_tokens t on t.merchant_id = i.merchant_id and t.id = i.token_id
      where ${usableToken(sql`i.at`, sql`i.at - i.wait_ms * interval '1 millisecond'`)}
      order by t.merchant_id, t.id for update of t
    ), rings as (
      select r.merchant_id, r.position from test_charge_rings r
      where r.merchant_id in (select merchant_id from usable where mode = 'test')
      order by r.merchant_id for update
    ), placed as (
      select u.*, ((r.position + row_number() over (partition by u.merchant_id, u.mode order by u.n))
        % ${most_test_charges})::integer as slot
      from usable u left join rings r on r.merchant_id = u.merchant_id and u.mode = 'test'
    ), judged as (
      select p.*, bool_and(p.mode = 'live' or s.used_on is null
        or s.used_on <= p.at - interval '24 hours')
        over (partition by p.merchant_id, p.mode order by p.n) as is_free
      from placed p
      left join test_charge_slots s on s.merchant_id = p.merchant_id and s.slot = p.slot
    ), granted as (
      select * from judged where is_free
    ), used as (
      update transaction_tokens t set uses = t.uses + 1, last_used_on = g.at from granted g
      where t.merchant_id = g.merchant_id and t.id = g.token_id
    ), turned as (
      update test_charge_rings r set position = r.position + g.count
      from (select merchant_id, count(*) from granted where mode = 'test' group by 1) as g
      where r.merchant_id = g.merchant_id
    ), taken as (
      insert into test_charge_slots (merchant_id, slot, used_on)
      select merchant_id, slot, at from granted where mode = 'test'
      on conflict (merchant_id, slot) do update set used_on = excluded.used_on
    ), made as (
      insert into charges (${sql.join(columns.map((name) => sql.id(name)))})
      select ${sql.join(columns.map((name) => sql.id('c', name)))} from granted g
      cross join lateral jsonb_populate_record(null::charges, g.charge) as c
    )
    select i.n, case when g.n is not null then 'made' when u.n is not null then 'test_charges'
      else 'token' end as made
    from items i left join usable u on u.n = i.n left join granted g on g.n = i.n`.execute(db)
  const known = new Map(outcomes.map(({ n, made }) => [n, made]))
  return rows.map((_, n) => known.get(n) ?? 'token')
}

/** A row as JSON that the database reads back into the same row. */
function asJson(charge: Charge): object {
  const { card_fingerprint } = charge
  return {
    ...charge,
    card_fingerprint: card_fingerprint && `\\x${card_fingerprint.toString('hex')}`,
  }
}

const most_looks = 20
const look_again_ms = 100

/**
 * The connection was lost before the answer came. Whether the statement was carried out is seen by
 * its charges, over another connection: what is there is done, and what is not is an error.
 */
async function madeAnyway(db: Db, rows: readonly NewChargeRow[], error: unknown): Promise<Made[]> {
  const ids = rows.map(({ charge }) => charge.id)
  for (let looks = 1; looks <= most_looks; looks += 1) {
    await sleep(look_again_ms)
    const found = await db
      .selectFrom('charges')
      .select('id')
      .where('merchant_id', 'in', [...new Set(rows.map(({ charge }) => charge.merchant_id))])
      .where('id', 'in', ids)
      .execute()
      .catch(() => [])
    if (found.length > 0) {
      const there = new Set(found.map(({ id }) => id))
      return ids.map((id) => (there.has(id) ? 'made' : 'token'))
    }
  }
  throw error
}
