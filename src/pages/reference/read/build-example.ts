import { createHash } from 'node:crypto'
import { type Content, nameOf, type Schema } from './api-description.ts'
import { withoutNull } from './field-tree.ts'
import type { Api, ApiOperation } from './read-api.ts'

export interface Example {
  readonly name: string
  readonly value: unknown
}

/** The examples of the description; without one, an example is built from the schema. */
export function examplesOf(api: Api, content: Content | null, use: Use): Example[] {
  if (!content) return []
  const given = content.examples ?? content.shared_examples ?? {}
  const named = Object.entries(given).flatMap(([name, { summary, value }]) =>
    value === undefined ? [] : [{ name: summary ?? name, value }],
  )
  if (named.length > 0) return named
  if (content.example !== undefined) return [{ name: '', value: content.example }]
  if (!content.schema) return []
  return [{ name: '', value: buildExample(api, content.schema, use) }]
}

/** An object as it is read, or at least returned; otherwise built from its schema. */
export function objectExample(api: Api, name: string): unknown {
  const operations = api.resources.flatMap((page) => page.operations)
  const isExample = ({ success }: ApiOperation) => {
    const { schema, example, examples } = success.content ?? {}
    return nameOf(schema?.$ref ?? '') === name && (example ?? examples) !== undefined
  }
  const known = operations.filter(isExample)
  const found = known.find(({ method }) => method === 'GET') ?? known[0]
  const content = found?.success.content ?? { schema: api.findSchema(name) }
  return examplesOf(api, content, 'response')[0]?.value
}

/** A request has the required fields only; a response has all of them. */
type Use = 'request' | 'response'

const max_depth = 8
/** The number of fields shown of a request in which none is required. */
const shown_optional = 2

function buildExample(api: Api, given: Schema, use: Use, name = '', depth = 0): unknown {
  const { content, nullable } = withoutNull(given)
  const schema = content.$ref ? api.findSchema(nameOf(content.$ref)) : content
  const { const: only, enum: allowed, default: fallback, examples } = schema
  const known = examples?.[0] ?? only ?? allowed?.find((value) => value !== null)
  if (depth > max_depth || (nullable && use === 'response' && known === undefined)) return null
  if (known !== undefined) return known
  if (fallback !== undefined && fallback !== null) return fallback
  const { oneOf, anyOf, allOf, items, properties } = schema
  const form = (oneOf ?? anyOf)?.[0]
  const parts = [...(allOf ?? []), ...(form ? [form] : [])]
  if (parts.length > 0 || properties) {
    const own = fieldsOf(api, schema, use, depth)
    const rest = parts.map((part) => buildExample(api, part, use, name, depth + 1))
    return Object.assign({}, ...rest, own)
  }
  if (schema.type === 'array') return items ? [buildExample(api, items, use, name, depth + 1)] : []
  return scalarOf(schema, name)
}

function fieldsOf(api: Api, schema: Schema, use: Use, depth: number): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const all = Object.entries(properties)
  const needed = all.filter(([name]) => required.includes(name))
  const is_bare = needed.length === 0 && depth === 0
  const chosen = use === 'response' ? all : is_bare ? simplest(all) : needed
  const values = chosen.map(([name, field]) => [
    name,
    buildExample(api, field, use, name, depth + 1),
  ])
  return Object.fromEntries(values)
}

function simplest(fields: [string, Schema][]): [string, Schema][] {
  const plain = fields.filter(([, field]) => !JSON.stringify(field).includes('$ref'))
  return (plain.length > 0 ? plain : fields).slice(0, shown_optional)
}

const by_format: Readonly<Record<string, string>> = {
  'date-time': '2026-11-15T01:02:03.456Z',
  instant: '2026-11-15T01:02:03.456Z',
  date: '2026-11-15',
  duration: 'P1M',
  time_of_day: '09:00:00+09:00',
  time_zone: 'Asia/Tokyo',
  currency: 'JPY',
  country: 'JP',
  language: 'ja',
  email: 'taro@example.com',
  uri: 'https://shop.example/',
  domain: 'shop.example',
  ipv4: '203.0.113.5',
}

const by_name: readonly [RegExp, unknown][] = [
  [/amount/, 1000],
  [/currency$/, 'JPY'],
  [/^mode$/, 'test'],
  [/^card_number$/, '4242424242424242'],
  [/^exp_month$/, 12],
  [/^exp_year$/, 2030],
  [/^cvv$/, '123'],
  [/^cardholder$/, 'Taro Yamada'],
  [/created_on$/, 1_794_704_523_456],
  [/^email$/, 'taro@example.com'],
  [/name$/, 'Taro Yamada'],
]

function scalarOf(schema: Schema, name: string): unknown {
  const { type, format = '', minimum = 0, maximum, maxLength } = schema
  if (format === 'uuid') return exampleId(name)
  const [kind] = [type ?? 'object'].flat()
  if (kind === 'boolean') return true
  const known = by_format[format] ?? by_name.find(([pattern]) => pattern.test(name))?.[1]
  if (kind === 'integer' || kind === 'number') {
    const number = typeof known === 'number' ? known : 1
    return Math.max(minimum, Math.min(number, maximum ?? number))
  }
  if (kind === 'string') return String(known ?? name).slice(0, maxLength)
  return {}
}

/** The same id wherever a field of this name is shown. */
export function exampleId(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  const [a, b, c, d] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 15),
    digits.slice(15, 27),
  ]
  return `${a}-${b}-7${c}-8${digits.slice(28, 31)}-${d}`
}
