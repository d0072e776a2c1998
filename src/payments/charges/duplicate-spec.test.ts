import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

const world = useWorld()
let pay: Payments

beforeAll(async () => {
  pay = payments(world, await world.merchant())
})

const bill = (transaction_token_id: string) =>
  pay.post('/charges', { transaction_token_id, amount: 1, currency: 'JPY' })

test('code 311 is for the same card and the same recurring token: another token of the card is billed', async () => {
  const [first, second] = [
    await pay.tokenId({ type: 'recurring' }),
    await pay.tokenId({ type: 'recurring' }),
  ]
  expect((await bill(first)).status).toBe(201)
  expect((await bill(second)).status).toBe(201)
  for (const token of [first, second]) {
    expect(await bill(token)).toMatchObject({ status: 400, body: { error: { code: 311 } } })
  }
})

test('one-time tokens of the same card are no duplicates', async () => {
  const tokens = [await pay.tokenId(), await pay.tokenId()]
  for (const token of tokens) expect((await bill(token)).status).toBe(201)
})
