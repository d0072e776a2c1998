import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { client_names } from '../../http/route-modules.ts'
import { test_scenarios } from '../../simulator/test-scenarios.ts'
import type { languages } from '../frame/page-frame.ts'
import { llmsText, markdownOf } from './documents/llms-text.ts'
import { scenario_places, scenariosOf } from './guides/scenario-places.ts'
import type { ApiDescription } from './read/api-description.ts'
import { examplesOf } from './read/build-example.ts'
import { readApi } from './read/read-api.ts'
import { listTryData } from './read/try-data.ts'
import { listPages } from './reference-pages.ts'
import { reference_texts } from './reference-texts.ts'
import { renderDocument } from './render-document.ts'
import type { SampleLanguage } from './rendering.ts'

// Pages are rendered from openapi.json of the repository, as it is and with texts of our own.
const file = new URL('../../../openapi.json', import.meta.url)
const described: ApiDescription = JSON.parse(readFileSync(file, 'utf8'))
const max_page_bytes = 155_000

type Json = Record<string, unknown>

/** A copy of the description in which every object was changed. */
function changed(change: (part: Json, key: string) => void): ApiDescription {
  const copy = structuredClone(described)
  const visit = (part: unknown, key: string) => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, inner] of Object.entries(part)) visit(inner, name)
    if (!Array.isArray(part)) change(part as Json, key)
  }
  visit(copy, '')
  return copy
}

function renderAll(
  description: ApiDescription,
  language: (typeof languages)[number] = 'en',
  samples: SampleLanguage = 'curl',
): Map<string, string> {
  const api = readApi(description, client_names)
  const pages = listPages(api)
  const texts = reference_texts[language]
  const rendering = { api, base_url: 'http://127.0.0.1:8080', language, texts, samples }
  return new Map(
    pages.map((page) => {
      const shown = new Map<string, string>()
      return [page.path, renderDocument({ pages, page, rendering: { ...rendering, shown } })]
    }),
  )
}

const isOperation = (part: Json) => typeof part.operationId === 'string'
const idsIn = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

test('the navigation is complete in Japanese: groups, guides and resources', () => {
  const pages = listPages(readApi(described, client_names))
  const english = pages.filter(
    (page) => page.group !== 'objects' && !/[^ -~]/.test(page.title('ja')),
  )
  expect(english.map(({ path }) => path)).toEqual(['/docs/guides/apple-pay'])
})

