import { createConfig, lintFromString } from '@redocly/openapi-core'
import Type from 'typebox'
import { expect, test } from 'vitest'
import {
  described,
  extended,
  named,
  oneBy,
  shownAs,
} from '../../../src/core/api/described-schemas.ts'
import { nullable } from '../../../src/core/api/schemas.ts'
import { formats } from '../../../src/core/typed/formats.ts'
import type { ApiDescription } from '../../../src/http/description/api-description-parts.ts'
import type { Reference, Response } from '../../../src/http/description/describe-operation.ts'
import { newComponents, type Schema } from '../../../src/http/description/name-components.ts'
import { description_texts, readBothDescriptions } from '../../support/rules/plain-schemas.ts'
import { avoidedIn } from '../../support/rules/plain-words.ts'
import { readDescription } from '../../support/rules/response-check.ts'

// openapi.json as other programs read it: names, size, the rules of a linter.
const [source = '', console_source = ''] = description_texts
const api = readBothDescriptions()
const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
)

/** Ids are UUIDs, so the words in these paths are none. */
const words_beside_ids = /\/(tokens\/alias|subscriptions\/batches)\/\{/

test.each([source, console_source])(
  'the recommended rules of Redocly find nothing',
  async (text) => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    const found = problems
      .filter(({ ruleId, message }) =>
        ruleId === 'no-ambiguous-paths' ? !words_beside_ids.test(message) : true,
      )
      .map(({ ruleId, severity, message, location }) =>
        [severity, ruleId, message, location[0]?.pointer].join(' '),
      )
    expect(found).toEqual([])
  },
)

test('openapi.json has at most 720 kB', () => {
  expect(Buffer.byteLength(source)).toBeLessThanOrEqual(720_000)
})

const verbs =
  'list|get|create|update|delete|cancel|capture|change|confirm|complete|calculate|renew|start|' +
  'accept|suspend|unsuspend|simulate|advance|redeliver|ping|receive|request|reset|log|rotate|search'

test('every operation has a short name of its own that begins with a verb', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  expect(names.length).toBeGreaterThan(150)
  expect(new Set(names).size).toBe(names.length)
  const form = new RegExp(`^(${verbs})[A-Z][A-Za-z]+$`)
  expect(names.filter((name) => !form.test(name) || name.length > 36)).toEqual([])
  const wrong = operations.filter(({ method, operation: { operationId } }) => {
    const reads = /^(list|get|search)/.test(operationId)
    return reads !== (method === 'get') && operationId !== 'getGatewayInfo'
  })
  expect(wrong).toEqual([])
})

/** Every field of a schema, with its place. */
function fieldsOf(schema: Schema, at: string): [at: string, field: Schema][] {
  const {
    properties = {},
    items,
    oneOf = [],
    anyOf = [],
    allOf = [],
    additionalProperties,
  } = schema
  const own = Object.entries(properties).map(([name, field]) => [`${at}.${name}`, field] as const)
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  const parts = [...oneOf, ...anyOf, ...allOf, ...(items ? [items] : []), ...others]
  return [
    ...own.flatMap(([place, field]) => [
      [place, field] as [string, Schema],
      ...fieldsOf(field, place),
    ]),
    ...parts.flatMap((part) => fieldsOf(part, at)),
  ]
}

/** Everything that must be described, with its text. */
const described_places: [at: string, text: string | undefined][] = [
  ...Object.entries(api.components.schemas).flatMap(([name, schema]) =>
    [[name, schema] as [string, Schema], ...fieldsOf(schema, name)].map(
      ([at, { description }]): [string, string | undefined] => [at, description],
    ),
  ),
  ...Object.values(api.components.parameters).map(
    ({ name, description }): [string, string | undefined] => [`parameter ${name}`, description],
  ),
  ...operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
    parameters.flatMap((one): [string, string | undefined][] =>
      '$ref' in one ? [] : [[`${operationId} ${one.name}`, one.description]],
    ),
  ),
]

test('every operation of the API has a description that says more than its summary', () => {
  const { paths }: ApiDescription = JSON.parse(source)
  const without = Object.values(paths).flatMap((item) =>
    Object.values(item)
      .filter(({ description = '', summary }) => description === '' || description === summary)
      .map(({ operationId }) => operationId),
  )
  expect(without).toEqual([])
})

test('every schema, every field and every parameter has a description', () => {
  expect(described_places.length).toBeGreaterThan(1800)
  expect(described_places.filter(([, text]) => !text).map(([at]) => at)).toEqual([])
})

