import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Kaikei } from '../../client/src/kaikei-client.ts'
import { isSameSubject, queryKeyOf } from '../../web/console/api/query-key.ts'

// The key of a query in the console is the request that it makes, so that no parameter can be missing in it.
const deliveries = (webhook_id?: string, more: object = {}) =>
  queryKeyOf((api) =>
    api.webhooks.listAllDeliveries({ ...more, ...(webhook_id ? { webhook_id } : {}) }),
  )

test('a key has the method and every argument', () => {
  expect(deliveries('one', { limit: 50 })).toEqual([
    'webhooks',
    'listAllDeliveries',
    { limit: 50, webhook_id: 'one' },
  ])
  expect(queryKeyOf((api) => api.charges.get('id', {}, { store_id: 'of' }))).toEqual([
    ...['charges', 'get', 'id', {}, { store_id: 'of' }],
  ])
})

test('a query without a call, or with two, is refused', () => {
  expect(() => queryKeyOf(async () => null)).toThrow('makes one call')
  const two = async (api: Kaikei) => {
    void api.merchant.get()
    return api.merchant.get()
  }
  expect(() => queryKeyOf(two)).toThrow('not 2')
})

test('rows of another webhook, store or page of another thing are not shown while new ones load', () => {
  expect(isSameSubject(deliveries('one'), deliveries('two'))).toBe(false)
  expect(isSameSubject(deliveries(), deliveries('one'))).toBe(false)
  expect(isSameSubject(deliveries('one'), deliveries('one', { status: 'failed' }))).toBe(true)
  const ofStore = (store_id: string) =>
    queryKeyOf((api) => api.subscriptions.list({ limit: 50 }, { store_id }))
  expect(isSameSubject(ofStore('a'), ofStore('b'))).toBe(false)
})

test('only the functions that read and change make keys', () => {
  const web = new URL('../../web/console/', import.meta.url)
  const names = readdirSync(web, { recursive: true, encoding: 'utf8' })
  const found = names
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('api/'))
    .filter((name) =>
      /useQuery\(|useMutation\(|queryKey: \[/.test(readFileSync(new URL(name, web), 'utf8')),
    )
  expect(found).toEqual([])
})
