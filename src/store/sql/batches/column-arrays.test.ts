import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../../test/support/use-world.ts'
import { run } from '../statements/statement.ts'
import { type ColumnArrays, columnTypes, newColumnArrays } from './column-arrays.ts'

// Every value comes back from the database unchanged, including characters with a meaning in arrays.
const table = 'column_arrays_seen'
const columns = [
  ...['label', 'data', 'sealed', 'made_on', 'amount', 'active', 'id'],
  ...['count', 'month', 'shown', 'words'],
] as const

const world = useWorld()
let text: string
let arrays: ColumnArrays
beforeAll(async () => {
  const types = 'label text, data jsonb, sealed bytea, made_on timestamptz, amount bigint'
  const more = 'active boolean, id uuid, count integer, month smallint, shown json, words tsvector'
  await world.store.pool.query(`create table ${table} (${types}, ${more})`)
  arrays = newColumnArrays(await columnTypes(world.store.db, table, columns), 1)
  text = `select ${columns.map((name) => `${arrays.at(name, 'n')} as ${name}`).join(', ')}
    from generate_series(1, $1::integer) as n order by n`
})

const read = (rows: readonly object[]) =>
  run<object>(world.store.db, text, [rows.length, ...arrays.values(rows)])

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
  min: new Date('0001-01-01T00:00:00Z'),
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
  count: fc.option(fc.integer()),
  month: fc.option(fc.integer({ min: -32_768, max: 32_767 })),
  shown: fc.option(json),
  words: fc.option(fc.stringMatching(/^[a-z]{1,9}$/).map((word) => `'${word}'`)),
})

test('rows come back equal, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      expect(await read(rows)).toEqual(rows)
    }),
    { numRuns: 300 },
  )
})

test('common mistakes: quotes, backslashes, braces, the word null, nothing at all', async () => {
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
  const none = Object.fromEntries(columns.map((name) => [name, null]))
  const rows = [...labels, null].map((label) => ({ ...none, label }))
  expect(await read(rows)).toEqual(rows)
})

test('long texts and many rows fit', async () => {
  const none = Object.fromEntries(columns.map((name) => [name, null]))
  const rows = Array.from({ length: 64 }, (_, n) => ({ ...none, label: 'ü🙂'.repeat(n * 20) }))
  expect(await read(rows)).toEqual(rows)
})

test.each([
  ['amount', 2 ** 53],
  ['amount', 1.5],
  ['count', 2 ** 31],
  ['month', 32_768],
  ['made_on', new Date(Number.NaN)],
  ['id', 'no-uuid'],
  ['id', '019bbef3-b000-7650-9c59-ba71144b431'],
])('%s: what does not fit is refused and not changed into something else', (name, value) => {
  expect(() => arrays.values([{ [name]: value }])).toThrow()
})

test('a column without any value is no array, and a missing value is null', () => {
  const [first, ...others] = arrays.values([{ label: 'a' }, {}, { label: undefined }])
  expect(first?.subarray(-13).toString('hex')).toBe('0000000161ffffffffffffffff')
  expect(new Set(others)).toEqual(new Set([null]))
  expect(arrays.values([])).toEqual(columns.map(() => null))
})

test('parameters are numbered on, and have the types of their columns', async () => {
  const types = await columnTypes(world.store.db, table, ['data', 'words'])
  const { of, at } = newColumnArrays(types, 3)
  expect(of('data')).toBe('$4::jsonb[]')
  expect(at('data', 'n')).toBe('($4::jsonb[])[n]')
  expect(at('words', 'n')).toBe('($5::text[])[n]::tsvector')
  await expect(columnTypes(world.store.db, 'no_such_table', ['a'])).rejects.toThrow(/not exist/)
})
