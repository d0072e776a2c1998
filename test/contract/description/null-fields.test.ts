import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { plainOperations } from '../../support/rules/plain-schemas.ts'
import { useWorld } from '../../support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../support/world.ts'

// `null` for an optional field of a body means that the field is absent. The bodies are generated from
// the API description: one with every optional field absent, and one for each of them as null, at any
// depth.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  minLength?: number
  minItems?: number
  oneOf?: Schema[]
}

const by_format: Record<string, string> = {
  uuid: '0190a0b0-0000-7000-8000-000000000000',
  email: 'a@example.com',
  uri: 'https://shop.example/hook',
  domain: 'shop.example',
  duration: 'P7D',
  instant: '2026-02-01T00:00:00Z',
  date: '2026-02-01',
  time_of_day: '09:00:00+09:00',
  currency: 'JPY',
  country: 'JP',
  language: 'ja',
  time_zone: 'Asia/Tokyo',
  ipv4: '192.0.2.1',
}

/** Values that only a rule beyond the schema knows, by the name of their field. */
const by_name: Record<string, unknown> = {
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2030,
  cvv: '123',
  call_method: 'http_get',
  triggers: ['charge_finished'],
  usage_limit: '12',
  local_number: '9012345678',
  country_code: '81',
  convenience_store: 'lawson',
}

/** The smallest valid value: required fields only. */
function smallest(schema: Schema, name = ''): unknown {
  if (name in by_name) return by_name[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((value) => value !== null)
  const type = [schema.type ?? 'object'].flat().find((one) => one !== 'null')
  switch (type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items ?? {}, name))
    case 'object': {
      const required = schema.required ?? []
      const fields = Object.entries(schema.properties ?? {})
      return Object.fromEntries(
        fields
          .filter(([key]) => required.includes(key))
          .map(([key, inner]) => [key, smallest(inner, key)]),
      )
    }
    default:
      return by_format[schema.format ?? ''] ?? text(schema)
  }
}

function text({ pattern, minLength = 1, examples }: Schema): string {
  if (typeof examples?.[0] === 'string') return examples[0]
  const fits = ['1234', '123456', 'abcd', 'x'].find(
    (one) => !pattern || new RegExp(pattern).test(one),
  )
  return (fits ?? 'x').padEnd(minLength, 'x')
}

type Case = [field: string, with_null: object, without: object]

/** The body with one optional field as null and without it, for every optional field. */
function cases(schema: Schema, base: Record<string, unknown>, path = ''): Case[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]): Case[] => {
    const here = `${path}${name}`
    const { [name]: _, ...without } = base
    const is_required = schema.required?.includes(name)
    const own: Case[] = is_required ? [] : [[here, { ...base, [name]: null }, without]]
    if (!inner.properties || name === 'metadata') return own
    const child = (base[name] ?? smallest(inner, name)) as Record<string, unknown>
    const deeper = cases(inner, child, `${here}.`)
    return [
      ...own,
      ...deeper.map(
        ([at, one, other]): Case => [at, { ...base, [name]: one }, { ...base, [name]: other }],
      ),
    ]
  })
}

function operations(): [method: string, path: string, schema: Schema, auth: string | null][] {
  return plainOperations(world.app).flatMap(({ method, path, body, access: { level } }) => {
    if (!body || level === 'user') return []
    const auth = level === 'public' ? null : level === 'store' ? shop.as_store : shop.as_merchant
    const branches = (body.oneOf ?? [body]) as Schema[]
    return branches.map((branch): [string, string, Schema, string | null] => [
      method,
      path,
      branch,
      auth,
    ])
  })
}

/** Ids that do not exist: an accepted body gets as far as 404, or succeeds. */
function fill(path: string): string {
  const own: Record<string, string> = { store_id: shop.store_id, merchant_id: shop.id }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name] ?? randomUUID())
}

const faults = ({ body }: ApiResponse): string[] =>
  (body?.errors ?? []).map(({ field, reason }: Record<string, string>) => `${field} ${reason}`)

test('every optional field of every body may be null, which is the same as absent', async () => {
  let tried = 0
  for (const [method, path, schema, auth] of operations()) {
    const base = smallest(schema) as Record<string, unknown>
    const url = fill(path)
    for (const [field, with_null, without] of cases(schema, base)) {
      tried += 1
      world.clock.advance(60_000)
      const response = await world.call(method, url, { auth, body: with_null })
      const reported = `${method} ${path} ${field}: ${response.status} ${response.text.slice(0, 300)}`
      expect(response.status, reported).toBeLessThan(500)
      if (response.status !== 400) continue
      // Refused for another reason, then: the same without the field.
      const same = await world.call(method, url, { auth, body: without })
      expect([same.status, faults(same)], reported).toEqual([response.status, faults(response)])
    }
  }
  expect(tried).toBeGreaterThan(300)
}, 240_000)

test('a required field that is null is reported as missing', async () => {
  const auth = shop.as_store
  const body = { transaction_token_id: null, amount: null, currency: 'JPY' }
  expect((await world.call('POST', '/charges', { auth, body })).body).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'transaction_token_id is required; amount is required.',
    errors: [
      { field: 'transaction_token_id', reason: 'REQUIRED_VALUE' },
      { field: 'amount', reason: 'REQUIRED_VALUE' },
    ],
  })
})

test('null inside metadata is a value of the merchant and stays', async () => {
  const body = {
    payment_type: 'card',
    email: 'a@example.com',
    metadata: { order: null },
    three_ds: null,
    data: {
      cardholder: 'TARO',
      card_number: '4242424242424242',
      exp_month: 12,
      exp_year: 2030,
      cvv: '123',
      cvv_authorize: null,
      three_ds: null,
    },
  }
  const created = await world.call('POST', '/tokens', { auth: shop.as_store, body })
  expect(created).toMatchObject({ status: 201, body: { metadata: { order: null } } })
})

test('unknown fields and parameters are ignored and named', async () => {
  const auth = shop.as_store
  const body = {
    name: 'Second',
    colour: 'red',
    configuration: { logo: 1, card_configuration: { on: 1 } },
  }
  const created = await world.call('POST', '/stores?verbose=1', { auth: shop.as_merchant, body })
  expect(created.status).toBe(201)
  expect(created.headers['x-ignored-fields']).toBe(
    'verbose, colour, configuration.logo, configuration.card_configuration.on',
  )
  const listed = await world.call('GET', '/charges?limt=20&limit=20', { auth })
  expect(listed.headers['x-ignored-fields']).toBe('limt')
  const clean = await world.call('GET', '/charges?limit=20', { auth })
  expect(clean.headers['x-ignored-fields']).toBeUndefined()
  const odd = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: { name: '', 'a\r\nset-cookie: x': 1, '4242424242424242': 1, ключ: 1 },
  })
  expect(odd.status).toBe(400)
  expect(odd.headers['x-ignored-fields']).toMatch(/^[\w.?[\], -]+$/)
  expect(odd.headers['x-ignored-fields']).not.toContain('4242424242424242')
})
