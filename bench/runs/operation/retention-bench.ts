// `npm run bench -- retention`: whether requests notice that an old month of events is deleted. Copies of an event that the
// service made fill a month past its retention, with their places in the feed. Charges are created at a steady pace: with
// nothing else, while the service deletes the places, and while a month is dropped. `BENCH_STORED` is how many events.
import { setTimeout as sleep } from 'node:timers/promises'
import { firstIdAt } from '../../../src/core/ids.ts'
import { drop_policy } from '../../../src/core/limits/retry-policies.ts'
import { monthStart, partitions_lock } from '../../../src/store/partitions/event-partitions.ts'
import { keepEventMonths } from '../../../src/views/events/delete-old-events.ts'
import {
  builds,
  drain,
  haveTokens,
  openWorld,
  seconds,
  useNewShops,
  type World,
  warmUp,
} from '../../bench-world.ts'
import { newMeasurements } from '../../measurements.ts'
import { atMost, printBars, printMeasurements, writeResults } from '../../report.ts'

const stored = Number(process.env.BENCH_STORED ?? 1_000_000)
/** So often each is measured: single figures vary by a factor of three, so their means are compared. */
const times_each = 8
/** It ended before the retention of 400 days did. */
const months_ago = 15
/** Far below what the machine can do: only then is a wait one that the deletion causes. */
const run = { kind: 'charge', connections: 16, pace: 150 } as const
const max_growth = 1.5
const minute_ms = 60_000

/** Puts an old month before the oldest partition and fills it. */
async function addOldMonth({ database: { client } }: World): Promise<void> {
  const from_ms = monthStart(Date.now(), -months_ago)
  const to_ms = monthStart(from_ms, 1)
  const name = `events_${new Date(from_ms).toISOString().slice(0, 7).replace('-', '_')}`
  const { rows } = await client.query(`select column_name as name from information_schema.columns
    where table_name = 'events' and table_schema = current_schema() order by ordinal_position`)
  const names: string[] = rows.map((row) => row.name)
  const limit = await client.query(`select pg_get_expr(relpartbound, oid) as bound from pg_class
    where relname = 'events_first'`)
  const end = /TO \('([0-9a-f-]+)'\)/.exec(limit.rows[0]?.bound)?.[1]
  await client.query(`begin;
    create table ${name} (like events_first including all);
    alter table events detach partition events_first;
    alter table events attach partition ${name} for values from (minvalue) to ('${firstIdAt(to_ms)}');
    alter table events attach partition events_first
      for values from ('${firstIdAt(to_ms)}') to ('${end}');
    commit`)
  const own = ['id', 'resource_id']
  const made = names.map((column) => (own.includes(column) ? 'made.id' : `template.${column}`))
  await client.query(`insert into events (${names.join(', ')}) select ${made.join(', ')}
    from (select uuidv7(to_timestamp(${from_ms / 1000} + n * ${(to_ms - from_ms) / 1000 / stored})
        - clock_timestamp()) as id from generate_series(1, ${stored - 1}) as n) as made,
      (select * from events_first order by id limit 1) as template`)
  await client.query(`insert into event_feed (merchant_id, position, event_id, store_id, mode, name)
    select merchant_id, -row_number() over (), id, store_id, mode, 'charge_updated' from ${name}`)
}

/** Old rows that the service would delete for minutes. */
async function deleteFeed({ database: { client } }: World): Promise<void> {
  await client.query('delete from event_feed where position < 0')
  await client.query('vacuum event_feed')
  await client.query('checkpoint')
}

async function left({ database: { client } }: World): Promise<{ feed: number; bytes: number }> {
  const { rows } = await client.query(`select
    (select count(*)::integer from event_feed where position < 0) as feed,
    (select coalesce(sum(pg_total_relation_size(oid)), 0)::float from pg_class
      where relname like 'events\\_2%' and relkind = 'r' and pg_relation_size(oid) > 0) as bytes`)
  return rows[0]
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

const world = await openWorld()
const built = await builds(world)
const measurements = newMeasurements(world)

async function measure(name: string, beside = async () => {}): Promise<number> {
  await haveTokens(world, Math.ceil(run.pace * seconds * 1.2))
  const [{ p99_ms }] = await Promise.all([measurements.measureOurs(name, run, []), beside()])
  await drain(world)
  return p99_ms
}

/**
 * Looks for old months like the service. The service looks rarely, so the time advances at each
 * look.
 */
let looks = 0
async function look(): Promise<number> {
  looks += 1
  const now = () => Date.now() + looks * 2 * minute_ms
  const wall_clock = { ...world.service.wall_clock, now }
  return keepEventMonths({ ...world.service, wall_clock })
}

/** The same interval as in the worker. */
async function lookForAWhile(): Promise<void> {
  const until_ms = performance.now() + seconds * 1000
  while (performance.now() < until_ms) {
    await look()
    await sleep(drop_policy.rest_ms)
  }
}

/** The worker of the service finds the months in use. */
async function withoutSteps(work: () => Promise<number>): Promise<number> {
  const { client } = world.database
  await client.query('select pg_advisory_lock($1)', [partitions_lock])
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [partitions_lock])
  }
}

const quiet: number[] = []
const between: number[] = []
const deleting: number[] = []
const dropping: number[] = []
try {
  await useNewShops(world, 20_000 * seconds)
  await warmUp(world)
  await drain(world)
  const begun_ms = performance.now()
  await addOldMonth(world)
  await world.database.client.query('vacuum analyze')
  await world.database.client.query('checkpoint')
  console.log(`filled in ${((performance.now() - begun_ms) / 1000).toFixed(0)} s`)
  for (let times = 0; times < times_each; times += 1) {
    quiet.push(await measure('charges'))
  }
  await look()
  for (let times = 0; times < times_each && (await left(world)).feed > 0; times += 1) {
    deleting.push(await measure('charges, places in the feed are deleted'))
  }
  await deleteFeed(world)
  for (let times = 0; times < times_each && (await left(world)).bytes > 0; times += 1) {
    between.push(await withoutSteps(() => measure('charges, between steps of dropping a month')))
    dropping.push(await measure('charges, a month is dropped', lookForAWhile))
    console.log(`${Math.round((await left(world)).bytes / 1e6)} MB left`)
  }
} finally {
  await world.close()
  printMeasurements(measurements.all)
  const compare = (name: string, before: number[], during: number[]) => {
    const [before_ms, during_ms] = [mean(before), mean(during)]
    const note = `mean p99 ${before_ms.toFixed(1)} ms, then ${during_ms.toFixed(1)} ms`
    return atMost(`${name}: p99 to quiet`, during_ms / before_ms, max_growth, note)
  }
  const bars = [
    compare('deleting the feed', quiet, deleting),
    compare('dropping a month', between, dropping),
  ]
  printBars(bars)
  writeResults('retention', { seconds, stored, ...built, bars, measurements: measurements.all })
}
