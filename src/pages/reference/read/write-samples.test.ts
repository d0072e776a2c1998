import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '../../../../client/src/generated/api-routes.ts'
import { client_names } from '../../../http/route-modules.ts'
import type { SampleLanguage } from '../rendering.ts'
import { readApi } from './read-api.ts'
import { notations, writeLiteral } from './write-literal.ts'
import { writeSample } from './write-samples.ts'

const file = new URL('../../../../openapi.json', import.meta.url)
const api = readApi(JSON.parse(readFileSync(file, 'utf8')), client_names)
const operations = api.resources.flatMap((page) => page.operations)

function sample(id: string, samples: SampleLanguage, body?: unknown): string {
  const operation = operations.find((one) => one.id === id)
  if (!operation) throw new Error(`There is no ${id}.`)
  return writeSample({ api, base_url: 'https://pay.example', samples }, operation, body)
}

const charge = { amount: 1000, metadata: { note: "it's $1" } }

test('curl: everything is quoted for a shell', () => {
  expect(sample('createCharge', 'curl', charge)).toBe(`curl https://pay.example/charges \\
  -H "Authorization: Bearer $SECRET.$JWT" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{
    "amount": 1000,
    "metadata": {
      "note": "it'\\''s $1"
    }
  }'`)
})

test('JavaScript: the method of our client, ids before fields', () => {
  const text = sample('createRefund', 'javascript', { amount: 1 })
  expect(text).toMatch(/const charge_id = '[\da-f-]{36}'/)
  expect(text).toContain('await kaikei.refunds.create(charge_id, {\n  amount: 1\n})')
  expect(sample('listCharges', 'javascript')).toContain(
    'for await (const item of kaikei.charges.list())',
  )
  expect(sample('updateStoreRefund', 'javascript', {})).toContain("method: 'PATCH'")
})

test('every method of the client is called by a sample, and no other', () => {
  const called = operations.flatMap(({ id }) => {
    const found = /kaikei\.(\w+)\.(\w+)\(/.exec(sample(id, 'javascript'))
    return found ? [`${found[1]}.${found[2]}`] : []
  })
  const known = Object.entries(routes).flatMap(([resource, methods]) =>
    Object.keys(methods).map((name) => `${resource}.${name}`),
  )
  expect([...new Set(called)].sort()).toEqual(known.sort())
})

test('PHP, Python and Ruby: values in the notation of the language', () => {
  const php = sample('createCharge', 'php', charge)
  expect(php).toContain("'note' => 'it\\'s $1'")
  expect(php).toContain("CURLOPT_CUSTOMREQUEST => 'POST'")
  expect(sample('createCharge', 'python', { capture: false })).toContain('"capture": False')
  const ruby = sample('createCharge', 'ruby', { descriptor: 'a #{b}', capture_at: null })
  expect(ruby).toContain('descriptor: "a \\#{b}"')
  expect(ruby).toContain('capture_at: nil')
  expect(ruby).toContain('use_ssl: true')
})

test('a call without a response reads nothing, and a public call sends no token', () => {
  expect(sample('deleteToken', 'python')).not.toContain('json')
  expect(sample('deleteToken', 'ruby')).not.toContain('JSON.parse')
  expect(sample('getHeartbeat', 'curl')).toBe('curl https://pay.example/heartbeat')
})

test('a literal has empty objects and lists in one line', () => {
  expect(writeLiteral({ a: {}, b: [], c: [1] }, notations.json)).toBe(
    '{\n  "a": {},\n  "b": [],\n  "c": [\n    1\n  ]\n}',
  )
})
