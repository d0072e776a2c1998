import fc from 'fast-check'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const by_format: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.constantFrom('a@example.com', 'long.name+tag@shop.example'),
  url: fc.constantFrom('https://shop.example/hook', 'http://localhost:3000/', 'https://例え.jp/x'),
  domain: fc.constantFrom('*', 'shop.example', '*.shop.example', 'localhost:3000'),
  duration: fc.constantFrom('P1D', 'PT30M', 'P1M2DT3H'),
  instant: fc.constantFrom('2026-01-15T00:00:00Z', '2026-01-15', '2026-01-15T09:00:00.5+09:00'),
  currency: fc.constantFrom('JPY', 'usd', 'KWD'),
  country: fc.constantFrom('JP', 'us'),
  language: fc.constantFrom('ja', 'en-US'),
  time_zone: fc.constantFrom('Asia/Tokyo', 'UTC'),
}

/** Values that fit a schema. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return fc.oneof(...branches.map(valid))
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => validOf(type, schema)))
}

function validOf(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1),
      })
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 100 })
    case 'array':
      return fc.array(valid(schema.items ?? { type: 'string' }), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, valid(inner)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    default: {
      const known = schema.format === undefined ? undefined : by_format[schema.format]
      return (
        known ??
        fc.string({
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(schema.maxLength ?? 30, 60),
        })
      )
    }
  }
}

const nasty_texts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u0007',
  "' or '1'='1",
  "'; drop table merchants; --",
  '%_%\\',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '$' + '{jndi:ldap://x}',
  '4242424242424242',
  'ａｍｏｕｎｔ',
  'x'.repeat(5000),
  '__proto__',
  'NaN',
  '1e400',
]

/** Things nobody should send. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...nasty_texts),
  fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 1e308, -0, Number.MAX_SAFE_INTEGER + 2, [], {}, [
    [],
  ]),
  fc.constant({ constructor: { prototype: { polluted: 1 } }, toString: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** Values that fit but for one place, or several. */
export function nearlyValid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(nearlyValid))
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return hostile
  const record = Object.fromEntries(
    properties.map(([key, inner]) => [
      key,
      fc.oneof(
        { weight: 3, arbitrary: valid(inner) },
        { weight: 1, arbitrary: nearlyValid(inner) },
      ),
    ]),
  )
  return fc.record(record, { requiredKeys: [] })
}
