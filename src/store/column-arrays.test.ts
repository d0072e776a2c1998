import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../../test/world.ts'
import { arraysOf, parametersFor } from './column-arrays.ts'
import { run } from './statement.ts'

// Whatever a row holds comes back from the database as it was, also what means something in an array.
const table = 'column_arrays_seen'
const columns = ['label', 'data', 'sealed', 'made_on', 'amount', 'active', 'id'] as const

let world: World
let text: string
beforeAll(async () => {
  world = await newWorld()
  const types = 'label text, data jsonb, sealed bytea, made_on timestamptz, amount bigint'
  await world.store.pool.query(`create table ${table} (${types}, active boolean, id uuid)`)
  const parameters = await parametersFor(world.store.db, table, columns, 1)
  text = `select ${columns.map((name, at) => `(${parameters[at]})[n] as ${name}`).join(', ')}
    from generate_series(1, $1::integer) as n order by n`
})
afterAll(() => world.close())

const read = (rows: readonly object[]) =>
  run<object>(world.store.db, text, [rows.length, ...arraysOf(rows, columns)])

/** The database has no U+0000 in texts. */
const withoutZero = (text: string) => text.replaceAll('\0', '')
const odd_part = fc.constantFrom('"', '\\', '{', '}', ',', ' ', "'", '\n', '\t', '(', ')', '$1', '')
const null_word = fc.mixedCase(fc.constant('null'))
const label = fc.oneof(
  fc.constant(''),
  null_word,
  null_word.map((word) => ` ${word}`),
  fc.string({ unit: 'binary' }).map(withoutZero),
  fc.string({ unit: 'grapheme' }).map(withoutZero),
  fc.array(fc.oneof(odd_part, null_word), { maxLength: 8 }).map((parts) => parts.join('')),
)
const json = fc
  .dictionary(label, fc.oneof(fc.jsonValue(), label), { maxKeys: 4, noNullPrototype: true })
  .filter((value) => !/\\u0000|__proto__/.test(JSON.stringify(value)))
  .map((value) => JSON.parse(JSON.stringify(value)))
const bytes = fc.uint8Array({ maxLength: 20 }).map((found) => Buffer.from(found))
const instant = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const row = fc.record({
  label: fc.option(label),
  data: fc.option(json),
  sealed: fc.option(bytes),
  made_on: fc.option(instant),
  amount: fc.option(fc.maxSafeInteger()),
  active: fc.option(fc.boolean()),
  id: fc.option(fc.uuid()),
})

test('rows come back equal, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      expect(await read(rows)).toEqual(rows)
    }),
    { numRuns: 300 },
  )
})

test('what is most often wrong: quotes, backslashes, braces, the word null, nothing at all', async () => {
  const labels = [
    '',
    ' ',
    'null',
    'NULL',
    'nUlL',
    '"',
    '\\',
    '\\"',
    '{}',
    '{a,b}',
    'a,b',
    "'",
    'ü✓🙂',
  ]
  const none = { data: null, sealed: null, made_on: null, amount: null, active: null, id: null }
  const rows = [...labels, null].map((label) => ({ ...none, label }))
  expect(await read(rows)).toEqual(rows)
})

test('a column without any value is no array, and what a row lacks is null', async () => {
  const [first, ...others] = arraysOf([{ label: 'a' }, {}, { label: undefined }], columns)
  expect(first).toBe('{a,NULL,NULL}')
  expect(new Set(others)).toEqual(new Set([null]))
  expect(arraysOf([], columns)).toEqual(columns.map(() => null))
})

test('parameters are counted on, and have the types of their columns', async () => {
  expect(await parametersFor(world.store.db, table, ['data', 'amount'], 3)).toEqual([
    '$4::jsonb[]',
    '$5::bigint[]',
  ])
  await expect(parametersFor(world.store.db, 'no_such_table', ['a'])).rejects.toThrow(/not exist/)
})
