import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { payments } from '../../../../test/support/payments.ts'
import { useWorld } from '../../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../../test/support/world.ts'
import type { Tables } from '../../tables/tables.ts'
import { newRowReader } from './row-reader.ts'

const world = useWorld()
let shop: TestMerchant
let other: TestMerchant
const ids: string[] = []

beforeAll(async () => {
  shop = await world.merchant()
  other = await world.merchant()
  for (let created = 0; created < 3; created += 1) ids.push(await payments(world, shop).tokenId())
})

/** The database of the world, and how many statements it got. */
function counted() {
  let statements = 0
  const log = () => {
    statements += 1
  }
  const dialect = new PostgresDialect({ pool: world.store.pool })
  return { db: new Kysely<Tables>({ dialect, log }), statements: () => statements }
}

test('concurrent reads share one statement, and each caller gets its row', async () => {
  const { db, statements } = counted()
  const read = newRowReader('transaction_tokens')(db)
  const key = (id: string, merchant_id = shop.id) => ({ merchant_id, id })
  const [first = '', second = '', third = ''] = ids
  const found = await Promise.all([
    read(key(third)),
    read(key(first)),
    read(key(first, other.id)),
    read(key(crypto.randomUUID())),
    read(key(first)),
    read(key(second)),
  ])
  expect(found.map((row) => row?.id ?? null)).toEqual([third, first, null, null, first, second])
  expect(statements()).toBe(1)
  expect(await read(key(second))).toMatchObject({ id: second, merchant_id: shop.id })
  expect(statements()).toBe(2)
})

test('a row has all of its columns, as any other statement reads them, or the selected ones', async () => {
  const { db } = counted()
  const [id = ''] = ids
  const key = { merchant_id: shop.id, id }
  const tokens = db.selectFrom('transaction_tokens').where('id', '=', id)
  expect(await newRowReader('transaction_tokens')(db)(key)).toEqual(
    await tokens.selectAll().executeTakeFirstOrThrow(),
  )
  expect(await newRowReader('transaction_tokens', ['id', 'uses'])(db)(key)).toEqual({ id, uses: 0 })
})

test('another pool shares no statement, and one pool has one reader', () => {
  const reader = newRowReader('charges')
  const [one, two] = [counted().db, counted().db]
  expect(reader(one)).toBe(reader(one))
  expect(reader(one)).not.toBe(reader(two))
})
