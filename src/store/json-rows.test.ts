import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../../test/world.ts'
import { asJson, insertFrom } from './json-rows.ts'
import { run } from './statement.ts'

const table = 'json_rows_seen'
const columns = ['n', 'label', 'data', 'sealed', 'made_on', 'amount', 'active'] as const

let world: World
beforeAll(async () => {
  world = await newWorld()
  const types = 'n integer, label text, data jsonb, sealed bytea, made_on timestamptz'
  await world.store.pool.query(`create table ${table} (${types}, amount bigint, active boolean)`)
})
afterAll(() => world.close())

async function write(rows: readonly object[]): Promise<object[]> {
  const { db } = world.store
  await run(db, insertFrom(table, columns, '$1'), [asJson(rows)])
  return run(
    db,
    `with gone as (delete from ${table} where $1 returning *)
    select ${columns.join(', ')} from gone order by n`,
    [true],
  )
}

const label = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
const row = fc.record({
  label: fc.option(fc.oneof(label, fc.constantFrom('', 'null', '"', '\\', '\\x00', '{a,b}'))),
  data: fc.option(fc.dictionary(fc.constantFrom('a', 'b "c"', 'null'), label)),
  sealed: fc.option(fc.uint8Array({ maxLength: 20 }).map((found) => Buffer.from(found))),
  made_on: fc.option(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  amount: fc.option(fc.maxSafeInteger()),
  active: fc.option(fc.boolean()),
})

test('rows come back equal, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (found) => {
      const rows = found.map((one, n) => ({ n, ...one }))
      expect(await write(rows)).toEqual(rows)
    }),
    { numRuns: 100 },
  )
})

test('what a row lacks is null, and no row at all is none', async () => {
  const none = { label: null, data: null, sealed: null, made_on: null, amount: null, active: null }
  expect(await write([{ n: 1 }, { n: 2, label: undefined }])).toEqual([
    { n: 1, ...none },
    { n: 2, ...none },
  ])
  expect(asJson([])).toBe('[]')
  expect(await write([])).toEqual([])
})
