import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIds } from '../../../test/support/data/ids-of-everything.ts'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { newDatabase, type TestMerchant } from '../../../test/support/world.ts'
import { readMigrations } from '../known-migrations.ts'
import { applyMigration } from '../migrate/apply-migration.ts'
import { migrate } from '../migrate/migrate.ts'
import { violatedIndex } from '../sql/statements/database-errors.ts'
import { partitionCharges, partitionsNote } from './charge-partitions.ts'

// A new database for many charges: the service works on partitions as on one table, and what migrations gave
// the table is the same in both. The first schema version at which a database could have partitions is 31.
const many = 100_000_000
const first_version = 31
const world = useWorld({ settings: { EXPECTED_CHARGES: String(many) } })
let shops: TestMerchant[]
const clients: pg.Client[] = []

beforeAll(async () => {
  shops = [await world.merchant(), await world.merchant()]
})
afterAll(async () => {
  for (const client of clients) await client.end()
})

async function openDatabase(template?: string): Promise<pg.Client> {
  const client = new pg.Client(await newDatabase(template))
  clients.push(client)
  await client.connect()
  return client
}

async function partitionsIn(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'charges'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** What the catalog knows of a table, as texts that name it `charges`. */
async function catalogOf(client: pg.ClientBase, table: string) {
  const { rows } = await client.query(
    `select array(select concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
        attstorage, attcompression, attstattarget, pg_get_expr(adbin, attrelid))
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum) as columns,
    array(select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid = t.oid and contype <> 't' order by conname) as constraints,
    array(select pg_get_indexdef(indexrelid) || ' ' || indisvalid from pg_index
      where indrelid = t.oid order by 1) as indexes,
    array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = t.oid and not tgisinternal
      order by tgname) as triggers,
    t.reloptions::text[] as parameters from pg_class t where oid = to_regclass($1)`,
    [table],
  )
  const suffix = table.slice('charges'.length)
  const plain = (texts: string[]) =>
    texts.map((text) =>
      text.replaceAll(new RegExp(`${suffix}\\b`, 'g'), '').replace(' ON ONLY ', ' ON '),
    )
  const { columns, constraints, indexes, triggers, parameters } = rows[0]
  return {
    columns,
    constraints: plain(constraints),
    indexes: plain(indexes),
    triggers: plain(triggers),
    parameters,
  }
}

test('partitions have what migrations gave the table, also the later ones', async () => {
  const plain = await openDatabase()
  await migrate(plain)
  const client = await openDatabase()
  await migrate(client, { last: first_version })
  await partitionCharges(client, many)
  expect(await partitionsIn(client)).toHaveLength(16)
  await migrate(client, { expected_charges: many })
  const wanted = await catalogOf(plain, 'charges')
  expect(wanted.indexes.length).toBeGreaterThan(12)
  expect(wanted.parameters).toEqual(['fillfactor=50'])
  expect(wanted.triggers).toHaveLength(3)
  expect(await catalogOf(client, 'charges')).toEqual({ ...wanted, parameters: null })
  // Triggers of statements are those of the named table alone.
  const of_rows = wanted.triggers.filter((text) => text.includes('FOR EACH ROW'))
  for (const name of await partitionsIn(client)) {
    expect(await catalogOf(client, name)).toEqual({ ...wanted, triggers: of_rows })
  }
})

/** The whole run may be one with partitions: then no table is plain. */
const onPlainTable = test.skipIf(process.env.EXPECTED_CHARGES)

/** Inserts a charge, as few columns as possible. */
const insert_sql = `insert into charges (merchant_id, id, store_id, mode, type, transaction_token_id,
    transaction_token_type, payment_type, requested_amount, requested_currency, provider_amount,
    provider_currency, only_direct_currency, capture, status, metadata, created_on, updated_on)
  select coalesce($1::uuid, gen_random_uuid()), gen_random_uuid(), gen_random_uuid(), 'test', 'normal',
    gen_random_uuid(), 'one_time', 'card', 100, 'JPY', 100, 'JPY', false, true, 'failed', '{}', now(), now()
  from generate_series(1, $2)`

onPlainTable('only an empty table is partitioned, by the number that is expected', async () => {
  const client = await openDatabase('kaikei')
  const notes: string[] = []
  const start = (expected_charges: number) =>
    migrate(client, { expected_charges, onNote: (note) => void notes.push(note) })
  await start(many - 1)
  expect([await partitionsIn(client), notes]).toEqual([[], []])
  await client.query(insert_sql, [null, 1])
  await start(many)
  expect(await partitionsIn(client)).toEqual([])
  expect(notes).toEqual([
    'EXPECTED_CHARGES has no effect: charges is one table and has rows. Only an empty one is partitioned.',
  ])
  await client.query('delete from charges')
  await start(1_000_000_000)
  expect(await partitionsIn(client)).toHaveLength(64)
  await start(many)
  expect(await partitionsIn(client)).toHaveLength(64)
  expect(notes).toHaveLength(1)
})

onPlainTable('a table that is in use stays as it is, and the note says so', async () => {
  const client = await openDatabase('kaikei')
  await client.query('create view seen as select * from charges')
  await partitionCharges(client, many)
  expect(await partitionsIn(client)).toEqual([])
  expect(await partitionsNote(client, many)).toContain('Run: kaikei migrate')
})

test('a later step builds and drops an index of each partition while requests go on', async () => {
  const client = await openDatabase('kaikei')
  await partitionCharges(client, many)
  const merchant_id = shops[0]?.id
  await client.query(insert_sql, [merchant_id, 2])
  await client.query(insert_sql, [null, 30])
  const step = (sql: string) => {
    const version = readMigrations().length + 1
    const named = { version, name: 'later.sql', checksum: '', min_program: 0 }
    return applyMigration(client, { ...named, sql, runs: 'concurrently' }, () => {})
  }
  const create = `-- expand, concurrently
create unique index concurrently charges_later on charges (merchant_id, requested_amount)
  where status = 'failed';
`
  const states = async () => {
    const { rows } =
      await client.query(`select indisvalid as is_valid, count(*)::integer from pg_index i
      join pg_class c on c.oid = i.indexrelid where relname like 'charges\\_later%' group by 1`)
    return rows
  }
  const error = await step(create).catch((reason) => reason)
  expect(violatedIndex(error)).toBe('charges_later')
  expect(await states()).toContainEqual({ is_valid: false, count: 1 })
  await client.query(
    `update charges set requested_amount = 101 where merchant_id = $1
     and id = (select min(id::text)::uuid from charges where merchant_id = $1)`,
    [merchant_id],
  )
  await step(create)
  expect(await states()).toEqual([{ is_valid: true, count: 17 }])
  await client.query('delete from schema_migrations where version > $1', [readMigrations().length])
  await step('-- contract, since 0031, concurrently\ndrop index concurrently charges_later;\n')
  expect(await states()).toEqual([])
})

interface Touched {
  readonly name: string
  readonly scans: number
}

/** Scans of each partition so far. Sessions report theirs when they end. */
async function scansOfPartitions(): Promise<Touched[]> {
  const { pool } = world.store
  await pool.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name = 'kaikei program' and pid <> pg_backend_pid()`)
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<Touched>(
    `select relname as name, (seq_scan + coalesce(idx_scan, 0))::integer as scans
     from pg_stat_user_tables where relname like 'charges\\_p__' order by 1`,
  )
  return rows
}

const lists: readonly [string, Record<string, string>?][] = [
  ['/charges'],
  ['/charges', { mode: 'test' }],
  ['/charges', { currency: 'JPY' }],
  ['/charges', { amount_from: '10', cursor_direction: 'asc' }],
  ['/charges', { email: 'customer@example.com' }],
  ['/charges', { last_four: '4242', name: 'taro yamada', exp_month: '12', exp_year: '2030' }],
  ['/charges', { metadata: 'nowhere' }],
  ['/stores/STORE/charges'],
  ['/transaction_history'],
  ['/transaction_history', { search: 'yamada' }],
  ['/transaction_history', { search: 'nowhere' }],
  ['/transaction_history', { search: 'taro nowhere' }],
  ['/transaction_history', { search: 'CHARGE' }],
  ['/transaction_history', { cardholder: 'taro' }],
  ['/transaction_history', { status: 'successful' }],
  ['/transaction_history', { status: 'canceled' }],
  ['/transaction_history', { status: 'awaiting' }],
  ['/transaction_history', { error_code: '306' }],
  ['/transaction_history', { type: 'refund' }],
  ['/deposits', { status: 'expected' }],
  ['/customers'],
  ['/attention'],
  ['/test/clock/upcoming', { until: '2026-03-01T00:00:00Z' }],
  ['/stores/STORE/charges/CHARGE'],
  ['/stores/STORE/charges/CHARGE/timeline'],
  ['/stores/STORE/charges/CHARGE/ledgers'],
  ['/stores/STORE/charges/CHARGE/refunds'],
  ['/stores/STORE/subscriptions/SUBSCRIPTION/charges'],
  ['/stores/STORE/subscriptions/SUBSCRIPTION/payments/PAYMENT/charges'],
]

test('every kind of payment, list and search reads the partitions of its merchants only', async () => {
  const before = await scansOfPartitions()
  expect(before).toHaveLength(16)
  for (const shop of shops) {
    const ids = await makeIds(world, shop)
    const known: Record<string, string | undefined> = {
      STORE: shop.store_id,
      CHARGE: ids.charge_id,
      SUBSCRIPTION: ids.subscription_id,
      PAYMENT: ids.payment_id,
    }
    const named = (text: string) => text.replaceAll(/[A-Z]{5,}/g, (name) => known[name] ?? name)
    for (const [path, given = {}] of lists) {
      world.clock.advance(10_000)
      const query = Object.fromEntries(
        Object.entries(given).map(([key, text]) => [key, named(text)]),
      )
      const found = await world.call('GET', named(path), { auth: shop.as_merchant, query })
      expect(found.status, `${path} ${found.text}`).toBe(200)
    }
  }
  const after = await scansOfPartitions()
  const touched = after.filter(({ scans }, place) => scans > (before[place]?.scans ?? 0))
  const { rows } = await world.store.pool.query(
    'select distinct tableoid::regclass::text as name from charges order by 1',
  )
  expect(touched.map(({ name }) => name)).toEqual(rows.map(({ name }) => name))
})

test('payments end as on one table: capture, refund, a second number of the shop, a search', async () => {
  const [shop] = shops as [TestMerchant]
  const pay = payments(world, shop)
  const money = { amount: 400, currency: 'JPY' }
  const held = await pay.settled({ capture: false, metadata: { order: 'zebedee' } })
  expect((await pay.post(`${pay.chargePath(held.id)}/capture`, money)).status).toBe(200)
  await pay.work()
  const refunds = `${pay.chargePath(held.id)}/refunds`
  const refund = await pay.post(refunds, money)
  await pay.work()
  expect((await pay.get(`${refunds}/${refund.body.id}`)).body.status).toBe('successful')
  expect((await pay.get(pay.chargePath(held.id))).body).toMatchObject({
    status: 'successful',
    charged_amount: 400,
  })
  const online = { brand: 'we_chat_online', call_method: 'app' }
  const number = { merchant_transaction_id: 'ORDER1' }
  await pay.waiting('online', online, number)
  const again = await pay.post('/tokens', { payment_type: 'online', data: online })
  const second = await pay.post('/charges', {
    transaction_token_id: again.body.id,
    ...money,
    ...number,
  })
  expect([second.status, second.body.code]).toEqual([409, 'MERCHANT_TRANSACTION_ID_EXISTS'])
  const { body } = await pay.get('/transaction_history?search=zebedee')
  expect(body.items.map(({ charge_id }: { charge_id: string }) => charge_id)).toContain(held.id)
})