test('every page is Markdown too, with its title, its headings and its code', () => {
  const api = readApi(described, client_names)
  const texts = reference_texts.en
  const base_url = 'http://127.0.0.1:8080'
  const rendering = {
    api,
    base_url,
    language: 'en',
    texts,
    samples: 'curl',
    shown: new Map(),
  } as const
  const pages = listPages(api)
  for (const page of pages) {
    const text = markdownOf(page, rendering)
    expect(text, page.path).toMatch(/^# \S/)
    expect(text.match(/^```/gm)?.length ?? 0, page.path).toSatisfy(
      (count: number) => count % 2 === 0,
    )
    expect(text.replaceAll(/^```[\s\S]*?^```/gm, ''), page.path).not.toMatch(
      /<\/?(div|section|span|p|li)\b/,
    )
  }
  const refunds = pages.find(({ path }) => path === '/docs/refunds')
  expect(refunds && markdownOf(refunds, rendering)).toContain('## Refund part or all of a charge')
  const list = llmsText(pages, rendering)
  for (const { path } of pages) expect(list).toContain(`(${base_url}${path}.md)`)
})

test('every operation has a place on exactly one page', () => {
  const places = [...renderAll(described).values()].flatMap(idsIn)
  const operations = Object.values(described.paths).flatMap((item) => Object.values(item))
  for (const { operationId } of operations) {
    expect(
      places.filter((id) => id === operationId),
      operationId,
    ).toHaveLength(1)
  }
})

test('no id occurs twice on a page, and every link of the reference has a target', () => {
  const pages = renderAll(described)
  for (const [path, text] of pages) {
    const ids = idsIn(text)
    expect(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      path,
    ).toEqual([])
    for (const [, target = ''] of text.matchAll(/ href="((?:\/docs[^"]*)?#?[^"]*)"/g)) {
      if (!/^(\/docs|#)/.test(target)) continue
      const [page = '', fragment] = target.split('#')
      const there = pages.get(page === '' ? path : page.replace(/\.md$/, ''))
      expect(there, `${path} -> ${target}`).toBeDefined()
      if (fragment) expect(idsIn(there ?? ''), `${path} -> ${target}`).toContain(fragment)
    }
  }
})

test('pages stay small when every field, operation and error is described', () => {
  const sentence = 'What this is for and what happens when it is left out or has a wrong value.'
  const codes = Object.keys(described['x-errors'] ?? {})
  const full = changed((part, key) => {
    if (key === 'properties') {
      for (const field of Object.values(part) as Json[]) field.description ??= sentence
    }
    if (!isOperation(part)) return
    part.description ??= `${sentence} ${sentence}`
    const from = String(part.summary).length
    part['x-error-groups'] = []
    part['x-error-codes'] = [...codes.slice(0, 10), ...codes.slice(from, from + 5)]
  })
  // Japanese takes three bytes for a letter, and PHP the most lines.
  for (const [path, text] of renderAll(full, 'ja', 'php')) {
    expect(Buffer.byteLength(text), path).toBeLessThan(max_page_bytes)
  }
})

test('no text of the description becomes markup', () => {
  const attack = `"'><script>alert(1)</script>`
  const hostile = changed((part) => {
    for (const name of ['description', 'summary', 'message', 'pattern', 'example', 'default']) {
      if (typeof part[name] === 'string') part[name] = attack
    }
    if (Array.isArray(part.enum)) part.enum = [attack, ...part.enum]
    if (Array.isArray(part.examples)) part.examples = [attack]
    if (isOperation(part)) part['x-error-codes'] = [attack]
  })
  for (const [path, text] of renderAll(hostile)) {
    expect(text, path).not.toContain('<script>')
    expect(text.match(/<script[ >]/g), path).toHaveLength(4)
  }
})

test('examples of the description are shown, each with its name', () => {
  const body = { transaction_token_id: 'an-id', amount: 4321, currency: 'JPY' }
  const api = readApi(
    changed((part) => {
      if (part.operationId !== 'createCharge') return
      const content = (part.requestBody as Json).content as Record<string, Json>
      const later = { summary: 'Captured later', value: { ...body, capture: false } }
      Object.assign(content['application/json'] ?? {}, {
        examples: { now: { value: body }, later },
      })
    }),
    client_names,
  )
  const text = renderAll(api.description).get('/docs/charges') ?? ''
  expect(text).toContain('"amount": 4321')
  expect(text).toContain('<summary>Captured later</summary>')
  expect(listTryData(api).createCharge).toMatchObject({ method: 'POST', body })
  expect(examplesOf(api, { example: 5 }, 'request')).toEqual([{ name: '', value: 5 }])
})

test('an operation shows its own errors, a page those that all its operations share', () => {
  const pages = renderAll(
    changed((part) => {
      if (!isOperation(part)) return
      const own = part.operationId === 'createRefund' ? ['REFUND_EXCEEDS_CHARGE_AMOUNT'] : []
      part['x-error-groups'] = []
      part['x-error-codes'] = ['VALIDATION_ERROR', ...own]
    }),
  )
  const text = pages.get('/docs/refunds') ?? ''
  expect(text.match(/errors#VALIDATION_ERROR/g)).toHaveLength(1)
  expect(text).toContain('What can go wrong (2)')
  expect(text).toContain('/docs/errors#REFUND_EXCEEDS_CHARGE_AMOUNT')
})

test('every group of test scenarios stands beside an operation', () => {
  const operations = new Set(
    readApi(described, client_names).resources.flatMap((page) =>
      page.operations.map(({ id }) => id),
    ),
  )
  for (const { group } of test_scenarios) expect(scenario_places, group).toHaveProperty([group])
  for (const id of Object.values(scenario_places).flat()) {
    expect(operations, id).toContain(id)
    expect(scenariosOf(id).length).toBeGreaterThan(0)
  }
})

test('the client has a name for the operations of every resource that a shop uses', () => {
  const operations = Object.values(described.paths).flatMap((item) => Object.values(item))
  const named = operations.filter(({ operationId = '' }) => client_names.has(operationId))
  const tags = new Set(named.map((operation) => operation.tags?.[0]))
  const without = described.tags.map(({ name }) => name).filter((tag) => !tags.has(tag))
  expect(without).toEqual(['callbacks', 'health'])
})
