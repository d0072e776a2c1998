import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { plainSchemas, readBothDescriptions } from '../support/rules/plain-schemas.ts'
import { newWorld } from '../support/world.ts'

// Every list of the API, found by the form of its response in the API description. The scenarios of
// test mode are a table of the documents, not a list of resources; a timeline, due work, sums and the results
// of a search are one bounded response. A statement is only read backwards, as each page continues the balance.
const api = readBothDescriptions()
const { parametersOf, resultOf } = plainSchemas(api)

const lists = Object.entries(api.paths).flatMap(([path, { get }]) => {
  const schema = get ? resultOf(get) : {}
  const is_list =
    schema.properties?.items &&
    !/^\/(test\/|search$|ledger_statement$)|\/(timeline|totals)$/.test(path)
  return get && is_list ? [[path, parametersOf(get), schema] as const] : []
})

test('every list takes limit (10 to 100, default 10), cursor and cursor_direction', () => {
  expect(lists.length).toBeGreaterThan(25)
  for (const [path, parameters] of lists) {
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

test('every list refuses a limit out of bounds, and every export a column that it does not have', async () => {
  const world = await newWorld()
  const { as_merchant, as_store } = await world.merchant()
  const exports = Object.keys(api.paths).filter((path) => path.startsWith('/exports/'))
  const queries = [
    ...lists.map(([path]) => [path, { limit: '9' }] as const),
    ...exports.map(
      (path) =>
        [
          path,
          { columns: 'nonsense', ...(path.includes('payout') ? { transfer_id: newId(1) } : {}) },
        ] as const,
    ),
  ].filter(([path]) => !path.includes('{'))
  for (const [path, query] of queries) {
    world.clock.advance(1000)
    const found = await world.call('GET', path, { auth: as_merchant, query })
    const response =
      found.status === 403 ? await world.call('GET', path, { auth: as_store, query }) : found
    expect([path, [400, 403].includes(response.status)]).toEqual([path, true])
    const [field] = Object.keys(query)
    if (response.status === 400) expect(response.body.errors, path).toMatchObject([{ field }])
  }
  await world.close()
})
