import { request } from 'undici'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { createTransfers } from '../../commerce/transfers/create-transfers.ts'
import { moveTransfer } from '../../commerce/transfers/move-transfer.ts'

// Lists as CSV, over a real connection.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let url: string

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  url = (await world.listen()).url
  await pay.settled(
    { amount: 100, metadata: { note: '=1+1' } },
    { data: { cardholder: '=cmd(x)' } },
  )
  await pay.settled({ amount: 250 }, { data: { card_number: '4000000000000002' } })
})

async function csv(path: string, authorization = shop.as_merchant) {
  world.clock.advance(1000)
  const { statusCode, headers, body } = await request(`${url}/exports/${path}`, {
    headers: { authorization },
    reset: true,
  })
  // Decoded as text it would lose its byte order mark.
  const text = Buffer.from(await body.arrayBuffer()).toString()
  return { status: statusCode, headers, text }
}

test('the columns that are asked for, in their order, and no formula', async () => {
  const { status, headers, text } = await csv(
    'transactions.csv?columns=amount,status,customer_name',
  )
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['x-total-rows']).toBe('2')
  const name = 'TARO YAMADA'
  expect(text).toBe(
    `amount,status,customer_name\r\n250,failed,${name}\r\n100,successful,'=CMD(X)\r\n`,
  )
})

test('the filters of the list apply, and a wrong one or an unknown column is refused', async () => {
  const failed = await csv('transactions.csv?columns=amount,error_code&status=failed')
  expect(failed.text).toBe('amount,error_code\r\n250,306\r\n')
  const marked = await csv('charges.csv?columns=requested_amount&bom=true&amount_from=200')
  expect(marked.text).toBe('\u{feff}requested_amount\r\n250\r\n')
  expect((await csv('transactions.csv?status=nonsense')).status).toBe(400)
  expect((await csv('charges.csv?columns=card_number')).status).toBe(400)
})

test.each(['transactions', 'charges', 'refunds', 'subscriptions', 'ledger_entries', 'transfers'])(
  '%s are exported completely, whatever page a query asks for',
  async (list) => {
    const { text: whole } = await csv(`${list}.csv`)
    for (const query of ['cursor=4539706148293172', 'limit=zz', 'limit=1', 'cursor=&limit=']) {
      const { status, headers, text } = await csv(`${list}.csv?${query}`)
      expect([status, text]).toEqual([200, whole])
      expect(headers['x-ignored-fields']).toBe(query.replaceAll(/=[^&]*/g, '').replace('&', ', '))
    }
  },
)

test('the refunded amount of a payment is a column', async () => {
  const { id } = await pay.settled({ amount: 900 })
  await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 300, currency: 'JPY' })
  await pay.work()
  const { text } = await csv('transactions.csv?columns=type,amount,refunded,refunded_currency')
  expect(text.split('\r\n').slice(1, 3)).toEqual(['refund,300,,', 'charge,900,300,JPY'])
})

test.each(['transactions', 'charges', 'refunds', 'subscriptions', 'ledger_entries', 'transfers'])(
  '%s can be exported with every column, without a card number',
  async (list) => {
    const { status, text } = await csv(`${list}.csv`)
    expect(status, text).toBe(200)
    expect(text).not.toMatch(/4242424242424242|4000000000000002/)
  },
)

test('an export has every row of all pages once', async () => {
  await world.store.pool.query(
    `insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind, charge_id, accounts,
      currencies, amounts, created_on)
    select $1, uuidv7(), $2, 'test', 'manual', 'adjustment', gen_random_uuid(),
      '{suspense,provider_receivable}', '{JPY,JPY}', '{1,-1}', now() from generate_series(1, 1700)`,
    [shop.id, shop.store_id],
  )
  const { text, headers } = await csv(
    'ledger_entries.csv?account=suspense&columns=ledger_id,amount',
  )
  const lines = text.trimEnd().split('\r\n')
  expect(headers['x-total-rows']).toBeUndefined()
  expect(lines.length).toBe(1701)
  expect(new Set(lines).size).toBe(1701)
})

test('another merchant exports nothing of it, and a store of another is not found', async () => {
  const other = await world.merchant()
  expect((await csv('charges.csv?columns=id', other.as_merchant)).text).toBe('id\r\n')
  const path = `charges.csv?store_id=${shop.store_id}`
  expect((await csv(path, other.as_merchant)).status).toBe(404)
})

test('a receiver that leaves gives its slot back', async () => {
  for (let count = 0; count < 5; count += 1) {
    // The service notices a moment later that the previous client has left.
    await vi.waitFor(async () => {
      world.clock.advance(1000)
      const { statusCode, body } = await request(`${url}/exports/ledger_entries.csv`, {
        headers: { authorization: shop.as_merchant },
        reset: true,
      })
      body.on('error', () => {})
      body.destroy()
      expect(statusCode).toBe(200)
    })
  }
})

test('gross, fee, net and the payout of each payment come from the ledger', async () => {
  const own = await world.merchant()
  const sell = payments(world, own)
  const configuration = { percent_fee: 3.6 }
  await patchMerchant(world.service, own.id, { configuration }, 'operator')
  const { id } = await sell.settled({ amount: 10_000 })
  await sell.post(`${sell.chargePath(id)}/refunds`, { amount: 400, currency: 'JPY' })
  await sell.settled({ amount: 70 }, { data: { card_number: '4000000000000002' } })
  await sell.work()
  const columns = 'columns=type,gross,fee,net,settled_currency,payout_status,payout_on'
  const read = async () =>
    (await csv(`transactions.csv?${columns}`, own.as_merchant)).text.split('\r\n')
  expect(await read()).toEqual([
    'type,gross,fee,net,settled_currency,payout_status,payout_on',
    'charge,,,,,,',
    'refund,-400,0,-400,JPY,,',
    'charge,10000,360,9640,JPY,,',
    '',
  ])
  const [transfer] = await createTransfers(world.service, {
    merchant_id: own.id,
    started_by: 'operator',
  })
  for (const step of ['approve', 'process', 'pay'] as const) {
    await moveTransfer(world.service, transfer?.id ?? '', step)
  }
  const lines = 'columns=kind,amount,customer_name,note'
  const paid = `payout_lines.csv?transfer_id=${transfer?.id}`
  const { text } = await csv(`${paid}&${lines}`, own.as_merchant)
  const name = 'TARO YAMADA'
  expect(text).toBe(
    `kind,amount,customer_name,note\r\nrefund,-400,${name},\r\nfee,-360,${name},\r\ncapture,10000,${name},\r\n`,
  )
  const sales = await csv(`${paid}&part=sales&columns=amount,email`, own.as_merchant)
  expect(sales.text).toBe('amount,email\r\n10000,customer@example.com\r\n')
  expect((await csv(paid)).status).toBe(404)
  const [, , refund = '', charge = ''] = await read()
  const paid_on = new Date(world.clock.now()).toISOString().slice(0, 16)
  expect(refund).toContain(`refund,-400,0,-400,JPY,paid,${paid_on}`)
  expect(charge).toContain(`charge,10000,360,9640,JPY,paid,${paid_on}`)
})