test('a description is short and in plain words: a capital, a full stop, at most 240 characters', () => {
  const texts = [
    ...described_places,
    ...operations.map(({ operation: { operationId, description } }) => [operationId, description]),
  ]
  const wrong = texts.filter(
    ([, text = 'None.']) =>
      !/^(`|[A-Z0-9])/.test(text) ||
      !text.endsWith('.') ||
      text.length > 240 ||
      avoidedIn(text).length > 0,
  )
  expect(wrong).toEqual([])
})

test('every body, every resource and every page has a name', () => {
  const unnamed = operations.flatMap(({ method, path, operation }) => {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap(
      (part) => (part && 'content' in part ? Object.values(part.content ?? {}) : []),
    )
    const inline = contents.some(({ schema = {} }) => schema.type && !schema.$ref)
    return inline ? [`${method} ${path}`] : []
  })
  expect(unnamed).toEqual([])
  const inner = new Set(Object.values(api.components.schemas).flatMap(objectsIn).map(String))
  expect([...inner]).toEqual([])
})

/** Objects inside a schema that have fields but no name. The last part of an `allOf` has that of the whole. */
function objectsIn(schema: Schema): string[] {
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...anyOf]
  return [
    ...parts.flatMap((part) => (part.properties ? [JSON.stringify(part)] : objectsIn(part))),
    ...allOf.flatMap(objectsIn),
  ]
}

test('every example is accepted by the schema that it stands beside', () => {
  const { api: described, ajv } = readDescription(api)
  let count = 0
  const resolved = (one: Response | Reference) =>
    '$ref' in one ? described.components.responses[one.$ref.split('/').at(-1) ?? ''] : one
  const wrong = Object.values(described.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses).map(resolved)].flatMap((part) => {
        const { schema = {}, examples = {} } =
          (part && 'content' in part && part.content?.['application/json']) || {}
        return Object.entries(examples).flatMap(([name, { value }]) => {
          count += 1
          const validate = ajv.compile(schema)
          return validate(value) ? [] : [[operationId, name, ajv.errorsText(validate.errors)]]
        })
      }),
    ),
  )
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(120)
  expect(/eyJ[\w-]+\.[\w-]+\.|whsec_\w/.test(source)).toBe(false)
})

test('the description of a field stands beside the reference, also where it can be null', () => {
  const { write, schemas } = newComponents()
  const Money = named('Money', Type.Object({ amount: Type.Integer() }, { description: 'Of money' }))
  const Sale = Type.Object({
    total: described(Money, 'In all'),
    fee: Type.Optional(described(nullable(Money), 'For us')),
    tip: nullable(described(Money, 'For them')),
    other: Money,
  })
  const $ref = '#/components/schemas/Money'
  expect(write(Sale)).toEqual({
    type: 'object',
    required: ['total', 'tip', 'other'],
    properties: {
      total: { $ref, description: 'In all' },
      fee: { anyOf: [{ $ref }, { type: 'null' }], description: 'For us' },
      tip: { anyOf: [{ $ref }, { type: 'null' }], description: 'For them' },
      other: { $ref },
    },
  })
  const amount = { type: 'integer' }
  expect(schemas()).toEqual({
    Money: {
      type: 'object',
      required: ['amount'],
      properties: { amount },
      description: 'Of money',
    },
  })
})

test('two different schemas with one name are refused', () => {
  const { write } = newComponents()
  write(named('Charge', Type.Object({ id: Type.String() })))
  write(named('Charge', Type.Object({ id: Type.String() })))
  expect(() => write(named('Charge', Type.Object({ id: Type.Integer() })))).toThrow(/Charge/)
})

test('shapes by the value of a field: one is written as another and more, null stays null', () => {
  const { write, schemas } = newComponents()
  const Base = named('Base', Type.Object({ id: Type.String() }))
  const shapes = ['cat', 'dog'].map((kind) => extended(kind, Base, { kind: Type.Literal(kind) }))
  expect(Object.keys(shapes[0]?.properties ?? {})).toEqual(['id', 'kind'])
  const Pet = named('Pet', oneBy('kind', shapes))
  const field = nullable(shownAs(Type.Object({ id: Type.String() }), Pet))
  const [cat, dog] = ['cat', 'dog'].map((name) => `#/components/schemas/${name}`)
  expect(write(field)).toEqual({ anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] })
  expect(schemas()).toMatchObject({
    Pet: {
      oneOf: [{ $ref: cat }, { $ref: dog }],
      discriminator: { propertyName: 'kind', mapping: { cat, dog } },
    },
    cat: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['kind'] }] },
  })
})

test('every value that one of our formats accepts matches its published pattern', () => {
  const accepted: Record<string, string[]> = {
    url: ['https://shop.example/a?b=c', 'HTTP://localhost:3000'],
    domain: ['shop.example', '*.Shop.example:8443', '*'],
    instant: ['2026-11-15', '2026-11-15T09:00:00.5+09:00', '2026-11-15T09:00'],
    time_of_day: ['09:00:00+09:00', 'T23:59Z'],
    currency: ['JPY', 'usd'],
    color: ['#1f5eff', '#FFFFFF'],
    country: ['JP', 'us'],
    language: ['ja', 'en-US', 'EN_us'],
    time_zone: ['Asia/Tokyo', 'UTC', 'America/Argentina/Buenos_Aires'],
  }
  const own = Object.entries(formats).filter(([, format]) => 'written' in format)
  expect(own.map(([name]) => name).sort()).toEqual(Object.keys(accepted).sort())
  for (const [name, format] of own) {
    const { pattern } = (format as { written: { pattern: string } }).written
    for (const text of accepted[name] ?? []) {
      expect([text, format.accepts(text)]).toEqual([text, true])
      expect(text).toMatch(new RegExp(pattern))
    }
    expect(format.accepts('!')).toBe(false)
    expect('!').not.toMatch(new RegExp(pattern))
  }
})
