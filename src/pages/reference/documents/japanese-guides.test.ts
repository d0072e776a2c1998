import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readGuides } from './guide-files.ts'

// Guides that exist in Japanese too, with the commands of the English ones.
const docs = new URL('../../../../docs/', import.meta.url)
const names = readdirSync(new URL('ja/', docs))
const read = (name: string) => readFileSync(new URL(name, docs), 'utf8')

const blocksOf = (text: string) => text.match(/(?:<!--.*-->\n)?```[\s\S]*?```/g) ?? []
const levelsOf = (text: string) => text.match(/^#+(?= )/gm)

test.each(names)('%s has the blocks and the sections of the English guide', (name) => {
  const [english, japanese] = [read(name), read(`ja/${name}`)]
  expect(blocksOf(japanese)).toEqual(blocksOf(english))
  expect(levelsOf(japanese)).toEqual(levelsOf(english))
})

test('a Japanese guide has the addresses of the English one, so every link leads to both', () => {
  const served = readGuides().filter(({ ja }) => ja !== null)
  expect(served.map(({ guide }) => `${guide.name}.md`).toSorted()).toEqual(names.toSorted())
  for (const { sections, ja } of served) {
    expect(ja?.sections.map(({ id }) => id)).toEqual(sections.map(({ id }) => id))
    expect(ja?.sections.map(({ title }) => title)).not.toEqual(sections.map(({ title }) => title))
  }
})
