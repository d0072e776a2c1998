import { expect, test } from 'vitest'
import { useWorld } from '../../../../test/support/use-world.ts'
import { inTransaction } from '../../../service.ts'
import { openStore, withSession } from '../../open-store.ts'
import { addQueryLayers } from '../connections/session.ts'
import { newStatementNames } from './prepared-statements.ts'

const world = useWorld()

const one = () => ({ ...world.service.config, database_connections: 2 })

test('a statement is planned once for a connection, however often it is sent', async () => {
  const store = await openStore(one(), { own: false, onTrouble: () => {} })
  const client = await store.pool.connect()
  for (let n = 0; n < 3; n += 1) await client.query('select $1::integer as n', [n])
  const { rows } = await client.query('select name, statement from pg_prepared_statements')
  expect(rows.map(({ statement }) => statement)).toContain('select $1::integer as n')
  client.release()
  await store.close()
})

test('after a schema change statements continue, alone and in a transaction', async () => {
  const store = await openStore(one(), { own: false, onTrouble: () => {} })
  const service = { ...world.service, db: store.db }
  await store.pool.query('create table changing (a integer)')
  await store.pool.query('insert into changing values ($1)', [1])
  const read = async (client: { query: typeof store.pool.query }) =>
    (await client.query('select * from changing where a = $1', [1])).rows[0]
  const client = await store.pool.connect()
  expect(await read(client as never)).toEqual({ a: 1 })
  await store.pool.query('alter table changing add column b integer default 2')
  expect(await read(client as never)).toEqual({ a: 1, b: 2 })
  client.release()
  const shop = await world.merchant()
  const find = () =>
    inTransaction(service, (tx) =>
      tx.db.selectFrom('stores').selectAll().where('id', '=', shop.store_id).executeTakeFirst(),
    )
  expect(await find()).toMatchObject({ id: shop.store_id })
  await store.pool.query('alter table stores add column later integer')
  expect(await find()).toMatchObject({ id: shop.store_id, later: null })
  await store.close()
})

test('plans are renewed when a session is twice as old as at the last time', async () => {
  const store = await openStore(one(), { own: false, onTrouble: () => {} })
  await withSession(store, async (client) => {
    let ms = 0
    const renewed: number[] = []
    const send = client.query.bind(client) as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]) => {
      if (args[0] === 'discard plans') renewed.push(ms)
      return send(...args)
    }
    Object.assign(client, { query: watched })
    addQueryLayers(
      client,
      newStatementNames(() => ms),
    )
    const planOf = async () => {
      await client.query('select * from growing where a = $1', [1])
      const { rows } = await client.query(`select name from pg_prepared_statements
        where statement like 'select * from growing%'`)
      const plan = await client.query(`explain (costs off) execute ${rows[0].name} (1)`)
      return plan.rows[0]['QUERY PLAN']
    }
    await client.query(`set plan_cache_mode = force_generic_plan;
      create table growing (a integer primary key) with (autovacuum_enabled = off);
      insert into growing values (1)`)
    await client.query('vacuum analyze growing')
    expect(await planOf()).toContain('Seq Scan')
    await client.query('insert into growing select generate_series(2, 50000)')
    for (; ms < 20_000; ms += 500)
      expect(await planOf()).toContain(ms > 1000 ? 'Index' : 'Seq Scan')
    expect(renewed).toEqual([1500, 3500, 7500, 15_500])
  })
  await store.close()
})
