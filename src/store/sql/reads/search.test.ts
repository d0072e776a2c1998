import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../../test/support/payments.ts'
import { useWorld } from '../../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../../test/support/world.ts'
import { searchWords } from '../../../core/text/search-words.ts'

// Searches over HTTP, in each list that has one. Two shops sell the same things to the same people.
const world = useWorld()
let shop: TestMerchant
let stranger: TestMerchant
let pay: Payments
const made: Record<'charges' | 'refunds' | 'tokens' | 'subscriptions', string[]> = {
  charges: [],
  refunds: [],
  tokens: [],
  subscriptions: [],
}
const things = [
  { order: 'A-2024/0001', note: 'ゴールド会員 北海道' },
  { order: 'A-2024/0002', note: "it's 100% \\ 'new':* & !old | (x) <-> y" },
  { order: 'B-2025/0001', gift: { wrap: 'gold', cards: [7, true] } },
]

async function sell(owner: TestMerchant, keep: boolean): Promise<void> {
  const sales = payments(world, owner)
  for (const metadata of things) {
    const token = { type: 'recurring', email: 'Taro@Mail.Example.com', metadata }
    const { body: charge } = await sales.charge({ metadata }, { token })
    await sales.work()
    const money = { amount: 10, currency: 'JPY' }
    const path = `${sales.chargePath(charge.id)}/refunds`
    const { body: refund } = await sales.post(path, { ...money, metadata })
    world.clock.advance(60_000)
    const subscription = await sales.post('/subscriptions', {
      transaction_token_id: charge.transaction_token_id,
      ...money,
      period: 'monthly',
      metadata,
    })
    expect(subscription.status, subscription.text).toBe(201)
    if (!keep) continue
    made.charges.push(charge.id)
    made.refunds.push(refund.id)
    made.tokens.push(charge.transaction_token_id)
    made.subscriptions.push(subscription.body.id)
  }
}

beforeAll(async () => {
  shop = await world.merchant()
  stranger = await world.merchant()
  pay = payments(world, shop)
  await sell(stranger, false)
  await sell(shop, true)
})

const lists = {
  charges: ['/charges', 'metadata', ''],
  refunds: ['/transaction_history', 'search', 'type=refund&'],
  tokens: ['/tokens', 'search', ''],
  subscriptions: ['/subscriptions', 'search', ''],
} as const
type List = keyof typeof lists

/** The numbers of the things that were found, in the order of their sale. */
async function found(list: List, term: string): Promise<number[]> {
  const [path, name, more] = lists[list]
  const { status, text, body } = await pay.get(`${path}?${more}${name}=${encodeURIComponent(term)}`)
  expect(status, text).toBe(200)
  const ids = body.items.map((item: Record<string, string>) => item.resource_id ?? item.id)
  // A subscription also creates charges with its metadata.
  const numbers = ids.map((id: string) => made[list].indexOf(id)).toReversed()
  return numbers.filter((number: number) => number >= 0 || list !== 'charges')
}

test.each(Object.keys(lists) as List[])('%s are found by words of their metadata', async (list) => {
  const expected: [string, number[]][] = [
    ['a-2024/0001', [0]],
    ['A-2024', [0, 1]],
    ['0001', [0, 2]],
    ['2025', [2]],
    ['0001 2024', [0]],
    ['会員', [0]],
    ['ド会', [0]],
    ['海', [0]],
    ['gold', [2]],
    ['wrap', []],
    ['024', []],
    ["it's", [1]],
    ["'new':* & !old", [1]],
    ['100%', [1]],
    ['zebra', []],
  ]
  for (const [term, numbers] of expected) {
    expect([term, await found(list, term)]).toEqual([term, numbers])
  }
})

test.each(Object.keys(lists) as List[])('%s: no character has a special meaning', async (list) => {
  const signs = ["'", '"', ':', '&', '|', '!', '*', '\\', '(', ')', '<->', '%', '_', '\u200b']
  for (const sign of signs) {
    expect([sign, await found(list, sign)]).toEqual([sign, []])
    const around = `${sign}gold${sign}`
    expect([around, await found(list, around)]).toEqual([around, [2]])
    const between = `gold${sign}7`
    expect([between, await found(list, between)]).toEqual([between, sign === '\u200b' ? [2] : []])
  }
  expect(await found(list, `gold ${'x '.repeat(120)}`)).toEqual([])
})

