import { expect, test } from 'vitest'
import { readMigrations } from '../known-migrations.ts'

// Machines of the previous release continue during a step that only adds, and after it. See CONTRIBUTING.

interface Rule {
  readonly pattern: RegExp
  readonly reason: string
}

const rules: readonly Rule[] = [
  { pattern: /\bdrop\b/, reason: 'drops what programs may use' },
  { pattern: /\brename\b/, reason: 'renames what programs use' },
  { pattern: /\balter (column )?\w+ (set data )?type\b/, reason: 'rewrites the table' },
  { pattern: /\balter type\b/, reason: 'changes a type that sessions have cached' },
  { pattern: /\bset not null\b/, reason: 'reads the whole table, and refuses what programs write' },
  {
    pattern: /\badd column [^,;]*not null(?![^,;]*default)(?<!default[^,;]*not null)/,
    reason: 'refuses what programs write that do not know the column',
  },
  {
    pattern: /\bdefault (gen_random_uuid|random|clock_timestamp|nextval)\b/,
    reason: 'rewrites the table',
  },
  {
    pattern:
      /\balter table charges ([^;]*, )?(re)?set \(|\balter table charges [^;]*\busing index\b/,
    reason: 'is refused where charges is partitioned',
  },
  {
    pattern: /\bcreate unique index [^;(]* on charges [^;(]*\((?![^;]*\bmerchant_id\b)/,
    reason: 'is refused where charges is partitioned',
  },
  {
    pattern: /\b((?<!before )truncate|delete from|update \w+( as \w+| \w+)? set)\b/,
    reason: 'needs batches',
  },
]

/** About tables that other steps have created: they may be large. */
const rules_of_old_tables = (created: readonly string[]): readonly Rule[] => {
  const old = `(?!(?:${[...created, ' '].join('|')})\\b)`
  return [
    {
      pattern: new RegExp(`\\bcreate (unique )?index (?!concurrently)\\w+ on ${old}`),
      reason: 'blocks writes while it is built',
    },
    {
      pattern: new RegExp(`\\balter table ${old}[^;]*add constraint(?![^;]*not valid)`),
      reason: 'reads the whole table under a lock',
    },
  ]
}

/** A list of values that grows: the check is replaced by one of the same name, which programs meet already. */
const replaced_check = /drop constraint (\w+), add constraint \1 check (?=[^;]*not valid)/g

/** Why a step is not one that only adds. */
function faultsOf(text: string): string[] {
  const sql = text
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    // The effects of a function belong to its callers.
    .replace(/\$\$.*?\$\$/g, '')
    .toLowerCase()
    .replace(replaced_check, 'add constraint $1 check ')
  const created = [...sql.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(
    ([, name = '']) => name,
  )
  const in_batches = /^-- .*in batches\n/.test(text)
  return [...rules, ...rules_of_old_tables(created)]
    .filter(
      ({ pattern, reason }) => pattern.test(sql) && !(in_batches && reason === 'needs batches'),
    )
    .map(({ reason }) => reason)
}

test('steps that only add do nothing else', () => {
  const expanding = readMigrations().filter(({ min_program }) => min_program === 0)
  expect(expanding.length).toBeGreaterThan(0)
  for (const { name, sql } of expanding) expect([name, ...faultsOf(sql)]).toEqual([name])
})

test('the rule finds what breaks the release before', () => {
  const broken = [
    'drop table stores',
    'alter table stores drop column name',
    'alter table stores rename column name to title',
    'alter table charges alter column amount type numeric',
    'alter table charges alter amount set not null',
    'alter table stores add column later text not null',
    'alter table stores add column later uuid default gen_random_uuid()',
    'create index later on charges (amount)',
    'create unique index later on charges (merchant_id, amount)',
    'create unique index concurrently later on charges (amount)',
    'alter table charges set (fillfactor = 60)',
    'alter table charges add column later text, reset (fillfactor)',
    'alter table charges add constraint later check (amount > 0)',
    'update charges set amount = 1',
    'delete from charges',
    'alter table charges drop constraint a, add constraint b check (amount > 0) not valid',
    'create table a (id integer); create index a_id on a (id); create index later on charges (id)',
  ]
  for (const sql of broken) expect([sql, ...faultsOf(sql)]).toHaveLength(2)
  const allowed = [
    "alter table stores add column later text not null default ''",
    "alter table stores add column later text default '' not null",
    'alter table stores add column later text',
    'create table a (id integer not null); create index a_id on a (id)',
    'create index concurrently later on charges (amount)',
    'create unique index concurrently later on charges (merchant_id, amount)',
    'alter table charges alter column amount set statistics 0',
    'do $$ begin alter table charges set (fillfactor = 60); end $$',
    'alter table charges add constraint later check (amount > 0) not valid',
    'alter table charges drop constraint a, add constraint a check (amount > 0) not valid',
    'create or replace function f() returns integer language sql as $$ select 1 $$',
    '-- expand, in batches\nupdate charges set amount = 1',
  ]
  for (const sql of allowed) expect([sql, ...faultsOf(sql)]).toEqual([sql])
})
