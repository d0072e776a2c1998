import { namesOf } from '../../../core/table-names.ts'
import { test_scenarios } from '../../../simulator/test-scenarios.ts'
import { type Language, languages } from '../../frame/page-frame.ts'
import { overview_texts } from '../guides/overview-texts.ts'
import type { ReferencePage } from '../reference-pages.ts'
import type { Schema } from './api-description.ts'
import { type Shape, shapeOf } from './field-tree.ts'
import type { Api, ResourcePage } from './read-api.ts'
import { searchWords, verbWords } from './resource-words.ts'

/** A place of the reference: its title, its address after that of the page, and words that find it. */
type Entry = readonly [title: string, fragment: string, words: string]

export interface SearchIndex {
  readonly pages: readonly {
    readonly title: string
    readonly path: string
    readonly words: string
    readonly entries: readonly Entry[]
  }[]
}

/** Descriptions are found by their first words. */
const max_words = 80

/** Everything that can be found, small enough to be loaded at the first key. */
export function buildIndex(
  api: Api,
  pages: readonly ReferencePage[],
  language: Language,
): SearchIndex {
  return {
    pages: pages.map((page) => ({
      title: page.title(language),
      path: page.path,
      words: wordsOf(api, page),
      entries: entriesOf(api, page, language),
    })),
  }
}

function resourceOf(api: Api, { path }: ReferencePage): ResourcePage | undefined {
  return api.resources.find(({ slug }) => path === `/docs/${slug}`)
}

/** A page is found by its names in all languages. */
function wordsOf(api: Api, page: ReferencePage): string {
  const resource = resourceOf(api, page)
  const titles = languages.map((language) => page.title(language)).join(' ')
  return resource ? `${titles} ${searchWords(resource.tag)}` : titles
}

function entriesOf(api: Api, page: ReferencePage, language: Language): Entry[] {
  const resource = resourceOf(api, page)
  if (resource) {
    return [
      ...operationEntries(api, resource),
      ...resource.objects.flatMap((name) => objectEntries(api, name)),
    ]
  }
  const { 'x-errors': errors = {}, 'x-charge-errors': payments = {} } = api.description
  if (page.path === '/docs') {
    const { sections } = overview_texts[language]
    return namesOf(sections).map((id) => [
      sections[id].title,
      id,
      languages.map((one) => overview_texts[one].sections[id].title).join(' '),
    ])
  }
  if (page.path === '/docs/errors') {
    return [
      ...Object.entries(errors).map(([code, { message }]): Entry => [code, code, message]),
      ...Object.entries(payments).map(([code, message]): Entry => [code, code, message]),
    ]
  }
  if (page.path === '/docs/test-scenarios') {
    return test_scenarios.map(({ group, trigger, effect }) => [
      plain(trigger),
      group.replaceAll(/\W+/g, '-'),
      plain(effect),
    ])
  }
  if (page.path === '/docs/event-types') {
    return Object.keys(api.description.webhooks ?? {}).map((name) => [name, name, ''])
  }
  const large = api.large.find((name) => page.path === `/docs/objects/${name}`)
  return large ? objectEntries(api, large) : []
}

function operationEntries(api: Api, { operations }: ResourcePage): Entry[] {
  return operations.flatMap((operation): Entry[] => {
    const { id, method, path, operation: described, others, parameters, body } = operation
    const ids = [id, ...others.map((other) => other.id)].join(' ')
    const words = `${method} ${path} ${ids} ${verbWords(id)} ${short(described.description)}`
    const query = parameters.filter((one) => one.in === 'query')
    return [
      [described.summary, id, words],
      ...query.map(({ name, description }): Entry => [name, `${id}.${name}`, short(description)]),
      ...(body?.schema ? fieldEntries(shapeOf(api, body.schema), id) : []),
    ]
  })
}

function objectEntries(api: Api, name: string): Entry[] {
  const schema: Schema = api.findSchema(name)
  return [[name, name, short(schema.description)], ...fieldEntries(shapeOf(api, schema), name)]
}

/** Fields of the first two levels: deeper ones are found by the field they are in. */
function fieldEntries(shape: Shape, id: string, level = 0): Entry[] {
  return shape.fields.flatMap((field): Entry[] => [
    [field.name, `${id}.${field.name}`, short(field.description ?? undefined)],
    ...(level === 0 ? fieldEntries(field.shape, `${id}.${field.name}`, level + 1) : []),
  ])
}

function short(text = ''): string {
  return plain(text).slice(0, max_words)
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}
