import type pg from 'pg'
import { faultOf } from '../../core/read-unknown.ts'

// On a new database for many charges, `charges` is partitioned by hash of the merchant. A statement about a
// merchant then reads one partition, and tables, indexes and vacuums stay of a size that memory can hold.

/** From how many expected charges on the table has how many partitions. */
const sizes = [
  { expected: 1_000_000_000, partitions: 64 },
  { expected: 100_000_000, partitions: 16 },
] as const

/** Only an empty table is replaced: a start waits for this, not a payment. */
const lock_timeout = '5s'

/** Another program uses the table, or an object that the operator has made depends on it. */
const lasting_obstacles: readonly unknown[] = ['55P03', '2BP01']

const partitionName = (number: number) => `charges_p${String(number).padStart(2, '0')}`

interface ChargesState {
  readonly is_partitioned: boolean
  readonly has_rows: boolean
}

async function stateOf(client: pg.ClientBase): Promise<ChargesState> {
  const { rows } = await client.query<ChargesState>(
    `select relkind = 'p' as is_partitioned, exists (select from charges) as has_rows
     from pg_class where oid = 'charges'::regclass`,
  )
  return rows[0] ?? { is_partitioned: false, has_rows: true }
}

function partitionsFor(expected_charges: number | null): number {
  return sizes.find(({ expected }) => (expected_charges ?? 0) >= expected)?.partitions ?? 0
}

/** Why the table is not partitioned although many charges are expected; null if it is correct. */
export async function partitionsNote(
  client: pg.ClientBase,
  expected_charges: number | null,
): Promise<string | null> {
  if (partitionsFor(expected_charges) === 0) return null
  const { is_partitioned, has_rows } = await stateOf(client)
  if (is_partitioned) return null
  return has_rows
    ? 'EXPECTED_CHARGES has no effect: charges is one table and has rows. Only an empty one is partitioned.'
    : 'The table charges is not partitioned yet, as EXPECTED_CHARGES asks for. Run: kaikei migrate'
}

/**
 * Makes an empty `charges` a partitioned table where many charges are expected. A table that has rows, or
 * is partitioned already, stays unchanged.
 */
export async function partitionCharges(
  client: pg.ClientBase,
  expected_charges: number | null,
): Promise<void> {
  const count = partitionsFor(expected_charges)
  const isNeeded = async () => {
    const { is_partitioned, has_rows } = await stateOf(client)
    return !is_partitioned && !has_rows
  }
  if (count === 0 || !(await isNeeded())) return
  await client.query(
    `begin isolation level read committed; set local lock_timeout = '${lock_timeout}'`,
  )
  try {
    await client.query('lock table charges in access exclusive mode')
    if (await isNeeded()) await replaceTable(client, count)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (!lasting_obstacles.includes(faultOf(error).code)) throw error
  }
}

/**
 * Everything that a migration may have given the table, from the catalog. `like` copies columns with their
 * defaults, and checks; storage parameters are those of partitions only.
 */
const definition_sql = `
  select array(select format('alter table charges add constraint %I %s', conname, pg_get_constraintdef(oid))
      from pg_constraint where conrelid = t.oid and contype in ('p', 'u') order by conname)
    || array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = t.oid
      and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = t.oid)
      order by i.indexrelid)
    || array(select format('alter table charges alter column %I set statistics %s', attname, attstattarget)
      from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attstattarget >= 0)
    || array(select pg_get_triggerdef(oid) from pg_trigger
      where tgrelid = t.oid and not tgisinternal order by tgname) as statements,
  array_to_string(t.reloptions || array(select 'toast.' || one from unnest(toast.reloptions) as one), ', ')
    as parameters
  from pg_class t left join pg_class toast on toast.oid = t.reltoastrelid
  where t.oid = 'charges'::regclass`

/** Indexes of partitions are named after that of the table: a violated one is recognized by its name. */
const rename_sql = `
  select coalesce(string_agg(format('alter index %I rename to %I', own.relname,
    of_table.relname || substr(partition.relname, length('charges_'))), '; '), '') as text
  from pg_index i join pg_inherits h on h.inhrelid = i.indexrelid
  join pg_class own on own.oid = i.indexrelid join pg_class of_table on of_table.oid = h.inhparent
  join pg_class partition on partition.oid = i.indrelid
  where i.indrelid in (select inhrelid from pg_inherits where inhparent = 'charges'::regclass)`

async function replaceTable(client: pg.ClientBase, count: number): Promise<void> {
  const { rows } = await client.query<{ statements: string[]; parameters: string | null }>(
    definition_sql,
  )
  const { statements = [], parameters } = rows[0] ?? {}
  const settings = parameters ? `with (${parameters})` : ''
  const partitions = Array.from(
    { length: count },
    (_, n) => `create table ${partitionName(n)} partition of charges
      for values with (modulus ${count}, remainder ${n}) ${settings}`,
  )
  const texts = [
    'alter table charges rename to charges_before',
    `create table charges (like charges_before including all excluding indexes)
      partition by hash (merchant_id)`,
    'drop table charges_before',
    ...partitions,
    ...statements,
  ]
  await client.query(texts.join('; '))
  const { rows: renames } = await client.query<{ text: string }>(rename_sql)
  await client.query(renames[0]?.text ?? '')
}
