import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase } from '../../../test/support/world.ts'
import { type DropStep, dropTableStep } from './drop-table.ts'

let client: pg.Client
let reader: pg.Client
const dropStep = (name: string) => dropTableStep(client, name, { pause_ms: 0, rest_ms: 0 })

beforeAll(async () => {
  const options = await newDatabase()
  client = new pg.Client(options)
  reader = new pg.Client(options)
  await Promise.all([client.connect(), reader.connect()])
})
afterAll(async () => {
  await Promise.all([client.end(), reader.end()])
})

/** Rows of nearly half a page: sizes in pages are half the count. */
async function makeTable(name: string, rows: number): Promise<void> {
  await client.query(`create table ${name} (id integer primary key, other integer unique, text text)
      with (autovacuum_enabled = off);
    create index on ${name} (text, id) where id = 1;
    alter table ${name} alter column text set storage plain;
    insert into ${name} select n, n, repeat('x', 3900) from generate_series(1, ${rows}) as n`)
}

async function pagesOf(name: string): Promise<number> {
  const { rows } = await client.query(`select pg_relation_size('${name}') / 8192 as pages`)
  return Number(rows[0].pages)
}

async function indexesOf(name: string): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::integer as count from pg_index where indrelid = '${name}'::regclass`,
  )
  return rows[0].count
}

const exists = async (name: string) =>
  (await client.query(`select to_regclass('${name}') is not null as it`)).rows[0].it

test('a small table is dropped in one step, and a missing one is no error', async () => {
  await makeTable('small', 10)
  expect(await dropStep('small')).toBe('dropped')
  expect(await exists('small')).toBe(false)
  expect(await dropStep('small')).toBe('dropped')
})

test('a large table loses its indexes one by one, then its end, then it is dropped', async () => {
  await makeTable('large', 12_000)
  for (const left of [2, 1, 0]) {
    expect(await dropStep('large')).toBe('begun')
    expect(await indexesOf('large')).toBe(left)
  }
  const sizes = [await pagesOf('large')]
  let step: DropStep = 'begun'
  while (step === 'begun') {
    step = await dropStep('large')
    if (step === 'begun') sizes.push(await pagesOf('large'))
  }
  expect(step).toBe('dropped')
  expect(await exists('large')).toBe(false)
  // Each step empties the end, and the next one gives it back.
  expect(sizes).toEqual([6000, 6000, 6000 - 1024, 6000 - 2 * 1024, 6000 - 3 * 1024])
})

test('it waits for a transaction that may still read it, and continues afterwards', async () => {
  await makeTable('read', 12_000)
  for (let indexes = 3; indexes > 0; indexes -= 1) await dropStep('read')
  await reader.query('begin isolation level repeatable read; select 1')
  expect([await dropStep('read'), await dropStep('read')]).toEqual(['begun', 'waits'])
  expect((await reader.query('select count(*)::integer as count from read')).rows).toEqual([
    { count: 12_000 },
  ])
  await reader.query('commit')
  expect(await dropStep('read')).toBe('begun')
  expect(await pagesOf('read')).toBe(6000 - 1024)
  // A second machine waits as long as one would.
  const pace = { pause_ms: 0, rest_ms: 3_600_000 }
  expect(await dropTableStep(client, 'read', pace)).toBe('rests')
  expect(await pagesOf('read')).toBe(6000 - 1024)
})

test('a published table is dropped in one step', async () => {
  await makeTable('published', 12_000)
  await client.query('create publication everything for all tables')
  expect(await dropStep('published')).toBe('dropped')
  await client.query('drop publication everything')
})
