import type pg from 'pg'

// Indexes are built and dropped while requests continue. PostgreSQL does not do that for a partitioned
// table as a whole, so there an index is built for each partition, and becomes that of the table within
// milliseconds.

/** Runs short work in a transaction that waits briefly for its locks, and is tried again. */
export type InShortTransaction = (work: () => Promise<void>) => Promise<void>

const created = /^create (?<unique>unique )?index concurrently (?<name>\w+)\s+on (?<table>\w+)/m
const dropped = /^drop index concurrently (?:if exists )?(?<name>\w+)/m

/**
 * Runs one statement of a step that runs concurrently. An index that an interruption left invalid is built
 * again.
 */
export async function runConcurrently(
  client: pg.ClientBase,
  statement: string,
  inShortTransaction: InShortTransaction,
): Promise<void> {
  const { name = '', table = '', unique = '' } = created.exec(statement)?.groups ?? {}
  const partitions = await partitionsOf(client, table)
  if (partitions.length > 0) {
    const rest = statement.slice(statement.search(created)).replace(created, '')
    const build = async (own: string, of: string) =>
      buildIndex(client, own, `create ${unique}index concurrently ${own} on ${of}${rest}`)
    for (const one of partitions) await build(`${name}${one.suffix}`, one.name)
    const whole = `create ${unique}index if not exists ${name} on only ${table}${rest}`
    const attached = partitions.map(
      ({ suffix }) => `alter index ${name} attach partition ${name}${suffix}`,
    )
    return inShortTransaction(async () => {
      await client.query([whole, ...attached].join('; '))
    })
  }
  const gone = dropped.exec(statement)?.groups?.name
  if (gone && (await isOfPartitions(client, gone))) {
    return inShortTransaction(async () => {
      await client.query(`drop index if exists ${gone}`)
    })
  }
  await buildIndex(client, name, statement)
}

interface Partition {
  readonly name: string
  /** The ending of its indexes' names. */
  readonly suffix: string
}

/** None: the table is not partitioned, or the statement creates no index. */
async function partitionsOf(client: pg.ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i
     join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.oid = to_regclass($1) and p.relkind = 'p' order by 1`,
    [table || null],
  )
  return rows.map(({ name }) => ({ name, suffix: name.slice(table.length) }))
}

async function isOfPartitions(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class where oid = to_regclass($1) and relkind = 'I'`,
    [index],
  )
  return rowCount === 1
}

async function buildIndex(client: pg.ClientBase, name: string, text: string): Promise<void> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [name || null],
  )
  if (rows[0]?.indisvalid) return
  if (rows[0]) await client.query(`drop index concurrently ${name}`)
  await client.query(text)
}
