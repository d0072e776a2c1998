import type { World } from '../bench-world.ts'
import type { StoredCharge } from '../load/load-requests.ts'
import type { OwnedShop } from './shops.ts'

/** One merchant owns this fraction of all charges; the others share the rest. */
export const big_part = 0.25
const at_once = 50_000
const days = 90

/**
 * The columns that differ from the template, as SQL of `n`, a number unique to each charge. Ids sort by
 * creation time, as those of the service do.
 */
const columns: Record<string, string> = {
  merchant_id: 'shop.merchant_id',
  store_id: 'shop.store_id',
  id: 'made.id',
  transaction_token_id: 'gen_random_uuid()',
  requested_amount: '100 + made.n % 20000',
  provider_amount: '100 + made.n % 20000',
  charged_amount: '100 + made.n % 20000',
  email: 'made.email',
  phone: "'8190' || lpad((made.n % 1000)::text, 8, '0')",
  cardholder: 'made.cardholder',
  last_four: 'made.last_four',
  metadata: "jsonb_build_object('order', made.order_number, 'channel', made.channel)",
  // As search-words.ts builds them: each word reaches to the next space.
  search_words: `array_to_tsvector(array(select right(shop.merchant_id::text, 5) || word
    from unnest(string_to_array(lower(made.cardholder), ' ')
      || array[made.email, made.last_four, made.order_number, made.channel]) as word))`,
  created_on: 'made.created_on',
  updated_on: 'made.created_on',
  due_on: 'null',
}

const values = `select n, id, uuid_extract_timestamp(id) as created_on,
    case when n % 100 < ${big_part * 100} then 0 else 1 + n % ($4::integer - 1) end as place,
    'customer' || n % 40000 || '@mail' || n % 7 || '.example.com' as email,
    (array['TARO', 'HANAKO', 'KENJI', 'YUKI', 'AKIRA', 'NAOMI', 'SORA', 'REN'])[1 + n % 8] || ' '
      || upper(translate(n % 5000 || '', '0123456789', 'akstnhmyrw')) as cardholder,
    lpad((n * 7919 % 10000)::text, 4, '0') as last_four,
    'ord' || lpad(to_hex(n * 2654435761 % 4294967296), 8, '0') as order_number,
    (array['web', 'app', 'shop'])[1 + n % 3] as channel
  from (select n, uuidv7(- interval '1 second' * (${days * 86_400}.0 * (($2 - n)::float8 / $2)))
    as id from generate_series($1::bigint, $1 + $3 - 1) as n) as numbered`

async function insertable(world: World): Promise<string[]> {
  const { rows } = await world.database.client.query(`select column_name from
    information_schema.columns where table_name = 'charges' and is_generated = 'NEVER'
    and table_schema = current_schema() order by ordinal_position`)
  return rows.map(({ column_name }) => column_name)
}

async function settledCharge({ database }: World): Promise<string> {
  const text = `select id from charges where status = 'successful' order by id limit 1`
  const { rows } = await database.client.query(text)
  if (!rows[0]) throw new Error('There is no settled charge to make others after.')
  return rows[0].id
}

/**
 * Drops the indexes of the table and rebuilds them afterwards: that takes a fraction of the time of a
 * million single index entries. The primary key stays.
 */
async function withoutIndexes({ client }: World['database'], work: () => Promise<void>) {
  const { rows } = await client.query(`select indexrelid::regclass::text as name,
    pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'charges'::regclass and not indisprimary`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query("set maintenance_work_mem = '512MB'")
  // A partitioned table has only the definition of its empty parent.
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
  await client.query('reset maintenance_work_mem')
}

export async function countStored({ database }: World): Promise<number> {
  const { rows } = await database.client.query('select count(*)::integer as count from charges')
  return rows[0]?.count
}

/**
 * Fills the table up to this number of charges. They are copies of one that the service itself created
 * and settled, so that this code need not know every column. The first shop is the big merchant's.
 */
export async function storeCharges(world: World, shops: OwnedShop[], wanted: number) {
  const { client } = world.database
  const names = await insertable(world)
  const template = await settledCharge(world)
  const text = `insert into charges (${names.join(', ')})
    select ${names.map((name) => columns[name] ?? `template.${name}`).join(', ')}
    from (${values}) as made
    join unnest($5::uuid[], $6::uuid[]) with ordinality as shop (merchant_id, store_id, number)
      on shop.number = made.place + 1
    join charges as template on template.id = $7`
  const before = await countStored(world)
  const owners = [shops.map((one) => one.merchant_id), shops.map((one) => one.store_id)]
  await client.query('set synchronous_commit = off')
  await withoutIndexes(world.database, async () => {
    for (let stored = before; stored < wanted; stored += at_once) {
      const count = Math.min(at_once, wanted - stored)
      await client.query(text, [stored + 1, wanted, count, shops.length, ...owners, template])
    }
  })
  await client.query('reset synchronous_commit')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

const sample_size = 5000

/** A sample of the charges of these shops, from the whole table. */
export async function sampleStored(world: World, shops: OwnedShop[]): Promise<StoredCharge[]> {
  const { rows } = await world.database.client.query(
    `select store_id, id, email, phone, metadata ->> 'order' as order_number, created_on from charges
    where store_id = any($1) and status = 'successful'
    order by random() limit ${sample_size}`,
    [shops.map(({ store_id }) => store_id)],
  )
  return rows
}