test('history and tokens are found by payer; the metadata filter searches nothing else', async () => {
  for (const term of ['taro', 'yam', 'taro@mail.example.com', 'TARO@mail', '4242']) {
    for (const list of ['refunds', 'tokens'] as const) {
      expect([term, await found(list, term)]).toEqual([term, [0, 1, 2]])
    }
    expect([term, await found('charges', term)]).toEqual([term, []])
  }
  expect(await found('charges', 'gold yamada')).toEqual([])
})

test('a subscription is found by its id and its token, a refund by its id', async () => {
  for (const number of [0, 1, 2]) {
    expect(await found('refunds', made.refunds[number] ?? '')).toEqual([number])
    expect(await found('subscriptions', made.subscriptions[number] ?? '')).toEqual([number])
    expect(await found('subscriptions', made.tokens[number] ?? '')).toEqual([number])
  }
  const [of_charge, of_history] = ['/charges?metadata=', '/transaction_history?search=']
  const [id] = made.charges
  expect((await pay.get(`${of_charge}${id}`)).body.items).toEqual([])
  expect((await pay.get(`${of_history}${id}`)).body.items).toHaveLength(1)
  const strange = await world.call('GET', `${of_history}${id}`, { auth: stranger.as_store })
  expect(strange.body.items).toEqual([])
})

/** Copies of the first charge, oldest first, with their own words. */
async function addCharges(merchant_id: string, names: (n: number) => string, count: number) {
  const { rows } = await world.store.pool.query(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = current_schema() and table_name = 'charges' and is_generated = 'NEVER'
       and column_name <> all ('{merchant_id,id,search_words}')`,
  )
  const at = world.clock.now().toString(16).padStart(12, '0')
  const numbers = Array.from({ length: count }, (_, n) => n)
  const ids = numbers.map((n) => {
    const number = (n + 4096).toString(16).padStart(12, '0')
    return `${at.slice(0, 8)}-${at.slice(8)}-7000-8000-${number}`
  })
  const words = numbers.map((n) => searchWords(merchant_id, names(n), null, null, {}))
  await world.store.pool.query(
    `insert into charges (merchant_id, id, search_words, ${rows[0].columns})
     select $1, given.id, given.words, ${rows[0].columns}
     from charges as c, unnest($2::uuid[], $3::tsvector[]) as given (id, words) where c.id = $4`,
    [merchant_id, ids, words, made.charges[0]],
  )
  return ids
}

test('pages have every hit once, however frequent the word and in both directions', async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  const parts = { every: 1, second: 2, tenth: 10, fiftieth: 50, hundredth: 100, rare: 1201 }
  const kinds = Object.entries(parts)
  const names = (n: number) =>
    kinds.flatMap(([name, part]) => (n % part === 0 ? [name] : [])).join(' ')
  const old = await addCharges(shop.id, (n) => (n < 30 ? 'campaign' : ''), 60)
  world.clock.advance(1000)
  const ids = await addCharges(shop.id, names, 2500)
  // Another merchant whose id ends in the same way.
  const other = `${shop.id.startsWith('1') ? '2' : '1'}${shop.id.slice(1)}`
  world.clock.advance(1000)
  await addCharges(other, names, 300)
  const all = [
    ...kinds.map(([name, part]) => [name, ids.filter((_, n) => n % part === 0)] as const),
    ['second fiftieth', ids.filter((_, n) => n % 50 === 0)] as const,
    ['campaign', old.slice(0, 30)] as const,
  ]
  for (const direction of ['desc', 'asc']) {
    for (const [term, expected] of all) {
      const seen: string[] = []
      for (let more = true; more && seen.length < 100; ) {
        const cursor = seen.length > 0 ? `&cursor=${seen.at(-1)}` : ''
        const path = `/transaction_history?search=${term}&cursor_direction=${direction}${cursor}`
        const { body } = await world.call('GET', path, { auth: shop.as_merchant })
        world.clock.advance(1000)
        seen.push(...body.items.map((item: { resource_id: string }) => item.resource_id))
        more = body.has_more
      }
      const order = direction === 'desc' ? expected.toReversed() : expected
      expect([term, seen]).toEqual([term, order.slice(0, 100)])
    }
  }
})
