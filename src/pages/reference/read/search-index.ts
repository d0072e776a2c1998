import { namesOf } from '../../../core/table-names.ts'
import { test_scenarios } from '../../../simulator/test-scenarios.ts'
import { type Language, languages } from '../../frame/page-frame.ts'
import type { ServedGuide } from '../documents/guide-files.ts'
import { overview_texts } from '../guides/overview-texts.ts'
import type { ReferencePage } from '../reference-pages.ts'
import { reference_texts } from '../reference-texts.ts'
import type { Schema } from './api-description.ts'
import { type Shape, shapeOf } from './field-tree.ts'
import type { Api, ResourcePage } from './read-api.ts'
import { searchWords, verbWords } from './resource-words.ts'
import { search_stop_words, search_synonyms } from './search-synonyms.ts'

/** The kind of a place: a page, a section or an operation, an object, or a field. Fields come last. */
type Kind = 0 | 1 | 2 | 3

/** A place: its title, its address after that of the page, its first words, and words that only find it. */
type Entry = readonly [
  title: string,
  fragment: string,
  kind: Kind,
  excerpt: string,
  keywords: string,
]

export interface SearchIndex {
  readonly pages: readonly {
    readonly title: string
    readonly path: string
    /** The group in the navigation. */
    readonly group: string
    readonly excerpt: string
    readonly keywords: string
    readonly is_guide: boolean
    readonly entries: readonly Entry[]
  }[]
  readonly synonyms: typeof search_synonyms
  readonly stop_words: typeof search_stop_words
}

const max_excerpt = { place: 110, field: 70 } as const

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
      group: reference_texts[language].groups[page.group],
      excerpt: short(resourceOf(api, page)?.description ?? page.document?.lead_text),
      keywords: wordsOf(api, page),
      is_guide: page.document !== null,
      entries: page.document ? guideEntries(page.document) : entriesOf(api, page, language),
    })),
    synonyms: search_synonyms,
    stop_words: search_stop_words,
  }
}

function resourceOf(api: Api, { path }: ReferencePage): ResourcePage | undefined {
  return api.resources.find(({ slug }) => path === `/docs/${slug}`)
}

/** A page is found by its names in all languages. */
function wordsOf(api: Api, page: ReferencePage): string {
  const resource = resourceOf(api, page)
  const titles = languages.map((language) => page.title(language)).join(' ')
  const more = resource ? searchWords(resource.tag) : (page.document?.guide.search ?? '')
  return `${titles} ${more}`
}

function guideEntries({ places }: ServedGuide): Entry[] {
  return places.map(({ id, title, text }): Entry => {
    const excerpt = short(text)
    return [title, id, 1, excerpt, otherWords(text, excerpt)]
  })
}

const max_keywords = 60

/** The words of a section that its excerpt does not have. */
function otherWords(text: string, excerpt: string): string {
  const shown = excerpt.toLowerCase()
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []
  const others = [...new Set(words)].filter((word) => !shown.includes(word))
  return others.slice(0, max_keywords).join(' ')
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
      1,
      short(sections[id].paragraphs[0]),
      languages.map((one) => overview_texts[one].sections[id].title).join(' '),
    ])
  }
  if (page.path === '/docs/errors') {
    return [
      ...Object.entries(errors).map(([code, { message }]): Entry => [code, code, 1, message, '']),
      ...Object.entries(payments).map(([code, message]): Entry => [code, code, 1, message, '']),
    ]
  }
  if (page.path === '/docs/test-scenarios') {
    return test_scenarios.map(
      ({ id, trigger, effect }): Entry => [plain(trigger), id, 1, plain(effect), ''],
    )
  }
  if (page.path === '/docs/event-types') {
    const events = Object.entries(api.description.webhooks ?? {})
    return events.map(([name, { post }]) => [name, name, 1, short(post.description), ''])
  }
  const large = api.large.find((name) => page.path === `/docs/objects/${name}`)
  return large ? objectEntries(api, large) : []
}

function operationEntries(api: Api, { operations }: ResourcePage): Entry[] {
  return operations.flatMap((operation): Entry[] => {
    const { id, method, path, operation: described, others, parameters, body } = operation
    const ids = [id, ...others.map((other) => other.id)].join(' ')
    const query = parameters.filter((one) => one.in === 'query')
    const words = `${path} ${ids} ${verbWords(id)} ${short(described.description)}`
    return [
      [described.summary, id, 1, `${method} ${path}`, words],
      ...query.map(
        ({ name, description }): Entry => [name, `${id}.${name}`, 3, short(description), ''],
      ),
      ...(body?.schema ? fieldEntries(shapeOf(api, body.schema), id) : []),
    ]
  })
}

function objectEntries(api: Api, name: string): Entry[] {
  const schema: Schema = api.findSchema(name)
  const object: Entry = [name, name, 2, short(schema.description), '']
  return [object, ...fieldEntries(shapeOf(api, schema), name)]
}

/** Fields of the first two levels: deeper ones are found by the field they are in. */
function fieldEntries(shape: Shape, id: string, level = 0): Entry[] {
  return shape.fields.flatMap((field): Entry[] => [
    [field.name, `${id}.${field.name}`, 3, short(field.description ?? '', max_excerpt.field), ''],
    ...(level === 0 ? fieldEntries(field.shape, `${id}.${field.name}`, level + 1) : []),
  ])
}

function short(text = '', max: number = max_excerpt.place): string {
  const words = plain(text)
  return words.length <= max ? words : `${words.slice(0, max).trimEnd()}…`
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}
