import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Every list of the API, found by the form of its response in the API description. The scenarios of
// test mode are a table of the documents, not a list of resources.
interface Parameter {
  name: string
  schema: object
}
interface Operation {
  parameters?: Parameter[]
  responses: Record<string, { content?: { 'application/json'?: { schema?: Schema } } }>
}
interface Schema {
  required?: string[]
  properties?: Record<string, object>
}

const file = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const api: { paths: Record<string, { get?: Operation }> } = JSON.parse(readFileSync(file, 'utf8'))

const lists = Object.entries(api.paths).flatMap(([path, { get }]) => {
  const schema = get?.responses['200']?.content?.['application/json']?.schema
  const is_list = schema?.properties?.items && path !== '/test/scenarios'
  return get && is_list ? [[path, get, schema] as const] : []
})

test('every list takes limit (10 to 100, default 10), cursor and cursor_direction', () => {
  expect(lists.length).toBeGreaterThan(25)
  for (const [path, { parameters = [] }] of lists) {
    const of = (name: string) => parameters.find((one) => one.name === name)?.schema
    const limit = { type: 'integer', minimum: 10, maximum: 100, default: 10 }
    expect(of('limit'), path).toMatchObject(limit)
    expect(of('cursor'), path).toMatchObject({ type: 'string' })
    expect(of('cursor_direction'), path).toMatchObject({ enum: ['asc', 'desc'], default: 'desc' })
  }
})

test('every list answers the envelope {items, has_more}', () => {
  for (const [path, , { properties = {}, required }] of lists) {
    // Client libraries know the next cursor of history; it is not needed.
    const names = Object.keys(properties).filter((name) => name !== 'next_cursor')
    expect(names.sort(), path).toEqual(['has_more', 'items'])
    expect([...(required ?? [])].sort(), path).toEqual(['has_more', 'items'])
  }
})
