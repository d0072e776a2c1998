import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// The three documents of the specification name files, functions and titles of tests. They must exist.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = new Map(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => name !== '' && existsSync(join(root, name)))
    .map((name) => [basename(name), name]),
)
const read = (name: string) => readFileSync(join(root, files.get(name) ?? name), 'utf8')
const document = ['specification', 'specification-endpoints', 'specification-rules']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')
const text = document.replaceAll(/\s+/g, ' ')
const rows = document
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

/** The titles that are quoted of a file. */
function quotedTitles(from: string): [file: string, title: string][] {
  const quotes = from.matchAll(/`([\w.-]+\.test\.ts)`: (“[^”]+”(?:, “[^”]+”)*)/g)
  return [...quotes].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']): [string, string] => [file, title]),
  )
}

test('every row has a number of its own, a rule, a place and a test', () => {
  expect(rows.length).toBeGreaterThan(200)
  const numbers = rows.map(([number]) => number)
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  const incomplete = rows.filter(
    ([, rule, where, shown]) => !rule || !where || quotedTitles(shown ?? '').length === 0,
  )
  expect(incomplete).toEqual([])
  expect(rows.filter((cells) => cells.length !== 4)).toEqual([])
})

test('every file that is named exists', () => {
  const named = [...text.matchAll(/`([\w.-]+\.(?:ts|json))`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(500)
  expect(named.filter((name) => !files.has(name))).toEqual([])
})

test('every name after a file occurs in it', () => {
  const missing = rows.flatMap(([number, , where = '']) =>
    where.split('; ').flatMap((place) => {
      const [file = '', ...names] = [...place.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      const source = read(file)
      return names
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
        .map((name) => `${number}: ${file} has no ${name}`)
    }),
  )
  expect(missing).toEqual([])
})

test('every title that is quoted occurs in its file', () => {
  const titles = quotedTitles(text)
  expect(titles.length).toBeGreaterThan(rows.length)
  const missing = titles.filter(([file, title]) => !read(file).includes(title.replace(/…$/, '')))
  expect(missing).toEqual([])
})

test('the check can fail: a title that is not there is seen', () => {
  const [[file = '', title = ''] = []] = quotedTitles('`tidy.test.ts`: “no such title”')
  expect(title).toBe('no such title')
  expect(read(file)).not.toContain(title)
})
