import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { client_names } from '../../../http/route-modules.ts'
import { listPages } from '../reference-pages.ts'
import { readApi } from './read-api.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'

// The search of the browser over the index that the service sends, both as they are.
interface Place {
  readonly title: string
  readonly address: string
  readonly text: string
}
interface Search {
  readPlaces(index: SearchIndex): unknown
  findPlaces(places: unknown, text: string): readonly Place[]
}
const script = new URL('../../../../web/reference/find-places.js', import.meta.url)
const search: Search = await import(script.href)
const description = new URL('../../../../openapi.json', import.meta.url)
const api = readApi(JSON.parse(readFileSync(description, 'utf8')), client_names)
const pages = listPages(api)
const indexes = { en: buildIndex(api, pages, 'en'), ja: buildIndex(api, pages, 'ja') }
const places = { en: search.readPlaces(indexes.en), ja: search.readPlaces(indexes.ja) }

/** Queries of newcomers, with the first result that they expect. */
const queries = [
  ['konbini', '/docs/guides/konbini'],
  ['コンビニ', '/docs/guides/konbini'],
  ['convenience store', '/docs/guides/konbini'],
  ['3ds', '/docs/guides/card#3-d-secure'],
  ['3-D Secure', '/docs/guides/card#3-d-secure'],
  ['3Dセキュア', '/docs/guides/card#3-d-secure'],
  ['4242', '/docs/test-scenarios#card_succeeds'],
  ['4242 4242 4242 4242', '/docs/test-scenarios#card_succeeds'],
  ['4000000000009995', '/docs/test-scenarios#card_insufficient_funds'],
  ['309', '/docs/errors#309'],
  ['VALIDATION_ERROR', '/docs/errors#VALIDATION_ERROR'],
  ['paypay', '/docs/guides/online'],
  ['apple pay', '/docs/guides/apple-pay'],
  ['webhook', '/docs/guides/webhooks'],
  ['webhok', '/docs/guides/webhooks'],
  ['通知', '/docs/guides/webhooks'],
  ['refund', '/docs/refunds'],
  ['how to refund a payment', '/docs/refunds#createRefund'],
  ['返金のやり方', '/docs/refunds'],
  ['refnd', '/docs/refunds'],
  ['paging', '/docs#pagination'],
  ['cursor', '/docs#pagination'],
  ['CHECKOUT_URL', '/docs/guides/operating#CHECKOUT_URL'],
  ['kaikei demo', '/docs/guides/commands#demo'],
  ['charge_finished', '/docs/event-types#charge_finished'],
  ['idempotency', '/docs#idempotency'],
  ['二重課金', '/docs#idempotency'],
  ['サブスク', '/docs/guides/subscriptions'],
  ['subscripton', '/docs/guides/subscriptions'],
  ['test card', '/docs/guides/test-mode'],
  ['テストカード', '/docs/guides/test-mode'],
  ['install', '/docs/guides/five-minutes'],
  ['始め方', '/docs/guides/five-minutes'],
  ['rate limit', '/docs#rate-limits'],
  ['api key', '/docs/application-tokens'],
  ['chargeback', '/docs/guides/disputes'],
  ['入金', '/docs/guides/transfers'],
  ['支払いリンク', '/docs/payment-links'],
  ['stripe', '/docs/guides/connectors#stripe'],
  ['本番', '/docs/guides/going-live'],
] as const

test.each(queries)(
  'a newcomer who types "%s" finds %s first, in both languages',
  (query, first) => {
    for (const language of ['en', 'ja'] as const) {
      const found = search.findPlaces(places[language], query).map(({ address }) => address)
      expect(found[0], `${language}: ${found.join(' ')}`).toBe(first)
    }
  },
)

test('an excerpt is a text of the page: words that only find a place are not shown', () => {
  const [konbini] = search.findPlaces(places.ja, 'コンビニ')
  expect(konbini?.text).toMatch(/^For developers, to do: take cash/)
  const hidden = indexes.ja.pages.flatMap(({ keywords, entries }) => [
    keywords,
    ...entries.map(([, , , , words]) => words),
  ])
  const shown = search.findPlaces(places.ja, '返金').map(({ text }) => text)
  expect(shown.filter((text) => text !== '' && hidden.includes(text))).toEqual([])
})

test('words that no page has find nothing', () => {
  expect(search.findPlaces(places.en, 'zzzzqqqq')).toEqual([])
  expect(search.findPlaces(places.en, '')).toEqual([])
})

test('the index of each language is small', () => {
  expect(JSON.stringify(indexes.en).length).toBeLessThan(445_000)
  expect(JSON.stringify(indexes.ja).length).toBeLessThan(445_000)
})
