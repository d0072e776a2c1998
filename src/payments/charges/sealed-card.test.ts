import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// An attacker who can write to the database moves or changes the sealed card of a token. The charge
// must end, with a warning in the log, and no card may be charged.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const query = async (sql: string, values: unknown[]) =>
  (await world.store.pool.query(sql, values)).rows

const copyColumn = (column: 'card_number' | 'cvv', from: string, to: string) =>
  query(
    `update transaction_tokens set ${column} = (
       select ${column} from transaction_tokens where id = $1) where id = $2`,
    [from, to],
  )

async function expectBroken(token_id: string): Promise<void> {
  const log_start = world.log.length
  const wanted = { transaction_token_id: token_id, amount: 1000, currency: 'JPY' }
  const created = await pay.post('/charges', wanted)
  expect(created.status).toBe(201)
  await pay.work()
  const charge = (await pay.get(pay.chargePath(created.body.id))).body
  expect(charge).toMatchObject({ status: 'error', charged_amount: null, error: { code: 501 } })
  const operations = 'select 1 from simulator_operations where charge_id = $1'
  expect(await query(operations, [charge.id])).toEqual([])
  const ledger = 'select 1 from ledger_transactions where charge_id = $1'
  expect(await query(ledger, [charge.id])).toEqual([])
  const [row] = await query('select due_on, claims from charges where id = $1', [charge.id])
  expect(row).toEqual({ due_on: null, claims: 1 })
  const noted = world.log.slice(log_start).filter((line) => line.includes('"seal broken"'))
  expect(noted).toHaveLength(1)
  expect(JSON.parse(noted[0] ?? '')).toMatchObject({
    level: 'error',
    transaction_token_id: token_id,
  })
}

test('the card of another token of the merchant is never charged', async () => {
  const rich = await pay.tokenId({ type: 'recurring' }, { card_number: '5555555555554444' })
  const poor = await pay.tokenId({ type: 'recurring' })
  await copyColumn('card_number', rich, poor)
  await expectBroken(poor)
})

test('the card of another merchant is never charged', async () => {
  const rich = await payments(world, await world.merchant()).tokenId({ type: 'recurring' })
  const poor = await pay.tokenId({ type: 'recurring' })
  await copyColumn('card_number', rich, poor)
  await expectBroken(poor)
})

test('a security code of another token is never used', async () => {
  const rich = await pay.tokenId({ type: 'recurring' })
  const poor = await pay.tokenId({ type: 'recurring' })
  await copyColumn('cvv', rich, poor)
  await expectBroken(poor)
})

test.each([
  ['flipped', 'set_byte(card_number, 40, get_byte(card_number, 40) # 1)'],
  ['cut off', 'substring(card_number for 20)'],
  ['emptied', "''::bytea"],
])('a card number that was %s ends the charge', async (_, changed) => {
  const id = await pay.tokenId({ type: 'recurring' })
  await query(`update transaction_tokens set card_number = ${changed} where id = $1`, [id])
  await expectBroken(id)
})

test('other charges of the same batch are not held up', async () => {
  const broken = await pay.tokenId({ type: 'recurring' })
  await query("update transaction_tokens set card_number = '\\x00' where id = $1", [broken])
  const body = { amount: 1, currency: 'JPY' }
  const created = [
    await pay.post('/charges', { ...body, transaction_token_id: await pay.tokenId() }),
    await pay.post('/charges', { ...body, transaction_token_id: broken }),
    await pay.post('/charges', { ...body, transaction_token_id: await pay.tokenId() }),
  ]
  await pay.work()
  const statuses = []
  for (const { body: charge } of created) {
    statuses.push((await pay.get(pay.chargePath(charge.id))).body.status)
  }
  expect(statuses).toEqual(['successful', 'error', 'successful'])
})
