import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { ProviderForm } from './instructions.ts'

const addresses: [url: string, is_allowed: boolean][] = [
  ['https://acquirer.example/pages/1', true],
  ['http://127.0.0.1:3000/pages/1', true],
  ['http://localhost/pages/1', true],
  ['http://acquirer.example/pages/1', false],
  ['http://127.0.0.1.acquirer.example/1', false],
  ['http://localhost:80@acquirer.example/1', false],
  ['javascript:alert(1)', false],
]
test.each(addresses)('a customer is sent to %s: %s', (url, is_allowed) => {
  expect(Value.Check(ProviderForm, { url, method: 'get', fields: {} })).toBe(is_allowed)
})
